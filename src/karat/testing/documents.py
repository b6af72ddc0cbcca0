"""Small invented corpora to try a protocol or a format on: the same ones every time."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from karat.model import Argument, Chain, Document, Link, Mention, Relation

Corpora = tuple[list[Document], list[Document]]
"""The gold and the system documents of one evaluation."""

_WORDS = ("Bern", "Zürich", "l'Aare", "1798", "Rhine", "von", "Ada", "東京", "x-y", "mill", "harbour", "no")
_LABELS = ("LOC", "PER", "ORG")
_TARGETS = ("Q1", "Q2", "Q3", "NIL")
_RELATIONS = ("lives_in", "works_for", "no_relation")


def corpora(number: int = 20, seed: int = 0) -> Iterator[Corpora]:
    """Yield gold and system documents with mentions, links, relations and chains; the system makes some mistakes.

    Mentions may overlap, nest, and stand in the same place with different labels. The first pair has nothing on either
    side but text, the second nothing in the system.
    """
    random = Random(seed)  # noqa: S311 - nothing here is secret
    for place in range(number):
        texts = [
            (f"d{index}", " ".join(random.choices(_WORDS, k=random.randint(1, 12))))
            for index in range(random.randint(1, 4))
        ]
        gold = [_document(name, text, random) if place else Document(name, text) for name, text in texts]
        system = [_document(name, text, random) if place > 1 else Document(name, text) for name, text in texts]
        yield gold, [_mixed(*both, random) for both in zip(gold, system, strict=True)]


def _document(name: str, text: str, random: Random) -> Document:
    """Invent the annotations of a text."""
    words, start = [], 0
    for word in text.split():
        words.append((start, start + len(word)))
        start += len(word) + 1
    spans = set()
    for _ in range(random.randint(0, 5)):
        first = random.randrange(len(words))
        last = min(first + random.randint(0, 2), len(words) - 1)
        spans.add((words[first][0], words[last][1]))
    labelled = [
        (span, label) for span in sorted(spans) for label in random.sample(_LABELS, random.choice((1, 1, 1, 2)))
    ]
    mentions = [
        Mention(f"T{index}", (span,), (label,), text[slice(*span)], links=(Link(random.choice(_TARGETS)),))
        for index, (span, label) in enumerate(labelled)
    ]
    return Document(name, text, mentions, *_structure(mentions, random))


def _structure(mentions: list[Mention], random: Random) -> tuple[list[Chain], list[Relation]]:
    """Invent chains, in which every mention stands at most once, and relations between mentions."""
    names = [mention.id for mention in mentions]
    random.shuffle(names)
    half = len(names) // 2
    chains = [
        Chain(f"C{index}", tuple(sorted(members)))
        for index, members in enumerate((names[:half], names[half:]))
        if members
    ]
    ends = {(random.choice(names), random.choice(names), random.choice(_RELATIONS)) for _ in names[1:]}
    relations = [
        Relation(f"R{index}", label, (Argument("head", head), Argument("tail", tail)))
        for index, (head, tail, label) in enumerate(sorted(end for end in ends if end[0] != end[1]))
    ]
    return chains, relations


def _mixed(gold: Document, system: Document, random: Random) -> Document:
    """Return what the system says: the gold, the gold with other labels, or something else about the same text."""
    if not gold.mentions or not system.mentions:
        return system
    return random.choice((gold, _relabelled(gold, random), system))


def _relabelled(document: Document, random: Random) -> Document:
    """Return the document with labels exchanged in places where that makes no two mentions the same."""
    shift = random.choice((1, 2))
    labels = {label: _LABELS[(place + shift) % len(_LABELS)] for place, label in enumerate(_LABELS)}
    mentions = [replace(mention, labels=(labels[mention.labels[0]],)) for mention in document.mentions]
    relations = [
        replace(relation, label=_RELATIONS[(_RELATIONS.index(relation.label) + 1) % len(_RELATIONS)])
        for relation in document.relations
    ]
    return replace(document, mentions=mentions, relations=relations)
