"""The lines of the official scorer: mentions that it found, and counts with their percentages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from karat.measures.published import as_perl_shows, rounded_percent, truncated_percent
from karat.protocols.coreference.figures import RATIOS, mean_of_kinds, quotient

RULE = "-" * 74

Counts = Sequence[float]
"""Numerator and denominator of recall, numerator and denominator of precision."""
Percent = Callable[[float], float]
"""How a share becomes a percentage: cut off, as published, or rounded."""


def percent_of(*, corrected: bool) -> Percent:
    """Return how percentages are made under a profile."""
    return rounded_percent if corrected else truncated_percent


def mention_lines(mentions: Counts, invented: int) -> str:
    """Return the lines that count the mentions of a document."""
    common, gold, _, system = mentions
    return (
        f"Total key mentions: {gold}\nTotal response mentions: {system}\n"
        f"Strictly correct identified mentions: {common}\nPartially correct identified mentions: 0\n"
        f"No identified: {gold - common}\nInvented: {invented}\n"
    )


def ratio_lines(counts: Counts, percent: Percent = truncated_percent) -> str:
    r"""Return the line of recall, precision and F1 and the rule below it.

    >>> ratio_lines((2, 3, 2, 4)).split("\n")[0]
    'Recall: (2 / 3) 66.66%\tPrecision: (2 / 4) 50%\tF1: 57.14%'
    """
    recall, precision, f1 = (quotient(*RATIOS[name](*counts)) for name in ("recall", "precision", "f1"))
    return _lines(counts, (recall, precision, f1), percent)


def blanc_lines(together: Counts, apart: Counts, percent: Percent = truncated_percent) -> str:
    """Return the lines of links within chains and between chains, and of BLANC, the mean of both.

    Where the gold has links of one kind only, that kind counts alone; where it has none, all is zero.
    """
    recall, precision, f1 = (
        quotient(*mean_of_kinds(RATIOS[name], (together, apart))) for name in ("recall", "precision", "f1")
    )
    return (
        f"\nCoreference:\nCoreference links: {ratio_lines(together, percent)}"
        f"Non-coreference links: {ratio_lines(apart, percent)}"
        f"BLANC: {_lines((recall, 1, precision, 1), (recall, precision, f1), percent)}"
    )


def _lines(counts: Counts, shares: Sequence[float], percent: Percent) -> str:
    found, gold, given, system = map(as_perl_shows, counts)
    recall, precision, f1 = (as_perl_shows(percent(share)) for share in shares)
    cells = f"Recall: ({found} / {gold}) {recall}%", f"Precision: ({given} / {system}) {precision}%", f"F1: {f1}%"
    return "\t".join(cells) + f"\n{RULE}\n"
