"""The seccomp filter, read instruction by instruction for both machines."""

import pytest

from tests.grader.sandbox import bpf
from tests.grader.sandbox.kernel import MACHINES
from tests.grader.sandbox.seccomp import ARCHITECTURES, program
from tests.grader.sandbox.syscalls import LOOKED_AT, NEWEST, REFUSED, numbers

PID = 4242


def _answer(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """What the filter answers to a call, worked out as the kernel's manual describes it."""
    words = {bpf.NUMBER: number, bpf.ARCHITECTURE: architecture or ARCHITECTURES[machine]}
    for index, argument in enumerate(arguments):
        words[16 + 8 * index] = argument & 0xFFFFFFFF
        words[20 + 8 * index] = argument >> 32 & 0xFFFFFFFF
    steps = program(machine, PID)
    taken, place = 0, 0
    while True:
        step = steps[place]
        place += 1
        if step.code == 0x20:
            taken = words.get(step.constant, 0)
        elif step.code == 0x54:
            taken &= step.constant
        elif step.code == 0x15:
            place += step.if_true if taken == step.constant else step.if_false
        elif step.code == 0x35:
            place += step.if_true if taken >= step.constant else step.if_false
        else:
            assert step.code == 0x06
            return step.constant


def _named(machine: str, name: str, *arguments: int) -> int:
    return _answer(machine, numbers(LOOKED_AT, machine)[name], *arguments)


both = pytest.mark.parametrize("machine", MACHINES)


@both
def test_refused_calls_are_refused(machine):
    for table in REFUSED.values():
        for number in numbers(table, machine).values():
            assert _answer(machine, number) == bpf.REFUSE


@both
def test_all_other_calls_of_before_are_allowed_when_nothing_is_asked(machine):
    named = {n for t in [*REFUSED.values(), LOOKED_AT] for n in numbers(t, machine).values()}
    others = set(range(NEWEST + 1)) - named
    assert {_answer(machine, number) for number in others} == {bpf.ALLOW}


@both
@pytest.mark.parametrize("name", ["kill", "tkill", "tgkill"])
def test_a_signal_goes_to_the_process_itself_only(machine, name):
    assert _named(machine, name, PID, 9, 9) == bpf.ALLOW
    for other in (0, 1, PID + 1, -1, -PID):
        assert _named(machine, name, other, 9, 9) == bpf.REFUSE


@both
def test_a_clone_is_a_thread_or_refused(machine):
    assert _named(machine, "clone", 0x3D0F00) == bpf.ALLOW  # what the C library asks for a thread
    assert _named(machine, "clone", 0x1200011) == bpf.REFUSE  # and for a fork
    assert _named(machine, "clone", 0x4111) == bpf.REFUSE  # and for posix_spawn
    assert _named(machine, "clone3", 0) == bpf.ABSENT


@both
def test_a_file_is_not_cut_while_it_is_opened_for_reading(machine):
    for flags, expected in [
        (0o1000, bpf.REFUSE),
        (0o1000 | 0o2000000, bpf.REFUSE),
        (0o0, bpf.ALLOW),
        (0o1 | 0o100 | 0o1000, bpf.ALLOW),
        (0o2 | 0o1000, bpf.ALLOW),
    ]:
        assert _named(machine, "openat", -100, 0, flags) == expected


@both
def test_limits_of_others_are_not_touched(machine):
    assert _named(machine, "prlimit64", 0, 7) == bpf.ALLOW
    assert _named(machine, "prlimit64", PID, 7) == bpf.ALLOW
    assert _named(machine, "prlimit64", 1, 7) == bpf.REFUSE


@both
def test_nothing_is_typed_into_a_terminal(machine):
    assert _named(machine, "ioctl", 0, 0x5412) == bpf.REFUSE
    assert _named(machine, "ioctl", 0, 1 << 32 | 0x5412) == bpf.REFUSE  # the kernel reads half
    assert _named(machine, "ioctl", 0, 0x5401) == bpf.ALLOW
    assert _named(machine, "fcntl", 0, 8) == bpf.REFUSE
    assert _named(machine, "fcntl", 0, 1) == bpf.ALLOW


@both
def test_calls_of_another_machine_end_the_process(machine):
    for architecture in (0x40000003, 0x40000028, 0xC0000015):
        assert _answer(machine, 0, architecture=architecture) == bpf.KILL


@both
def test_newer_calls_are_absent(machine):
    for number in (NEWEST + 1, 999, 0x40000000, 0x40000000 + 41, 0xFFFFFFFF):
        assert _answer(machine, number) == bpf.ABSENT


@both
def test_the_filter_fits_the_kernel(machine):
    assert len(program(machine, PID)) < 4096
    assert all(max(step.if_true, step.if_false) < 256 for step in program(machine, PID))
