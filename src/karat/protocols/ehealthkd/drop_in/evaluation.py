"""Scoring one text against its gold: the protocol's judgement on all sentences at once, and the three numbers of it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError
from karat.measures.published import whole_zero_prf
from karat.protocols.ehealthkd.align import align
from karat.protocols.ehealthkd.annotations import Annotations
from karat.protocols.ehealthkd.declaration import BOOK
from karat.protocols.ehealthkd.drop_in.reading import Texts, load
from karat.protocols.ehealthkd.entities import ENTITY_CASES
from karat.protocols.ehealthkd.judge import TextPage
from karat.protocols.ehealthkd.options import Rules
from karat.protocols.ehealthkd.relations import RELATION_CASES
from karat.tally import Group

WORDS = {"missed": "missing"}
"""Cases that the programs call by another name."""

COUNTERS_A = {f"{WORDS.get(case, case)}_A": case for case in ENTITY_CASES}
COUNTERS_B = {f"{WORDS.get(case, case)}_B": case for case in RELATION_CASES}
"""The counters of both subtasks, in the order of the programs, and the cases that they count."""

_PRECISION, _RECALL, _ = BOOK.figures

Metrics = dict[str, float]
"""Recall, precision and F1, in this order."""


class Evaluation(NamedTuple):
    """A text that was judged, how often each case occurred, and warnings."""

    page: TextPage
    counts: dict[str, int]
    warnings: list[str]

    def metrics(self, *, skip_a: bool = False, skip_b: bool = False, whole_zero: bool = False) -> Metrics:
        """Return recall, precision and F1 over the subtasks that are not skipped.

        What cannot be divided is 0.0, or 0 if the program writes a ``whole_zero``.
        """
        total = dict.fromkeys(BOOK.counts, 0)
        for skipped, counters in ((skip_a, COUNTERS_A), (skip_b, COUNTERS_B)):
            for name, case in counters.items() if not skipped else ():
                total[case] += self.counts[name]
        counts = list(total.values())
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
    aligned = align(gold.texts, system.texts, rules)
    page = TextPage(Group(), (gold, system), rules, "main", aligned)
    entities, relations = page.matches
    if entities.clashes and not rules.corrected:
        raise _clash(gold, entities.clashes[0][1])
    counts = {name: entities.counts[case] for name, case in COUNTERS_A.items()}
    counts |= {name: relations.counts[case] for name, case in COUNTERS_B.items()}
    remarks = [] if rules.edition == "2021" and not rules.corrected else aligned.remarks
    return Evaluation(page, counts, [*gold.warnings, *system.warnings, *remarks])


def evaluate_files(gold: str | Path, system: str | Path, rules: Rules, *, relations: bool = True) -> Evaluation:
    """Score a text file with its annotations against another."""
    texts: Texts = {}
    golds, systems = (load(file, rules, texts, relations=relations) for file in (gold, system))
    return evaluate(golds, systems, rules)


def _clash(gold: Annotations, entity: int) -> InputError:
    sentence, label = gold.texts[gold.places[entity][0]], gold.labels[entity]
    message = f"sentence {sentence!r}: {gold.words(entity)!r} has several gold labels, of which the system gives"
    advice = "list the labels in the same order on both sides, or choose --profile corrected"
    return InputError(f"{message} {label!r}, but not first; the published program stops here: {advice}")
