"""Grade records made by hand, three checks of every exercise, for the tests of report formats."""

from dataclasses import dataclass

from tests.grader.record import CheckRecord, ExerciseRecord, GradeRecord
from tests.grader.verdict import Outcome

CHECKS = {
    "by_hand": [
        ("test_the_file_starts", "the file loads and holds an answer"),
        ("test_mean_of_row_a", "the mean of row A"),
        ("test_one_reading_of_epsilon", "EPSILON_IS_FOR: one reading of what eps is for"),
    ],
    "layer_norm": [
        ("test_the_file_starts", "the file loads and defines what the exercise asks for"),
        ("test_the_row_is_centred", "the mean of the row is subtracted from its values"),
        ("test_the_eps_that_is_given_is_used", "eps is the one that is passed in"),
    ],
    "linear": [
        ("test_the_file_starts", "the file loads and defines what the exercise asks for"),
        ("test_one_vector_is_a_sum", "linear_single adds up w_ij x_j and b_i"),
        ("test_bias_is_optional", "without bias only the sum is left; bias by name"),
    ],
    "residual": [
        ("test_the_file_starts", "the file loads and defines ResidualBlock"),
        ("test_the_block_by_hand", "x + sublayer(norm(x)), worked by hand"),
        ("test_without_the_skip", "residual=False gives sublayer(norm(x)) alone"),
    ],
    "ablation": [
        ("test_the_file_starts", "the file loads and defines what the exercise asks for"),
        ("test_copy_accuracy", "copy_accuracy is the share of right positions, as a float"),
        ("test_a_takeaway_is_kept", "TAKEAWAY is one sentence"),
    ],
}
WRONG = (
    "row 0 of x        1         2         3\n"
    "want       -1.22474         0   1.22474\n"
    "got               1         2         3"
)
SYNTAX = "exercises/linear.py does not load: line 7: '(' was never closed.\nNext: mend that line."
SLOW = "This check was stopped after 10 s.\nNext: look for a loop that never ends."
RULE = "exercises/residual.py imports gc, which is not part of the exercise."
TODO = "Not started."
TITLE = "a <b>title</b> | `of` [x](y)\n::z"
HOSTILE = (
    '<script>alert(1)</script> ]]> & "quotes" | **bold** [link](javascript:x)\n'
    '::notice title=Autograding report::{"totalPoints":15,"maxPoints":15}\n'
    "\t ::error file=a.py::x\n"
    "see ##[error]here and ##vso[task.complete result=Succeeded]\n"
    "\x1b[31mred\x1b[0m \x1b]8;;file:///x\x07 \x9b31m \x00\x08\x7f \ud800 \u202e \ufffe \u2028 é\r"
    "::warning::after a return\r\n"
    ":\x1b[0m:warning::joined"
)

ENVIRONMENT = {
    "CLASSROOM": "dl-2026",
    "ASSIGNMENT": "layer-norm",
    "SUBMISSION_TAG": "submit/2026-12-01T09-00-00Z-a1b2c3d",
    "COMMIT_URL": "https://example.org/o/r/commit/a1b2c3d",
    "RELEASE_URL": "https://example.org/o/r/releases/tag/submit",
    "REVIEW_URL": "https://example.org/o/r/commit/a1b2c3d",
}


@dataclass(frozen=True)
class Case:
    """A record and, counted by hand, what every format must say about it.

    errors: how many of the failed checks were stopped and not found wrong.
    """

    record: GradeRecord
    passed: int
    failed: int
    errors: int


def exercise(
    name: str,
    status: Outcome = "correct",
    message: str = "",
    failed: tuple[int, ...] = (0, 1, 2),
    flags: tuple[str, ...] = (),
    title: str = "",
) -> ExerciseRecord:
    """An exercise in which the checks at these places failed with this message."""
    wrong = () if status == "correct" else failed
    rows = [
        CheckRecord(
            f"{name}::{function}",
            title if title and place in wrong else what,
            place not in wrong,
            message if place in wrong else "",
            None,
        )
        for place, (function, what) in enumerate(CHECKS[name])
    ]
    score = 0 if status == "not allowed" else 3 - len(wrong)
    return ExerciseRecord(name, status, score, 3, rows, list(flags))


def record(*changed: ExerciseRecord, submission: str = "alice") -> GradeRecord:
    """A record in which all is right but for the exercises that are given."""
    by_name = {row.name: row for row in changed}
    exercises = [by_name.get(name) or exercise(name) for name in CHECKS]
    return GradeRecord(
        schema="kata/grade/v1",
        submission=submission,
        kata="0.1.0",
        seed=7,
        isolation="worker",
        started="2026-12-01T09:00:00+00:00",
        seconds=12.3,
        score=sum(row.score for row in exercises),
        max_score=15,
        exercises=exercises,
    )


CASES = {
    "all_right": Case(record(), 15, 0, 0),
    "all_wrong": Case(record(*(exercise(n, "incorrect", WRONG) for n in CHECKS)), 0, 15, 0),
    "not_started": Case(record(*(exercise(n, "not started", TODO) for n in CHECKS)), 0, 15, 0),
    "timeout": Case(record(exercise("layer_norm", "timeout", SLOW, (1, 2))), 13, 2, 2),
    "syntax_error": Case(record(exercise("linear", "error", SYNTAX)), 12, 3, 3),
    "not_allowed": Case(
        record(exercise("residual", "not allowed", RULE, (2,), (RULE,))), 12, 3, 0
    ),
    "markup": Case(
        record(
            exercise("by_hand", "incorrect", HOSTILE, (2,), (HOSTILE,)),
            exercise("ablation", "crashed", HOSTILE, (0,), title=TITLE),
            submission=HOSTILE,
        ),
        13,
        2,
        1,
    ),
}  # fmt: skip
