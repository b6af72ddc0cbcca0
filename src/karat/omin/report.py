"""What an OMIn program gives back."""

from __future__ import annotations

from typing import NamedTuple

from karat.omin.tables import Cell


class Report(NamedTuple):
    """What a program prints, and what Karat has to remark about it."""

    text: str
    remarks: tuple[str, ...] = ()


def shown(cell: Cell) -> str:
    """Return in words what stands in a cell that should hold a text.

    >>> shown(None), shown(5)
    ('missing', 'the number 5')
    """
    return "missing" if cell is None else f"the number {cell}"
