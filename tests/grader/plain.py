"""Text that is safe on every screen."""


def plain(text: str) -> str:
    """Text with anything but printable ASCII replaced, so that it is safe on every screen."""
    return "".join(c if " " <= c <= "~" else "?" for c in text)
