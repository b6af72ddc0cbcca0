r"""Cells of the coreference column: which mentions begin and end at a token, by the rules of each program.

A cell is ``-`` or brackets joined by ``|``: ``(12`` begins a mention of entity 12, ``12)`` ends one, ``(12)`` is one of
a single token. Within a cell the order is free: single tokens come first, then beginnings, then ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from typing import NamedTuple

Range = tuple[int, int]
"""The first and the last token of a mention; both belong to it."""

_STRICT = re.compile(r"[-_*]|(?:\(\d+\)?|\d+\))(?:\|(?:\(\d+\)?|\d+\)))*", re.ASCII)
_DOUBLE = re.compile(r"\((\d+\+\d)\)", re.ASCII)
_SINGLE = re.compile(r"\((\d+)\)", re.ASCII)
_BEGIN = re.compile(r"\((\d+)", re.ASCII)
_END = re.compile(r"(\d+)\)", re.ASCII)
_MAX_NESTED = 10_000
"""Characters of a cell whose brackets stand inside of each other."""

SHORT = 64
"""Characters of a cell up to which it is remembered."""


class CellError(Exception):
    """A cell that cannot be read; the message says why."""


class Marks(NamedTuple):
    """The entities of which a mention is one token, begins or ends at a token, and what was left out."""

    singles: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()


def _remembering(read: Callable[[str], Marks]) -> Callable[[str], Marks]:
    """Read equal cells once, unless they are so long that they hardly come again."""
    remembered = lru_cache(maxsize=65_536)(read)

    @wraps(read)
    def reading(cell: str) -> Marks:
        return remembered(cell) if len(cell) <= SHORT else read(cell)

    return reading


@_remembering
def official_marks(cell: str) -> Marks:
    r"""Read a cell as the official scorer does: digits in brackets count wherever they stand.

    ``(N+D)``, an entity with two antecedents, is discarded.

    >>> official_marks("x(1)2)|(3+4)")
    Marks(singles=('1',), begins=(), ends=('2',), discarded=('3+4',))
    """
    if "(" not in cell and ")" not in cell:
        return Marks()
    cell, discarded = _removed(cell, _DOUBLE)
    cell, singles = _removed(cell, _SINGLE)
    begins = _BEGIN.findall(cell)
    ends = _END.findall(_BEGIN.sub("", cell))
    return Marks(singles, tuple(begins), tuple(ends), discarded)


def _removed(cell: str, pattern: re.Pattern[str]) -> tuple[str, tuple[str, ...]]:
    """Remove the matches one by one from the left, where removing one may make another."""
    marks: list[str] = pattern.findall(cell)
    if not marks:
        return cell, ()
    rest = pattern.sub("", cell)
    if not pattern.search(rest):
        return rest, tuple(marks)
    if len(cell) > _MAX_NESTED:
        raise CellError(f"has brackets inside of each other in a cell of {len(cell):,} characters")
    marks, rest = [], cell
    while match := pattern.search(rest):
        marks.append(match[1])
        rest = rest[: match.start()] + rest[match.end() :]
    return rest, tuple(marks)


@_remembering
def strict_marks(cell: str) -> Marks:
    """Read a cell that is written as the format demands, or raise :class:`CellError`.

    >>> strict_marks("(1|(2)|3)")
    Marks(singles=('2',), begins=('1',), ends=('3',), discarded=())
    """
    if not _STRICT.fullmatch(cell):
        shown = cell if len(cell) <= 40 else f"{cell[:40]}…"
        raise CellError(f"the coreference cell {shown!r} is malformed; expected '-' or brackets such as (1|(2)|3)")
    return official_marks(cell)


@_remembering
def coval_marks(cell: str) -> Marks:
    """Read a cell as coval does: digit by digit, dropping what is neither digit, bracket nor bar.

    >>> coval_marks("(e1+2)|(3(4")
    Marks(singles=('12',), begins=('4',), ends=(), discarded=())
    """
    singles: list[str] = []
    begins: list[str] = []
    ends: list[str] = []
    digits, opened = "", False
    for character in cell:
        if character.isdigit():
            digits += character
        elif character == "(":
            digits, opened = "", True
        elif character == ")":
            if digits:
                (singles if opened else ends).append(_whole_number(digits, cell))
            digits, opened = "", False
        elif character == "|" and opened:
            begins.append(_whole_number(digits, cell))
            digits, opened = "", False
        elif character == "|" and digits:
            raise CellError(f"coval ends at the cell {cell[:40]!r}, which has a number without brackets")
    if opened and digits:
        begins.append(_whole_number(digits, cell))
    return Marks(tuple(singles), tuple(begins), tuple(ends))


def _whole_number(digits: str, cell: str) -> str:
    """Return the entity as coval names it, without zeros in front."""
    try:
        return str(int(digits))
    except ValueError:
        raise CellError(f"coval ends at the cell {cell[:40]!r}, which has a bracket without a number") from None


def scorch_marks(cell: str) -> Marks:
    """Read a cell as scorch does: digits behind an opening bracket, then digits before a closing one.

    >>> scorch_marks("(1)|(2")
    Marks(singles=(), begins=('1', '2'), ends=('1',), discarded=())
    """
    return Marks((), tuple(re.findall(r"\((\d+)", cell)), tuple(re.findall(r"(\d+)\)", cell)))


def add_mentions(
    marked: Iterable[tuple[int, Marks]],
    chains: dict[str, list[Range]],
    unbegun: Callable[[str, int], None],
    add: Callable[[str, list[int], int], None] | None = None,
    *,
    begun_are_chains: bool = True,
) -> dict[str, list[int]]:
    """Add the mentions of marked tokens to the chains, and return by entity the beginnings that have no end.

    An end belongs to the last beginning of its entity. ``unbegun`` is told entity and token of an end that has none;
    ``add`` takes the entity, its beginnings and the token of an end, where a mention is not just what lies between.
    A chain is there from its first beginning on, or from its first end.

    >>> chains: dict[str, list[Range]] = {}
    >>> add_mentions([(0, Marks(begins=("1",))), (2, Marks(("7",), ends=("1",)))], chains, lambda entity, token: None)
    {'1': []}
    >>> chains
    {'1': [(0, 2)], '7': [(2, 2)]}
    """
    begun: dict[str, list[int]] = {}
    for token, (singles, begins, ends, _) in marked:
        for entity in singles:
            if entity in chains:
                chains[entity].append((token, token))
            else:
                chains[entity] = [(token, token)]
        for entity in begins:
            if entity in begun:
                begun[entity].append(token)
                continue
            begun[entity] = [token]
            if begun_are_chains and entity not in chains:
                chains[entity] = []
        for entity in ends:
            starts = begun.get(entity)
            if entity not in chains:
                chains[entity] = []
            if not starts:
                unbegun(entity, token)
            elif add is None:
                chains[entity].append((starts.pop(), token))
            else:
                add(entity, starts, token)
    return begun
