r"""Cells of the coreference column: the mentions that begin and end at a token, by the rules of each scorer.

A cell is ``-`` or brackets joined by ``|``: ``(12`` begins a mention of entity 12, ``12)`` ends one, ``(12)`` is a
mention of one token. The order within a cell is free: one-token mentions come first, then beginnings, then ends.
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
    """A malformed cell; the message says why."""


class Marks(NamedTuple):
    """The entities with a one-token mention, a beginning and an end at a token, and discarded brackets."""

    singles: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()


def _remembering(read: Callable[[str], Marks]) -> Callable[[str], Marks]:
    """Return a caching version of a function of a cell; long cells, which rarely repeat, are not cached."""
    remembered = lru_cache(maxsize=65_536)(read)

    @wraps(read)
    def reading(cell: str) -> Marks:
        return remembered(cell) if len(cell) <= SHORT else read(cell)

    return reading


@_remembering
def official_marks(cell: str) -> Marks:
    r"""Return the marks of a cell as the official scorer reads it: digits in brackets count wherever they are.

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
    """Return the cell with matches removed one at a time from the left, as a removal may create another match."""
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
    """Return the marks of a well-formed cell, or raise :class:`CellError`.

    >>> strict_marks("(1|(2)|3)")
    Marks(singles=('2',), begins=('1',), ends=('3',), discarded=())
    """
    if not _STRICT.fullmatch(cell):
        shown = cell if len(cell) <= 40 else f"{cell[:40]}…"
        raise CellError(f"the coreference cell {shown!r} is malformed; expected '-' or brackets such as (1|(2)|3)")
    return official_marks(cell)


@_remembering
def coval_marks(cell: str) -> Marks:
    """Return the marks of a cell as coval reads it: digit by digit, ignoring other characters than brackets and bars.

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
    """Return the entity as coval names it, without leading zeros."""
    try:
        return str(int(digits))
    except ValueError:
        raise CellError(f"coval ends at the cell {cell[:40]!r}, which has a bracket without a number") from None


def scorch_marks(cell: str) -> Marks:
    """Return the marks of a cell as scorch reads it: digits after an opening bracket, then digits before a closing one.

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
    """Add the mentions of marked tokens to the chains, and return the beginnings without an end by entity.

    An end belongs to the last beginning of its entity. Chains are ordered by their first mark.

    Args:
        marked: tokens with their marks.
        chains: the chains by entity, to which mentions are added.
        unbegun: called with entity and token for an end without a beginning.
        add: called with entity, beginnings and token for an end, instead of adding the range between.
        begun_are_chains: an entity with a beginning but no end has an empty chain.

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
