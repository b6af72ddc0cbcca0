"""How the official scorer prints: numbers as Perl shows them, and percentages cut off behind the second place."""

from __future__ import annotations

from karat.protocols.coreference.drop_in.counting import Counts

RULE = "-" * 74


def number(value: float) -> str:
    """Return a number with at most 15 significant digits, as Perl shows it.

    >>> number(10 / 3), number(4.0), number(12)
    ('3.33333333333333', '4', '12')
    """
    return str(value) if isinstance(value, int) else f"{value:.15g}"


def percent(ratio: float, *, rounded: bool = False) -> str:
    """Return a ratio in percent, cut off (or rounded) to two places.

    The product is that of doubles, so 57 of 100 are 56.99 per cent where it is cut off.

    >>> percent(57 / 100), percent(57 / 100, rounded=True)
    ('56.99', '57')
    """
    return number(round(ratio * 100, 2) if rounded else int(ratio * 10_000) / 100)


def ratio_lines(counts: Counts, f1: float | None = None, *, rounded: bool = False) -> str:
    r"""Return the line of recall, precision and F1 and the rule below it.

    >>> ratio_lines((2, 3, 2, 4)).split("\n")[0]
    'Recall: (2 / 3) 66.66%\tPrecision: (2 / 4) 50%\tF1: 57.14%'
    """
    recall_of, recall_by, precision_of, precision_by = counts
    recall = recall_of / recall_by if recall_by else 0
    precision = precision_of / precision_by if precision_by else 0
    if f1 is None:
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0
    cells = (
        f"Recall: ({number(recall_of)} / {number(recall_by)}) {percent(recall, rounded=rounded)}%",
        f"Precision: ({number(precision_of)} / {number(precision_by)}) {percent(precision, rounded=rounded)}%",
        f"F1: {percent(f1, rounded=rounded)}%",
    )
    return "\t".join(cells) + f"\n{RULE}\n"


def blanc_lines(together: Counts, apart: Counts, *, rounded: bool = False) -> str:
    """Return the lines of links within chains and between chains, and of BLANC, the mean of both.

    Where the gold has links of one kind only, that kind counts alone; where it has none, all is zero.
    """
    kinds = [_ratios(counts) for counts in (together, apart) if counts[1]]
    means = [sum(column) / len(kinds) for column in zip(*kinds, strict=True)] if kinds else [0, 0, 0]
    recall, precision, f1 = means
    return (
        f"\nCoreference:\nCoreference links: {ratio_lines(together, rounded=rounded)}"
        f"Non-coreference links: {ratio_lines(apart, rounded=rounded)}"
        f"BLANC: {ratio_lines((recall, 1, precision, 1), f1, rounded=rounded)}"
    )


def _ratios(counts: Counts) -> tuple[float, float, float]:
    """Return recall, precision and F1 of links that the gold has."""
    recall = counts[0] / counts[1]
    precision = counts[2] / counts[3] if counts[3] else 0
    return recall, precision, 2 * precision * recall / (precision + recall) if precision + recall else 0
