"""Documents and mentions as the OMIn protocols see them: paired by the gold, in the order of the file or the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from karat.errors import InputError, many
from karat.model import Document, Mention
from karat.pairing import paired as all_pairs

Pairs = list[tuple[Document, Document]]


def gold_documents(gold: Iterable[Document], system: Iterable[Document]) -> tuple[Pairs, list[str]]:
    """Pair the gold documents; one that the system lacks counts as empty, one that the gold lacks is left out."""
    pairing = all_pairs(list(gold), list(system), "empty")
    return pairing.pairs, pairing.notes


def all_documents(gold: Iterable[Document], system: Iterable[Document]) -> tuple[Pairs, list[str]]:
    """Pair all documents; one that a side lacks counts as empty there."""
    golds, systems = list(gold), list(system)
    known = {document.id for document in golds}
    surplus = [document for document in systems if document.id not in known]
    golds += [Document(document.id, document.text) for document in surplus]
    pairing = all_pairs(golds, systems, "empty")
    notes = [f"counted {many(len(surplus), 'document')} that the gold lacks, where all is wrong"] if surplus else []
    return pairing.pairs, [*pairing.notes, *notes]


def layers(pairs: Pairs) -> list[str]:
    """Return the layers that are judged apart: those of the data if both sides name some, else the nameless one."""
    sides = [{mention.layer for pair in pairs for mention in pair[side].mentions} for side in (0, 1)]
    return sorted(sides[0] | sides[1]) if all(side - {""} for side in sides) else [""]


def by_layer(document: Document, names: Sequence[str]) -> Iterator[list[Mention]]:
    """Yield the mentions of each layer in their order."""
    mentions = sorted(document.mentions, key=_place)
    for name in names:
        yield [mention for mention in mentions if len(names) == 1 or mention.layer == name]


def _place(mention: Mention) -> tuple[int, tuple[tuple[int, int], ...], tuple[str, ...], str, str]:
    """Return the order of a mention: its row in a file of rows, else its place in the text."""
    row = mention.attributes.get("row", "")
    number = int(row) if row.isascii() and row.isdigit() and len(row) < 10 else 0
    link = mention.links[0].target if mention.links else ""
    return number, mention.spans, mention.labels, link, mention.text


def phrase(mention: Mention, document: Document) -> str:
    """Return the text of a mention as it was given."""
    there = mention.text or " ".join(document.text[start:end] for start, end in mention.spans)
    return mention.attributes.get("given", there)


def same_text(gold: Document, system: Document) -> str:
    """Return the text that both sides annotate; two different ones are an error."""
    texts = {one.text for one in (gold, system) if one.mentions}
    if len(texts) > 1:
        message = f"document {gold.id!r}: gold and system have different texts"
        advice = "both sides must annotate the same text; for OMIn files name the token file with --read tokens=FILE"
        raise InputError(f"{message}; {advice}", path=system.source or None)
    return texts.pop() if texts else gold.text
