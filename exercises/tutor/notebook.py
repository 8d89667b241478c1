"""The notebook: one HTML file with the steps, the pictures, the rows and the takeaway.

Everything a learner wrote is escaped; nothing is loaded from anywhere.
"""

import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from string import Template

from exercises.tutor import progress
from exercises.tutor.draw import picture
from exercises.tutor.journal import Journal, Reason, Saw
from exercises.tutor.predictions import Predictions
from exercises.tutor.rows_picture import draw_rows
from tests.grader.suite import EXERCISES
from train.config import ROWS
from train.outcome import RULE
from train.recording import Recordings
from train.replay import answers, facts, source

PAGE = Path(__file__).with_name("notebook.template.html")


@dataclass(frozen=True)
class Story:
    """What the notebook tells."""

    recordings: Recordings
    predictions: Predictions
    journal: Journal
    takeaway: str


def notebook(story: Story) -> str:
    """The whole page. Raises Refusal where a picture cannot be drawn."""
    table = _table(story)
    return Template(PAGE.read_text(encoding="utf-8")).substitute(
        when=datetime.now(UTC).strftime("%Y-%m-%d"),
        linear=_svg("linear"),
        curves=_curves(story),
        source=escape(source(story.recordings.main, story.recordings.main.runs[0])),
        heads=_heads(table),
        rows=_rows(table),
        rule=escape(RULE),
        exercises=_exercises(story),
        takeaway=escape(story.takeaway),
    )


def _inline(path: Path) -> str:
    """An SVG file as it may stand inside a page: from its own element on, hidden from readers
    that are told its label instead."""
    text = path.read_text(encoding="utf-8")
    return text[text.index("<svg") :].replace("<svg", '<svg aria-hidden="true"', 1)


def _svg(what: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.svg"
        picture(what, path)
        return _inline(path)


def _curves(story: Story) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.svg"
        predicted = story.predictions.rows
        draw_rows(story.recordings, list(ROWS), path, "", predicted=predicted)
        return _inline(path)


def _table(story: Story) -> list[dict[str, str]]:
    """A dict for each row of the ablation, by column; no column is empty throughout."""
    known = {fact.row: fact for fact in facts(story.recordings)}
    reasons = {event.row: event for event in story.journal.of(Reason)}
    seen = {event.about: event.text for event in story.journal.of(Saw)}
    lines = []
    for answer in answers(story.predictions.rows, story.recordings.main):
        reason = reasons.get(answer.row)
        lines.append(
            {
                "row": answer.row,
                "predicted": answer.predicted,
                "because": " ".join(filter(None, [reason.sure, reason.why])) if reason else "",
                "came": answer.said,
                "as predicted": "yes" if answer.right else "no",
                "what I saw": seen.get(answer.row, ""),
                "other seeds": known[answer.row].luck,
            }
        )
    used = [head for head in lines[0] if any(line[head] for line in lines)]
    return [{head: line[head] for head in used} for line in lines]


def _heads(table: list[dict[str, str]]) -> str:
    cells = "".join(f'<th scope="col">{head}</th>' for head in table[0])
    return f"<tr>{cells}</tr>"


def _rows(table: list[dict[str, str]]) -> str:
    lines = []
    for row, *cells in (line.values() for line in table):
        tail = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{escape(row)}</th>{tail}</tr>')
    return "\n".join(lines)


def _exercises(story: Story) -> str:
    lines = []
    for name in EXERCISES:
        rounds = [each for each in progress.rounds(story.journal, name) if each.runs]
        runs = str(rounds[-1].needed) if rounds else "-"
        minutes = str(rounds[-1].minutes) if rounds else "-"
        lines.append(
            f'<tr><th scope="row">{name}</th><td>{runs}</td><td>{minutes}</td>'
            f"<td>{len(rounds)}</td></tr>"
        )
    return "\n".join(lines)
