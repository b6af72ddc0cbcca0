"""Checks of what the functions of a protocol return: sheets, pages, verdicts, items and notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

from karat.evaluation.casebook import Casebook, RegimeCounts, Verdict
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Bound, Facts, Pair, Sheet, Side
from karat.evaluation.tally import Tally
from karat.model import Document
from karat.testing.promises import Promises

_REFUSE = "judge such documents, or refuse them with an InputError"
_SIDES: tuple[Side, Side] = ("gold", "system")


class DraftCheck(Promises):
    """Calls the functions of a protocol one by one, so that an error names the function."""

    def __init__(self, bound: Bound, *, repeats: bool) -> None:
        super().__init__(f"protocol {bound.name}")
        self.bound, self.repeats = bound, repeats
        self.book: Any = getattr(bound.book, "book", bound.book)
        """The casebook, if the protocol has one, also within a book of its own."""
        self.counts_cases = isinstance(self.book, Casebook) and not isinstance(self.book.counting, RegimeCounts)

    def pairs(self, gold: Sequence[Document], system: Sequence[Document]) -> tuple[list[Pair], Any]:
        """Return the pairs of documents, and what is known of all of them."""
        with self.calling("facts, settle or pairs", _REFUSE):
            known = self.bound.settle(self.facts(gold, system))
            return list(self.bound.pairs(gold, system, known, lambda note: None)), known

    def facts(self, gold: Sequence[Document], system: Sequence[Document]) -> Facts:
        """Count what must be known of all documents."""
        facts: Facts = Counter()
        for side, documents in zip(_SIDES, (gold, system), strict=True):
            for document in documents:
                facts.update(self.bound.facts(document, side))
        return facts

    def sheets(self, gold: Sequence[Document], system: Sequence[Document]) -> list[Sheet]:
        """Return the sheets of all documents, and check that they have names and notes that can be counted."""
        pairs, known = self.pairs(gold, system)
        sheets: list[Sheet] = []
        if self.bound.whole(known):
            fault = "must see all pairs, but has no draft_all"
            self.expect(self.bound.draft_all is not None, fault)
            sheets += self.drafted("draft_all", self.bound.draft_all, pairs, known)
        else:
            for pair in pairs:
                sheets += self.drafted(f"draft, on document {pair[0].id!r}", self.bound.draft, *pair, known)
        names = Counter(sheet.unit for sheet in sheets)
        twice = next((name for name, times in names.items() if times > 1), None)
        self.expect(twice is None, f"drafts two sheets of the unit {twice!r}; each unit needs a name of its own")
        self.notes(sheets, known)
        return sheets

    def drafted(self, what: str, draft: Any, *arguments: Any) -> list[Sheet]:
        """Return the sheets that a function drafts."""
        with self.calling(what, _REFUSE):
            returned = draft(*arguments)
            is_iterable = isinstance(returned, Iterable) and not isinstance(returned, Sheet)
            self.expect(
                is_iterable, f"drafts {type(returned).__name__}; draft yields Sheet objects, or returns a list of them"
            )
            sheets = list(returned)
        other = next((sheet for sheet in sheets if not isinstance(sheet, Sheet)), None)
        self.expect(other is None, f"drafts {type(other).__name__} objects; draft yields Sheet objects")
        return sheets

    def notes(self, sheets: Sequence[Sheet], known: Any) -> None:
        """Check that notes can be counted, and become sentences."""
        counted: Counter[Hashable] = Counter()
        with self.calling(
            "the notes of a sheet", "notes are counted, so each must be hashable, such as a text or a tuple"
        ):
            for sheet in sheets:
                for note, times in (
                    sheet.notes.items() if isinstance(sheet.notes, Mapping) else zip(sheet.notes, repeat(1))
                ):
                    counted[note] += times
        with self.calling("remarks"):
            remarks = self.bound.remarks(counted, known)
            is_list = isinstance(remarks, Iterable) and not isinstance(remarks, str)
            self.expect(
                is_list, f"remarks {remarks!r}; expected a list of sentences, or one sentence yielded after the other"
            )
            said = list(remarks)
        odd = next((remark for remark in said if not isinstance(remark, str)), None)
        self.expect(odd is None, f"remarks {odd!r}; expected sentences")
        raw = next((note for note in counted if not isinstance(note, str) and str(note) in said), None)
        self.expect(raw is None, f"has the note {raw!r}, which people would read as it is; word it in remarks")

    def tallies(self, sheets: Iterable[Sheet]) -> dict[str, Tally]:
        """Return the tally of each unit, once every verdict on it was looked at."""
        tallies = {}
        for sheet in sheets:
            if isinstance(self.book, Casebook):
                self.pages(sheet)
            with self.calling(f"the tally of {sheet.unit!r}"):
                tallies[sheet.unit] = self.bound.book.tally(sheet)
        return tallies

    def pages(self, sheet: Sheet) -> None:
        """Check that a sheet has pages, each with a verdict on every item."""
        for page in sheet.content if isinstance(sheet.content, Sequence) else [None]:
            has_sides = all(hasattr(page, name) for name in ("gold", "system", "group"))
            fault = f"has a sheet of {sheet.unit!r} whose content is no list of pages with gold, system and group"
            self.expect(has_sides, fault)
            if self.counts_cases:
                self.verdicts(page, sheet.unit)
            with self.calling(f"item, on a page of {sheet.unit!r}"):
                for side in _SIDES:
                    for index in range(len(getattr(page, side))):
                        self.item(self.book.item(page, side, index))

    def verdicts(self, page: Any, unit: str) -> None:
        """Check that every item of a page has a verdict that the casebook knows, and only one unless it may repeat."""
        with self.calling(f"judge, on a page of {unit!r}"):
            returned = self.book.judge(page)
            self.expect(isinstance(returned, Iterable), f"judges {returned!r}; judge yields Verdict objects")
            verdicts = list(returned)
        judged: dict[Side, Counter[int]] = {"gold": Counter(), "system": Counter()}
        for verdict in verdicts:
            self.expect(isinstance(verdict, Verdict), f"judges {verdict!r}; judge yields Verdict objects")
            known = ", ".join(self.book.worths)
            self.expect(verdict.case in self.book.worths, f"judges the case {verdict.case!r}; its book has {known}")
            judged["gold"].update(() if verdict.gold is None else (verdict.gold,))
            judged["system"].update(() if verdict.system is None else (verdict.system,))
        for side, counted in judged.items():
            for index in range(len(getattr(page, side))):
                times = counted.pop(index, 0)
                self.expect(times > 0, f"gives no verdict on the {side} item {index} of a page of {unit!r}")
                fault = f"gives {times} verdicts on the {side} item {index} of a page of {unit!r}"
                self.expect(self.repeats or times == 1, fault)
            self.expect(not counted, f"gives a verdict on the {side} item {min(counted, default=0)}, which no page has")

    def item(self, item: object) -> None:
        """Check that an item can be shown."""
        self.expect(isinstance(item, Item), f"shows {item!r}; item returns a karat.evaluation.ledger.Item")
        if isinstance(item, Item):
            fault = f"shows an item with the span {item.span!r}; expected (start, end), or None if the text lacks it"
            self.expect(item.span is None or 0 <= item.span[0] <= item.span[1], fault)
