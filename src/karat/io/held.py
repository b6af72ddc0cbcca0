"""Files that are held in memory: bytes that a reader takes as those of a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Held(str):
    """Bytes under a name: the name wherever it is shown or compared; what opens files finds the bytes.

    Elsewhere, as in a worker, it is the name alone.

    >>> held = Held("gold", b'{"text": "Bern"}')
    >>> str(held), held.content
    ('gold', b'{"text": "Bern"}')
    """

    __slots__ = ("content",)

    def __new__(cls, name: str, content: bytes) -> Held:
        """Return bytes under a name."""
        held = super().__new__(cls, name)
        held.content = content
        return held

    content: bytes

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return str, (str(self),)
