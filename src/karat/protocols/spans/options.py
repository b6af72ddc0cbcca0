"""The options of the entity protocols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from karat.errors import UsageError
from karat.settings import option, shared_option


@dataclass(frozen=True)
class EntityOptions:
    """What can be set in every evaluation of entities."""

    layers: str = shared_option("layers")
    invented: str = shared_option("invented")
    missing: str = shared_option("missing")


@dataclass(frozen=True)
class Conll2003Options(EntityOptions):
    """What can be set in an evaluation as by conlleval."""

    profile: str = shared_option(
        "profile",
        help="how tags are read: as the published program does, or without its faults in other schemes than IOB",
        choices=("official", "corrected"),
    )


def parse_share(text: str) -> float:
    """Read a share of one.

    >>> parse_share("0.5")
    0.5
    """
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{text!r} is no share; expected a number from 0 to 1, as 0.5") from None


def parse_number(text: str) -> int:
    """Read a whole number."""
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"{text!r} is no number of characters; expected a whole number, as 1") from None


@dataclass(frozen=True)
class OverlapOptions(EntityOptions):
    """What can be set in an evaluation by overlap; both conditions have to be met."""

    min_iou: float = option(
        0.5,
        "the least intersection over union of two mentions that may be paired, from 0 to 1",
        parse=parse_share,
        metavar="SHARE",
        show=lambda share: f"{share:g}",
        always=True,
    )
    min_overlap: int = option(
        1,
        "the least number of characters that two mentions must share to be paired",
        parse=parse_number,
        metavar="NUMBER",
        always=True,
    )

    def __post_init__(self) -> None:
        _check("min_iou", self.min_iou, 0 <= _number(self.min_iou, float) <= 1, "a share from 0 to 1, as 0.5")
        whole = isinstance(self.min_overlap, int)
        _check("min_overlap", self.min_overlap, whole and self.min_overlap >= 1, "a number of characters, at least 1")


def _number(value: Any, kind: type[float]) -> float:
    return value if isinstance(value, int | kind) else -1


def _check(name: str, found: object, is_right: bool, expected: str) -> None:
    if not is_right:
        raise UsageError(f"protocol overlap: {name} is {found!r}; expected {expected}")
