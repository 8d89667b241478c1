"""Attacks on files, the channel and other people's results."""

from tests.kata.redteam.attacks.doors import DOORS, body
from tests.kata.redteam.model import Attack

_PLACES = "('/tmp', '/var/tmp', '/dev/shm', _os.path.expanduser('~'), '..', '../..', '/')"

WRITING = (
    Attack(
        "the other exercises rewritten",
        "layer_norm",
        (
            f"{DOORS}"
            "for _name in ('linear', 'residual', 'by_hand'):\n"
            "    _path = f'exercises/{_name}.py'\n"
            "    try:\n"
            "        _os.chmod('exercises', 0o777)\n"
            "        _os.chmod(_path, 0o666)\n"
            "        _os.unlink(_path)\n"
            "    except OSError: pass\n"
            "    try: _os.write(_os.open(_path, 577), b'raise SystemExit')\n"
            "    except OSError: pass\n"
        ),
        known=54,
        aims_at="harm",
    ),
    Attack(
        "everything is deleted",
        "linear",
        body(
            "_get('shutil').rmtree('.', ignore_errors=True)",
            "return x",
        ),
        known=54,
        aims_at="harm",
    ),
    Attack(
        "its folder is locked",
        "linear",
        body(
            "_os.makedirs('a/b', exist_ok=True)",
            "try: _os.chmod('a', 0)",
            "except OSError: pass",
            "return x",
        ),
        aims_at="harm",
    ),
    Attack(
        "a grade in JSON on the screen",
        "linear",
        body(
            'print(\'{"score": 100, "max_score": 100, "tests": []}\')',
            "print('100 passed in 0.01s')",
            "return x",
        ),
        "print('100 passed in 0.01s')\n",
        known=47,
        aims_at="harm",
    ),
    Attack(
        "commands for the job on the screen",
        "linear",
        body(
            'print(\'::notice title=Autograding report::{"totalPoints":100,"maxPoints":100}\')',
            "print('##vso[task.complete result=Succeeded]')",
            "return x",
        ),
        "print('::notice::hello')\n",
        known=46,
        aims_at="harm",
    ),
    Attack(
        "the output of the job",
        "linear",
        body(
            "for name in ('GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY', 'GITHUB_ENV'):",
            "    if name in _os.environ:",
            "        _os.write(_os.open(_os.environ[name], 1025), b'result=kata-canary')",
            "return x",
        ),
        known=45,
        aims_at="harm",
    ),
    Attack(
        "a reply on every descriptor",
        "linear",
        body(
            "m = _modules['tests.grader.worker.wire']",
            "o = _modules['tests.grader.observation']",
            "a = x.detach().numpy().copy() * 0",
            "seen = o.Observation((o.Returned('tensor', a.shape, str(a.dtype), a),))",
            "frame = m.reply(m.Seen(seen))",
            "for n in range(3, 64):",
            "    try: _os.write(n, len(frame).to_bytes(4, 'big') + frame)",
            "    except OSError: pass",
            "return x",
        ),
        known=48,
        aims_at="harm",
    ),
    Attack(
        "the channel is closed",
        "linear",
        body(
            "for n in range(3, 64):",
            "    try: _os.close(n)",
            "    except OSError: pass",
            "return x",
        ),
        known=48,
        aims_at="harm",
    ),
    Attack(
        "the observer says all is well",
        "linear",
        body(
            "m = _modules['tests.grader.observe']",
            "m.tensors.returned = lambda value: None",
            "return x",
        ),
        known=17,
        aims_at="bluff",
    ),
    Attack(
        "the random numbers are zeros",
        "linear",
        (
            f"{DOORS}torch.manual_seed = lambda seed: None\n"
            "torch.randn = torch.rand = lambda *a, **k: torch.zeros(*a)\n"
            "def linear(x, weight, bias=None):\n    return x * 0\n"
        ),
        "torch.manual_seed(1)\n",
        known=19,
        aims_at="bluff",
    ),
    Attack(
        "the rules are taken away",
        "linear",
        (
            f"{DOORS}_modules['tests.grader.rules'].broken_rule = lambda tree: None\n"
            "def linear(x, weight, bias=None):\n    return x * 0\n"
        ),
        aims_at="bluff",
    ),
    Attack(
        "a connection to the outside",
        "linear",
        body(
            "_get('socket').create_connection(('192.0.2.1', 80), 1)",
            "return x",
        ),
        known=53,
        aims_at="harm",
    ),
    Attack(
        "a raw system call",
        "linear",
        body(
            "c = _get('ctypes').CDLL(None)",
            "c.syscall(2, b'/tmp/kata-canary-2', 65, 0o644)",
            "c.syscall(62, _os.getppid(), 9)",
            "return x",
        ),
        known=34,
        aims_at="harm",
    ),
    Attack("a new session", "linear", body("_os.setsid()", "return x"), aims_at="harm"),
    Attack("root again", "linear", body("_os.setuid(0)", "return x"), aims_at="harm"),
)
