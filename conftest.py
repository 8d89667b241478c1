"""The door for pytest: the hooks are in tests/grader/pytest_plugin.py.

It stands here, and not in tests/, because pytest reads `--impl solutions` as a path before it
knows the option, and then looks for a conftest.py from that path upwards.
"""

pytest_plugins = ["tests.grader.pytest_plugin"]
