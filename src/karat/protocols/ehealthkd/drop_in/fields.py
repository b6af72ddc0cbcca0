"""What the readers of all editions share: fragments, and how faults are put into words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from karat.errors import InputError

if TYPE_CHECKING:
    from karat.model import Span

_SHOWN = 60


def shown(text: str) -> str:
    """Return the text quoted for a message, shortened if it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def read_spans(text: str) -> list[Span]:
    """Read fragments as in ``0 4;5 18``; a :class:`ValueError` says that they are something else.

    >>> read_spans("0 4;5 18")
    [(0, 4), (5, 18)]
    """
    fragments = []
    for piece in text.split(";"):
        start, end = piece.split()
        fragments.append((int(start), int(end)))
    return fragments


def beyond(path: Path, line: int | None, name: str) -> InputError:
    """Return the error for an entity that begins behind the last sentence."""
    message = f"{name} begins behind the last sentence of the text, where the published program stops"
    return InputError(f"{message}; correct the offsets, or choose --profile corrected to skip it", path=path, line=line)
