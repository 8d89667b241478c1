"""The command `release`: a folder with the learner's template, the grader, and what goes where.

    python -m tests.grader.release FOLDER --for gradescope

Needs no package besides Python itself. Exit status: 0 when it is written, 2 for a folder or option
that cannot be used.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.grader.plain import paragraph, plain
from tests.grader.refusal import Options, Refusal
from tests.grader.release.services import SERVICES, write_service
from tests.grader.release.trees import GRADER, ROOT, write_grader, write_template


def main(arguments: Sequence[str]) -> int:
    """Write the folder; gives the exit status."""
    options = Options(
        prog="release", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("folder", type=Path, metavar="FOLDER", help="new, or empty")
    options.add_argument(
        "--for", dest="service", choices=SERVICES, required=True, help="where it is uploaded"
    )
    try:
        given = options.parse_args(arguments)
        folder = _usable(given.folder)
        _write(folder, given.service)
    except Refusal as refusal:
        print("\n".join(paragraph(str(refusal))), file=sys.stderr)
        return 2
    print(f"Written: {plain(str(given.folder))}; its README.md says what to upload where.")
    return 0


def _usable(folder: Path) -> Path:
    """The folder, made; raises Refusal unless it is new or empty and outside of what is copied."""
    place = folder.resolve()
    if any(place.is_relative_to(ROOT / part) for part in (*GRADER, "tests", ".git")):
        raise Refusal(f"{folder} lies in a folder of the kata; name one outside of it.")
    try:
        place.mkdir(parents=True, exist_ok=True)
        if any(place.iterdir()):
            raise Refusal(f"{folder} is not empty, and nothing is overwritten; name a new folder.")
    except FileExistsError:
        raise Refusal(f"{folder} is a file; name a new folder.") from None
    except OSError as error:
        raise Refusal(f"{folder} cannot be made: {error.strerror}; name another.") from None
    return place


def _write(folder: Path, service: str) -> None:
    try:
        write_template(folder / "template")
        write_grader(folder / "grader" / "kata")
        write_service(folder, service)
    except OSError as error:
        raise Refusal(
            f"{error.filename or folder} cannot be copied ({error.strerror}); make it readable, "
            "empty the folder and do it again."
        ) from None
