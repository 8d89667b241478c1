"""Finishing: everything checked once more, and a notebook that works by itself."""

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from exercises.tutor import journal, predictions
from exercises.tutor.finish import main
from exercises.tutor.journal import Journal, Played, Reason, Saw
from exercises.tutor.notebook import Story, notebook
from exercises.tutor.predictions import Predictions
from exercises.tutor.refusal import Refusal
from tests.kata.harness import solve
from tests.kata.test_play import STANDING, predict
from train.config import ROWS
from train.recording import read_all

pytestmark = pytest.mark.timeout(200)
pytest.importorskip("matplotlib")

MARKUP = "</blockquote><script>document.title='broken'</script> <b>&amp; \u2028$when"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = os.environ.get("KATA_AXE", "")  # the path of axe-core's axe.min.js


@pytest.fixture(scope="module")
def page() -> str:
    events = (
        Reason(row="both", prediction="learns", sure="certain", why=MARKUP),
        Saw(about="both", text=MARKUP),
    )
    return notebook(Story(read_all(), Predictions(STANDING, "norm"), Journal(events), MARKUP))


def test_nothing_is_finished_while_something_is_open(kata: Path, door) -> None:
    run = door("finish")
    assert run.returncode == 1
    assert "2 layer_norm not started               exercises/layer_norm.py" in run.stdout
    assert "not played yet: neither, norm only, residual only, both" in run.stdout
    assert not (kata / "notebook.html").exists()


def test_it_speaks_of_a_half_written_exercise_as_pytest_does(kata: Path, door, learner) -> None:
    predict(kata)
    words = "5 ablation   in progress, 3 of 11 hold exercises/ablation.py"
    assert words in learner().stdout
    assert words in door("finish").stdout


def test_when_all_holds_the_notebook_is_written(kata: Path, door) -> None:
    solve(kata / "exercises")
    predict(kata)
    for row in ROWS:
        journal.append(Played(row=row), kata)
    run = door("finish", "--takeaway", "norms keep the size")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "norm only      learns     stalls (0.062)   (not as predicted)" in run.stdout
    assert 'Your guess was "norm": it is the other.' in " ".join(run.stdout.split())
    assert "<blockquote>norms keep the size</blockquote>" in (kata / "notebook.html").read_text()
    assert journal.read(kata).of(journal.Finished)[0].takeaway == "norms keep the size"
    run = door("finish", "--out", "no/such/place.html")
    assert run.returncode == 2
    assert "cannot be written" in run.stderr


def test_what_a_learner_wrote_is_never_markup(page: str) -> None:
    assert page.count("<script>") == 1
    assert page.count(html.escape(MARKUP)) == 3
    assert "document.title='broken'" not in page.replace(html.escape(MARKUP), "")


def test_it_loads_nothing_from_anywhere(page: str) -> None:
    addresses = set(re.findall(r'(?:src|href)="([^"#][^"]*)"|url\((?!#)([^)]*)\)', page))
    assert addresses == set()
    assert "@import" not in page


def test_it_holds_the_pictures_the_rows_and_the_steps(page: str) -> None:
    assert page.count("<svg") == 2
    for row, word in STANDING.items():
        assert f'<th scope="row">{row}</th><td>{word}</td>' in page
    assert "predicted: learns" in page
    assert "-1.224736" in page


def test_a_column_that_nobody_filled_is_left_out(page: str) -> None:
    assert '<th scope="col">because</th>' in page
    assert '<th scope="col">what I saw</th>' in page
    silent = notebook(Story(read_all(), Predictions(STANDING, "norm"), Journal(), "kept"))
    assert "because</th>" not in silent
    assert "what I saw" not in silent
    assert silent.count("<td></td>") == 0


def in_a_browser(page: str, script: str, tmp_path: Path) -> object:
    """Open the page in headless Chromium, run the script there, and give what it puts in OUT."""
    if BROWSER is None:
        pytest.skip("Chromium is not installed")
    end = f"<script>{script}</script><pre id='out'></pre></body>"
    path = tmp_path / "page.html"
    path.write_text(page.replace("</body>", end), encoding="utf-8")
    run = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=8000",
         "--dump-dom", path.as_uri()],
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    found = re.search(r'<pre id="out">(.*?)</pre>', run.stdout, re.S)
    assert found, run.stdout[-500:] + run.stderr[-500:]
    return json.loads(html.unescape(found.group(1)))


SWITCHED = """{
const state = () => [...document.querySelectorAll('#steps tr')].map(
  tr => [...tr.children].map(cell => cell.textContent));
const seen = [state()];
const row = document.getElementById('row'), eps = document.getElementById('eps');
row.value = '4 4 4 4'; row.dispatchEvent(new Event('change')); seen.push(state());
eps.click(); seen.push(state());
eps.click(); seen.push(state());
row.value = '2 2 2 6'; row.dispatchEvent(new Event('change')); seen.push(state());
setTimeout(() => { document.getElementById('out').textContent = JSON.stringify(seen); }, 0); }
"""


def test_the_switch_turns_the_constant_row_to_nan_and_back(page: str, tmp_path: Path) -> None:
    start, on, off, again, other = in_a_browser(page, SWITCHED, tmp_path)
    assert start[-1] == ["normalised", "-1.224736", "0.000000", "1.224736"]
    assert on[-1] == ["normalised"] + ["0.000000"] * 4
    assert off[-1] == ["normalised"] + ["nan"] * 4
    assert again == on
    assert other[2:] == [
        ["variance", "3.000000"],
        ["denominator", "1.732054"],
        ["normalised", "-0.577349", "-0.577349", "-0.577349", "1.732048"],
    ]


@pytest.mark.skipif(not AXE, reason="KATA_AXE does not name axe-core's axe.min.js")
def test_axe_finds_nothing_to_mend(page: str, tmp_path: Path) -> None:
    script = (
        Path(AXE).read_text(encoding="utf-8").replace("</script>", "<\\/script>")
        + ";axe.run().then(found => { document.getElementById('out').textContent = "
        "JSON.stringify(found.violations.map(v => v.id + ': ' + v.help)); });"
    )
    assert in_a_browser(page, script, tmp_path) == []


def test_a_takeaway_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ablation.py"
    path.write_text('TAKEAWAY = "depth " + "wants a skip"\n')
    with pytest.raises(
        Refusal, match=r"TAKEAWAY in exercises/ablation\.py, line 1, is not written out as one"
    ):
        predictions.constant(path, "TAKEAWAY")


def test_finish_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "notebook.html" in capsys.readouterr().out
