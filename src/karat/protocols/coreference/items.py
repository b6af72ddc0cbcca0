"""Mentions as items of the ledger: their text, their span, and the file and line where they stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from karat.annotations.tokens import line_of
from karat.errors import place
from karat.ledger import Item
from karat.model import Document, Mention
from karat.protocols.invented import stands_beyond


class ShownSide(NamedTuple):
    """One side of a document as it is shown: the names of its chains, and their mentions as items labelled with them.

    ``added`` are the keys of mentions that the program has put there itself.
    """

    names: Sequence[str]
    items: Sequence[Sequence[Item]]
    added: frozenset[Hashable] = frozenset()


def shown(mention: Mention, document: Document, label: str = "") -> Item:
    """Return a mention as an item of the ledger.

    >>> item = shown(Mention("m1", ((4, 6),)), Document("d", "Ada is", source="gold.txt"), "c1")
    >>> item.label, item.text, item.span, item.place
    ('c1', 'is', (4, 6), 'gold.txt')
    """
    text = mention.text or " … ".join(document.text[start:end] for start, end in mention.spans)
    where = place(document.source or None, _line(mention, document)).removesuffix(": ")
    span = (0, 0) if stands_beyond(mention) else (mention.start, mention.end)
    ends = (mention.spans,) if document.text and mention.spans and not stands_beyond(mention) else ()
    return Item(label, text, span, place=where, ends=ends)


def _line(mention: Mention, document: Document) -> int | None:
    """Return the line of the first token, if the document has tokens and its reader kept their lines."""
    table = document.table
    if table is None:
        return None
    named = re.match(r"\d+", mention.attributes.get("rows", ""))
    if named:
        return line_of(table, int(named[0]))
    if not document.text:
        return line_of(table, mention.start)
    token = bisect_right(table.starts, mention.start) - 1
    return line_of(table, token) if token >= 0 else None
