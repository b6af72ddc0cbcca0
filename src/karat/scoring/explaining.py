"""What ``karat.explain`` returns: the items one after the other, and for a notebook the texts that they are in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from karat.ledger import Entry

if TYPE_CHECKING:
    from karat.drawing.pages import Showing


class Ledger(Iterator[Entry]):
    """Yields every gold and every system item with its verdict; displayed, it is read again with its texts.

    Sources that come only once, such as generators, cannot be read again, and are not displayed.
    """

    def __init__(self, entries: Iterator[Entry], shown: Callable[[], Showing] | None) -> None:
        self._entries, self._shown = entries, shown

    def __next__(self) -> Entry:
        return next(self._entries)

    def _repr_html_(self) -> str | None:
        return None if self._shown is None else self._shown()._repr_html_()
