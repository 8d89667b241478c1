"""The formats that a grade record can be written in, by the name that a command gives."""

from collections.abc import Callable, Mapping

from tests.grader.formats.actions import actions
from tests.grader.formats.classroom50 import classroom50
from tests.grader.formats.ctrf import ctrf
from tests.grader.formats.exercism import exercism
from tests.grader.formats.gradescope import gradescope
from tests.grader.formats.junit import junit
from tests.grader.formats.prairielearn import prairielearn
from tests.grader.record import GradeRecord, as_json

FORMATS: Mapping[str, Callable[[GradeRecord], str]] = {
    "json": as_json,
    "junit": junit,
    "gradescope": gradescope,
    "classroom50": classroom50,
    "actions": actions,
    "prairielearn": prairielearn,
    "ctrf": ctrf,
    "exercism": exercism,
}
