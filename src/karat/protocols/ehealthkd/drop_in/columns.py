"""From the columns of a BRAT file to places in sentences, many at once: most of the time of an evaluation goes into it.

What is put in its place here is put there entry by entry in exactly the same way, only slower.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import chain, compress, pairwise, repeat
from operator import gt, sub
from sys import intern

import msgspec

from karat.formats.brat.columns import EntityColumns, RelationColumns, read_columns, read_fragments
from karat.protocols.ehealthkd.annotations import Builder
from karat.protocols.ehealthkd.sentences import Place, Sentences, cut

_whole_numbers = msgspec.json.Decoder(list[int]).decode
"""Reads many numbers at once, three times as fast as one by one; it takes none with leading zeros."""


class _Names(dict[str, str]):
    """Each name by itself, so that equal ones are one object, on both sides."""

    def __missing__(self, name: str) -> str:
        self[name] = intern(name)
        return self[name]


def in_columns(blocks: Iterable[str], sentences: Sentences) -> Builder | None:
    """Read blocks of lines in columns, or nothing if they do not have the form for that.

    Beside what the format has to say, every id must be given once, before it is referred to, every entity lie inside of
    a sentence, and no relation leave its sentence.
    """
    reader = _ColumnReader(sentences)
    try:
        for columns in read_columns(blocks):
            reader.add_entities(columns.entities)
            reader.add_relations(columns.relations)
            reader.add_attributes(columns.attributes)
            del columns  # so that the next ones take their place in the caches of the processor
    except (KeyError, ValueError, msgspec.DecodeError):
        return None
    if any("\t" in name or "\n" in name for name in reader.names):
        return None
    reader.builder.ids, reader.builder.distinct = list(reader.known), True
    return reader.builder


class _ColumnReader:
    """Reads columns; an error says that they are not of the usual form."""

    def __init__(self, sentences: Sentences) -> None:
        self.sentences, self.builder = sentences, Builder()
        self.joined = "\n".join(sentences.texts)
        self.known: dict[int, int] = {}
        self.names = _Names()
        self.numbers: list[int] = []
        """The sentence of each entity."""

    def add_relations(self, columns: RelationColumns) -> None:
        """Add relations between entities that are known."""
        labels, sources, targets = columns
        numbers, index, name = self.numbers, self.known.__getitem__, self.names.__getitem__
        ends = map(index, _numbers_in(sources)), map(index, _numbers_in(targets))
        relations = list(zip(map(name, labels), *ends, strict=True))
        if [1 for _, source, target in relations if numbers[source] != numbers[target]]:
            raise ValueError
        self.builder.relations += relations

    def add_attributes(self, attributes: Sequence[tuple[str, str]]) -> None:
        """Add attributes of entities that are known."""
        of_entity = self.builder.attributes
        numbers = _numbers_in([number for _, number in attributes])
        for (label, _), number in zip(attributes, numbers, strict=True):
            index = self.known[number]
            of_entity[index] = (*of_entity.get(index, ()), label)

    def add_entities(self, columns: EntityColumns) -> None:
        """Add entities, each in its place."""
        ids, labels, first_starts, first_ends, others = columns
        if not ids:
            return
        builder, sentences = self.builder, self.sentences
        indices = range(len(builder.labels), len(builder.labels) + len(ids))
        self.known.update(zip(_numbers_in(ids), indices, strict=True))
        builder.labels += map(self.names.__getitem__, labels)
        if len(self.known) < len(builder.labels):
            raise ValueError
        starts, ends = _numbers_in(first_starts), _numbers_in(first_ends)
        place = self._place_words if sentences.rules.corrected else self._place
        place(starts, ends, others)

    def _place_words(self, starts: list[int], ends: list[int], others: list[str]) -> None:
        """Put entities in their places by the words that they cover, as corrected."""
        for start, end, other in zip(starts, ends, others, strict=True):
            fragments = ((start, end), *(read_fragments(other[1:]) if other else ()))
            place = self.sentences.place(fragments)
            if place is None or self.sentences.leaves(fragments):
                raise ValueError
            self.builder.places.append(place)
            self.numbers.append(place[0])

    def _place(self, starts: list[int], ends: list[int], others: list[str]) -> None:
        """Put entities in their places as published."""
        numbers, limits = _sentences_at(starts, self.sentences.ends), self.sentences.ends
        behind = max(numbers) == len(limits)
        if behind or [1 for end, number in zip(ends, numbers, strict=True) if end > limits[number]]:
            raise ValueError
        begins = list(map(self.sentences.begins.__getitem__, numbers))
        froms, tos = list(map(sub, starts, begins)), list(map(sub, ends, begins))
        if min(froms) < 0 or min(tos) < 0:
            raise ValueError
        places: list[Place] = list(zip(numbers, froms, tos, strict=True))
        blanks = map(self.joined.count, repeat(" "), starts, ends)
        for index in compress(range(len(places)), blanks):
            if not others[index]:
                covered = self.joined[starts[index] : ends[index]]
                places[index] = cut(numbers[index], froms[index], tos[index], covered)
        _add_others(places, others, begins)
        self.builder.places += places
        self.numbers += numbers


def _numbers_in(texts: Iterable[str]) -> list[int]:
    return _whole_numbers(f"[{','.join(texts)}]")


def _sentences_at(starts: list[int], ends: list[int]) -> list[int]:
    """Return the sentences that offsets are in, given the ends of all: fewer ends are looked up than offsets.

    >>> _sentences_at([3, 12, 14, 40], [8, 27, 50]), _sentences_at([40, 3], [8, 27, 50])
    ([0, 1, 1, 2], [2, 0])
    """
    ordered = sorted(starts)
    first, last = bisect_right(ends, ordered[0]), bisect_right(ends, ordered[-1])
    if last - first > len(starts):
        return list(map(bisect_right, repeat(ends), starts))
    edges = [*map(bisect_left, repeat(ordered), ends[first:last]), len(starts)]
    numbers = list(chain.from_iterable(map(repeat, range(first, last + 1), map(sub, edges, [0, *edges]))))
    if starts == ordered:
        return numbers
    return list(map(dict(zip(ordered, numbers, strict=True)).__getitem__, starts))


def _add_others(places: list[Place], others: Sequence[str], begins: Sequence[int]) -> None:
    """Put other fragments, as in ``;5 7;9 12``, behind the only one of their places.

    As published, those of the first sentence stay in the order in which they are given. Entities with equally many
    fragments are worked on together: all their offsets are one list, in which each column is a stride.
    """
    groups: dict[int, list[int]] = {}
    for index in compress(range(len(others)), others):
        groups.setdefault(others[index].count(";"), []).append(index)
    for count, group in groups.items():
        bounds = _numbers_in("".join([others[index] for index in group]).replace(";", " ").split())
        shifts = [begins[index] for index in group]
        columns = [map(sub, bounds[column :: 2 * count], shifts) for column in range(2 * count)]
        numbers, froms, tos = zip(*[places[index] for index in group], strict=True)
        starts = [froms, *map(tuple, columns[::2])]
        if any(any(compress(numbers, map(gt, earlier, later))) for earlier, later in pairwise(starts)):
            raise ValueError
        for index, place in zip(group, zip(numbers, *starts, tos, *columns[1::2], strict=True), strict=True):
            places[index] = place
