"""Documents and mentions as the OMIn protocols see them: paired by the gold, in the order of the file or the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from karat.errors import InputError
from karat.evaluation.ledger import Spans
from karat.evaluation.pairing import TakeNote, pair
from karat.evaluation.protocol import Demands, Pair
from karat.model import Document, Mention, Span

AS_WRITTEN = "omin:letters"
PHRASE = "omin:phrase"
LACKS = "omin:lacks"
LINE = "omin:line"
"""What the reader of OMIn files says about a row in attributes of its mention; its module explains them."""


def demands(**rules: str) -> Demands:
    """Return the demands on the reader of OMIn files: how the programs read both sides, and some rules."""
    common = {"side": "gold", "incomplete": "keep", **rules}
    return Demands(options={"omin": common}, system={"omin": {"side": "results"}})


def by_gold(gold: Iterable[Document], system: Iterable[Document], layers: Any, note: TakeNote) -> Iterator[Pair]:
    """Pair the gold documents; one that the system lacks counts as empty, one that the gold lacks is left out."""
    del layers
    return pair(gold, system, "empty", note=note)


def by_layer(document: Document, layers: Sequence[str]) -> list[list[Mention]]:
    """Return the mentions of each layer in their order."""
    mentions = sorted(document.mentions, key=_order)
    if len(layers) == 1:
        return [mentions]
    return [[mention for mention in mentions if mention.layer == layer] for layer in layers]


def _order(mention: Mention) -> tuple[Any, ...]:
    """Return the order of a mention: its row in a file of rows, else its place in the text."""
    row = row_number(mention)
    if row:
        return (row,)
    link = mention.links[0].target if mention.links else ""
    return 0, mention.spans, mention.labels, link, mention.text


def row_number(mention: Mention) -> int:
    """Return the row of a mention in a file of rows, 0 elsewhere."""
    row = mention.attributes.get("row", "")
    return int(row) if len(row) < 10 and row.isascii() and row.isdigit() else 0


def phrase(mention: Mention, document: Document) -> str:
    """Return the text of a mention as it was given."""
    given = mention.attributes.get("given")
    if given is not None:
        return given
    return mention.text or " ".join(document.text[start:end] for start, end in mention.spans)


def is_located(mention: Mention) -> bool:
    """Return whether the text of a mention was found in the text of its document."""
    return bool(mention.spans)


def ends_of(mention: Mention) -> tuple[Spans, ...]:
    """Return the spans of a mention for the ledger, empty if it does not occur in the text of its document."""
    return (mention.spans,) if is_located(mention) and mention.end else ()


def range_of(mention: Mention) -> Span | None:
    """Return the range from the start to the end of a mention, None if it does not occur in the text."""
    return (mention.start, mention.end) if is_located(mention) else None


def gold_text(mention: Mention, text: str) -> str:
    """Return a text of a gold mention as it is compared with the capitals of a system.

    The programs put the system in capitals alone, because their gold has no small letters; if it has, they never find
    it. Gold of other formats is put in capitals too.
    """
    return text if AS_WRITTEN in mention.attributes else text.upper()


def is_nameless(document: Document) -> bool:
    """Return whether the rows of a document have no id: they belong to no document, and match nothing."""
    return document.metadata.get("id") == "missing"


def stop(document: Document, mention: Mention, what: str, advice: str) -> InputError:
    """Return the error about a row at which the published program stops."""
    line = mention.attributes.get(LINE)
    message = f"the {what} is {mention.attributes[PHRASE]}, where the published program stops; {advice}"
    return InputError(message, path=document.source or None, line=int(line) if line else None)


def same_text(gold: Document, system: Document) -> None:
    """Raise an error if both sides have mentions but different texts."""
    if gold.text != system.text and gold.mentions and system.mentions:
        message = f"document {gold.id!r}: gold and system have different texts"
        advice = "both sides must annotate the same text; for OMIn files name the token file with --read tokens=FILE"
        raise InputError(f"{message}; {advice}", path=system.source or None)
