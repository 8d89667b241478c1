"""A grade on a system that has no fork, as far as one that has it can be made to look like that.

python -m tests.kata.without_fork FOLDER: grades it from here, prints the record and the screen.
What Windows does not have is taken away before anything of the grader is loaded, in this process
and in those that it starts.
"""

import sys

WITHOUT = """
import os, select, signal, socket, subprocess, sys
def _end(process):
    if process.poll() is None:
        os.kill(process.pid, 9)
subprocess.Popen.kill = _end
for module, names in (
    (os, "fork forkpty killpg getuid geteuid getgid setsid setpgid getpgid wait3 wait4 chown "
         "fchown lchown setresuid setresgid setgroups mkfifo WIFSIGNALED WTERMSIG set_blocking"),
    (select, "poll epoll select"),
    (signal, "SIGKILL SIGALRM SIGXCPU alarm setitimer"),
    (socket, "send_fds recv_fds socketpair AF_UNIX"),
):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
for name in ("resource", "fcntl", "grp", "pwd"):
    sys.modules[name] = None
"""


def main(folder: str) -> None:
    """Grade the five files of this folder, and then a linear layer that never ends."""
    import json
    from contextlib import closing
    from dataclasses import replace
    from pathlib import Path

    from tests.grader.grade import Settings, grade
    from tests.grader.one_command import screen
    from tests.grader.submission import read_submission
    from tests.grader.worker import fresh, process
    from tests.grader.worker.choice import new_children

    fresh.START = WITHOUT + fresh.START  # type: ignore[misc]
    process.processor_seconds = lambda pid: None  # type: ignore[attr-defined]
    submission = read_submission(Path(folder))
    endless = b"\n\ndef linear_single(x, weight, bias):\n    while True:\n        pass\n"
    with closing(new_children(Settings().limits)) as children:
        graded = grade(submission, children, Settings())
        short = Settings(check_seconds=1.0, exercises=("linear",))
        linear = submission.files["linear"] + endless
        changed = replace(submission, files={**submission.files, "linear": linear})
        late = next(r for r in grade(changed, children, short).results if not r.passed)
    said = {
        "status": {e.name: e.status for e in graded.record.exercises},
        "messages": [r.message for r in graded.results if not r.passed],
        "screen": screen(graded),
        "late": [late.outcome, late.message],
        "isolation": graded.record.isolation,
    }
    print(json.dumps(said))


if __name__ == "__main__":
    exec(WITHOUT)
    main(sys.argv[1])
