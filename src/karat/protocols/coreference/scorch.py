"""SCORCH: ratios of documents, averaged with their mentions as weights.

The program divides before it adds up: a corpus has the mean of the documents' recalls, weighted by gold mentions, of
their precisions, weighted by system mentions, and of their F1, weighted by both. So the tally of a document holds its
ratios times their weights, and the weights. Where there is no weight at all, which stops the program, documents have
the ratios that its library gives, so the tally holds the plain ratios too.

A chain is a set. A mention may be in several: MUC has it in the first one that holds it, B³ and CEAF in all of them,
and for BLANC mentions are linked if they meet in a chain at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from karat.evaluation.protocol import Figure
from karat.measures.coreference import Chains, Counts, b_cubed, blanc, contingency, muc, pairs_of
from karat.measures.formulas import Published
from karat.measures.links import chains_of, linked
from karat.measures.ratios import harmonic, mean, quotient
from karat.protocols.coreference.countbook import CONLL, BlancRule, Countbook
from karat.protocols.coreference.judgement import COREF, Judgement

_WEIGHTS = {"recall": "gold", "precision": "system", "f1": "both"}
"""Which mentions weigh which ratio."""

DOCUMENTS = "documents"
"""How many documents there are, over which the plain mean is taken."""

DocumentScores = tuple[float, float, float]
"""Recall, precision and F1 of a document."""


class ScorchBook(Countbook):
    """A book of ratios with their weights, which add up; its measures give the ratios of a document."""

    def count(self, judged: Judgement) -> Iterable[float]:
        """Return the weights, then for each measure the ratios with their weights and without."""
        weights = sum(judged.table.gold), sum(judged.table.system)
        both = *weights, sum(weights)
        weighed = (
            (ratio * weight, ratio)
            for measure in self.measures.values()
            for ratio, weight in zip(measure(judged), both, strict=True)
        )
        return *both, 1, *chain.from_iterable(weighed)

    def _counts(self, *, bounded: bool) -> tuple[str, ...]:
        del bounded
        ratios = (f"{measure}-{ratio}" for measure in self.measures for ratio in _WEIGHTS)
        return *_WEIGHTS.values(), DOCUMENTS, *(f"{ratio}{kind}" for ratio in ratios for kind in ("", "-plain"))

    def _figures(self, blanc: BlancRule, *, truncated: bool) -> Iterator[Figure]:
        del blanc, truncated
        behind = {"gold": "gold", "system": "system"}
        yield Figure("f1", "conll", "micro", _weighted("f1", CONLL), behind)
        for measure in self.measures:
            for ratio in ("precision", "recall", "f1"):
                yield Figure(ratio, measure, "micro", _weighted(ratio, [measure]), behind)


def _weighted(ratio: str, measures: Iterable[str]) -> Published:
    """Return the weighted mean of a ratio over documents, or the plain one where there is no weight."""
    sums = (f"{measure}-{ratio}{kind}" for measure in measures for kind in ("", "-plain"))
    return Published("weighted-documents", (_WEIGHTS[ratio], DOCUMENTS, *sums))


def _ratios(counts: Sequence[float]) -> DocumentScores:
    found, gold, given, system = counts
    recall, precision = quotient(found, gold), quotient(given, system)
    return recall, precision, harmonic(precision, recall)


def _repeats(judged: Judgement) -> bool:
    return judged.table.found is not judged.table.given


def _muc(judged: Judgement) -> DocumentScores:
    """Return MUC; a chain whose mentions all belong to earlier chains subtracts a link."""
    table = contingency(judged.gold[::-1], judged.system[::-1]) if _repeats(judged) else judged.table
    found, _, given, _ = muc(table)
    needed = [sum(size - 1 for size in sizes) for sizes in (table.gold, table.system)]
    return _ratios((found, needed[0], given, needed[1])) if all(needed) else (0.0, 0.0, 0.0)


def _b3(judged: Judgement) -> DocumentScores:
    """Return B³, where a mention belongs to all chains that hold it."""
    table = judged.table
    return _ratios(b_cubed(table._replace(found=table.shared, given=table.shared)))


def _aligned(measure: str, judged: Judgement) -> DocumentScores:
    return _ratios(COREF[measure](judged))


def _pairs_that_meet(gold: Chains, system: Chains) -> tuple[Counts, Counts]:
    """Count pairs that meet in a chain, and pairs that never do, where mentions are in several chains."""
    gold_of, system_of = chains_of(gold), chains_of(system)
    meeting = linked(gold_of, system_of)
    common = gold_of.keys() & system_of.keys()
    among = linked({key: gold_of[key] for key in common}, {key: system_of[key] for key in common})
    apart = pairs_of(len(common)) - among.gold - among.system + meeting.both
    gold_apart, system_apart = pairs_of(len(gold_of)) - meeting.gold, pairs_of(len(system_of)) - meeting.system
    together = meeting.both, meeting.gold, meeting.both, meeting.system
    return together, (apart, gold_apart, apart, system_apart)


def _blanc(judged: Judgement) -> DocumentScores:
    """Average over the kinds of pairs that the gold has; if each side has one mention, it is 1 or 0."""
    table = judged.table
    if list(table.gold) == list(table.system) == [1]:
        right = float(table.mentions[0])
        return right, right, right
    kinds = _pairs_that_meet(judged.gold, judged.system) if _repeats(judged) else blanc(table)
    linked, unlinked = map(_kind, kinds)
    if not kinds[0][1]:
        return unlinked
    if not kinds[1][1]:
        return linked
    recall, precision, f1 = map(mean, zip(linked, unlinked, strict=True))
    return recall, precision, f1


def _kind(counts: Counts) -> DocumentScores:
    found, gold, _, system = counts
    if not gold and not system:
        return 1.0, 1.0, 1.0
    return quotient(found, gold), quotient(found, system), quotient(2 * found, gold + system) * bool(gold and system)


MEASURES: Mapping[str, Callable[[Judgement], DocumentScores]] = {
    "muc": _muc,
    "b3": _b3,
    "ceafm": partial(_aligned, "ceafm"),
    "ceafe": partial(_aligned, "ceafe"),
    "blanc": _blanc,
}
"""The ratios of a document; its chains are sets."""
