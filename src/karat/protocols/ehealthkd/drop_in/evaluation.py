"""The evaluation of one text against its gold, which the programs of all editions share.

Pairs of sentences are judged and counted as the protocol does it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from karat.errors import InputError
from karat.measures.published import whole_zero_prf
from karat.protocols.ehealthkd.drop_in.files import read_sides
from karat.protocols.ehealthkd.rules import CASES, REGIME, Rules

if TYPE_CHECKING:
    from karat.protocols.ehealthkd.annotations import Annotations
    from karat.protocols.ehealthkd.judge import SentencePage, SentencePair
    from karat.protocols.ehealthkd.sentences import Alignment

WORDS = {"missed": "missing"}
"""Cases that the programs call by another name."""

A, B = "A", "B"
"""The subtasks: entities and relations."""
REPORTED = {A: ("correct", "incorrect", "partial", "spurious", "missed"), B: ("correct", "spurious", "missed")}
"""The cases that the programs report of each, in their order."""

Metrics = dict[str, float]
"""Recall, precision and F1, in this order."""


class Scenario(NamedTuple):
    """A folder, and which subtasks count in it."""

    folder: str
    skip_a: bool = False
    skip_b: bool = False

    @property
    def name(self) -> str:
        """The name in results."""
        return self.folder.split("-")[0]


SCENARIOS = {
    1: Scenario("scenario1-main"),
    2: Scenario("scenario2-taskA", skip_b=True),
    3: Scenario("scenario3-taskB", skip_a=True),
    4: Scenario("scenario4-transfer"),
}
"""All scenarios; the fourth was of 2020 alone."""


class TextEvaluation(NamedTuple):
    """The evaluation of a text.

    Args:
        sides: The annotations of gold and system.
        rules: The rules of the edition and profile.
        pages: By subtask, the scored pairs of sentences.
        totals: By subtask, how often each case occurs.
        warnings: What the program warns of.

    """

    sides: tuple[Annotations, Annotations]
    rules: Rules
    pages: Mapping[str, Sequence[SentencePage]]
    totals: Mapping[str, Mapping[str, int]]
    warnings: list[str]

    def counters(self, subtask: str) -> dict[str, int]:
        """Return how often each case of a subtask occurred, under the names of the programs."""
        return {f"{WORDS.get(case, case)}_{subtask}": self.totals[subtask][case] for case in REPORTED[subtask]}

    @property
    def counts(self) -> dict[str, int]:
        """The counters of both subtasks."""
        return self.counters(A) | self.counters(B)

    def metrics(self, *, skip_a: bool = False, skip_b: bool = False) -> Metrics:
        """Return recall, precision and F1 over the subtasks that are not skipped."""
        totals = [self.totals[subtask] for subtask, skipped in ((A, skip_a), (B, skip_b)) if not skipped]
        counts = [(worth[REGIME], sum(total.get(case, 0) for total in totals)) for case, worth in CASES.items()]
        credit = sum(worth.credit * count for worth, count in counts)
        actual = sum(worth.system * count for worth, count in counts)
        possible = sum(worth.gold * count for worth, count in counts)
        precision, recall, f1 = whole_zero_prf(credit, actual, possible)
        metrics: Metrics = {"recall": recall, "precision": precision, "f1": f1}
        return metrics if self.rules.whole_zero else {name: float(value) for name, value in metrics.items()}


def evaluate_annotations(gold: Annotations, system: Annotations, rules: Rules) -> TextEvaluation:
    """Score the annotations of a system against those of the gold.

    Where a span has several gold labels in another order than the system's, the published programs stop, and so does
    this, unless the rules are corrected.

    >>> from karat.protocols.ehealthkd.annotations import Annotations
    >>> gold = Annotations(["El asma."], [0], [1], ["Concept"], [(0, 3, 7)])
    >>> system = Annotations(["El asma."], [0], [5], ["Action"], [(0, 3, 7)])
    >>> evaluate_annotations(gold, system, Rules()).counts["incorrect_A"]
    1
    >>> evaluate_annotations(gold, system, Rules(skip_incorrect=True)).counts["spurious_A"]
    1
    """
    from karat.evaluation.protocol import Sheet
    from karat.evaluation.tally import Group, add
    from karat.protocols.ehealthkd.book import BOOK
    from karat.protocols.ehealthkd.judge import SentencePage
    from karat.protocols.ehealthkd.sentences import align

    aligned = align(gold.texts, system.texts, rules)
    pairs = list(_sentence_pairs(gold, system, aligned, rules))
    pages = {
        A: [SentencePage(Group(A), pair, "entities") for pair in pairs],
        B: [SentencePage(Group(B), pair, "relations") for pair in pairs],
    }
    counted = add(BOOK.tally(Sheet(gold.source, [page])) for of_subtask in pages.values() for page in of_subtask)
    none = (0,) * len(BOOK.counts)
    totals = {
        subtask: {case: int(count) for case, count in zip(BOOK.counts, counted.get(Group(subtask), none), strict=True)}
        for subtask in pages
    }
    remarks = [] if rules.edition == "2021" and not rules.corrected else aligned.remarks
    return TextEvaluation((gold, system), rules, pages, totals, [*gold.warnings, *system.warnings, *remarks])


def _sentence_pairs(gold: Annotations, system: Annotations, aligned: Alignment, rules: Rules) -> Iterator[SentencePair]:
    """Yield the sentences that are scored together, of which the system may lack one."""
    from karat.protocols.ehealthkd.annotations import Annotations
    from karat.protocols.ehealthkd.judge import SentencePair
    from karat.protocols.ehealthkd.sentences import scored_pairs

    golds, systems, lacking = gold.apart(), system.apart(), Annotations([""], [0])
    annotated = {place[0] for place in gold.places}
    for gold_number, system_number in scored_pairs(aligned, len(golds), annotated, rules):
        sides = (
            lacking if gold_number is None else golds[gold_number],
            lacking if system_number is None else systems[system_number],
        )
        pair = SentencePair(sides, rules)
        if not rules.corrected and (clashes := pair.matches.entities.clashes):
            raise _clash(sides[0], clashes[0][1])
        yield pair


def evaluate_files(gold: str | os.PathLike[str], system: str | os.PathLike[str], rules: Rules) -> TextEvaluation:
    """Score a text file with its annotations against another."""
    return evaluate_annotations(*read_sides(gold, system, rules), rules)


def _clash(gold: Annotations, entity: int) -> InputError:
    sentence, label = gold.texts[gold.places[entity][0]], gold.labels[entity]
    message = f"sentence {sentence!r}: {gold.words(entity)!r} has several gold labels, of which the system gives"
    advice = "list the labels in the same order on both sides, or choose --profile corrected"
    return InputError(f"{message} {label!r}, but not first; the published program stops here: {advice}")
