"""The results of a project: tables of figures with their intervals and the numbers of answers behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import median

import msgspec

from karat.analysis.statistics.agreement import (
    UnitSums,
    cohen,
    cohen_sums,
    fleiss,
    fleiss_sums,
    krippendorff,
    krippendorff_sums,
    percent,
    percent_sums,
)
from karat.analysis.statistics.contributions import Linear, doubt, linear
from karat.analysis.statistics.samples import JudgedSample, pooled_recall
from karat.judge.estimates import Domain, share_of_documents
from karat.judge.items import fact_item
from karat.judge.journal import JournalEnd
from karat.judge.judgements import Judgements
from karat.judge.pool import PooledItem
from karat.judge.scheme import Question


class JudgedFigure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One number of a table, with its system, its subject and its interval.

    ``rated`` is the number of answers, items or documents behind it, ``listed`` the number of all.
    """

    table: str
    system: str
    about: str
    measure: str
    value: float | None
    low: float | None = None
    high: float | None = None
    rated: int | None = None
    listed: int | None = None


class JudgedResults(msgspec.Struct, frozen=True, omit_defaults=True):
    """All figures of a project, notes on them, and the end of the journal they were computed from.

    ``source`` is the pool, sheet or workbook of a saved summary.
    """

    figures: tuple[JudgedFigure, ...]
    notes: tuple[str, ...]
    journal: JournalEnd | None = None
    source: str = ""


def results_of(judgements: Judgements, level: float = 0.95, journal: JournalEnd | None = None) -> JudgedResults:
    """Return the results of a project; ``journal`` is the end of its journal when the judgements were read."""
    figures = [*_questions(judgements, level), *_output(judgements)]
    question = judgements.scheme.deciding
    if question is not None:
        figures += _shares(judgements, question, "pool", "", level)
        for system in _systems(judgements):
            figures += _shares(judgements, question, "precision", system, level)
        figures += [*_recall(judgements, question, level), *_comparison(judgements, question, level)]
    figures += [*_agreement(judgements, level), *_judges(judgements, question)]
    return JudgedResults(tuple(figures), tuple(_notes(judgements)), journal)


def _systems(judgements: Judgements) -> list[str]:
    return [source.name for source in judgements.pool.head.sources]


def _questions(judgements: Judgements, level: float) -> Iterator[JudgedFigure]:
    """Yield the answers to each question, for each system."""
    together = [""] if len(_systems(judgements)) > 1 else []
    for system in _systems(judgements) + together:
        for question in judgements.scheme.question:
            if question.summary == "consistency":
                yield _consistency(judgements, system, question)
            elif not system:
                continue
            elif question.per == "document":
                yield _of_documents(judgements, system, question)
            elif question.summary == "sum":
                yield _sum(judgements, system, question)
            else:
                yield _mean(judgements, system, question, level)


def _mean(judgements: Judgements, system: str, question: Question, level: float) -> JudgedFigure:
    """Return the mean answer on the scale of the question; its interval is that of the answers scaled to 0 to 1."""
    least, most = (min(question.values), max(question.values)) if question.answers else (0.0, 1.0)

    def place(entry: PooledItem) -> float | None:
        value = judgements.value(entry.id, question)
        return None if value is None else (value - least) / (most - least)

    if not question.answers:
        values = _values(judgements, system, question)
        mean = sum(values) / len(values) if values else None
        return JudgedFigure("questions", system, question.id, "mean", mean, rated=len(values))
    share = judgements.sample.share(Domain(system), place, level)
    value, low, high = (None if limit is None else least + limit * (most - least) for limit in share[:3])
    return JudgedFigure("questions", system, question.id, "mean", value, low, high, share.rated, share.items)


def _entries(judgements: Judgements, system: str) -> list[PooledItem]:
    return judgements.sample.entries.get(Domain(system), [])


def _values(judgements: Judgements, system: str, question: Question) -> list[float]:
    values = (judgements.value(entry.id, question) for entry in _entries(judgements, system))
    return [value for value in values if value is not None]


def _sum(judgements: Judgements, system: str, question: Question) -> JudgedFigure:
    values, listed = _values(judgements, system, question), len(_entries(judgements, system))
    return JudgedFigure("questions", system, question.id, "sum", sum(values), rated=len(values), listed=listed)


def _of_documents(judgements: Judgements, system: str, question: Question) -> JudgedFigure:
    documents = {entry.item.document for entry in _entries(judgements, system)}
    given = (judgements.value(document, question) for document in sorted(documents))
    values = [value for value in given if value is not None]
    total = sum(values) if question.summary == "sum" else sum(values) / len(values) if values else None
    return JudgedFigure(
        "questions", system, question.id, question.summary, total, rated=len(values), listed=len(documents)
    )


def _consistency(judgements: Judgements, system: str, question: Question) -> JudgedFigure:
    """Return the mean share of items of a document that contradict no other item.

    Judges count the contradictions among all items of a document. If the systems gave different items, a contradiction
    cannot be attributed to one of them: such a document counts only for all systems together.
    """
    sizes = Counter(entry.item.document for entry in _entries(judgements, system))
    pooled = Counter(entry.item.document for entry in _entries(judgements, ""))
    shares = []
    for document, items in sizes.items():
        value = judgements.value(document, question)
        if value is not None and items == pooled[document]:
            shares.append(max(0.0, items - value) / items)
    mean = sum(shares) / len(shares) if shares else None
    return JudgedFigure("questions", system, question.id, question.summary, mean, rated=len(shares), listed=len(sizes))


def _output(judgements: Judgements) -> Iterator[JudgedFigure]:
    """Yield how many items each system gave, and in how many documents."""
    known = judgements.pool.head.documents
    for source in judgements.pool.head.sources:
        yield JudgedFigure("output", source.name, "items", "number", source.items)
        share = source.documents / known if known else None
        yield JudgedFigure("output", source.name, "documents", "share", share, rated=source.documents, listed=known)


def _shares(
    judgements: Judgements, question: Question, table: str, system: str, level: float
) -> Iterator[JudgedFigure]:
    """Yield the share of right items of a system or of all systems, overall and by label; each item counts once."""
    labels = sorted({cell.label for cell in judgements.pool.head.cells})
    for label in (None, *labels):
        if Domain(system, label) in judgements.sample.sizes:
            share = judgements.share(Domain(system, label), question, level)
            yield JudgedFigure(table, system, label or "", "precision", *share)


def _recall(judgements: Judgements, question: Question, level: float) -> Iterator[JudgedFigure]:
    """Yield the recall of each system, of the right items in the pool and of those that judges found in the text."""
    right: dict[str, set[str]] = {system: set() for system in _systems(judgements)}
    for entry in judgements.pool.entries:
        if judgements.is_right(entry, question):
            for system in entry.systems:
                right[system].add(entry.id)
    every = len(set[str]().union(*right.values()))
    for system, pooled in pooled_recall(right).items():
        given_right = len(right[system])
        yield JudgedFigure("recall", system, "pool", "relative recall", pooled.recall, rated=given_right, listed=every)
        yield JudgedFigure("recall", system, "pool", "found by no other", pooled.unique)
        yield JudgedFigure("recall", system, "pool", "recall of the others' items", pooled.recall_of_others)
    if judgements.finished:
        yield from _discovered(judgements, question, level)


def _discovered(judgements: Judgements, question: Question, level: float) -> Iterator[JudgedFigure]:
    """Yield the recall in the documents that judges searched, of all items that they found there or called right.

    The searched documents are a sample of all documents, so the interval is that of a cluster sample.
    """
    head = judgements.pool.head
    discovered: dict[str, set[str]] = {document: set() for document in judgements.finished}
    for line in judgements.facts:
        if line.target in discovered:
            discovered[line.target].add(fact_item(head.kind, line.target, line.text).key(head.sameness))
    known = {document: set(facts) for document, facts in discovered.items()}
    given: dict[str, dict[str, set[str]]] = {system: {} for system in _systems(judgements)}
    for entry in judgements.pool.entries:
        document = entry.item.document
        if document not in discovered or entry.control:
            continue
        if judgements.is_right(entry, question) or entry.id in discovered[document]:
            known[document].add(entry.id)
            for system in entry.systems:
                given[system].setdefault(document, set()).add(entry.id)
    sizes = {document: len(items) for document, items in known.items() if items}
    for system, by_document in given.items():
        samples = [JudgedSample(size, size, len(by_document.get(document, ()))) for document, size in sizes.items()]
        share, low, high = share_of_documents(samples, head.documents, len(known) - len(samples), level)
        yield JudgedFigure("recall", system, "discovery", "recall", share, low, high, sum(sizes.values()))


def _comparison(judgements: Judgements, question: Question, level: float) -> Iterator[JudgedFigure]:
    """Yield the differences of precision between systems, paired by the documents that judges reached."""
    scores = {system: _by_document(judgements, system, question) for system in _systems(judgements)}
    for first, second in combinations(scores, 2):
        left, right = scores[first], scores[second]
        if left is None or right is None:
            continue
        difference = left - right
        error = doubt(difference.contributions)
        if error is not None:
            low, high = error.interval(difference.value, level)
            about = f"{first} − {second}"
            units = len(difference.contributions)
            yield JudgedFigure("comparison", "", about, "difference of precision", difference.value, low, high, units)
            yield JudgedFigure("comparison", "", about, "p", error.p_value(difference.value), rated=units)


def _by_document(judgements: Judgements, system: str, question: Question) -> Linear | None:
    right = dict.fromkeys(judgements.sample.reached, 0.0)
    rated = dict(right)
    for entry in _entries(judgements, system):
        value = judgements.rightness(entry, question)
        if value is not None:
            right[entry.item.document] += value
            rated[entry.item.document] += 1
    return linear(list(right.values()), list(rated.values()))


def _agreement(judgements: Judgements, level: float) -> Iterator[JudgedFigure]:
    """Yield the agreement of judges on each question, with intervals from resampled documents."""
    judges = judgements.judges
    for question in judgements.scheme.question:
        given = [
            (document, [answers.get(judge) for judge in judges]) for document, answers in judgements.units(question)
        ]
        shared = _Shared([(document, unit) for document, unit in given if sum(value is not None for value in unit) > 1])
        if not shared.units:
            continue
        rows = shared.rows
        alpha = f"Krippendorff's alpha ({question.scale})"
        yield shared.figure(question, "", "equal answers", percent(rows), percent_sums(shared.units), level)
        sums = krippendorff_sums(shared.units, question.scale)
        yield shared.figure(question, "", alpha, krippendorff(rows, question.scale), sums, level)
        yield from _kappas(question, judges, shared, level)


class _Shared:
    """Units that several judges answered: the document of each unit, and the answer of each judge or None."""

    def __init__(self, given: Sequence[tuple[str, Sequence[float | None]]]) -> None:
        self.documents = [document for document, _ in given]
        self.units = [unit for _, unit in given]

    @property
    def rows(self) -> list[list[float | None]]:
        """The answers of each judge."""
        return [list(row) for row in zip(*self.units, strict=True)]

    def answered_by(self, places: Sequence[int]) -> _Shared:
        """Return the units that all judges at these indices answered, with only their answers."""
        given = zip(self.documents, ([unit[judge] for judge in places] for unit in self.units), strict=True)
        return _Shared([(document, unit) for document, unit in given if None not in unit])

    def figure(
        self, question: Question, judges: str, measure: str, value: float | None, sums: UnitSums, level: float
    ) -> JudgedFigure:
        """Return a measure as a figure, with an interval if its value is defined."""
        limits = None if value is None else sums.interval(self.documents, level)
        low, high = limits or (None, None)
        return JudgedFigure("agreement", judges, question.id, measure, value, low, high, rated=len(self.units))


def _kappas(question: Question, judges: Sequence[str], shared: _Shared, level: float) -> Iterator[JudgedFigure]:
    """Yield Cohen's kappa of each pair of judges and Fleiss' kappa of all, on the units that all of them answered."""
    for places in combinations(range(len(judges)), 2):
        both = shared.answered_by(places)
        if both.units:
            left, right = ([value or 0.0 for value in row] for row in both.rows)
            kappa = cohen(left, right, question.values or sorted({*left, *right}))
            names = ", ".join(judges[judge] for judge in places)
            yield both.figure(question, names, "Cohen's kappa", kappa, cohen_sums(both.units), level)
    complete = shared.answered_by(range(len(judges)))
    if len(judges) > 2 and complete.units:
        kappa = fleiss([[value or 0.0 for value in row] for row in complete.rows])
        yield complete.figure(question, "", "Fleiss' kappa", kappa, fleiss_sums(complete.units), level)


def _judges(judgements: Judgements, question: Question | None) -> Iterator[JudgedFigure]:
    """Yield the number of answers, the median time and the share of recognised controls of each judge."""
    for judge in judgements.judges:
        ratings = [rating for given in judgements.ratings.values() for rating in given if rating.person == judge]
        times = [rating.seconds for rating in ratings if rating.seconds is not None]
        yield JudgedFigure("judges", judge, "", "answers", len(ratings))
        if times:
            yield JudgedFigure("judges", judge, "", "median seconds", median(times), rated=len(times))
        if question is not None:
            answers = [rating for rating in ratings if rating.question == question.id and rating.value is not None]
            controls = [(rating.value, judgements.entries[rating.target].control) for rating in answers]
            known = [(value in question.right) == (control == "right") for value, control in controls if control]
            if known:
                share = sum(known) / len(known)
                yield JudgedFigure("judges", judge, "", "controls recognised", share, rated=len(known))


def _notes(judgements: Judgements) -> Iterator[str]:
    head = judgements.pool.head
    yield from head.notes
    open_ = sum(1 for disagreement in judgements.disagreements() if disagreement.decided is None)
    if open_:
        yield f"{open_} disagreements between judges are undecided; until then their mean counts"
    if judgements.scheme.deciding is not None:
        yield "relative recall is an upper bound of recall: items that no pooled system gave are unknown"
    if head.drawn_documents < head.documents:
        drawn = f"{head.drawn_documents} of {head.documents} documents are in the pool"
        if head.drawn_items is None:
            yield f"{drawn}; intervals hold if they were drawn at random"
        else:
            yield f"{drawn}; items were drawn from these, so intervals do not cover the other documents"
