"""Files held in memory: bytes that readers accept in place of a path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Held(str):
    """A path with its content in memory: readers use the bytes, messages and comparisons the path.

    Pickling, for a worker process, keeps the path alone.

    >>> held = Held("gold", b'{"text": "Bern"}')
    >>> str(held), held.content
    ('gold', b'{"text": "Bern"}')
    """

    __slots__ = ("content",)

    def __new__(cls, name: str, content: bytes) -> Held:
        """Return a path that carries its content."""
        held = super().__new__(cls, name)
        held.content = content
        return held

    content: bytes

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return str, (str(self),)
