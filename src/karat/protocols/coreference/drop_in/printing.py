"""The lines of the official scorer: mentions that it found, and counts with their percentages."""

from __future__ import annotations

from collections.abc import Sequence

from karat.measures.published import as_perl_shows, rounded_percent, truncated_percent
from karat.measures.ratios import value
from karat.protocols.coreference.countbook import Countbook

RULE = "-" * 74

Counts = Sequence[float]


class ScorerLines:
    r"""Says what the official scorer says about the counts of a book; ``corrected`` rounds instead of cutting off.

    >>> from karat.protocols.coreference.measured import CONLL2012
    >>> ScorerLines(Countbook({"muc": CONLL2012["muc"]})).ratios("muc", (2, 3, 2, 4)).split("\n")[0]
    'Recall: (2 / 3) 66.66%\tPrecision: (2 / 4) 50%\tF1: 57.14%'
    """

    def __init__(self, book: Countbook, *, corrected: bool = False) -> None:
        self.percent = rounded_percent if corrected else truncated_percent
        self.counts = book.counts
        self.formulas = {(figure.regime, figure.measure): figure.formula for figure in book.figures}

    def mentions(self, counts: Counts, surplus: int) -> str:
        """Return the lines that count the mentions of a document; what the gold repeats is taken for invented."""
        common, gold, _, system = self._of("mentions", counts)
        return (
            f"Total key mentions: {gold}\nTotal response mentions: {system}\n"
            f"Strictly correct identified mentions: {common}\nPartially correct identified mentions: 0\n"
            f"No identified: {gold - common}\nInvented: {system - common + surplus}\n"
        )

    def ratios(self, regime: str, counts: Counts) -> str:
        """Return the line of recall, precision and F1 and the rule below it."""
        return self._lines(self._of(regime, counts), self._shares(regime, counts))

    def blanc(self, counts: Counts) -> str:
        """Return the lines of links within chains and between chains, and of BLANC, the mean of both."""
        shares = self._shares("blanc", counts)
        return (
            f"\nCoreference:\nCoreference links: {self.ratios('blanc-linked', counts)}"
            f"Non-coreference links: {self.ratios('blanc-unlinked', counts)}"
            f"BLANC: {self._lines((shares[0], 1, shares[1], 1), shares)}"
        )

    def _of(self, regime: str, counts: Counts) -> Counts:
        """Return the four counts of a regime."""
        place = self.counts.index(f"{regime}-found")
        return counts[place : place + 4]

    def _shares(self, regime: str, counts: Counts) -> list[float]:
        """Return recall, precision and F1, 0 where they are undefined."""
        return [value(self.formulas[regime, ratio](counts)) or 0 for ratio in ("recall", "precision", "f1")]

    def _lines(self, counts: Counts, shares: Sequence[float]) -> str:
        found, gold, given, system = map(as_perl_shows, counts)
        recall, precision, f1 = (as_perl_shows(self.percent(share)) for share in shares)
        cells = f"Recall: ({found} / {gold}) {recall}%", f"Precision: ({given} / {system}) {precision}%", f"F1: {f1}%"
        return "\t".join(cells) + f"\n{RULE}\n"
