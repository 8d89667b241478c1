"""Refusing system calls with a seccomp filter, which holds for good and for every thread."""

import ctypes
import struct

from tests.grader.sandbox import bpf, kernel
from tests.grader.sandbox.syscalls import LOOKED_AT, NEWEST, REFUSED, SECCOMP, numbers

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_CLONE_THREAD = 0x00010000
_ACCESS, _TRUNCATE = 0o3, 0o1000  # flags of open
_SET_OWNER, _SET_OWNER_EX = 8, 15  # of fcntl: who gets the signals of a descriptor
_PUSH_INPUT, _PASTE, _SET_FILE_OWNER, _SET_SOCKET_OWNER = 0x5412, 0x541C, 0x8901, 0x8902

_SET_FILTER, _ALL_THREADS = 1, 1


def program(machine: str, pid: int) -> bpf.Block:
    """The filter of a process: what is refused for this machine and this process id."""
    filtered = [
        bpf.load(bpf.ARCHITECTURE),
        bpf.equal(ARCHITECTURES[machine], 1, 0),
        bpf.answer(bpf.KILL),  # 32-bit calls have numbers of their own
        bpf.load(bpf.NUMBER),
        bpf.at_least(NEWEST + 1, 0, 1),  # the x32 calls are among these
        bpf.answer(bpf.ABSENT),
    ]
    looked_at = numbers(LOOKED_AT, machine)
    for name, block in _blocks(pid).items():
        if name in looked_at:
            filtered += bpf.when(looked_at[name], block)
    for table in REFUSED.values():
        for number in numbers(table, machine).values():
            filtered += bpf.when(number, [bpf.answer(bpf.REFUSE)])
    return [*filtered, bpf.answer(bpf.ALLOW)]


def _blocks(pid: int) -> dict[str, bpf.Block]:
    """What is asked of the calls whose arguments decide."""
    own = bpf.only_if(0, (pid,))
    cut = _TRUNCATE | _ACCESS  # cutting a file that is opened for reading
    return {
        "kill": own,
        "tkill": own,
        "tgkill": own,  # abort() sends its signal with this
        "clone": bpf.only_if(0, (_CLONE_THREAD,), _CLONE_THREAD),
        "clone3": [bpf.answer(bpf.ABSENT)],  # its flags are in memory, out of a filter's sight
        "openat2": [bpf.answer(bpf.ABSENT)],  # so are these
        "open": bpf.not_if(1, (_TRUNCATE,), cut),
        "openat": bpf.not_if(2, (_TRUNCATE,), cut),
        "prlimit64": bpf.only_if(0, (0, pid)),
        "fcntl": bpf.not_if(1, (_SET_OWNER, _SET_OWNER_EX)),
        "ioctl": bpf.not_if(1, (_PUSH_INPUT, _PASTE, _SET_FILE_OWNER, _SET_SOCKET_OWNER)),
    }


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def install(pid: int) -> bool:
    """Filter the calls of this process from here on; False where the kernel has no filters.

    Asks for no_new_privileges before. pid: the process itself, as it sees its own number.
    """
    machine = kernel.machine()
    if machine is None:
        return False
    filtered = program(machine, pid)
    text = b"".join(struct.pack("=HBBI", *instruction) for instruction in filtered)
    whole = _Program(len(filtered), text)
    number = numbers(SECCOMP, machine)["seccomp"]
    try:
        return kernel.call(number, _SET_FILTER, _ALL_THREADS, ctypes.byref(whole)) == 0
    except OSError:
        return False
