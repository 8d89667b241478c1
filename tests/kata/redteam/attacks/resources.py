"""Attacks that take time, memory, disk or processes."""

from tests.kata.redteam.attacks.doors import body
from tests.kata.redteam.model import Attack

_FORK = "child = _os.fork()"

RESOURCES = (
    Attack(
        "a loop without end",
        "linear",
        body("while True: pass"),
        "while True:\n    break\n",
        base="right",
        known=50,
        aims_at="harm",
    ),
    Attack(
        "sleep without end",
        "linear",
        body("_get('time').sleep(10**6)"),
        base="right",
        aims_at="harm",
    ),
    Attack(
        "a lock that is never let go",
        "linear",
        body(
            "lock = _get('threading').Lock()",
            "lock.acquire()",
            "lock.acquire()",
        ),
        base="right",
        aims_at="harm",
    ),
    Attack(
        "a loop in __del__",
        "linear",
        body(
            "class Last:",
            "    def __del__(self):",
            "        while True: pass",
            "Last()",
        ),
        base="right",
        aims_at="harm",
    ),
    Attack(
        "a process that stays",
        "linear",
        body(
            f"{_FORK}",
            "if child == 0:",
            "    _os.setsid()",
            "    _get('time').sleep(600)",
            "return x",
        ),
        known=51,
        aims_at="harm",
    ),
    Attack(
        "a daemon that holds the channel",
        "linear",
        body(
            f"{_FORK}",
            "if child == 0:",
            "    _os.setsid()",
            "    if _os.fork(): getattr(_os, '_ex' + 'it')(0)",
            "    _get('time').sleep(600)",
            "getattr(_os, '_ex' + 'it')(0)",
        ),
        known=51,
        aims_at="harm",
    ),
    Attack(
        "a program that stays",
        "linear",
        body(
            "_get('subprocess').Popen(['sleep', '601'], start_new_session=True)",
            "return x",
        ),
        known=51,
        aims_at="harm",
    ),
    Attack(
        "a memory bomb of torch",
        "linear",
        body(
            "held = []",
            "while True: held.append(torch.ones(1 << 22))",
        ),
        base="right",
        known=52,
        least="limits",
        aims_at="harm",
    ),
    Attack(
        "a disk bomb in its own folder",
        "linear",
        body(
            "n = 0",
            "while True:",
            "    n += 1",
            "    f = _os.open(f'{n}', 65)",
            "    _os.write(f, b'x' * (1 << 22))",
            "    _os.close(f)",
            "    if n > 64: return x",
        ),
        known=52,
        aims_at="harm",
    ),
    Attack(
        "files opened without end",
        "linear",
        body(
            "held = []",
            "while True: held.append(_os.dup(1))",
        ),
        base="right",
        known=51,
        aims_at="harm",
    ),
    Attack(
        "an answer of a gigabyte",
        "linear",
        body("return torch.zeros(1 << 28)"),
        known=52,
        least="limits",
        aims_at="harm",
    ),
    Attack(
        "an exception of a million letters",
        "linear",
        body("raise ValueError('x' * 10**6)"),
        "def helper():\n    raise ValueError('x')\n",
        aims_at="harm",
    ),
    Attack(
        "a class with a name without end",
        "linear",
        body("return type('T' * 10**6, (), {})()"),
        aims_at="harm",
    ),
)
