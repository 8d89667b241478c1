"""The worker: what crosses to the judge, what ends a child, and how its end is told."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import msgspec
import numpy as np
import pytest

from tests.grader.observation import Build, Observation, Request, Returned, StandIn
from tests.grader.record import CheckResult
from tests.grader.run import run_checks
from tests.grader.sandbox.limits import Limits
from tests.grader.verdict import Verdict
from tests.grader.worker import wire
from tests.grader.worker.forked import Forked
from tests.grader.worker.subject import Worker
from tests.kata.harness import ROOT, first_failure, solution_with
from tests.kata.parity import differences
from tests.kata.proof import EXERCISES, pieces


@pytest.fixture(scope="module")
def children() -> Iterator[Forked]:
    with closing(Forked(Limits(memory_bytes=512 * 1024**2))) as warm:
        yield warm


def solutions(**changed: str) -> dict[str, bytes]:
    files = {path.stem: path.read_bytes() for path in (ROOT / "solutions").glob("*.py")}
    return {**files, **{name: text.encode() for name, text in changed.items()}}


def grade(
    children: Forked, exercise: str, files: Mapping[str, bytes], check: float = 20.0
) -> list[CheckResult]:
    subject = Worker(children, exercise, files, check, 4 * check)
    try:
        return list(run_checks(subject))
    finally:
        subject.close()


def failure_of(children: Forked, code: str, check: float = 20.0) -> CheckResult:
    """The first failure of a linear layer whose `linear` has this body."""
    body = f"def linear(x, weight, bias=None):\n    {code}\n"
    found = first_failure(
        grade(children, "linear", solutions(linear=solution_with("linear", body)), check)
    )
    assert found is not None
    return found


ENDS = {
    "an endless loop": ("while True: pass", "timeout", "was stopped after 2 s in one check."),
    "a loop that swallows everything": (
        "while True:\n        try:\n            while 1: pass\n        except BaseException: pass",
        "timeout",
        "was stopped after 2 s in one check.",
    ),
    "printing without end": (
        "while True: print('x' * 1000)",
        "timeout",
        "It was printing without end.",
    ),
    "memory": ("x = [bytearray(1 << 20) for _ in range(4096)]", "memory", "MemoryError"),
    "memory of torch": ("torch.ones(1 << 30)", "memory", "can't allocate memory"),
    "a crash": ("(lambda f: f(f))(lambda f: f(f))", "error", "RecursionError"),
    "sys.exit": ("raise SystemExit(0)", "error", "SystemExit: 0"),
    "Ctrl-C raised by itself": ("raise KeyboardInterrupt", "error", "KeyboardInterrupt"),
}


@pytest.mark.parametrize("end", ENDS)
def test_every_end_has_a_status_and_a_sentence(end: str, children: Forked) -> None:
    code, outcome, sentence = ENDS[end]
    found = failure_of(children, code, 2.0 if outcome == "timeout" else 20.0)
    assert found.outcome == outcome
    assert sentence in " ".join(found.message.split())
    assert "exercises/linear.py" in found.message


def test_the_rest_of_an_exercise_that_ended_says_the_same(children: Forked) -> None:
    code = (
        "import torch\n_end = getattr(getattr([torch][0], 'o' + 's'), '_ex' + 'it')\n"
        "def linear(x, weight, bias=None):\n    _end(7)\n"
    )
    results = grade(children, "linear", solutions(linear=solution_with("linear", code)))
    ended = [r for r in results if r.outcome == "crashed"]
    assert len(ended) > 10
    assert "ended the process that runs it, with status 7." in ended[0].message
    assert grade(children, "linear", solutions())[-1].passed


def test_a_child_holds_no_answer_in_its_memory(children: Forked) -> None:
    code = (
        "import torch\n_modules = getattr([torch][0], 's' + 'ys').modules\n"
        "def linear(x, weight, bias=None):\n"
        "    raise ValueError(' '.join(n for n in _modules if n.split('.')[0] in "
        "('reference', 'solutions') or n.startswith(('tests.graded', 'train', "
        "'tests.grader.right_parts', 'tests.grader.judge', 'hypothesis'))) or 'none of them')\n"
    )
    found = first_failure(
        grade(children, "linear", solutions(linear=solution_with("linear", code)))
    )
    assert found is not None
    assert "ValueError: none of them" in found.message


@pytest.mark.parametrize("exercise", EXERCISES)
def test_mutants_and_variants_are_judged_as_in_process(exercise: str) -> None:
    every = pieces(exercise)  # nox -s proof -- --worker compares them all
    sample = every[:: len(every) // 5]
    assert differences(sample) == []


def test_a_stub_is_not_started(children: Forked) -> None:
    text = (ROOT / "exercises" / "tutor" / "stubs" / "linear.py").read_text()
    results = grade(children, "linear", solutions(linear=text))
    assert {r.outcome for r in results} == {"not started"}


def test_a_ready_made_layer_is_noted_and_gives_nothing(children: Forked) -> None:
    code = "return getattr([torch._C][0]._nn, 'lin' + 'ear')(x, weight, bias)"
    found = failure_of(children, code.replace("torch._C", "getattr([torch][0], '_' + 'C')"))
    assert found.outcome in ("not allowed", "incorrect")
    threaded = (
        "import torch\n"
        "_thread = getattr([torch][0], 's' + 'ys').modules['threading'].Thread\n"
        "def linear(x, weight, bias=None):\n"
        "    out = []\n"
        "    f = getattr([torch.nn.functional][0], 'lin' + 'ear')\n"
        "    t = _thread(target=lambda: out.append(f(x, weight, bias)))\n"
        "    t.start(); t.join()\n"
        "    return out[0]\n"
    )
    results = grade(children, "linear", solutions(linear=solution_with("linear", threaded)))
    assert any(r.outcome == "not allowed" and "linear is ready-made" in r.message for r in results)


def test_a_request_crosses_as_it_is() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    build = Build((StandIn("norm", "mix", 2.0, 1.0),), {"residual": None}, {"w": x}, "float64")
    beside = Build(build.arguments, beside=build)
    request = Request(
        "f", (x, None, 3, 0.5, {"both": 1.0}), {"eps": 1e-5}, (x,), True, True, False, (1,), beside,
        ("block",),
    )  # fmt: skip
    got = wire.asked(wire.observe(request)).request
    for name in ("target", "options", "permuted", "again", "no_grad", "frozen", "own"):
        assert getattr(got, name) == getattr(request, name)
    assert np.array_equal(got.arguments[0], x)
    assert got.arguments[0].dtype == np.float32
    assert got.arguments[1:] == request.arguments[1:]
    assert got.build.beside.arguments == build.arguments
    assert np.array_equal(got.build.beside.state["w"], x)
    assert got.build.beside.dtype == "float64"


@pytest.mark.parametrize(
    "array",
    [np.zeros((0, 4)), np.array(2.5, np.float32), np.array([np.nan, -np.inf]), np.array([True])],
    ids=["empty", "a scalar", "nan and inf", "booleans"],
)
def test_an_array_comes_back_as_it_went(array: np.ndarray) -> None:
    seen = Observation((Returned("tensor", array.shape, str(array.dtype), array),))
    got = wire.replied(wire.reply(wire.Seen(seen)))
    assert isinstance(got, wire.Seen)
    back = got.observation.returned[0].array
    assert back is not None
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert np.array_equal(back, array, equal_nan=True)


def _frame(**observation: object) -> bytes:
    return msgspec.msgpack.encode({"type": "seen", "observation": observation})


def _array(dtype: str, shape: list[int], data: bytes) -> msgspec.msgpack.Ext:
    sizes = b"".join(size.to_bytes(8, "little", signed=True) for size in shape)
    head = dtype.encode().ljust(4, b"\0") + bytes([len(shape)])
    return msgspec.msgpack.Ext(1, head + sizes + data)


FORGED = {
    "nothing": b"",
    "not MessagePack": b"\xc1\xc1",
    "a pickle": b"\x80\x04\x95\x15\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94\x8c\x06system\x94",
    "another type": msgspec.msgpack.encode({"type": "verdict", "passed": True}),
    "a refusal that is none": msgspec.msgpack.encode(
        {"type": "refused", "outcome": "correct", "message": ""}
    ),
    "an unknown outcome": msgspec.msgpack.encode(
        {"type": "refused", "outcome": "excellent", "message": ""}
    ),
    "objects as numbers": _frame(gradients=[_array("|O", [1], b"12345678")]),
    "an array without a head": _frame(gradients=[msgspec.msgpack.Ext(1, b"<f")]),
    "an array of endless axes": _frame(gradients=[msgspec.msgpack.Ext(1, b"<f4\0\xff")]),
    "too few bytes": _frame(gradients=[_array("<f4", [3], b"1234")]),
    "a negative size": _frame(gradients=[_array("<f4", [-1, -1], b"1234")]),
    "another shape than it says": _frame(
        returned=[{"kind": "tensor", "shape": [2], "array": _array("<f4", [1], b"1234")}]
    ),
    "a text without end": _frame(container="x" * 30_000),
    "text where numbers belong": _frame(returned=[{"kind": "tensor", "array": "1.0"}]),
}


@pytest.mark.parametrize("forged", FORGED)
def test_what_is_no_reply_is_refused(forged: str) -> None:
    with pytest.raises(wire.NotReadable):
        wire.replied(FORGED[forged])


def test_scratch_folders_are_removed_whatever_is_in_them(children: Forked) -> None:
    code = (
        "import torch\n_os = getattr([torch][0], 'o' + 's')\n"
        "_os.makedirs(_os.environ['HOME'] + '/a/b')\n"
        "open_ = getattr(_os, 'open')\nopen_(_os.environ['HOME'] + '/a/b/c', 65)\n"
    )
    subject = Worker(children, "linear", solutions(linear=solution_with("linear", code)), 20, 60)
    subject.start()
    scratch: Path = subject._child.scratch.folder  # type: ignore[union-attr]
    assert (scratch / "a" / "b" / "c").exists()
    subject.close()
    assert not scratch.exists()


def test_a_file_that_breaks_a_rule_is_not_run(children: Forked) -> None:
    subject = Worker(children, "linear", solutions(linear="import reference\n"), 20, 60)
    with pytest.raises(Verdict, match="holds the answers") as caught:
        subject.start()
    assert caught.value.outcome == "not allowed"
    subject.close()
