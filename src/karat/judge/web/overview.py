"""The data of the summary page: a sentence to quote, and the figures of a project by topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import msgspec

from karat.errors import many, plural
from karat.judge.desk import Desk
from karat.judge.estimates import Domain, EstimatedShare
from karat.judge.journal import JournalLine
from karat.judge.judgements import Judgements
from karat.judge.pool import PoolHead
from karat.judge.project import Project
from karat.judge.results import JudgedFigure, JudgedResults, results_of
from karat.judge.scheme import Question


def named_results(project: Project, judgements: Judgements, revealed: JournalLine | None) -> JudgedResults:
    """Return the results of a project; until the names are revealed, systems have numbers instead of names."""
    results = results_of(judgements, journal=project.journal.end())
    if revealed is not None:
        return results
    names = {source.name: f"System {position}" for position, source in enumerate(project.pool.head.sources, 1)}
    pairs = {f"{first} − {second}": f"{names[first]} − {names[second]}" for first, second in combinations(names, 2)}

    def hidden(figure: JudgedFigure) -> JudgedFigure:
        if figure.table in ("agreement", "judges"):
            return figure
        about = pairs[figure.about] if figure.table == "comparison" else figure.about
        return msgspec.structs.replace(figure, system=names.get(figure.system, ""), about=about)

    return msgspec.structs.replace(results, figures=tuple(map(hidden, results.figures)))


def revealed_by(project: Project) -> JournalLine | None:
    """Return the journal line that revealed the names of the systems, or None."""
    return next((line for line in project.journal.lines() if line.act == "reveal"), None)


def overview_of(desk: Desk) -> dict[str, Any]:
    """Return the variables of the summary template."""
    project = desk.project
    desk.catch_up()
    judgements, revealed = project.judgements(), revealed_by(project)
    results = named_results(project, judgements, revealed)
    tables: dict[str, list[JudgedFigure]] = {}
    for figure in results.figures:
        tables.setdefault(figure.table, []).append(figure)
    labels = tables.get("pool", [])
    differences = tables.get("comparison", [])
    disagreements = list(judgements.disagreements())
    differ = Counter(disagreement.question for disagreement in disagreements)
    return {
        "headline": headline_of(judgements, results),
        "labels": labels[:1] + sorted(labels[1:], key=lambda figure: (-(figure.listed or 0), figure.about)),
        "systems": [figure for figure in tables.get("precision", []) if not figure.about],
        "gave": {figure.system: figure.value for figure in tables["output"] if figure.about == "items"},
        "pooled": [figure for figure in tables.get("recall", []) if figure.measure == "relative recall"],
        "discovered": [figure for figure in tables.get("recall", []) if figure.about == "discovery"],
        "searched": len(judgements.finished),
        "differences": list(zip(differences[::2], differences[1::2], strict=True)),
        "agreement": _question_agreement(judgements, tables.get("agreement", []), differ),
        "judges": [_judge(name, desk, tables.get("judges", [])) for name in judgements.judges],
        "open": sum(1 for disagreement in disagreements if disagreement.is_open),
        "disagreements": len(disagreements),
        "revealed": revealed,
        "tables": tables,
    }


def _question_agreement(
    judgements: Judgements, figures: Sequence[JudgedFigure], differ: Counter[str]
) -> list[dict[str, Any]]:
    """Return the share of equal answers, chance-corrected agreement and number of disagreements of each question."""
    rows = []
    for question in judgements.scheme.question:
        about = [figure for figure in figures if figure.about == question.id]
        equal, chance = _measure(about, "equal answers"), _beyond_chance(about)
        if equal is not None and chance is not None:
            rows.append({"question": question, "equal": equal, "chance": chance, "differ": differ[question.id]})
    return rows


def _judge(name: str, desk: Desk, figures: Sequence[JudgedFigure]) -> dict[str, Any]:
    """Return a judge's progress, median time per answer, and share of recognised controls."""
    own = [figure for figure in figures if figure.system == name]
    seconds, controls = _measure(own, "median seconds"), _measure(own, "controls recognised")
    return {"name": name, "progress": desk.progress(name), "seconds": seconds, "controls": controls}


def _measure(figures: Sequence[JudgedFigure], measure: str) -> JudgedFigure | None:
    return next((figure for figure in figures if figure.measure == measure), None)


class HeadlineNumber(NamedTuple):
    """A number of the headline, and its caption."""

    value: str
    about: str


class Headline(NamedTuple):
    """The head of the summary: a sentence to quote, and the numbers below it."""

    sentence: str
    numbers: tuple[HeadlineNumber, ...]


def headline_of(judgements: Judgements, results: JudgedResults, level: float = 0.95) -> Headline:
    """Return the share of correct items with its interval, the progress, the agreement of judges, and controls."""
    question = judgements.scheme.deciding
    if question is None:
        return Headline(f"{many(len(judgements.ratings), 'answer')} given.", ())
    kind = judgements.pool.head.kind
    share = judgements.share(Domain(), question, level)
    given = (judgements.ratings.get((entry.id, question.id), ()) for entry in judgements.pool.entries)
    shared = sum(1 for ratings in given if len(ratings) > 1)
    judged = HeadlineNumber(
        f"{share.rated} of {share.items}", f"judged, {shared} of them by several judges" if shared else "judged"
    )
    if share.value is None:
        return Headline(f"None of {many(share.items, kind)} is judged yet.", (judged,))
    doubt = share.low is not None and share.high is not None and share.low < share.high
    limits = f"[{100 * (share.low or 0):.1f}, {100 * (share.high or 0):.1f}]" if doubt else ""
    right = HeadlineNumber(
        f"{100 * share.value:.1f} %", f"of {plural(kind)} are correct" + (f", {limits}" if limits else "")
    )
    numbers = (right, judged, *_agreement(results, question), *_controls(results))
    return Headline(_sentence(judgements.pool.head, share, limits, level), numbers)


def _sentence(head: PoolHead, share: EstimatedShare, limits: str, level: float) -> str:
    """Return the sentence to quote: the share of correct items, its interval, and the number of judgements."""
    every, documents = many(share.items, head.kind), ""
    if head.drawn_documents < head.documents and head.drawn_items is None:
        every = f"{plural(head.kind)} of {many(head.documents, 'document')}"
        documents = f" of {share.items} in {many(head.drawn_documents, 'document')}"
    opening = f"{100 * (share.value or 0.0):.1f} % of the {every} are correct"
    if share.rated == share.items and share.low is not None and not limits:
        return f"{opening} (all judged, no sampling error)."
    rests = f"{share.rated}{documents} are judged."
    if not limits:
        return f"{opening} so far, too little for an interval; {rests}"
    return f"{opening}, {100 * level:g} % interval {limits}; {rests}"


def _beyond_chance(figures: Sequence[JudgedFigure]) -> JudgedFigure | None:
    """Return the agreement on a question: Cohen's kappa for two judges, Krippendorff's alpha for more."""
    kappas = [figure for figure in figures if figure.measure == "Cohen's kappa"]
    alphas = [figure for figure in figures if figure.measure.startswith("Krippendorff")]
    return next(iter(kappas if len(kappas) == 1 else alphas), None)


def _agreement(results: JudgedResults, question: Question) -> Iterator[HeadlineNumber]:
    figures = [figure for figure in results.figures if (figure.table, figure.about) == ("agreement", question.id)]
    figure = _beyond_chance(figures)
    if figure is not None and figure.value is not None:
        sign, shown = "κ" if "kappa" in figure.measure else "α", f"{figure.value:.2f}".replace("-", "−")
        yield HeadlineNumber(f"{sign} {shown}", f"on “{question.text}”, {many(figure.rated or 0, 'shared item')}")


def _controls(results: JudgedResults) -> Iterator[HeadlineNumber]:
    controls = [figure for figure in results.figures if figure.measure == "controls recognised"]
    if controls:
        known = sum(figure.rated or 0 for figure in controls)
        right = round(sum((figure.value or 0.0) * (figure.rated or 0) for figure in controls))
        yield HeadlineNumber(f"{right} of {known}", "controls answered as expected")
