"""What can act in a report is disarmed, and what cannot is left as it is."""

import pytest

from tests.grader.formats import escape


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("want  1\ngot\t2 <b> & |", "want  1\ngot\t2 <b> & |"),
        ("a::b and C++::d", "a::b and C++::d"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07", "?]0;title?"),
        ("\x1b\x1b[0m[31m", "?[31m"),
        ("\x9b31m \x00 \x7f \ud800 \u202e \ufffe", "?31m ? ? ? ? ?"),
        ("::error::x", ": :error::x"),
        ("a\n \t::error::x", "a\n \t: :error::x"),
        ("a\r::error::x", "a\n: :error::x"),
        (":\x1b[0m:error::x", ": :error::x"),
        ("a ##[group]b ##vso[c]d ####[e] ##f", "a # #[group]b # #vso[c]d ### #[e] ##f"),
    ],
)
def test_text_keeps_what_is_harmless(raw: str, shown: str) -> None:
    assert escape.text(raw) == shown


def test_a_line_is_one_line() -> None:
    assert escape.line(" a\n::b\r\n c\t d ") == "a : :b c d"


def test_markdown_reads_no_markup() -> None:
    assert escape.markdown("eps_x [a](b) <i> | `c`") == (
        "eps_x &#91;a&#93;(b) &#60;i&#62; &#124; &#96;c&#96;"
    )
    assert escape.markdown("*d* \\ ~ ! &amp;") == "&#42;d&#42; &#92; &#126; &#33; &#38;amp;"


@pytest.mark.parametrize(
    ("shown", "longest", "left"),
    [
        ("abcdefgh", 8, "abcdefgh"),
        ("abcdefghi", 8, "ab [cut]"),
        ("\u00e9\u00e9\u00e9\u00e9\u00e9", 9, "\u00e9 [cut]"),
    ],
)
def test_a_cut_counts_bytes_and_says_so(shown: str, longest: int, left: str) -> None:
    assert escape.cut(shown, longest) == left
