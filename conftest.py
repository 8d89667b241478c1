"""The door for pytest: the judge's hooks, and those that keep the learner's journal.

It stands here, and not in tests/, because pytest reads `--impl solutions` as a path before it
knows the option, and then looks for a conftest.py from that path upwards.
"""

pytest_plugins = ["tests.grader.pytest_plugin", "exercises.tutor.pytest_journal"]
