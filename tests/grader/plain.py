"""Text that is safe on every screen, and fits it."""

import textwrap

WIDTH = 80


def plain(text: str) -> str:
    """Text with anything but printable ASCII replaced, so that it is safe on every screen."""
    return "".join(c if " " <= c <= "~" else "?" for c in text)


def paragraph(text: str, width: int = WIDTH, first: str = "", then: str | None = None) -> list[str]:
    """Plain text as lines that fit; a word that is wider, a path say, is a line of its own.

    first, then: what stands before the first line and before the others; then: blanks if None.
    """
    return textwrap.wrap(
        plain(text),
        width,
        initial_indent=first,
        subsequent_indent=" " * len(first) if then is None else then,
        break_long_words=False,
        break_on_hyphens=False,
    )
