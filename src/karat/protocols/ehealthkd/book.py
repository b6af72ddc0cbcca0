"""The book of eHealth-KD: it counts all items of a case at once, since a text has very many."""

from __future__ import annotations

from collections import Counter, defaultdict

from karat.protocols.base import Sheet, Side
from karat.protocols.casebook import Casebook
from karat.protocols.ehealthkd.cases import CASES
from karat.protocols.ehealthkd.judge import TextPage, judge
from karat.protocols.ehealthkd.reasons import item, reason
from karat.tally import Tally


class TextBook(Casebook):
    """A casebook that counts the cases of a page, of which :func:`judge` makes verdicts."""

    def tally(self, sheet: Sheet) -> Tally:
        """Count the cases of a unit by layer and label, and over all labels."""
        tally: Tally = {}
        for page in sheet.content:
            tally |= self._count_cases(page)
        return tally

    def total(self, page: TextPage) -> Counter[str]:
        """Count the cases of a page over all labels, for who does not ask for labels."""
        total: Counter[str] = Counter()
        for case, golds, systems in page.cases():
            total[case] += len((systems if golds is None else golds) or ())
        return total

    def _count_cases(self, page: TextPage) -> Tally:
        width = len(self.counts)
        total, labels = [0] * width, defaultdict[str, list[int]](lambda: [0] * width)
        for case, golds, systems in page.cases():
            side: Side = "system" if golds is None else "gold"
            items = (systems if golds is None else golds) or ()
            place = self._places[case]
            for label, number in Counter(map(page.labels[side].__getitem__, items)).items():
                total[place] += number
                labels[label][place] += number
        return self._page_tally(page, total, labels)


BOOK = TextBook(CASES, judge, item=item, reason=reason)
