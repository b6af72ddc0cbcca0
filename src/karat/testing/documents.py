"""Small generated corpora for checks of protocols and formats; equal seeds give equal corpora."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from msgspec.structs import replace

from karat.model import Argument, Chain, Document, Link, Mention, Relation

Oddity = Callable[[Document, Random], Document]
"""Makes a document unusual in one way."""
Corpora = tuple[list[Document], list[Document]]
"""The gold and the system documents of one evaluation."""

_WORDS = ("Bern", "Zürich", "l'Aare", "1798", "Rhine", "von", "Ada", "東京", "x-y", "mill", "harbour", "no")
_LABELS = ("LOC", "PER", "ORG")
_TARGETS = ("Q1", "Q2", "Q3", "NIL")
_RELATIONS = ("lives_in", "works_for", "no_relation")


_PLAIN = 12
"""The number of ordinary corpora, before those with an unusual feature."""


def corpora(number: int = 20, seed: int = 0) -> Iterator[Corpora]:
    """Yield gold and system documents with mentions, links, relations and chains; the system makes some mistakes.

    Mentions may overlap, nest, and stand in the same place with different labels. The first pair has nothing on either
    side but text, the second nothing in the system. From the thirteenth on each has something that not every
    evaluation can hold, one after the other: mentions of several fragments, with several labels or none, in layers,
    with several links or none, without their text, with no place in the document; relations with one or three ends or a
    trigger, and between chains.
    """
    random = Random(seed)  # noqa: S311 - nothing here is secret
    for turn in range(number):
        odd = None if turn < _PLAIN else _ODDITIES[(turn - _PLAIN) % len(_ODDITIES)]
        texts = [
            (f"d{index}", " ".join(random.choices(_WORDS, k=random.randint(1, 12))))
            for index in range(random.randint(1, 4))
        ]
        gold = [_document(name, text, random, odd) if turn else Document(name, text) for name, text in texts]
        system = [_document(name, text, random, odd) if turn > 1 else Document(name, text) for name, text in texts]
        yield gold, [_mixed(*both, random) for both in zip(gold, system, strict=True)]


def _document(name: str, text: str, random: Random, odd: Oddity | None) -> Document:
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
    document = Document(name, text, mentions, *_structure(mentions, random))
    return document if odd is None else odd(document, random)


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
    labels = {label: _LABELS[(index + shift) % len(_LABELS)] for index, label in enumerate(_LABELS)}
    mentions = [
        replace(mention, labels=tuple(labels[label] for label in mention.labels)) for mention in document.mentions
    ]
    relations = [
        replace(relation, label=_RELATIONS[(_RELATIONS.index(relation.label) + 1) % len(_RELATIONS)])
        for relation in document.relations
    ]
    return replace(document, mentions=mentions, relations=relations)


def _each(change: Callable[[Mention, Random], Mention]) -> Oddity:
    """Return a function that changes every mention of a document."""
    return lambda document, random: replace(
        document, mentions=[change(mention, random) for mention in document.mentions]
    )


def _in_fragments(document: Document, random: Random) -> Document:
    """Return the document with every mention of several words in two pieces, without a word between if it has three."""
    del random
    mentions = []
    for mention in document.mentions:
        (span,) = mention.spans
        words = document.text[slice(*span)].split()
        if len(words) > 1:
            pieces = (span[0], span[0] + len(words[0])), (span[1] - len(words[-1]), span[1])
            mention = replace(mention, spans=pieces, text=f"{words[0]} {words[-1]}")
        mentions.append(mention)
    return replace(document, mentions=mentions)


def _ranked(mention: Mention, random: Random) -> Mention:
    """Return a mention with no link, one link, or several links with scores."""
    targets = random.sample(_TARGETS, random.randint(0, 3))
    return replace(mention, links=tuple(Link(target, 0.9 / rank) for rank, target in enumerate(targets, start=1)))


def _with_invented(document: Document, random: Random) -> Document:
    """Return the document with a mention that does not occur in the text, as language models invent them."""
    said = random.choice(("Eve", "Mallory"))
    invented = Mention("T99", (), (random.choice(_LABELS),), said)
    return replace(document, mentions=[*document.mentions, invented])


def _with_more_ends(document: Document, random: Random) -> Document:
    """Return the document with relations that have one end or three, and a trigger."""
    names = [mention.id for mention in document.mentions]
    relations = [
        replace(
            relation, arguments=(*relation.arguments, Argument("where", random.choice(names)))[ends:], trigger=names[0]
        )
        for relation, ends in zip(document.relations, (0, 2) * len(names), strict=False)
    ]
    return replace(document, relations=relations)


def _between_chains(document: Document, random: Random) -> Document:
    """Return the document with relations between chains."""
    names = [chain.id for chain in document.chains]
    relations = [
        replace(relation, arguments=tuple(Argument(end.role, random.choice(names)) for end in relation.arguments))
        for relation in document.relations
    ]
    return replace(document, relations=relations)


_ODDITIES: tuple[Oddity, ...] = (
    _in_fragments,
    _each(lambda mention, random: replace(mention, labels=tuple(random.sample(_LABELS, random.randint(0, 3))))),
    _each(lambda mention, random: replace(mention, layer=random.choice(("", "fine", "coarse")))),
    _each(_ranked),
    _each(lambda mention, random: replace(mention, text="")),  # places only, as a reader may leave them
    _with_invented,
    _with_more_ends,
    _between_chains,
)
