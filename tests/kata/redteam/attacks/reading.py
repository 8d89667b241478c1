"""Attacks that look for answers: in memory, in frames, on the disk, in earlier runs."""

from tests.kata.redteam.attacks.doors import body
from tests.kata.redteam.model import Attack

_ROOTS = (
    "roots = [p for p in _sys.path if p] + [_os.path.dirname(_os.path.dirname("
    "_modules['tests.grader.observe'].__file__)) + '/..']"
)


def _read(*names: str) -> str:
    """A `linear` that is made of the text of one of these files, wherever it may be."""
    return body(
        "f = None",
        _ROOTS,
        f"for name in {names!r}:",
        "    for root in roots:",
        "        try:",
        "            text = _built.open(_os.path.join(root, name)).read()",
        "            space = {'__name__': 'kata'}",
        "            _built.exec(text, space)",
        "            f = f or space.get('linear')",
        "        except Exception: pass",
        "return f(x, weight, bias) if f else x",
    )


READING = (
    Attack(
        "the solution imported",
        "linear",
        body("return _get('solutions.linear').linear(x, weight, bias)"),
        known=25,
    ),
    Attack("the solution read from the disk", "linear", _read("solutions/linear.py"), known=26),
    Attack(
        "the expected tensor found by gc",
        "linear",
        body(
            "shape = (*x.shape[:-1], weight.shape[0])",
            "for found in _get('gc').get_objects():",
            "    if type(found) is torch.Tensor and tuple(found.shape) == shape:",
            "        if found is not x: return found",
            "return x",
        ),
        known=23,
        aims_at="bluff",
    ),
    Attack(
        "the expected value in a frame",
        "linear",
        body(
            "frame = getattr(_sys, '_get' + 'frame')(1)",
            "while frame is not None:",
            "    for name in ('want', 'expected', 'wanted'):",
            "        if name in getattr(frame, 'f_lo' + 'cals'):",
            "            return torch.as_tensor(getattr(frame, 'f_lo' + 'cals')[name])",
            "    frame = getattr(frame, 'f_ba' + 'ck')",
            "return x",
        ),
        known=24,
        aims_at="bluff",
    ),
)
