"""Scoring one text against its gold: one sheet for all its sentences, judged by the protocol, and the three numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from karat.errors import InputError
from karat.measures.published import whole_zero_prf
from karat.protocols.ehealthkd.align import align
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.book import BOOK
from karat.protocols.ehealthkd.drop_in.reading import Texts, counted, load
from karat.protocols.ehealthkd.judge import MatchedText, TextPage
from karat.protocols.ehealthkd.rules import Rules
from karat.tally import Group

if TYPE_CHECKING:
    from karat.protocols.ehealthkd.drop_in.totals import Totals

WORDS = {"missed": "missing"}
"""Cases that the programs call by another name."""

A, B = Group("A"), Group("B")
"""The subtasks: entities and relations."""
CASES = {A: ("correct", "incorrect", "partial", "spurious", "missed"), B: ("correct", "spurious", "missed")}
"""The cases that the programs report of each, in their order."""

_PRECISION, _RECALL, _ = BOOK.figures

Metrics = dict[str, float]
"""Recall, precision and F1, in this order."""


class Evaluation(NamedTuple):
    """A text, its subtasks as pages, how often each case occurs on them, and warnings."""

    pages: Mapping[Group, TextPage]
    totals: Mapping[Group, tuple[int, ...]]
    warnings: list[str]

    @property
    def text(self) -> MatchedText:
        """The text that was judged."""
        return self.pages[A].text

    def counters(self, subtask: Group) -> dict[str, int]:
        """Return how often each case of a subtask occurred, under the names of the programs."""
        counts = dict(zip(BOOK.counts, self.totals[subtask], strict=True))
        return {f"{WORDS.get(case, case)}_{subtask.layer}": int(counts[case]) for case in CASES[subtask]}

    @property
    def counts(self) -> dict[str, int]:
        """The counters of both subtasks."""
        return self.counters(A) | self.counters(B)

    def metrics(self, *, skip_a: bool = False, skip_b: bool = False, whole_zero: bool = False) -> Metrics:
        """Return recall, precision and F1 over the subtasks that are not skipped.

        What cannot be divided is 0.0, or 0 if the program writes a ``whole_zero``.
        """
        tallies = [self.totals[subtask] for subtask, skipped in ((A, skip_a), (B, skip_b)) if not skipped]
        counts = list(map(sum, zip(*tallies, strict=True))) or [0] * len(BOOK.counts)
        credit, actual = _PRECISION.formula(counts)
        _, possible = _RECALL.formula(counts)
        precision, recall, f1 = whole_zero_prf(credit, actual, possible)
        metrics: Metrics = {"recall": recall, "precision": precision, "f1": f1}
        return metrics if whole_zero else {name: float(value) for name, value in metrics.items()}


def evaluate(gold: Annotations, system: Annotations, rules: Rules) -> Evaluation:
    """Score the annotations of a system against those of the gold.

    Where a span has several gold labels in another order than the system's, the published programs stop, and so does
    this, unless the rules are corrected.

    >>> gold = Annotations(["El asma."], [0], [1], ["Concept"], [(0, 3, 7)])
    >>> system = Annotations(["El asma."], [0], [5], ["Action"], [(0, 3, 7)])
    >>> evaluate(gold, system, Rules()).counts["incorrect_A"]
    1
    >>> evaluate(gold, system, Rules(skip_incorrect=True)).counts["spurious_A"]
    1
    """
    text = MatchedText((gold, system), rules, align(gold.texts, system.texts, rules))
    clashes = text.matches.entities.clashes
    if clashes and not rules.corrected:
        raise _clash(gold, clashes[0][1])
    pages = {A: TextPage(A, text, "entities"), B: TextPage(B, text, "relations")}
    totals = {subtask: BOOK.total(page) for subtask, page in pages.items()}
    remarks = [] if rules.edition == "2021" and not rules.corrected else text.aligned.remarks
    return Evaluation(pages, totals, [*gold.warnings, *system.warnings, *remarks])


def evaluate_files(
    gold: str | Path, system: str | Path, rules: Rules, *, relations: bool = True, listed: bool = True
) -> Evaluation:
    """Score a text file with its annotations against another; without ``listed`` large ones are only counted."""
    texts: Texts = {}
    if not listed:
        totals = counted(gold, system, rules, texts)
        if totals is not None:
            return Evaluation({}, _in_book(totals), [])
    golds, systems = (load(file, rules, texts, relations=relations) for file in (gold, system))
    return evaluate(golds, systems, rules)


def _in_book(totals: Totals) -> dict[Group, tuple[int, ...]]:
    """Return totals in the order of the book."""
    named = {A: totals.entities, B: totals.relations}
    return {subtask: tuple(counts.get(case, 0) for case in BOOK.counts) for subtask, counts in named.items()}


def _clash(gold: Annotations, entity: int) -> InputError:
    sentence, label = gold.texts[gold.places[entity][0]], gold.labels[entity]
    message = f"sentence {sentence!r}: {gold.words(entity)!r} has several gold labels, of which the system gives"
    advice = "list the labels in the same order on both sides, or choose --profile corrected"
    return InputError(f"{message} {label!r}, but not first; the published program stops here: {advice}")
