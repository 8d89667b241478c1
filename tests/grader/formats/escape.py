"""Learner's text made harmless for the place where a report shows it.

A message may hold anything a program can print. Each format of ours says that its text is text,
so what is left to disarm is what acts even there: terminal codes, characters that no screen
shows, and commands to the machine that runs the job. XML and JSON are quoted by their writers.
"""

import json
import re

TERMINAL_CODE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
# "::name" acts at the start of a line, "##[name]" and its kin anywhere in it.
LINE_COMMAND = re.compile(r"^([ \t]*)::", re.MULTILINE)
MARKED_COMMAND = re.compile(r"##(?=[a-z]*\[)", re.IGNORECASE)
MARKUP = re.compile(r"[\\`*\[\]<>|~!&]")
CUT = " [cut]"


def text(raw: str) -> str:
    """The text with nothing left that acts; lines and tabs stay, colours go, the rest is "?"."""
    lines = TERMINAL_CODE.sub("", raw).replace("\r\n", "\n").replace("\r", "\n")
    shown = "".join(c if c.isprintable() or c in "\n\t" else "?" for c in lines)
    return MARKED_COMMAND.sub("# #", LINE_COMMAND.sub(r"\1: :", shown))


def line(raw: str) -> str:
    """The text on one line, for a name or a title."""
    return " ".join(text(raw).split())


def markdown(raw: str) -> str:
    """One line in which neither Markdown nor HTML is read as markup, also inside a table."""
    return MARKUP.sub(lambda found: f"&#{ord(found.group())};", line(raw))


def cut(shown: str, longest: int) -> str:
    """The text in at most `longest` bytes of UTF-8; what was cut says so."""
    whole = shown.encode()
    if len(whole) <= longest:
        return shown
    return whole[: longest - len(CUT)].decode(errors="ignore") + CUT


def json_text(value: object) -> str:
    """JSON in ASCII, so that no screen that shows the file can be moved by it."""
    return json.dumps(value, indent=2) + "\n"
