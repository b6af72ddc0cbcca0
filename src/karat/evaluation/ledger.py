"""The ledger: every gold and every system item with its verdict, its partner and the reason."""

from __future__ import annotations

import zlib
from contextlib import suppress
from typing import Generic, Literal, TypeVar

import msgspec

from karat.model import Span

T = TypeVar("T")

_LEVEL = 1
"""The compression level; higher ones take several times as long for a few per cent."""
Spans = tuple[Span, ...]
"""The fragments of something that may be discontinuous."""
Outcome = Literal["correct", "incorrect", "partial", "missed", "spurious"]


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """One annotation as a protocol saw it: a label (or link) over a text.

    ``span`` is where that stands, in tokens or in characters, as the protocol counts, and None if the text lacks it;
    ``alternatives`` are further labels, ``place`` the file, and the line or id in it. All of it is for people to read.

    ``ends`` is where it can be pointed at, in characters of the text of its document: the fragments of a mention, or of
    each end of a relation. It is empty where the protocol does not know. ``score`` is how sure a system says it is.
    """

    label: str
    text: str
    span: Span | None
    alternatives: tuple[str, ...] = ()
    place: str = ""
    ends: tuple[Spans, ...] = ()
    score: float | None = None


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the ledger: a pair, a gold item that was missed, or a system item that is spurious.

    ``verdicts`` gives the outcome under each regime of the protocol; ``case`` is the protocol's own word for what
    happened, ``label`` the label the outcome is booked on.
    """

    unit: str
    layer: str
    label: str
    case: str
    verdicts: dict[str, Outcome]
    reason: str
    gold: Item | None = None
    system: Item | None = None
    slice: str = ""


class PackedEntries(Generic[T]):
    """Entries of a ledger as compressed bytes, which take a tenth of the memory of the objects.

    Entries that MessagePack cannot encode stay objects.

    >>> missed = Entry("d1", "NE", "LOC", "missed", {"strict": "missed"}, "not found")
    >>> PackedEntries([missed], Entry).unpacked() == [missed]
    True
    """

    __slots__ = ("_content", "_kind")

    def __init__(self, entries: list[T], kind: type[T]) -> None:
        self._kind = kind
        self._content: bytes | list[T] = entries
        with suppress(UnicodeEncodeError, OverflowError):  # half a surrogate pair, an offset of twenty digits
            self._content = zlib.compress(msgspec.msgpack.encode(entries), _LEVEL)

    def unpacked(self) -> list[T]:
        """Return the entries."""
        if not isinstance(self._content, bytes):
            return self._content
        return msgspec.msgpack.decode(zlib.decompress(self._content), type=list[self._kind])  # type: ignore[name-defined]
