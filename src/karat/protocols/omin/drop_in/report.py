"""What an OMIn program gives back."""

from __future__ import annotations

from typing import NamedTuple


class Report(NamedTuple):
    """What a program prints, and what Karat has to remark about it."""

    text: str
    remarks: tuple[str, ...] = ()
