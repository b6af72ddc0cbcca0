"""Reading ``.ann`` files of the usual form, all lines at once: most of the time of an evaluation goes into reading.

What is read here is read by the module ``brat`` in exactly the same way, only slower; whatever departs from the usual
form is left to it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import chain, compress, pairwise, repeat
from operator import gt, sub
from sys import intern

from karat.protocols.ehealthkd.annotations import Builder
from karat.protocols.ehealthkd.sentences import Place, Sentences, cut

_ENTITY = re.compile(r"\nT([0-9]+)\t([^ ]*) ([0-9]+) ([0-9]+)((?:;[0-9]+ [0-9]+)*)\t[^\t\n]*(?=\n)")
_RELATION = re.compile(r"\n(?:R[0-9]*|(\*))\t(\S+) (?(1)|Arg1:)T([0-9]+) (?(1)|Arg2:)T([0-9]+)(?=\n)")
_ATTRIBUTE = re.compile(r"\nA[0-9]*\t(\S+) T([0-9]+)(?=\n)")

_BLOCK = 1 << 16
"""Characters that are read at once: what is needed for a short time only stays in the caches of the processor."""


class _Names(dict[str, str]):
    """Each name by itself, so that equal ones are one object, on both sides."""

    def __missing__(self, name: str) -> str:
        self[name] = intern(name)
        return self[name]


def read_usual(blocks: Iterable[str], sentences: Sentences, builder: Builder) -> bool:
    """Read blocks of lines into an empty builder, and say whether they have the usual form; if not, it is of no use.

    Usual are entities with plain ids, each given once, before it is referred to, and inside of a sentence, their
    attributes, and relations inside of a sentence; everything has as many columns and blanks as it needs.
    """
    reader = _Reader(sentences, builder)
    try:
        for content in blocks:
            begin = 0
            while begin < len(content):
                end = content.find("\n", begin + _BLOCK) + 1 or len(content)
                reader.read(content[begin:end].removesuffix("\n"))
                begin = end
    except (KeyError, ValueError):
        return False
    builder.ids, builder.distinct = list(reader.known), True
    return not any("\t" in name or "\n" in name for name in reader.names)


class _Reader:
    """Reads lines into a builder; an error says that they are not of the usual form."""

    def __init__(self, sentences: Sentences, builder: Builder) -> None:
        self.sentences, self.builder = sentences, builder
        self.joined = "\n".join(sentences.texts)
        self.known: dict[str, int] = {}
        self.names = _Names()
        self.numbers: list[int] = []
        """The sentence of each entity."""

    def read(self, lines: str) -> None:
        """Read some lines: what is between those of one kind is searched for the next."""
        entities, text = _columns(_ENTITY, f"\n{lines}\n")
        (_, *relations), text = _columns(_RELATION, text)
        attributes = _ATTRIBUTE.findall(text)
        if len(attributes) != text.count("\n") - 1:
            raise ValueError
        if entities[0]:
            self._add_entities(*entities)
        self._add_relations(*relations)
        for label, name in attributes:
            index = self.known[name]
            self.builder.attributes[index] = (*self.builder.attributes.get(index, ()), label)

    def _add_relations(self, labels: list[str], ones: list[str], twos: list[str]) -> None:
        numbers, index = self.numbers, self.known.__getitem__
        found = list(zip(map(self.names.__getitem__, labels), map(index, ones), map(index, twos), strict=True))
        if [1 for _, source, target in found if numbers[source] != numbers[target]]:
            raise ValueError
        self.builder.relations += found

    def _add_entities(
        self, ids: list[str], labels: list[str], ones: list[str], twos: list[str], others: list[str]
    ) -> None:
        """Add entities, given the first fragment of each and the others."""
        builder, sentences = self.builder, self.sentences
        self.known.update(zip(ids, range(len(builder.labels), len(builder.labels) + len(ids)), strict=True))
        builder.labels += map(self.names.__getitem__, labels)
        padded = min(ids) < "1" and any(name[0] == "0" < name for name in ids)
        if padded or len(self.known) < len(builder.labels):
            raise ValueError
        starts, ends = list(map(int, ones)), list(map(int, twos))
        numbers, limits = _numbers(starts, sentences.ends), sentences.ends
        beyond = max(numbers) == len(limits)
        if beyond or [1 for end, number in zip(ends, numbers, strict=True) if end > limits[number]]:
            raise ValueError
        begins = list(map(sentences.begins.__getitem__, numbers))
        froms, tos = list(map(sub, starts, begins)), list(map(sub, ends, begins))
        if min(froms) < 0 or min(tos) < 0:
            raise ValueError
        places: list[Place] = list(zip(numbers, froms, tos, strict=True))
        blanks = map(self.joined.count, repeat(" "), starts, ends)
        for at in compress(range(len(places)), blanks):
            if not others[at]:
                places[at] = cut(numbers[at], froms[at], tos[at], self.joined[starts[at] : ends[at]])
        _add_others(places, others, begins)
        builder.places += places
        self.numbers += numbers


def _columns(form: re.Pattern[str], text: str) -> tuple[list[list[str]], str]:
    """Return each group of all matches, and the text without these."""
    parts, width = form.split(text), form.groups + 1
    return [parts[at::width] for at in range(1, width)], "".join(parts[::width])


def _numbers(starts: list[int], ends: list[int]) -> list[int]:
    """Return the sentences that offsets are in, given the ends of all: fewer ends are looked up than offsets.

    >>> _numbers([3, 12, 14, 40], [8, 27, 50]), _numbers([40, 3], [8, 27, 50])
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

    As published, those of the first sentence stay in the order in which they are given.
    """
    groups: dict[int, list[int]] = {}
    for at in compress(range(len(others)), others):
        groups.setdefault(others[at].count(";"), []).append(at)
    for count, group in groups.items():
        bounds = list(map(int, "".join([others[at] for at in group]).replace(";", " ").split()))
        shifts = [begins[at] for at in group]
        columns = [map(sub, bounds[at :: 2 * count], shifts) for at in range(2 * count)]
        numbers, froms, tos = zip(*[places[at] for at in group], strict=True)
        starts = [froms, *map(tuple, columns[::2])]
        if any(any(compress(numbers, map(gt, one, two))) for one, two in pairwise(starts)):
            raise ValueError
        for at, place in zip(group, zip(numbers, *starts, tos, *columns[1::2], strict=True), strict=True):
            places[at] = place
