"""What each service wants beside the grader's tree; the files themselves lie in its folder here."""

import shutil
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
# Service -> (a file of this folder, its place in the folder that is written).
FILES: dict[str, tuple[tuple[str, str], ...]] = {
    "gradescope": (
        ("shared/install.sh", "grader/install.sh"),
        ("gradescope/setup.sh", "grader/setup.sh"),
        ("gradescope/run_autograder", "grader/run_autograder"),
    ),
    "classroom50": (
        ("shared/install.sh", "grader/install.sh"),
        ("shared/Dockerfile", "grader/Dockerfile"),
        ("classroom50/autograder.py", "grader/autograder.py"),
    ),
    "gitlab": (
        ("shared/install.sh", "grader/install.sh"),
        ("shared/Dockerfile", "grader/Dockerfile"),
        ("gitlab/image.yml", "grader/.gitlab-ci.yml"),
        ("gitlab/grade.yml", "grader/grade.yml"),
    ),
    "github": (
        ("shared/install.sh", "grader/install.sh"),
        ("github/grade.yml", "grader/.github/workflows/grade.yml"),
    ),
}
SERVICES = tuple(FILES)
EXECUTABLE = ("install.sh", "setup.sh", "run_autograder")


def write_service(folder: Path, service: str) -> None:
    """Add a service's files to a release that has template/ and grader/kata/."""
    for source, place in (*FILES[service], (f"{service}/README.md", "README.md")):
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(HERE / source, target)
        if target.name in EXECUTABLE:
            target.chmod(0o755)
    if service == "gradescope":
        _zip(folder / "grader", folder / "autograder.zip")


def _zip(folder: Path, target: Path) -> None:
    """The folder's content at the root of a zip, with the permissions of the files."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
