"""What a number must not be below: which number, and the bound; what makes no sense is refused before scoring."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from karat.errors import UsageError, unknown
from karat.protocols.base import Protocol
from karat.scores import name_parts
from karat.slices.asking import LABEL, UNIT

_KINDS = ("layer", "regime", "avg", "slice", "label")


class Condition(NamedTuple):
    """A bound of a number; without a name it is the first F1."""

    least: float
    number: str = ""

    def __str__(self) -> str:
        return f"{self.number or 'F1'} >= {self.least}"


def condition(text: str | float) -> Condition:
    """Return the condition that a text stands for: a bound of the first F1, or of a number by its name.

    >>> condition("0.85"), condition("f1[regime=strict,label=PER]=0.85").number
    (Condition(least=0.85, number=''), 'f1[regime=strict,label=PER]')
    """
    name, _, bound = str(text).rpartition("=")
    if name.count("[") != name.count("]") or (bound.endswith("]") and "[" in str(text)):
        raise UsageError(f"the bound {text!r} has no number at its end; expected one such as f1[label=PER]=0.85")
    return Condition(_bound(bound, str(text)), name.strip())


def _bound(bound: str, text: str) -> float:
    try:
        least = float(bound.removesuffix("%"))
    except ValueError:
        raise UsageError(f"the bound {text!r} is no number; expected one such as 0.85, or f1[label=PER]=0.85") from None
    is_percentage = bound.endswith("%")
    if is_percentage or not 0 <= least <= 1:
        meant = f"; did you mean {least / 100:g}?" if 0 <= least <= 100 and (is_percentage or least >= 10) else ""
        raise UsageError(f"the bound {text!r} is not between 0 and 1, as scores are{meant}")
    return least


def check_condition(asked: Condition, protocol: Protocol) -> None:
    """Refuse a number that a protocol cannot have: an unknown measure, regime or average, or another kind of name."""
    if not asked.number:
        return
    measure, parts = name_parts(asked.number)
    known: dict[str, dict[str, None]] = {
        "avg": dict.fromkeys(str(figure.average) for figure in protocol.figures),
        "regime": dict.fromkeys(figure.regime for figure in protocol.figures),
    }
    measures = dict.fromkeys(figure.measure for figure in protocol.figures)
    if measure not in measures:
        raise unknown(f"measure of {protocol.name}", measure, measures)
    for kind, name in parts.items():
        if kind not in _KINDS:
            raise unknown("part of a number", kind, _KINDS)
        if kind in known and name not in known[kind]:
            raise unknown(f"{'average' if kind == 'avg' else kind} of {protocol.name}", name, known[kind])


def breakdowns_for(asked: Iterable[Condition], protocol: Protocol) -> list[str]:
    """Return what scores must be broken down by, so that all numbers that are asked for are there."""
    needed: dict[str, None] = {}
    for condition in asked:
        _, parts = name_parts(condition.number) if condition.number else ("", {})
        if parts.get("label"):
            needed[LABEL] = None
        name, is_part, _ = parts.get("slice", "").partition("=")
        if is_part:
            needed[UNIT if name == protocol.unit else name] = None
    return list(needed)
