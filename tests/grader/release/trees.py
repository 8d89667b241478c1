"""The two trees of a release: the learner's template, and the grader, which nobody else edits.

A section between a line with `kata only: begin` and one with `kata only: end` is cut from the
template's README.md and noxfile.py, for it needs what a template has not.
"""

import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TEMPLATE = (
    "exercises", "reference", "train", "recordings", "tests/graded", "tests/grader", "conftest.py",
    "pyproject.toml", "requirements.lock", "noxfile.py", "README.md", "LICENSE", "CHANGELOG.md",
    ".gitignore",
)  # fmt: skip
GRADER = (*TEMPLATE, "solutions")
CUT = ("README.md", "noxfile.py")
_SECTION = re.compile(
    r"^[^\n]*kata only: begin[^\n]*\n.*?^[^\n]*kata only: end[^\n]*\n\n?", re.M | re.S
)
_NOT_COPIED = shutil.ignore_patterns("__pycache__", "*.pyc", ".*", "release")


def write_template(place: Path) -> None:
    """What a learner gets: every file that pytest and the tutor need, and no solutions."""
    _copy(TEMPLATE, place)
    for name in CUT:
        path = place / name
        path.write_text(without_marked(path.read_text(encoding="utf-8")), encoding="utf-8")


def write_grader(place: Path) -> None:
    """What grades: the same files, and the solutions, which the grader tries on itself first."""
    _copy(GRADER, place)


def without_marked(text: str) -> str:
    """The text without its marked sections; ValueError where a mark has no partner."""
    left = _SECTION.sub("", text)
    if "kata only:" in left:
        raise ValueError("a mark 'kata only' has no partner")
    return left.rstrip() + "\n"


def _copy(parts: tuple[str, ...], place: Path) -> None:
    for part in parts:
        source, target = ROOT / part, place / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if part == "exercises":
            _copy_exercises(source, target)
        elif source.is_dir():
            shutil.copytree(source, target, ignore=_NOT_COPIED)
        else:
            shutil.copyfile(source, target)


def _copy_exercises(source: Path, target: Path) -> None:
    """The exercises as they came, whatever was written into them here since."""
    target.mkdir()
    shutil.copytree(source / "tutor", target / "tutor", ignore=_NOT_COPIED)
    for name in ("README.md", "__main__.py"):
        shutil.copyfile(source / name, target / name)
    for stub in (source / "tutor" / "stubs").glob("*.py"):
        shutil.copyfile(stub, target / stub.name)
