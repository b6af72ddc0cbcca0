"""Invented gold and system documents that grow in one dimension, for every kind of annotation."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from karat.model import Argument, Chain, Document, Link, Mention, Relation, Span, TokenTable

Corpora = tuple[list[Document], list[Document]]
Dimension = Callable[[int], Corpora]


def _document(
    name: str,
    words: int,
    places: Iterable[tuple[tuple[int, int], str, tuple[str, ...]]],
    chains: Iterable[Iterable[int]] = (),
    relations: Iterable[tuple[str, tuple[int, ...]]] = (),
    fragments: int = 1,
) -> Document:
    """Return a document of words ``w0 w1 …`` with mentions from a word to another, by label and links."""
    forms = [f"w{number}" for number in range(words)]
    text = " ".join(forms)
    starts, place = [], 0
    for form in forms:
        starts.append(place)
        place += len(form) + 1
    mentions = []
    for number, ((first, last), label, targets) in enumerate(places):
        spans: list[Span] = [(starts[first], starts[last] + len(forms[last]))]
        more = range(last + 2, last + 2 * fragments, 2)
        spans += [(starts[word], starts[word] + len(forms[word])) for word in more]
        surface = " ".join(text[start:end] for start, end in spans)
        mentions.append(Mention(f"m{number}", tuple(spans), (label,), surface, links=tuple(map(Link, targets))))
    return Document(
        name,
        text,
        mentions,
        [Chain(f"c{number}", tuple(f"m{member}" for member in members)) for number, members in enumerate(chains)],
        [
            Relation(
                f"r{number}", label, tuple(Argument(f"Arg{place}", f"m{end}") for place, end in enumerate(ends, 1))
            )
            for number, (label, ends) in enumerate(relations)
        ],
        table=TokenTable(forms, {}, [0], starts),
    )


def _both(make: Callable[[str, int], Document]) -> Corpora:
    """Return gold and system that differ in the label of every second mention."""
    return [make("LOC", 0)], [make("PER", 1)]


def _items(number: int) -> Corpora:
    return _both(
        lambda label, shift: _document(
            "d",
            2 * number + 2,
            [
                ((2 * place, 2 * place + shift * (place % 3 == 0)), "LOC" if place % 2 else label, (f"Q{place}",))
                for place in range(number)
            ],
            [(place, place + 1) for place in range(0, number - 1, 2)],
            [("in", (place, place + 1)) for place in range(number - 1)],
        )
    )


def _one_place(number: int) -> Corpora:
    return _both(
        lambda label, shift: _document(
            "d",
            4,
            [((1, 2), f"{label}{place}", (f"Q{place}",)) for place in range(number)],
            [range(number)],
            [("in", (place, (place + 1) % number)) for place in range(number)],
        )
    )


def _one_place_one_label(number: int) -> Corpora:
    return _both(
        lambda label, shift: _document(
            "d",
            4,
            [((1, 2), "LOC", (f"Q{place + shift}",)) for place in range(number)],
            [(place,) for place in range(number)],
            [("in", (0, 1))] * number,
        )
    )


def _nested(number: int) -> Corpora:
    return _both(
        lambda label, shift: _document(
            "d",
            2 * number + 2,
            [((place, 2 * number - place + shift), "LOC" if place % 2 else label, ("Q1",)) for place in range(number)],
            [range(number)],
            [("in", (place, place + 1)) for place in range(number - 1)],
        )
    )


def _staggered(number: int) -> Corpora:
    """Mentions that each overlap the next ones: long, one word further each time."""
    return _both(
        lambda label, shift: _document(
            "d",
            3 * number + 2,
            [((place + shift, place + number), label, ("Q1",)) for place in range(number)],
        )
    )


def _labels(number: int) -> Corpora:
    return _both(
        lambda label, shift: _document(
            "d",
            number + 1,
            [((place, place), f"{label if place % 2 else 'L'}{place}", ("NIL",)) for place in range(number)],
            [],
            [(f"r{place}", (place, place + 1)) for place in range(number - 1)],
        )
    )


def _documents(number: int) -> Corpora:
    sides = [
        [
            _document(f"d{name}", 6, [((0, 0), "LOC", ("Q1",)), ((2, 3), label, ("Q2",))], [(0, 1)], [("in", (0, 1))])
            for name in range(number)
        ]
        for label in ("LOC", "PER")
    ]
    return sides[0], sides[1]


def _empty_documents(number: int) -> Corpora:
    return [Document(f"d{name}", "a b") for name in range(number)], [
        Document(f"d{name}", "a b") for name in range(number)
    ]


def _links(number: int) -> Corpora:
    return _both(
        lambda label, shift: _document(
            "d", 6, [((place, place), label, tuple(f"Q{name + shift}" for name in range(number))) for place in range(3)]
        )
    )


def _one_chain(number: int) -> Corpora:
    return _both(
        lambda label, shift: _document(
            "d", number + 1, [((place, place), label, ("Q1",)) for place in range(number)], [range(shift, number)]
        )
    )


def _clusters(number: int) -> Corpora:
    return _both(
        lambda label, shift: _document(
            "d",
            2 * number + 2,
            [((place, place), label, (f"Q{place % number}",)) for place in range(2 * number)],
            [(place, (place + number + shift) % (2 * number)) for place in range(number)],
        )
    )


def _arguments(number: int) -> Corpora:
    return _both(
        lambda label, shift: _document(
            "d",
            number + 2,
            [((place, place), "LOC", ("Q1",)) for place in range(number + 1)],
            [],
            [("in", tuple(range(shift, number + shift)))],
        )
    )


def _relations_of_one(number: int) -> Corpora:
    return _both(
        lambda label, shift: _document(
            "d",
            number + 2,
            [((place, place), "LOC", ("Q1",)) for place in range(number + 1)],
            [],
            [(f"in{shift}" if place % 2 else "in", (0, place)) for place in range(1, number + 1)],
        )
    )


def _fragments(number: int) -> Corpora:
    return _both(
        lambda label, shift: _document(
            "d",
            2 * number + 6,
            [((shift, 1), label, ("Q1",)), ((0, 1), "LOC", ("Q1",))],
            [(0, 1)],
            [("in", (0, 1))],
            fragments=number,
        )
    )


def _words(number: int) -> Corpora:
    return _both(lambda label, shift: _document("d", 4 * number, [((0, shift), label, ("Q1",))]))


CROWDED = ("items at one place, each with its label", "items at one place with one label", "nesting", "overlap")
"""Dimensions in which everything meets everything: there are limits for them."""

DIMENSIONS: dict[str, Dimension] = {
    "items": _items,
    "items at one place, each with its label": _one_place,
    "items at one place with one label": _one_place_one_label,
    "nesting": _nested,
    "overlap": _staggered,
    "labels": _labels,
    "documents": _documents,
    "empty documents": _empty_documents,
    "links of an item": _links,
    "length of a chain": _one_chain,
    "clusters": _clusters,
    "arguments of a relation": _arguments,
    "relations of an item": _relations_of_one,
    "fragments": _fragments,
    "words": _words,
}
