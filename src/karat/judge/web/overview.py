"""The page of the summary: the figures of a project, arranged by what its owner asks first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec

from karat.judge.desk import Desk
from karat.judge.headline import Headline, beyond_chance, headline_of
from karat.judge.journal import JournalLine
from karat.judge.judgements import Judgements
from karat.judge.project import Project
from karat.judge.results import JudgedFigure, JudgedResults, results_of
from karat.judge.scheme import Question
from karat.judge.turns import JudgeProgress


class QuestionAgreement(NamedTuple):
    """How far judges agree on a question: the share of equal answers, a measure beyond chance, and how many differ."""

    question: Question
    equal: JudgedFigure
    chance: JudgedFigure
    differ: int


class JudgeRecord(NamedTuple):
    """What a judge did: how far they have come, how long an answer took, and which controls they recognised."""

    name: str
    progress: JudgeProgress
    seconds: JudgedFigure | None
    controls: JudgedFigure | None


class Overview(NamedTuple):
    """What the page shows."""

    headline: Headline
    labels: Sequence[JudgedFigure]
    systems: Sequence[JudgedFigure]
    gave: Mapping[str, float | None]
    pooled: Sequence[JudgedFigure]
    discovered: Sequence[JudgedFigure]
    searched: int
    differences: Sequence[tuple[JudgedFigure, JudgedFigure]]
    agreement: Sequence[QuestionAgreement]
    judges: Sequence[JudgeRecord]
    open: int
    disagreements: int
    revealed: JournalLine | None
    tables: Mapping[str, Sequence[JudgedFigure]]


def named_results(project: Project, judgements: Judgements, revealed: JournalLine | None) -> JudgedResults:
    """Sum up a project, with numbers for the names of its systems as long as nobody has shown them."""
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
    """Return the line of the journal that shows the names of the systems, if there is one."""
    return next((line for line in project.journal.lines() if line.act == "reveal"), None)


def overview_of(desk: Desk) -> Overview:
    """Arrange what is known of a project now."""
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
    return Overview(
        headline=headline_of(judgements, results),
        labels=labels[:1] + sorted(labels[1:], key=lambda figure: (-(figure.listed or 0), figure.about)),
        systems=[figure for figure in tables.get("precision", []) if not figure.about],
        gave={figure.system: figure.value for figure in tables["output"] if figure.about == "items"},
        pooled=[figure for figure in tables.get("recall", []) if figure.measure == "relative recall"],
        discovered=[figure for figure in tables.get("recall", []) if figure.about == "discovery"],
        searched=len(judgements.finished),
        differences=list(zip(differences[::2], differences[1::2], strict=True)),
        agreement=_agreement(judgements, tables.get("agreement", [])),
        judges=_judges(desk, judgements, tables.get("judges", [])),
        open=sum(1 for disagreement in disagreements if disagreement.is_open),
        disagreements=len(disagreements),
        revealed=revealed,
        tables=tables,
    )


def _agreement(judgements: Judgements, figures: Sequence[JudgedFigure]) -> list[QuestionAgreement]:
    differ = Counter(disagreement.question for disagreement in judgements.disagreements())
    rows = []
    for question in judgements.scheme.question:
        about = [figure for figure in figures if figure.about == question.id]
        equal, chance = _measure(about, "equal answers"), beyond_chance(about)
        if equal is not None and chance is not None:
            rows.append(QuestionAgreement(question, equal, chance, differ[question.id]))
    return rows


def _judges(desk: Desk, judgements: Judgements, figures: Sequence[JudgedFigure]) -> list[JudgeRecord]:
    rows = []
    for name in judgements.judges:
        own = [figure for figure in figures if figure.system == name]
        seconds, controls = _measure(own, "median seconds"), _measure(own, "controls recognised")
        rows.append(JudgeRecord(name, desk.progress(name), seconds, controls))
    return rows


def _measure(figures: Sequence[JudgedFigure], measure: str) -> JudgedFigure | None:
    return next((figure for figure in figures if figure.measure == measure), None)
