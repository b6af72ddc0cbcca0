"""Triples for the tests: as strings, or as mentions of a text."""

from __future__ import annotations

from collections.abc import Sequence

from karat.model import Argument, Chain, Document, Mention, Relation, Span
from karat.vocabularies.normal_forms import normal_name, normal_phrase

Part = str | Span
Parts = tuple[Part, str, Part]


def document(
    triples: Sequence[Parts], name: str = "d", text: str = "", chains: Sequence[Sequence[Span]] = ()
) -> Document:
    """Return a document with these triples; an end is a string without a place, or a span of the text."""
    mentions: dict[Part, Mention] = {}

    def mention(part: Part) -> str:
        number = f"m{len(mentions) + 1}"
        if isinstance(part, str):
            made = Mention(number, (), text=part)
        else:
            made = Mention(number, (part,), text=text[slice(*part)])
        return mentions.setdefault(part, made).id

    relations = [
        Relation(f"r{at}", label, (Argument("head", mention(head)), Argument("tail", mention(tail))))
        for at, (head, label, tail) in enumerate(triples, 1)
    ]
    linked = [Chain(f"c{at}", tuple(mention(span) for span in spans)) for at, spans in enumerate(chains, 1)]
    return Document(name, text, list(mentions.values()), linked, relations)


def has_words(text: str) -> bool:
    """Say whether normal spelling leaves something of a text, as a phrase and as a relation."""
    return bool(normal_phrase(normal_phrase(text)) and normal_phrase(normal_name(text)))
