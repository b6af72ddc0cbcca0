"""Documents of lists of tags, whose tokens have no text of their own but their numbers; one by one, or many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from operator import eq
from typing import TYPE_CHECKING, Any, cast

import msgspec

from karat.annotations.cells import TagRow
from karat.annotations.columns import TAG
from karat.annotations.tagging import chunks_in
from karat.annotations.tokens import join_tokens
from karat.compact import CompactColumn, Numbered
from karat.model import Document, Mention, TokenTable

if TYPE_CHECKING:
    from karat.annotations.tag_lists import TagLists

_LISTS = {list, tuple}
_MANY = 20_000
"""Tags from which on lists are kept as numbers; before, it takes longer to load what counts them."""


@lru_cache(maxsize=256)
def _numbered_tokens(size: int) -> tuple[tuple[str, ...], str, list[int], list[int]]:
    """Return the tokens of a list of so many tags, their text, and where each begins and ends in it."""
    forms = tuple(map(str, range(size)))
    text, starts = join_tokens(forms)
    return forms, text, starts, [start + len(form) for start, form in zip(starts, forms, strict=True)]


@lru_cache(maxsize=1 << 14)
def _mention(index: int, start: int, end: int, label: str) -> Mention:
    """Return a mention of a list of tags; lists of tags have the same ones again and again."""
    return Mention(f"T{index}", ((start, end),), (label,))


def tag_document(tags: TagRow, position: int, chunks: Iterable[tuple[int, int, str]]) -> Document:
    """Return the document of a list of tags, given its number and the chunks that are its mentions."""
    forms, text, starts, ends = _numbered_tokens(len(tags))
    table = TokenTable(forms, {TAG: tags}, [0] if forms else [], list(starts))
    mentions = [
        _mention(index, starts[start], ends[end - 1], label) for index, (start, end, label) in enumerate(chunks, 1)
    ]
    return Document(str(position), text, mentions, table=table)


class TagDocuments(CompactColumn[Document]):
    """The documents of many lists of tags, each made when it is looked at; ``lists`` has all of them at once.

    ``rows`` has each list as JSON.
    """

    def __init__(self, lists: TagLists, rows: Sequence[bytes]) -> None:
        self.lists, self._rows = lists, rows

    def __len__(self) -> int:
        return len(self.lists)

    def _at(self, index: int) -> Document:
        tags = TagRow(self.lists[index])
        return tag_document(tags, index + 1, chunks_in(tags))

    def stand_on(self, golds: TagDocuments) -> bool:
        """Say whether documents have the texts of the gold: lists are as long, as far as both sides have any."""
        return all(map(eq, self.lists.sizes.tolist(), golds.lists.sizes.tolist()))

    def encoded(self, encode: Callable[[Any], bytes]) -> Iterator[bytes]:
        """Yield what a function makes of each document as JSON; what many of them have in common is encoded once."""
        frame = lru_cache(maxsize=256)(partial(_frame, encode))
        mentions = self._mentions(encode)
        bounds = self.lists.mentions.lists.searchsorted(range(len(self) + 1)).tolist()
        columns = self.lists.sizes.tolist(), self._rows, pairwise(bounds)
        for position, (size, row, (first, past)) in enumerate(zip(*columns, strict=True), 1):
            if first == past:
                yield frame(size, False) % (position, row)
            else:
                yield frame(size, True) % (position, b",".join(mentions[first:past]), row)

    def _mentions(self, encode: Callable[[Any], bytes]) -> list[bytes]:
        """Return the mentions of all documents as JSON, of which each different one is encoded once."""
        mentions, labels = self.lists.mentions, list(self.lists.labels)
        starts, ends = _numbered_tokens(int(self.lists.sizes.max(initial=0)))[2:]
        firsts = self.lists.edges[mentions.lists]
        columns = mentions.ranks(), mentions.starts - firsts, mentions.ends - firsts - 1, mentions.labels
        different = Numbered[tuple[int, ...]]()
        places = list(map(different.__getitem__, zip(*(column.tolist() for column in columns), strict=True)))
        encoded = [
            encode(_mention(rank, starts[first], ends[last], labels[label])) for rank, first, last, label in different
        ]
        return [encoded[index] for index in places]


def _frame(encode: Callable[[Any], bytes], size: int, has_mentions: bool) -> bytes:
    """Return the JSON of a document of so many tags, with places for its number, for its mentions, and for its tags."""
    number, mention, tags = (cast(Any, msgspec.Raw(frame)) for frame in (b'"%d"', b"%b", b"%b"))
    forms, text, starts, _ = _numbered_tokens(size)
    table = TokenTable(forms, {TAG: tags}, [0] if forms else [], starts)
    return encode(Document(number, text, [mention] if has_mentions else [], table=table))


def many_tags(items: Sequence[Any]) -> TagDocuments | None:
    """Return the documents of many lists of tags; nothing if they are few, or have too many different tags.

    Texts that cannot be encoded, or are of a type of their own, are for those who look at each list.
    """
    if not {*map(type, items)} <= _LISTS or sum(map(len, items)) < _MANY:
        return None
    from karat.annotations.tag_lists import TagLists

    try:
        lists = TagLists(items)
        if {*map(type, lists.tags)} != {str}:
            return None
        return TagDocuments(lists, list(map(msgspec.json.encode, items)))
    except (TypeError, ValueError):
        return None
