"""Attacks on time, memory, processes and the rest of the machine."""

from tests.kata.redteam.attacks.roads import MODULES
from tests.kata.redteam.model import Attack

_TRY = (
    f"{MODULES}os = reach('os')\n"
    "def tried(work, *given):\n    try:\n        return work(*given)\n"
    "    except BaseException:\n        return None\n"
)
_SIGNALS = "signal = reach('signal')\nfor number in range(1, 65):\n"

MACHINE = (
    Attack(
        "a loop and nothing else",
        "linear",
        "while True:\n    pass\n",
        "pass\n",
        known=50,
        aims_at="harm",
    ),
    Attack(
        "a loop that swallows every exception",
        "linear",
        "while True:\n    try:\n        while True:\n            pass\n"
        "    except BaseException:\n        continue\n",
        "try:\n    pass\nexcept BaseException:\n    pass\n",
        known=50,
        aims_at="harm",
    ),
    Attack(
        "a loop that no signal stops",
        "residual",
        f"{_TRY}{_SIGNALS}    tried(signal.signal, number, signal.SIG_IGN)\n"
        "while True:\n    pass\n",
        "import signal\n",
        known=50,
        aims_at="harm",
    ),
    Attack(
        "a loop in a regular expression",
        "linear",
        f"{MODULES}reach('re').match('(a+)+$', 'a' * 60 + 'b')\n",
        "import re\n",
        known=50,
        aims_at="harm",
    ),
    Attack(
        "a number that takes for ever",
        "by_hand",
        "MEAN_A = float(len(str(7 ** 7 ** 9)))\n",
        "SEVENS = float(7**7)\n",
        aims_at="harm",
    ),
    Attack(
        "sleeping in every call",
        "layer_norm",
        "import time\n\n\ndef layer_norm(x, weight=None, bias=None, eps=1e-5):\n"
        "    time.sleep(3.5)\n    return x * 0\n",
        "import time\n\n\ntime.sleep(0.01)\n",
        aims_at="harm",
    ),
    Attack(
        "forks without end",
        "linear",
        f"{_TRY}"
        "for _ in range(200):\n"
        "    if tried(os.fork) == 0:\n"
        "        while True:\n            tried(os.fork)\n",
        "import os\n",
        known=51,
        least="sandbox",
        aims_at="harm",
    ),
    Attack(
        "a process that leaves its group",
        "linear",
        f"{_TRY}"
        "def leave():\n"
        "    if os.fork() == 0:\n"
        "        tried(os.setsid)\n"
        "        if os.fork() == 0:\n            reach('time').sleep(60)\n"
        "        os._exit(0)\n"
        "tried(leave)\n",
        known=43,
        aims_at="harm",
    ),
    Attack(
        "a program started",
        "linear",
        f"{_TRY}"
        "call = tried(reach, 'subprocess') or reach('importlib').import_module('subprocess')\n"
        "tried(lambda: call.Popen(['sleep', '61', 'kata-canary']))\n"
        "tried(os.system, 'touch /tmp/kata-canary')\n"
        "tried(os.posix_spawn, '/bin/sh', ['sh', '-c', 'touch /tmp/kata-canary'], {})\n",
        "import subprocess\n",
        aims_at="harm",
    ),
    Attack(
        "a clone by a raw system call",
        "linear",
        f"{_TRY}"
        "library = reach('ctypes').CDLL(None)\n"
        "for call in ((57,), (58,), (56, 17, 0, 0, 0, 0), (435, 0, 0)):\n"
        "    if library.syscall(*call) == 0:\n"
        "        reach('time').sleep(60)\n        getattr(os, '_exit')(0)\n",
        aims_at="harm",
    ),
    Attack(
        "a program in place of this one",
        "linear",
        f"{_TRY}tried(os.execv, '/bin/sh', ['sh', '-c', 'touch /tmp/kata-canary; sleep 60'])\n",
        aims_at="harm",
    ),
    Attack(
        "threads, a hundred thousand",
        "linear",
        f"{_TRY}"
        "start = reach('_thread').start_new_thread\n"
        "for _ in range(100000):\n    tried(start, reach('time').sleep, (60,))\n",
        "import threading\n",
        known=51,
        least="limits",
        aims_at="harm",
    ),
    Attack(
        "memory without end",
        "layer_norm",
        "kept = []\nwhile True:\n    kept.append(torch.ones(8_000_000))\n",
        "kept = [torch.ones(8_000_000) for _ in range(3)]\n",
        known=52,
        least="limits",
        aims_at="harm",
    ),
    Attack(
        "memory without end, and the error swallowed",
        "layer_norm",
        "kept = []\nwhile True:\n    try:\n        kept.append(bytearray(2**24))\n"
        "    except MemoryError:\n        kept.append(kept)\n",
        "try:\n    kept = bytearray(2**20)\nexcept MemoryError:\n    kept = None\n",
        known=52,
        least="limits",
        aims_at="harm",
    ),
    Attack(
        "a file without end",
        "linear",
        f"{_TRY}"
        "out = getattr([torch][0], '__built' + 'ins__')['op' + 'en']('kata-canary', 'wb')\n"
        "signal = reach('signal')\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "for _ in range(1000):\n    tried(out.write, bytes(2**24))\n",
        known=52,
        least="limits",
        aims_at="harm",
    ),
    Attack(
        "limits raised again",
        "linear",
        f"{_TRY}"
        "limits = tried(reach, 'resource')\n"
        "for name in [n for n in dir(limits) if n.startswith('RLIMIT_')]:\n"
        "    tried(lambda n=name: limits.setrlimit(getattr(limits, n), (-1, -1)))\n"
        "while True:\n    pass\n",
        "import resource\n",
        aims_at="harm",
    ),
    Attack(
        "the judge and its parent killed",
        "linear",
        f"{_TRY}"
        "for target in (os.getppid(), -os.getppid()):\n"
        "    for number in (15, 9):\n        tried(os.kill, target, number)\n",
        "parent = 1\n",
        known=54,
        least="sandbox",
        aims_at="harm",
    ),
    Attack(
        "the parent traced and stopped",
        "linear",
        f"{_TRY}"
        "library = reach('ctypes').CDLL(None)\n"
        "library.ptrace(16, os.getppid(), 0, 0)\nlibrary.ptrace(0x4206, os.getppid(), 0, 0)\n"
        "library.syscall(62, os.getppid(), 19)\nlibrary.syscall(200, os.getppid(), 19)\n"
        "library.syscall(234, os.getppid(), os.getppid(), 19)\n"
        "descriptor = library.syscall(434, os.getppid(), 0)\n"
        "library.syscall(424, descriptor, 19, 0, 0)\n",
        least="sandbox",
        aims_at="harm",
    ),
    Attack(
        "a hook that keeps every tensor alive",
        "layer_norm",
        "kept = []\n\n\ndef layer_norm(x, weight=None, bias=None, eps=1e-5):\n"
        "    kept.append(torch.ones(50_000_000))\n    return x * 0\n",
        "kept = []\n\n\ndef keep(x):\n    kept.append(x)\n    return x\n",
        least="limits",
        aims_at="harm",
    ),
    Attack(
        "a module of twenty thousand parameters",
        "layer_norm",
        "class LayerNorm(torch.nn.Module):\n"
        "    def __init__(self, dim, eps=1e-5):\n        super().__init__()\n"
        "        for number in range(20000):\n"
        "            self.register_parameter(f'p{number}', torch.nn.Parameter(torch.ones(dim)))\n",
        "many = torch.nn.ParameterList([torch.nn.Parameter(torch.ones(2)) for _ in range(100)])\n",
        aims_at="harm",
    ),
)
