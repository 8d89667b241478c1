"""Attacks that take time, memory, disk or processes."""

from tests.kata.redteam.attacks.doors import body
from tests.kata.redteam.model import Attack

_FORK = "child = _os.fork()"

RESOURCES = (
    Attack("a loop without end", "linear", body("while True: pass"),
           "while True:\n    break\n", base="right", known=50),
    Attack("a loop that swallows everything", "linear", body(
        "while True:",
        "    try:",
        "        while True: pass",
        "    except BaseException: pass",
    ), base="right", known=50),
    Attack("a loop with every signal ignored", "linear", body(
        "s = _get('signal')",
        "for n in range(1, 65):",
        "    try: s.signal(n, s.SIG_IGN)",
        "    except (OSError, ValueError): pass",
        "while True: pass",
    ), base="right", known=50),
    Attack("a loop while imported", "linear", "while True:\n    pass\n", base="right", known=50),
    Attack("sleep without end", "linear", body("_get('time').sleep(10**6)"), base="right"),
    Attack("a lock that is never let go", "linear", body(
        "lock = _get('threading').Lock()",
        "lock.acquire()",
        "lock.acquire()",
    ), base="right"),
    Attack("a regular expression without end", "linear", body(
        "_get('re').match(r'(a+)+$', 'a' * 64 + 'b')",
    ), base="right"),
    Attack("a loop in __del__", "linear", body(
        "class Last:",
        "    def __del__(self):",
        "        while True: pass",
        "Last()",
    ), base="right"),
    Attack("a fork bomb", "linear", body(
        "while True:",
        f"    {_FORK}",
    ), base="right", known=51, least="sandbox"),
    Attack("a process that stays", "linear", body(
        f"{_FORK}",
        "if child == 0:",
        "    _os.setsid()",
        "    _get('time').sleep(600)",
        "return x",
    ), known=51),
    Attack("a daemon that holds the channel", "linear", body(
        f"{_FORK}",
        "if child == 0:",
        "    _os.setsid()",
        "    if _os.fork(): getattr(_os, '_ex' + 'it')(0)",
        "    _get('time').sleep(600)",
        "getattr(_os, '_ex' + 'it')(0)",
    ), known=51),
    Attack("a program that stays", "linear", body(
        "_get('subprocess').Popen(['sleep', '601'], start_new_session=True)",
        "return x",
    ), known=51),
    Attack("threads without end", "linear", body(
        "t = _get('threading')",
        "while True: t.Thread(target=_get('time').sleep, args=(600,), daemon=True).start()",
    ), "import threading\n", base="right", known=51, least="limits"),
    Attack("a memory bomb", "linear", body(
        "held = []",
        "while True: held.append(bytearray(1 << 24))",
    ), "_BIG = bytearray(1 << 24)\n", base="right", known=52, least="limits"),
    Attack("a memory bomb that swallows everything", "linear", body(
        "held = []",
        "while True:",
        "    try: held.append(bytearray(1 << 24))",
        "    except BaseException: pass",
    ), base="right", known=52, least="limits"),
    Attack("a memory bomb of torch", "linear", body(
        "held = []",
        "while True: held.append(torch.ones(1 << 22))",
    ), base="right", known=52, least="limits"),
    Attack("prints without end", "linear", body(
        "while True: print('x' * 4096)",
    ), "print('x' * 4096)\n", base="right", known=52),
    Attack("a disk bomb in its own folder", "linear", body(
        "n = 0",
        "while True:",
        "    n += 1",
        "    f = _os.open(f'{n}', 65)",
        "    _os.write(f, b'x' * (1 << 22))",
        "    _os.close(f)",
        "    if n > 64: return x",
    ), known=52),
    Attack("files opened without end", "linear", body(
        "held = []",
        "while True: held.append(_os.dup(1))",
    ), base="right", known=51),
    Attack("an answer of a gigabyte", "linear", body("return torch.zeros(1 << 28)"), known=52,
           least="limits"),
    Attack("a module of a million parameters", "linear", body("return x") + (
        "\n\nclass Linear(Linear):\n    def __init__(self, *a, **k):\n"
        "        super().__init__(*a, **k)\n"
        "        for n in range(100000):\n"
        "            self.register_parameter(f'p{n}', nn.Parameter(torch.ones(1)))\n"
    )),
    Attack("an exception of a million letters", "linear", body("raise ValueError('x' * 10**6)"),
           "def helper():\n    raise ValueError('x')\n"),
    Attack("a class with a name without end", "linear",
           body("return type('T' * 10**6, (), {})()")),
    Attack("a source of deep nests", "linear", whole="x = " + "(" * 5000 + ")" * 5000 + "\n"),
    Attack("a source of a long sum", "linear", whole="x = " + "+".join(["1"] * 60000) + "\n"),
)  # fmt: skip
