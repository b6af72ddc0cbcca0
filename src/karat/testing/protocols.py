"""Checks of a protocol: ledger and tally agree, and neither order nor workers change the result."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from msgspec.structs import replace

from karat.analysis.summary import evaluate
from karat.annotations.selection import without_unplaced
from karat.errors import KaratError
from karat.evaluation.casebook import Casebook, RegimeCounts
from karat.evaluation.corpora import load
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.ledger import Entry
from karat.evaluation.protocol import Bound, Protocol
from karat.evaluation.registry import configure
from karat.evaluation.scores import Scores
from karat.evaluation.tally import Counts, Group, Tally
from karat.model import Document
from karat.testing.documents import Corpora, corpora
from karat.testing.promises import BrokenPromiseError
from karat.testing.sheets import DraftCheck

_REMEMBERS = "does it keep something from one document to the next? What must be known of others goes into facts"


def check_protocol(
    protocol: Protocol,
    pairs: Iterable[Corpora] | None = None,
    *,
    repeats: bool = False,
    by_text: bool = False,
    odd: bool = False,
    **options: Any,
) -> None:
    """Check a protocol on pairs of gold and system documents, two lists each, by default on invented ones.

    - Sheets hold pages; every item of a page has a verdict, and exactly one unless ``repeats`` says that the protocol
      counts items more than once; cases, averages, profiles and main figures are those that it has.
    - The same documents count the same when they are scored again, in another order, alone, or by workers; facts add
      up; sheets and protocol can travel to other processes.
    - The ledger adds up to the tally: what is counted is shown, with the outcome of its case, a reason and an item.
    - A perfect system scores 1 wherever a score is defined, and no score is below 0 or above 1, unless the arithmetic
      is ``odd``, as that of some published programs. Mentions that the text does not have are equal to no other, unless
      the protocol compares them ``by_text``.
    - Documents are left as they are. Invented ones that a protocol cannot judge are refused with a ``KaratError``;
      nothing else is raised.
    """
    check = _ProtocolCheck(configure(protocol, options), repeats=repeats, odd=odd)
    check.declaration()
    judged, refusal = 0, ""
    accepted: list[list[Document]] = []
    for gold, system in corpora() if pairs is None else pairs:
        if not (isinstance(gold, Sequence) and isinstance(system, Sequence)):
            raise TypeError("pairs are pairs of lists of documents, the gold and the system")
        bytes_before = pickle.dumps((gold, system))
        try:
            sheets = check.sheets(gold, system)
        except KaratError as error:
            refusal = f" (it refused some: {error})"
            check.expect(pairs is None, f"refuses the documents it is checked on: {error}")
            continue
        tallies = check.tallies(sheets)
        check.expect(
            pickle.dumps((gold, system)) == bytes_before, f"changes the documents that it is given{_names(gold)}"
        )
        judged += check.pair(gold, system, tallies)
        accepted.append(gold)
    for gold in accepted:
        if not odd:
            check.perfect(gold)
        if not by_text:
            check.invented(gold)
    fault = f"counts nothing in any of the corpora{refusal}; give pairs of documents that it judges"
    check.expect(bool(judged), fault)


class _ProtocolCheck(DraftCheck):
    """The checks of one protocol with its options."""

    def __init__(self, bound: Bound, *, repeats: bool, odd: bool) -> None:
        super().__init__(bound, repeats=repeats)
        self.odd = odd

    def declaration(self) -> None:
        """Check that the main figures and the profiles of quirks exist."""
        known: dict[str, set[str]] = {
            "regimes": set(self.bound.regimes()),
            "averages": {figure.average for figure in self.bound.figures},
        }
        for what, names in known.items():
            unknown = [name for name in getattr(self.bound.main, what) if name not in names]
            self.expect(not unknown, f"names {', '.join(unknown)} in main, but has no such {what}")
        profiles = [
            name
            for field in fields(self.bound.options)
            if field.name == "profile"
            for name in field.metadata["choices"]
        ]
        for quirk in self.bound.quirks if profiles else ():
            unknown = [name for name in quirk.profiles if name not in profiles]
            self.expect(not unknown, f"has the quirk {quirk.name} in {', '.join(unknown)}, but no such profile")

    def pair(self, gold: Sequence[Document], system: Sequence[Document], first: dict[str, Tally]) -> bool:
        """Check a pair of corpora, given what was counted the first time, and say whether anything was counted."""
        try:
            scores = self.scores(gold, system)
            self.same(first, _by_unit(scores), "when the same documents are scored again")
            self.same(first, _by_unit(self.scores(gold[::-1], system[::-1])), "when documents come in another order")
            self.facts_add_up(gold, system, first)
            self.workers(gold, system, scores)
            self.ledger(gold, system, scores)
            if not self.odd:
                self.bounds(scores)
        except KaratError as error:
            self.expect(False, f"refuses documents that it judged before: {error}")
        return any(any(counts) for tally in first.values() for counts in tally.values())

    def same(self, first: dict[str, Tally], second: dict[str, Tally], when: str) -> None:
        """Check that every unit has the same tally as the first time."""
        differs = next((name for name in {**first, **second} if first.get(name) != second.get(name)), "")
        if first != second:
            counts = [(side.get(differs) or {}).get(Group()) for side in (first, second)]
            said = f": {counts[0]}, then {counts[1]}" if counts[0] != counts[1] else ""
            self.expect(False, f"counts {differs!r} differently {when}{said}; {_REMEMBERS}")

    def evaluation(self, gold: Sequence[Document], system: Sequence[Document]) -> Evaluation:
        """Return an evaluation of the documents."""
        return Evaluation(self.bound, *load(self.bound, [gold, system]))

    def scores(self, gold: Sequence[Document], system: Sequence[Document], **how: Any) -> Scores:
        """Return the scores of the documents, for all labels and for each."""
        with self.calling("its figures"):
            corpora_of = load(self.bound, [gold, system])
            return evaluate(self.bound, *corpora_of, by="label", **how)

    def facts_add_up(self, gold: Sequence[Document], system: Sequence[Document], first: dict[str, Tally]) -> None:
        """Check that facts do not depend on order, and that a pair has the same tally alone as among others."""
        whole = self.facts(gold, system)
        backwards = self.facts(gold[::-1], system[::-1])
        self.expect(whole == backwards, f"has facts that depend on the order of the documents{_names(gold)}")
        pairs, known = self.pairs(gold, system)
        if not self.bound.whole(known):
            sheets = (sheet for pair in pairs[::-1] for sheet in self.bound.draft(*pair, known))
            alone = {sheet.unit: self.bound.book.tally(sheet) for sheet in sheets}
            self.same(first, alone, "alone than among others")

    def workers(self, gold: Sequence[Document], system: Sequence[Document], scores: Scores) -> None:
        """Check that the protocol and its facts can travel to other processes, where it counts the same."""
        try:
            sent = pickle.loads(pickle.dumps((self.bound, self.facts(gold, system))))  # noqa: S301 - our own bytes
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            self.expect(
                False, f"cannot travel to other processes: {error}; use functions of a module instead of lambdas"
            )
        bound, facts = sent
        with self.calling("its figures"):
            tallies = Evaluation(bound, *load(bound, [gold, system]), facts=facts).tallies()
        self.expect(tallies == scores.tallies, f"counts otherwise in another process{_names(gold)}")

    def ledger(self, gold: Sequence[Document], system: Sequence[Document], scores: Scores) -> None:
        """Check every entry, and that the entries add up to the tallies."""
        entries: dict[str, list[Entry]] = {unit: [] for unit in scores.tallies.units}
        with self.calling("its ledger"):
            told = list(self.evaluation(gold, system).entries())
        for entry in told:
            self.expect(entry.unit in entries, f"has an entry for {entry.unit!r}, which it does not count")
            self.entry(entry)
            entries[entry.unit].append(entry)
        if isinstance(self.book, Casebook):
            for unit, tally in zip(scores.tallies.units, scores.tallies.rows, strict=True):
                for group, counts in _recounted(self.book, tally, entries[unit]).items():
                    fault = f"counts {tally.get(group)} in {unit!r}, but its ledger adds up to {counts}"
                    self.expect(tally.get(group, ())[: len(counts)] == counts, fault)

    def entry(self, entry: Entry) -> None:
        """Check that an entry has a reason, an item, and the outcomes of its case."""
        self.expect(bool(entry.reason), f"gives no reason for an entry of {entry.unit!r}")
        has_item = entry.gold is not None or entry.system is not None
        self.expect(has_item, f"has an entry of {entry.unit!r} about neither a gold nor a system item")
        unknown = [regime for regime in entry.verdicts if regime not in self.bound.regimes()]
        self.expect(not unknown, f"has verdicts under {unknown}, which are none of its regimes")
        if (
            isinstance(self.book, Casebook)
            and not isinstance(self.book.counting, RegimeCounts)
            and self.book.together is None
        ):
            for regime, outcome in entry.verdicts.items():
                booked = self.book.outcome(entry.case, regime)
                fault = f"shows the case {entry.case!r} as {outcome} under {regime}, but counts it as {booked}"
                self.expect(outcome == booked, fault)

    def bounds(self, scores: Scores) -> None:
        """Check that scores are between 0 and 1, and that tallies have the counts that the protocol names."""
        for row in scores:
            inside = row.value is None or 0 <= row.value <= 1
            self.expect(inside, f"gives {row.value} for {row.name}; a score is between 0 and 1, or undefined")
        for tally in scores.tallies.rows:
            widths = {len(counts) for counts in tally.values()}
            size = len(self.bound.counts)
            self.expect(widths <= {size}, f"has {size} counts but tallies {widths}")

    def perfect(self, gold: Sequence[Document]) -> None:
        """Check that the gold as a system scores 1, apart from mentions that are not in the text."""
        placed = [without_unplaced(document) for document in gold]
        try:
            scores = self.scores(placed, placed)
        except BrokenPromiseError:
            self.tallies(self.sheets(placed, placed))  # which says it better, if a verdict is odd
            raise
        for row in scores:
            fault = f"gives {row.value} for {row.name} of a perfect system{_names(gold)}"
            self.expect(row.value in (None, 1), fault)

    def invented(self, gold: Sequence[Document]) -> None:
        """Check that two mentions that are not in the text are not equal, although neither has spans."""
        unplaced = [[mention for mention in document.mentions if not mention.spans] for document in gold]
        if any(unplaced):
            alone = [Document(both.id, both.text, each) for both, each in zip(gold, unplaced, strict=True)]
            renamed = [replace(both, mentions=[_renamed(mention) for mention in both.mentions]) for both in alone]
            for entry in self.evaluation(alone, renamed).entries():
                is_right = "correct" in entry.verdicts.values()
                advice = "give an item without spans the key None, as karat.matching.greedy.equal takes it"
                self.expect(not is_right, f"takes two mentions that the text does not have for the same; {advice}")


def _names(documents: Sequence[Document]) -> str:
    return f" (documents {', '.join(document.id for document in documents)})"


def _renamed(mention: Any) -> Any:
    return replace(mention, text="somebody else")


def _by_unit(scores: Scores) -> dict[str, Tally]:
    return dict(zip(scores.tallies.units, scores.tallies.rows, strict=True))


def _recounted(book: Casebook, tally: Tally, entries: Iterable[Entry]) -> dict[Group, Counts]:
    """Return the counts of the entries over all labels; graded credit is not in entries, so it is left out."""
    if isinstance(book.counting, RegimeCounts):
        return {}
    counted: dict[Group, Counter[str]] = {group: Counter() for group in tally if group.label is None}
    for entry in entries:
        counted.setdefault(Group(entry.layer, entry.slice), Counter())[entry.case] += 1
    return {group: tuple(cases[name] for name in book.worths) for group, cases in counted.items()}
