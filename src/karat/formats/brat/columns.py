"""BRAT ``.ann`` files of the usual form, column by column: all lines of a block at once, far faster than one by one.

What is read here is read line by line in exactly the same way, by the strict rules and by the loose ones; whatever
departs from the usual form is left to those.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from karat.model import Span

_ENTITY = re.compile(r"\nT([0-9]+)\t([^ ]*) ([0-9]+) ([0-9]+)(;[0-9; ]+|)\t[^\t\n]*(?=\n)")
_OTHERS = re.compile(r"(?:;[0-9]+ [0-9]+)*")
"""What the fragments behind the first must look like; few entities have some, so that they are looked at apart."""
_RELATION = re.compile(r"\n(?:R[0-9]*|(\*))\t(\S+) (?(1)|Arg1:)T([0-9]+) (?(1)|Arg2:)T([0-9]+)(?=\n)")
_ATTRIBUTE = re.compile(r"\nA[0-9]*\t(\S+) T([0-9]+)(?=\n)")

_BLOCK = 1 << 16
"""Characters that are read at once: what is needed for a short time only stays in the caches of the processor."""


class EntityColumns(NamedTuple):
    """Entities: the number of each, its label, its first fragment, and the others as in ``;5 7;9 12``."""

    numbers: list[str]
    labels: list[str]
    starts: list[str]
    ends: list[str]
    others: list[str]


class RelationColumns(NamedTuple):
    """Relations, and chains of two: labels, and the numbers of the entities at both ends."""

    labels: list[str]
    sources: list[str]
    targets: list[str]


class Columns(NamedTuple):
    """The entities and relations of some lines, and attributes: their names with the numbers of their entities."""

    entities: EntityColumns
    relations: RelationColumns
    attributes: list[tuple[str, str]]


def read_columns(blocks: Iterable[str]) -> Iterator[Columns]:
    """Yield the annotations of a file in pieces; a :class:`ValueError` says that it does not have the usual form.

    Usual are entities with plain ids and their text, attributes without a value, and relations, or chains of two,
    between entities; each has as many tabs and blanks as it needs.
    """
    for content in blocks:
        begin = 0
        while begin < len(content):
            end = content.find("\n", begin + _BLOCK) + 1 or len(content)
            yield _columns(content[begin:end].removesuffix("\n"))
            begin = end


def read_fragments(text: str) -> tuple[Span, ...]:
    """Read fragments as in ``0 4;5 18``; a :class:`ValueError` says that they are something else.

    >>> read_fragments("0 4;5 18")
    ((0, 4), (5, 18))
    """
    fragments = []
    for piece in text.split(";"):
        start, end = piece.split()
        fragments.append((int(start), int(end)))
    return tuple(fragments)


def _columns(lines: str) -> Columns:
    """Read some lines: what is between those of one kind is searched for the next."""
    entities, text = _taken(_ENTITY, f"\n{lines}\n")
    if _OTHERS.fullmatch("".join(entities[-1])) is None:
        raise ValueError
    (_, *relations), text = _taken(_RELATION, text)
    attributes = _ATTRIBUTE.findall(text)
    if len(attributes) != text.count("\n") - 1:
        raise ValueError
    return Columns(EntityColumns(*entities), RelationColumns(*relations), attributes)


def _taken(form: re.Pattern[str], text: str) -> tuple[list[list[str]], str]:
    """Return each group of all matches, and the text without these."""
    parts, width = form.split(text), form.groups + 1
    return [parts[group::width] for group in range(1, width)], "".join(parts[::width])
