"""The tasks of this project; `nox -l` is the manual.

What is installed stands in pyproject.toml; in which version, in requirements.lock. torch is
large, so the sessions share two environments: .venv, the learner's, and .nox/team.
"""

import os
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.sessions = ["kata"]

ROOT = Path(__file__).parent
LOCK = ROOT / "requirements.lock"
PROJECT = nox.project.load_toml(ROOT / "pyproject.toml")
LEARNER = [
    *PROJECT["project"]["dependencies"],
    *PROJECT["project"]["optional-dependencies"]["plot"],
]
TEAM = [
    *LEARNER,
    *PROJECT["project"]["optional-dependencies"]["cluster"],
    *PROJECT["dependency-groups"]["team"],
]
BIN = "Scripts" if os.name == "nt" else "bin"


def _python(session: nox.Session, folder: str, packages: list[str]) -> str:
    """The interpreter of an environment that holds the packages in their locked versions."""
    place = ROOT / folder
    python = place / BIN / ("python.exe" if os.name == "nt" else "python")
    if not python.exists():
        session.run(sys.executable, "-m", "venv", str(place), external=True)
    wanted = "\n".join([*packages, LOCK.read_text()])
    installed = place / "installed.txt"
    if not installed.exists() or installed.read_text() != wanted:
        session.log("installing; torch is large, so the first time takes a few minutes")
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        session.run(*pip, "--constraint", str(LOCK), *packages, external=True)
        installed.write_text(wanted)
    return str(python)


@nox.session(venv_backend="none")
def kata(session: nox.Session) -> None:
    """Set up .venv for a learner, grade exercises/ and show the next move."""
    python = _python(session, ".venv", LEARNER)
    # pytest answers 1 when a check does not hold; for a learner that is where it starts.
    pytest = [python, "-m", "pytest", *session.posargs]
    session.run(*pytest, external=True, success_codes=[0, 1])
    activate = r".venv\Scripts\activate" if os.name == "nt" else "source .venv/bin/activate"
    print(f"\nThe environment is ready. From now on:\n    {activate}\n    pytest")


@nox.session(venv_backend="none")
def record(session: nox.Session) -> None:
    """Record the runs again (half an hour), or compare: -- --check; -- --help for more."""
    python = _python(session, ".nox/team", TEAM)
    session.run(python, "-m", "train.record", *session.posargs, external=True)


# kata only: begin
@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """Run the kata's own tests."""
    python = _python(session, ".nox/team", TEAM)
    # The learner's limit of 20 s a check is not meant for tests that train or try every mutant.
    pytest = [python, "-m", "pytest", "tests/kata", "--timeout=300", "-n", "auto"]
    pytest += ["--dist", "worksteal"]  # the longest come last, and one process would get them all
    session.run(*pytest, *session.posargs, external=True)


@nox.session(venv_backend="none")
def lint(session: nox.Session) -> None:
    """Check style, format and types."""
    python = _python(session, ".nox/team", TEAM)
    session.run(python, "-m", "ruff", "check", ".", external=True)
    session.run(python, "-m", "ruff", "format", "--check", ".", external=True)
    session.run(python, "-m", "mypy", external=True)


@nox.session(venv_backend="none")
def proof(session: nox.Session) -> None:
    """Print the table of mutants killed and named and of variants passed; -- --seeds 20."""
    python = _python(session, ".nox/team", TEAM)
    session.run(python, "-m", "tests.kata.proof", *session.posargs, external=True)


@nox.session(venv_backend="none")
def bench(session: nox.Session) -> None:
    """Measure speed as ratios, all measured in one run; -- cold, train, watch, class."""
    python = _python(session, ".nox/team", TEAM)
    session.run(python, "-m", "tests.kata.bench", *session.posargs, external=True)


@nox.session(venv_backend="none")
def redteam(session: nox.Session) -> None:
    """Print which attacks are held at which level of isolation; -- --only WORD --level LEVEL."""
    python = _python(session, ".nox/team", TEAM)
    session.run(python, "-m", "tests.kata.redteam.table", *session.posargs, external=True)


@nox.session(venv_backend="none")
def hundreds(session: nox.Session) -> None:
    """Grade 500 submissions, five of them harmful, and kill the grader in the middle."""
    python = _python(session, ".nox/team", TEAM)
    session.run(python, "-m", "tests.kata.hundreds", *session.posargs, external=True)


@nox.session(venv_backend="none")
def release(session: nox.Session) -> None:
    """Write what a teacher uploads: -- FOLDER --for classroom50, gradescope, gitlab or github."""
    session.run(sys.executable, "-m", "tests.grader.release", *session.posargs, external=True)


# kata only: end
