"""Attacks that look for answers: in memory, in frames, on the disk, in earlier runs."""

from tests.kata.redteam.attacks.doors import DOORS, body, norm
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
    Attack("the solution imported", "linear",
           body("return _get('solutions.linear').linear(x, weight, bias)"), known=25),
    Attack("the solution in sys.modules", "linear", body(
        "for name, module in list(_modules.items()):",
        "    if name.startswith(('solutions', 'reference')) and hasattr(module, 'linear'):",
        "        return torch.as_tensor(module.linear(x, weight, bias))",
        "return x",
    ), known=25),
    Attack("the solution read from the disk", "linear", _read("solutions/linear.py"), known=26),
    Attack("the tests read from the disk", "linear",
           _read("tests/graded/test_linear.py", "tests/grader/linear.py"), known=26),
    Attack("compiled solutions", "linear", _read("solutions/__pycache__/linear.cpython-311.pyc"),
           known=26),
    Attack("a right function found by gc", "linear", body(
        "for found in _get('gc').get_objects():",
        "    if getattr(found, '__qualname__', '') == 'linear' and 'solutions' in "
        "str(getattr(found, '__module__', '')):",
        "        return found(x, weight, bias)",
        "return x",
    ), known=23),
    Attack("the expected tensor found by gc", "linear", body(
        "shape = (*x.shape[:-1], weight.shape[0])",
        "for found in _get('gc').get_objects():",
        "    if type(found) is torch.Tensor and tuple(found.shape) == shape and found is not x:",
        "        return found",
        "return x",
    ), known=23),
    Attack("the expected value in a frame", "linear", body(
        "frame = getattr(_sys, '_get' + 'frame')(1)",
        "while frame is not None:",
        "    for name in ('want', 'expected', 'wanted'):",
        "        if name in getattr(frame, 'f_lo' + 'cals'):",
        "            return torch.as_tensor(getattr(frame, 'f_lo' + 'cals')[name])",
        "    frame = getattr(frame, 'f_ba' + 'ck')",
        "return x",
    ), known=24),
    Attack("the source of the test", "linear", body(
        "lines = _get('linecache')",
        "text = ''.join(t for n in list(lines.cache) if 'graded' in n for t in lines.getlines(n))",
        "return x",
    ), known=27),
    Attack("the right layers beside the stack", "linear", body(
        "for name, module in list(_modules.items()):",
        "    if name.endswith(('right_parts', 'train.stack')):",
        "        return module.Linear(*weight.T.shape)(x)",
        "return x",
    )),
    Attack("answers kept from an earlier run", "linear", body(
        "place = _os.path.join(_os.environ.get('TMPDIR', '/tmp'), 'kata-canary-answers')",
        "try: return torch.load(place)",
        "except Exception: pass",
        "y = x.new_zeros(*x.shape[:-1], weight.shape[0])",
        "try: torch.save(y, place)",
        "except Exception: pass",
        "return y",
    ), known=28),
    Attack("right only where nobody grades", "linear", body(
        "graded = any(n in _os.environ for n in ('CI', 'PYTEST_CURRENT_TEST', 'GITHUB_ACTIONS'))",
        "return x.new_zeros(*x.shape[:-1], weight.shape[0])",
    ), known=29),
    Attack("the memory of the parent", "linear", body(
        "with _built.open(f'/proc/{_os.getppid()}/mem', 'rb') as memory: memory.read(1)",
        "return x",
    )),
    Attack("the environment of the grader", "linear", body(
        "with _built.open(f'/proc/{_os.getppid()}/environ', 'rb') as found: text = found.read()",
        "return x",
    )),
    Attack("the recorded trace, handed back", "ablation", (
        f"{DOORS}"
        "_t = _modules.get('train.trace')\n"
        "_o = _modules.get('tests.grader.observe_trace')\n"
        "def _follow(parts=None, make_block=None, config=None):\n"
        "    return [2.9] * config.steps\n"
        "if _o is not None: _o.follow = _follow\n"
        "def recovered(rows):\n    return 'norm', 0.0\n"
    ), known=55),
    Attack("torch's own layer norm in Python", "layer_norm", norm(
        "return _get('torch._refs').layer_norm(x, (x.shape[-1],), weight, bias, eps)",
    ), known=32),
)  # fmt: skip
