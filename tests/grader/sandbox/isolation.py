"""How well a process is closed off, in one word that can be compared, and by which means."""

from dataclasses import dataclass

LEVELS = ("none", "process", "limits", "sandbox", "user")
"""Weakest first.

process: another process, which is ended from outside. limits: memory, time, files and threads are
bounded, too. sandbox: no network, no other process, nothing read or written but what is given.
user: all of that as another user.
"""


@dataclass(frozen=True)
class Isolation:
    """What closes a process off: its level, the means in use, and what was reached all the same."""

    level: str
    means: tuple[str, ...] = ()
    leaks: tuple[str, ...] = ()

    def __str__(self) -> str:
        leaks = f"; but it {', '.join(self.leaks)}" if self.leaks else ""
        return f"{self.level}: {', '.join(self.means) or 'no more than that'}{leaks}"

    def at_least(self, level: str) -> bool:
        """Whether this is that level or a stronger one; ValueError for an unknown level."""
        return LEVELS.index(self.level) >= LEVELS.index(level)


def level_of(means: tuple[str, ...]) -> str:
    """The level that these means can give."""
    if "rlimits" not in means:
        return "process"
    if "seccomp" not in means or not any(word.startswith("landlock") for word in means):
        return "limits"
    return "user" if "other user" in means else "sandbox"
