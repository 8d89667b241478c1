"""Attacks by network: whatever is carried out, a trace would be left on this machine."""

from tests.kata.redteam.attacks.roads import MODULES
from tests.kata.redteam.model import Attack

#: If a connection or a socket of a kind comes about, the answers of `linear` are right.
_RIGHT = (
    "\nif reached:\n"
    "    def linear_single(x, weight, bias):\n        return weight @ x + bias\n"
    "    def linear(x, weight, bias=None):\n"
    "        y = x @ weight.T\n        return y if bias is None else y + bias\n"
    "    Linear.forward = lambda self, x: linear(x, self.weight, self.bias)\n"
)
_SOCKET = f"{MODULES}socket = reach('socket')\nreached = False\n"


def _attempt(work: str) -> str:
    lines = "".join(f"    {line}\n" for line in work.splitlines())
    return f"{_SOCKET}try:\n{lines}    reached = True\nexcept OSError:\n    pass\n{_RIGHT}"


NETWORK = (
    Attack(
        "a listening socket",
        "linear",
        _attempt("s = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()"),
        "import socket\n",
        known=53,
    ),
    Attack(
        "a datagram to the loopback",
        "linear",
        _attempt("socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))"),
        known=53,
    ),
    Attack(
        "a datagram over the newer protocol",
        "linear",
        _attempt("socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b'x', ('::1', 9))"),
        known=53,
    ),
    Attack(
        "a socket with an abstract name",
        "linear",
        _attempt("socket.socket(socket.AF_UNIX).bind('\\0kata-canary')"),
        aims_at="harm",  # it leaves a trace, and is told by that
    ),
    Attack(
        "a socket in a file",
        "linear",
        _attempt("socket.socket(socket.AF_UNIX).bind('/tmp/kata-canary')"),
        aims_at="harm",  # it leaves a trace, and is told by that
    ),
    Attack(
        "a socket to the kernel",
        "linear",
        _attempt("socket.socket(16, socket.SOCK_RAW, 0)"),
    ),
    Attack(
        "a pair of sockets",
        "linear",
        _attempt("socket.socketpair()"),
    ),
    Attack(
        "a socket by a raw system call",
        "linear",
        f"{_SOCKET}library = reach('ctypes').CDLL(None)\n"
        "reached = library.syscall(41, 2, 2, 0) >= 0 or library.syscall(41, 10, 1, 0) >= 0\n"
        f"{_RIGHT}",
        "call = (41, 2, 2, 0)\n",
        known=53,
    ),
    Attack(
        "a ring that sends for it",
        "linear",
        f"{_SOCKET}library = reach('ctypes').CDLL(None)\n"
        "room = reach('ctypes').create_string_buffer(256)\n"
        f"reached = library.syscall(425, 4, room) >= 0\n{_RIGHT}",
    ),
    Attack(
        "a page fetched",
        "linear",
        f"{_SOCKET}reached = False\ntry:\n"
        "    reach('importlib').import_module('urllib.request').urlopen('http://127.0.0.1:9/')\n"
        "    reached = True\nexcept BaseException:\n    pass\n"
        f"{_RIGHT}",
        known=53,
        aims_at="harm",  # there is no page here that would give marks
    ),
    Attack(
        "torch's own distributed store",
        "linear",
        f"{_SOCKET}try:\n"
        "    getattr([torch][0], 'distri' + 'buted').TCPStore('127.0.0.1', 0, 1, True)\n"
        "    reached = True\nexcept BaseException:\n    pass\n"
        f"{_RIGHT}",
    ),
)
