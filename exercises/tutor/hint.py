"""`hint [EXERCISE]`: a question after 3 evaluated runs, the answer after 5. Never by the clock."""

import ast

from exercises.tutor import journal, progress, screen
from exercises.tutor.board import status
from exercises.tutor.journal import ROOT, Hinted, Journal, Ran, Saw
from exercises.tutor.options import Options
from exercises.tutor.parts import part_of
from exercises.tutor.progress import ANSWER_AFTER, QUESTION_AFTER
from exercises.tutor.questions import question
from exercises.tutor.refusal import Refusal, nearest
from tests.grader.plain import plain
from tests.grader.suite import EXERCISES, current_exercise

POLICY = (
    "A run is evaluated when pytest, or watch, has run code of yours that it had not seen before."
)
# What is said in place of lines of a solution, where there are none to show.
SAID = {
    "numbers": "Every step of both rows: python -m exercises step 4 6 11, and step 3 3 7 11.",
    "EPSILON_IS_FOR": "With eps off, 4 4 4 4 gives nan, for 0 / 0; with eps on, zeros. The row "
                      "1 2 3 hardly changes. The reading that says both is the one.",
    "RECOVERS_MORE": 'Either word will do: "residual" or "norm". They are compared later.',
    "PREDICTIONS": 'Write one of "learns", "stalls", "diverges" beside each of the four rows.',
    "TAKEAWAY": "Any sentence of your own will do, between quotes, and so does the one that came.",
}  # fmt: skip


def main(arguments: list[str]) -> int:
    """Show what is open; gives the exit status. Raises Refusal."""
    options = Options("hint", __doc__ or "")
    options.add_argument("exercise", nargs="?", metavar="EXERCISE", help=", ".join(EXERCISES))
    name = options.parse_args(arguments).exercise
    kept = journal.read()
    if name is None:
        name = last_open(kept) or current_exercise({n: status(kept, n) for n in EXERCISES})
        if name is None:
            screen.say("All five exercises hold; there is nothing to hint at.")
            return 0
    if name not in EXERCISES:
        raise Refusal(f"There is no exercise {name[:40]!r}{nearest(name, EXERCISES)}")
    runs = progress.runs(kept, name)
    if runs and runs[-1].status == "correct":
        changed = "" if status(kept, name) == "correct" else " It has changed since: run it again."
        screen.say(f"{name}: the last run found nothing wrong, so there is no hint.{changed}")
        return 0
    if name == "by_hand":
        _attempts(kept)
    if len(runs) < QUESTION_AFTER:
        screen.say(f"{missing(name, len(runs))} {POLICY}")
        screen.say("Always open: python -m exercises step 1 2 3")
        return 0
    part = part_of(name, (runs[-1].failed or [""])[0])
    screen.say(f"A question about {name}{'' if part == name else f', about {part}'}:")
    screen.say(question(name, runs[-1].mistakes, part), "  ")
    _remember(kept, name, "question", len(runs))
    if len(runs) >= ANSWER_AFTER:
        _answer(kept, name, part, len(runs))
    else:
        screen.say(missing(name, len(runs)))
    return 0


def last_open(kept: Journal) -> str | None:
    """The exercise that was run last and did not hold; of one run of pytest, the first of them."""
    found = None
    for event in kept.of(Ran):
        runs = progress.runs(kept, event.exercise)
        if runs and runs[-1].status != "correct" and (found is None or event.time > found.time):
            found = event
    return found.exercise if found else None


def missing(name: str, runs: int) -> str:
    """How many evaluated runs there are, and how many more open what."""
    rungs = [("the question", QUESTION_AFTER), ("the answer", ANSWER_AFTER)]
    opens = [f"{what} after {after} ({after - runs} more)" for what, after in rungs if runs < after]
    made = f"{runs} evaluated {'run' if runs == 1 else 'runs'}"
    return f"{name}: {made}. Still to open: {', '.join(opens)}."


def _attempts(kept: Journal) -> None:
    if tried := progress.tried(kept):
        screen.say(f"Values tried: {tried}.")


def _remember(kept: Journal, name: str, rung: str, runs: int) -> None:
    shown = {(event.exercise, event.rung, event.runs) for event in kept.of(Hinted)}
    if (name, rung, runs) not in shown:
        journal.append(Hinted(exercise=name, rung=rung, runs=runs))


def _answer(kept: Journal, name: str, part: str, runs: int) -> None:
    if part not in SAID and not (ROOT / "solutions").is_dir():
        screen.say("The answer is open too, but your course keeps the solutions: ask your teacher.")
        return
    words = screen.ask(
        "The answer is open too. First, in one sentence of your own: what do you think it is? "
        "(Enter skips)"
    )
    if words:
        journal.append(Saw(about=f"hint {name}", text=words))
    _remember(kept, name, "answer", runs)
    if part in SAID:
        screen.say(SAID[part])
        return
    screen.say(f"The answer, from solutions/{name}.py:")
    print("\n".join(f"  {plain(line)}".rstrip() for line in _source(name, part)))


def _source(exercise: str, part: str) -> list[str]:
    """The lines of a function or class of a solution, with its comments."""
    path = ROOT / "solutions" / f"{exercise}.py"
    try:
        text = path.read_text(encoding="utf-8")
        node = next(n for n in ast.parse(text).body if getattr(n, "name", "") == part)
    except (OSError, SyntaxError, StopIteration):
        raise Refusal(
            f"solutions/{exercise}.py is not as it came, so the answer cannot be shown; bring it "
            "back with: git checkout -- solutions"
        ) from None
    return text.splitlines()[node.lineno - 1 : node.end_lineno]
