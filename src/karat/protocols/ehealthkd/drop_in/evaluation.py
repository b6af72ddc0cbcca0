"""Scoring one text against its gold: counts, items and the three numbers, as all editions print them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError
from karat.protocols.ehealthkd.align import align
from karat.protocols.ehealthkd.annotations import Annotations, Relation
from karat.protocols.ehealthkd.drop_in.reading import Pages, load
from karat.protocols.ehealthkd.matching import Matches, match
from karat.protocols.ehealthkd.rules import Rules

COUNTERS_A = ("correct_A", "incorrect_A", "partial_A", "spurious_A", "missing_A")
COUNTERS_B = ("correct_B", "spurious_B", "missing_B")

Metrics = dict[str, float]
"""Recall, precision and F1, in this order."""


class Evaluation(NamedTuple):
    """How often each verdict was given and, if they were asked for, the items in the words of the program."""

    counts: dict[str, int]
    items: dict[str, list[str]]
    warnings: list[str]

    def metrics(self, *, skip_a: bool = False, skip_b: bool = False, zero: float = 0.0) -> Metrics:
        """Return recall, precision and F1 over the subtasks that are not skipped; ``zero`` is 0 divided by 0."""
        counts = {name: 0 if (skip_a, skip_b)[name.endswith("_B")] else count for name, count in self.counts.items()}
        correct = counts["correct_A"] + counts["correct_B"]
        partial, incorrect = counts["partial_A"], counts["incorrect_A"]
        credit, both = correct + 0.5 * partial, correct + partial + incorrect
        possible = both + counts["missing_A"] + counts["missing_B"]
        actual = both + counts["spurious_A"] + counts["spurious_B"]
        recall = credit / possible if possible else zero
        precision = credit / actual if actual else zero
        f1 = 2 * recall * precision / (recall + precision) if recall + precision else zero
        return {"recall": recall, "precision": precision, "f1": f1}


def evaluate(gold: Annotations, system: Annotations, rules: Rules, *, items: bool = False) -> Evaluation:
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
    found = match(gold, system, aligned, rules)
    entities, relations = found
    if entities.clashes and not rules.corrected:
        raise _clash(gold, entities.clashes[0][1])
    verdicts: tuple[Sequence[object], ...] = (
        entities.correct,
        entities.incorrect,
        entities.partial,
        entities.spurious,
        entities.missed,
    )
    counts = {name: len(verdict) for name, verdict in zip(COUNTERS_A, verdicts, strict=True)}
    found_b, judged_b, wanted_b = map(len, (relations.correct, relations.system_relations, relations.gold_relations))
    counts |= zip(COUNTERS_B, (found_b, judged_b - found_b, wanted_b - found_b), strict=True)
    listed: dict[str, list[str]] = {name: [] for name in counts}
    if items:
        for name, text in _Items(gold, system, rules).all(found):
            listed[name].append(text)
    remarks = [] if rules.edition == "2021" and not rules.corrected else aligned.remarks
    return Evaluation(counts, listed, [*gold.warnings, *system.warnings, *remarks])


def evaluate_files(
    gold: str | Path, system: str | Path, rules: Rules, *, items: bool = False, relations: bool = True
) -> Evaluation:
    """Score a text file with its annotations against another."""
    pages: Pages = {}
    left, right = (load(one, rules, pages, relations=relations) for one in (gold, system))
    return evaluate(left, right, rules, items=items)


def _clash(gold: Annotations, entity: int) -> InputError:
    sentence, label = gold.texts[gold.places[entity][0]], gold.labels[entity]
    message = f"sentence {sentence!r}: {gold.words(entity)!r} has several gold labels, of which the system gives"
    advice = "list the labels in the same order on both sides, or choose --profile corrected"
    return InputError(f"{message} {label!r}, but not first; the published program stops here: {advice}")


class _Items:
    """Writes items as the programs list them."""

    def __init__(self, gold: Annotations, system: Annotations, rules: Rules) -> None:
        self.gold, self.system = gold, system
        self.attributes = rules.edition != "2019"

    def all(self, found: Matches) -> Iterator[tuple[str, str]]:
        """Yield the counter and the text of every item."""
        entities, relations = found
        pairs = {"correct_A": entities.correct, "incorrect_A": entities.incorrect, "partial_A": entities.partial}
        for name, several in pairs.items():
            for here, there in several:
                yield name, f"{self._entity(self.system, here)} --> {self._entity(self.gold, there)}"
        for here in entities.spurious:
            yield "spurious_A", self._entity(self.system, here)
        for there in entities.missed:
            yield "missing_A", self._entity(self.gold, there)
        golds, systems = relations.gold_relations, relations.system_relations
        for here, there, _ in relations.correct:
            left, right = self._relation(self.system, systems[here]), self._relation(self.gold, golds[there])
            yield "correct_B", f"{left} --> {right}"
        for here in relations.spurious:
            yield "spurious_B", self._relation(self.system, systems[here])
        for there in relations.missed:
            yield "missing_B", self._relation(self.gold, golds[there])

    def _entity(self, side: Annotations, entity: int) -> str:
        fields = f"text={side.words(entity)!r}, label={side.labels[entity]!r}, id={side.ids[entity]}"
        if self.attributes:
            names = side.attributes.get(entity, ())
            fields += f", attr=[{', '.join(f'Attribute(label={name!r})' for name in names)}]"
        return f"Keyphrase({fields})"

    def _relation(self, side: Annotations, relation: Relation) -> str:
        label, source, target = relation
        return f"Relation(from={side.words(source)!r}, to={side.words(target)!r}, label={label!r})"
