"""Attacks that end the check, the process or the run before there is a verdict."""

from tests.kata.redteam.attacks.doors import DOORS, body
from tests.kata.redteam.model import Attack

ENDING = (
    Attack(
        "os._exit(0) while imported",
        "linear",
        f"{DOORS}getattr(_os, '_ex' + 'it')(0)\n",
        known=1,
        aims_at="harm",
    ),
    Attack(
        "os._exit(0) inside a call",
        "linear",
        body("getattr(_os, '_ex' + 'it')(0)"),
        known=2,
        aims_at="harm",
    ),
    Attack(
        "os._exit(0) from a timer",
        "linear",
        body(
            "_modules['threading'].Timer(0.05, getattr(_os, '_ex' + 'it'), (0,)).start()",
            "_modules['time'].sleep(0.2)",
            "return x",
        ),
        known=2,
        aims_at="harm",
    ),
    Attack(
        "sys.exit(0) while imported",
        "linear",
        "raise SystemExit(0)\n",
        "if False:\n    raise SystemExit(0)\n",
        known=3,
        aims_at="harm",
    ),
    Attack(
        "sys.exit(0) inside a call", "linear", body("raise SystemExit(0)"), known=4, aims_at="harm"
    ),
    Attack(
        "KeyboardInterrupt inside a call",
        "linear",
        body("raise KeyboardInterrupt"),
        "def helper():\n    raise KeyboardInterrupt\n",
        known=4,
        aims_at="harm",
    ),
    Attack("GeneratorExit inside a call", "linear", body("raise GeneratorExit"), aims_at="harm"),
    Attack(
        "pytest.skip inside a call",
        "linear",
        body("_get('_pytest.outcomes').skip('not today')"),
        known=5,
        aims_at="harm",
    ),
    Attack(
        "unittest.SkipTest inside a call",
        "linear",
        body("raise _get('unittest').SkipTest('not today')"),
        known=5,
        aims_at="harm",
    ),
    Attack(
        "pytest.xfail inside a call",
        "linear",
        body("_get('_pytest.outcomes').xfail('known')"),
        known=6,
        aims_at="harm",
    ),
    Attack(
        "pytest.exit(0) inside a call",
        "linear",
        body("_get('_pytest.outcomes').exit('done', returncode=0)"),
        known=7,
        aims_at="harm",
    ),
    Attack(
        "hypothesis.reject inside a call",
        "linear",
        body("_get('hypothesis').reject()"),
        known=8,
        aims_at="harm",
    ),
    Attack(
        "a verdict raised inside a call",
        "linear",
        body("raise _modules['tests.grader.verdict'].Verdict('correct', '')"),
        aims_at="harm",
    ),
    Attack(
        "SIGKILL to its own process", "linear", body("_os.kill(_os.getpid(), 9)"), aims_at="harm"
    ),
    Attack(
        "SIGKILL to its process group",
        "linear",
        body("_os.killpg(0, 9)", "return x"),
        aims_at="harm",
    ),
    Attack(
        "SIGKILL to everybody",
        "linear",
        body("_os.kill(-1, 9)", "return x"),
        known=54,
        least="sandbox",
        aims_at="harm",
    ),
    Attack(
        "SIGKILL to its parent",
        "linear",
        body("_os.kill(_os.getppid(), 9)", "return x"),
        known=54,
        aims_at="harm",
    ),
    Attack("SIGSTOP to itself", "linear", body("_os.kill(_os.getpid(), 19)"), aims_at="harm"),
    Attack("abort in C", "linear", body("_os.abort()"), aims_at="harm"),
    Attack("a null pointer is read", "linear", body("_get('ctypes').string_at(0)"), aims_at="harm"),
    Attack(
        "recursion without end in C",
        "linear",
        body(
            "_sys.setrecursionlimit(10**8)",
            "f = lambda n: f(n + 1)",
            "return f(0)",
        ),
        aims_at="harm",
    ),
    Attack(
        "sys.exit at the end of the process",
        "linear",
        f"{DOORS}_get('atexit').register(getattr(_os, '_ex' + 'it'), 0)\n",
        aims_at="harm",
    ),
)
