"""Cells of OMIn files that hold lists: coreference chains, and the phrases and identifiers of a gold link."""

from __future__ import annotations

from karat.formats._literals import NotALiteralError, parse_list
from karat.formats.typed_tables import Cell, TypedTable

Chains = list[list[tuple[Cell, ...]]]
"""The mentions of chains, each the numbers that stand for it: its first and its last word, both inside."""

LEVELS = 3


def shown(cell: Cell) -> str:
    """Return in words what stands in a cell that should hold a text.

    >>> shown(None), shown(5)
    ('missing', 'the number 5')
    """
    return "missing" if cell is None else f"the number {cell}"


def read_chains(table: TypedTable, row: int, cell: Cell) -> Chains:
    """Return the chains of a cell; one that holds anything else is an error."""
    if not isinstance(cell, str):
        raise table.fault(row, f"the chains are {shown(cell)}; expected a list such as [[[0, 0], [7, 7]]], or []")
    try:
        chains = parse_list(cell)
    except NotALiteralError as error:
        raise table.fault(row, f"the chains cannot be read: {error}; expected [[[0, 0], [7, 7]]]") from error
    for chain in chains:
        if not isinstance(chain, list) or not all(_is_mention(mention) for mention in chain):
            raise table.fault(row, f"{str(chain)[:40]} is no chain; expected a list of mentions [first, last]")
        if not chain:
            raise table.fault(row, "there is an empty chain, where the published program stops; take it out")
    return [[tuple(mention) for mention in chain] for chain in chains]


def _is_mention(value: object) -> bool:
    return isinstance(value, list) and not any(isinstance(item, list) for item in value)


def read_levels(table: TypedTable, row: int, *, fill: bool = False) -> list[tuple[Cell, Cell]]:
    """Return the phrases of a gold link, the longest first, each with its identifier; either may be missing.

    With ``fill`` a phrase without an identifier is given that of a shorter one.
    """
    phrases, targets = (_list(table, row, table.column(name)[row]) for name in ("entity", "qid"))
    if len(phrases) != len(targets) or len(phrases) < (LEVELS if fill else 1):
        message = f"there are {len(phrases)} entities and {len(targets)} identifiers; expected {LEVELS} of each"
        raise table.fault(row, message)
    return list(zip(phrases, _filled(targets) if fill else targets, strict=True))


def _filled(targets: list[Cell]) -> list[Cell]:
    """Return the identifiers of three levels, missing ones filled in as an option of the program does.

    >>> _filled([None, "Q1", None]), _filled([None, None, "Q2"]), _filled(["Q3", None, "Q2"])
    (['Q1', 'Q1', None], ['Q2', 'Q2', 'Q2'], ['Q3', 'Q2', 'Q2'])
    """
    first, second, third, *rest = targets
    if first is None and second is not None:
        first = second
    elif first is None:
        first = second = third
    elif second is None:
        second = third
    return [first, second, third, *rest]


def _list(table: TypedTable, row: int, cell: Cell) -> list[Cell]:
    expected = "expected a list such as ['CARGO DOOR', 'DOOR', None]"
    if not isinstance(cell, str):
        raise table.fault(row, f"the cell is {shown(cell)}; {expected}")
    try:
        values: list[Cell] = parse_list(cell)
    except NotALiteralError as error:
        raise table.fault(row, f"the cell cannot be read: {error}; {expected}") from error
    if any(isinstance(value, list) for value in values):
        raise table.fault(row, f"there is a list within the list; {expected}")
    return values
