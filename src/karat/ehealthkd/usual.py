"""Reading ``.ann`` files of the usual form, all lines at once: most of the time of an evaluation goes into reading.

What is read here is read by :mod:`karat.ehealthkd.brat` in exactly the same way, only slower; whatever departs from the
usual form is left to it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain, repeat
from operator import gt, itemgetter, ne, sub

from karat.ehealthkd.annotations import Draft
from karat.ehealthkd.pages import Page, Place, cut

_ENTITY = re.compile(r"\nT(0|[1-9][0-9]*)\t([^ \t\n]*) ([0-9]+) ([0-9]+)((?:;[0-9]+ [0-9]+)*)\t[^\t\n]*(?=\n)")
_RELATION = re.compile(r"\n(?:R[0-9]*|(\*))\t(\S+) (?(1)|Arg1:)T([0-9]+) (?(1)|Arg2:)T([0-9]+)(?=\n)")
_ATTRIBUTE = re.compile(r"\nA[0-9]*\t(\S+) T([0-9]+)(?=\n)")

_BLOCK = 1 << 16
"""Characters that are read at once: what is needed for a short time only stays in the caches of the processor."""


class _Names(dict[str, str]):
    """Each name by itself, so that equal ones are one object."""

    def __missing__(self, name: str) -> str:
        self[name] = name
        return name


def read_usual(content: str, page: Page, draft: Draft) -> bool:
    """Read a file into an empty draft, and say whether it has the usual form; if not, the draft is of no use.

    Usual are entities with plain ids, each given once, before it is referred to, and inside of a sentence, their
    attributes, and relations inside of a sentence; everything has as many columns and blanks as it needs.
    """
    known: dict[str, int] = {}
    names = _Names()
    joined = "\n".join(page.texts)
    begin = 0
    try:
        while begin < len(content):
            end = content.find("\n", begin + _BLOCK) + 1 or len(content)
            _read_block(content[begin:end].removesuffix("\n"), page, joined, draft, known, names)
            begin = end
    except (KeyError, ValueError):
        return False
    draft.ids = list(known)
    number = list(map(itemgetter(0), draft.places)).__getitem__
    sources, targets = (map(number, map(itemgetter(end), draft.relations)) for end in (1, 2))
    return not any(map(ne, sources, targets))


def _read_block(
    lines: str, page: Page, joined: str, draft: Draft, known: dict[str, int], names: dict[str, str]
) -> None:
    """Read some lines; an error says that they are not of the usual form."""
    text = f"\n{lines}\n"
    entities, relations, attributes = (form.findall(text) for form in (_ENTITY, _RELATION, _ATTRIBUTE))
    if len(entities) + len(relations) + len(attributes) != text.count("\n") - 1:
        raise ValueError
    if entities:
        ids, labels, starts, ends, others = zip(*entities, strict=True)
        known.update(zip(ids, range(len(draft.labels), len(draft.labels) + len(ids)), strict=True))
        draft.labels += map(names.__getitem__, labels)
        draft.places += _places(starts, ends, others, page, joined)
        if not len(known) == len(draft.labels) == len(draft.places):
            raise ValueError
    draft.relations += [(names[label], known[source], known[target]) for _, label, source, target in relations]
    for label, name in attributes:
        index = known[name]
        draft.attributes[index] = (*draft.attributes.get(index, ()), label)


def _places(ones: Sequence[str], twos: Sequence[str], others: Sequence[str], page: Page, joined: str) -> list[Place]:
    """Return places, given the first fragment of each and the others; none at all if one leaves its sentence."""
    starts, ends = list(map(int, ones)), list(map(int, twos))
    numbers = list(map(bisect_right, repeat(page.ends), starts))
    if max(numbers) == len(page.ends) or any(map(gt, ends, map(page.ends.__getitem__, numbers))):
        return []
    begins = list(map(page.begins.__getitem__, numbers))
    froms, tos = list(map(sub, starts, begins)), list(map(sub, ends, begins))
    if min(froms) < 0 or min(tos) < 0:
        return []
    places: list[Place] = list(zip(numbers, froms, tos, strict=True))
    blanks = map(joined.find, repeat(" "), starts, ends)
    for at in [at for at, blank in enumerate(blanks) if blank >= 0]:
        if not others[at]:
            places[at] = cut(numbers[at], froms[at], tos[at], joined[starts[at] : ends[at]])
    _add_others(places, others, begins)
    return places


def _add_others(places: list[Place], others: Sequence[str], begins: Sequence[int]) -> None:
    """Put other fragments, as in ``;5 7;9 12``, behind the only one of their places.

    As published, those of the first sentence stay in the order in which they are given.
    """
    several = [at for at, other in enumerate(others) if other]
    counts = [2 * others[at].count(";") for at in several]
    shifts = chain.from_iterable(map(repeat, map(begins.__getitem__, several), counts))
    bounds = list(map(sub, map(int, "".join(others).replace(";", " ").split()), shifts))
    begin = 0
    for at, count in zip(several, counts, strict=True):
        number, start, end = places[at]
        starts, ends = bounds[begin : begin + count : 2], bounds[begin + 1 : begin + count : 2]
        if number and (starts[0] < start or starts != sorted(starts)):
            raise ValueError
        places[at] = (number, start, *starts, end, *ends)
        begin += count
