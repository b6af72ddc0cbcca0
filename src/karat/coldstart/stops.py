"""How a program of Cold Start ends early: a sentence on its log, and exit status 255."""

from __future__ import annotations

STATUS = 255
"""The exit status of a program that stopped."""


class Stop(Exception):  # noqa: N818 - it ends a program on purpose; the log carries the news
    """The program stops here; what it has written to its log so far stands, and the message follows.

    ``kind`` is the word before the message: ``FATAL`` where the published program stops in order, ``DIE`` where it
    breaks off, nothing where its message stands alone. ``note`` stands on the log before it. ``status`` is the exit
    status, another one only where the system fails the program: then it is the number of that error.
    """

    def __init__(self, message: str, kind: str = "FATAL", note: str = "", status: int = STATUS) -> None:
        super().__init__(message)
        self.status = status
        self.line = note + (f"{kind}: {message}" if kind else message)


def could_not_open(path: str, error: OSError, kind: str = "FATAL") -> Stop:
    """Return the stop for a file that cannot be opened."""
    return Stop(f"Could not open {path}: {error.strerror or error}", kind)
