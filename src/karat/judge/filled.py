"""A filled sheet summed up by itself: what was answered to each question, without the pool that it came from."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence

from karat.errors import InputError
from karat.judge.estimates import mean_limits
from karat.judge.results import JudgedFigure, JudgedResults
from karat.judge.scheme import BUILT_IN, Question, Scheme, read_scheme
from karat.judge.sheet import FilledRow, filled_rows

_ALONE = (
    "a sheet says neither which system gave an item nor how items were drawn; karat judge take brings its answers into "
    "the project, whose summary knows both"
)


def sheet_summary(
    path: str | os.PathLike[str], scheme: Scheme | None = None, documents: int | None = None, level: float = 0.95
) -> JudgedResults:
    """Sum up the answers of a sheet that ``karat judge sheet`` made and somebody filled.

    Without a scheme the built-in one is taken whose questions stand in the head; ``documents`` is the number of all
    documents of which those in the sheet are a sample, if it is known.
    """
    rows = filled_rows(path)
    questions = _asked(scheme or _known_by(rows, path), rows)
    if not questions:
        raise InputError("has no column of a question of this scheme", path=path, line=1)
    figures = [_figure(rows, question, documents, level) for question in questions]
    return JudgedResults(tuple(figures), (_ALONE,))


def _asked(scheme: Scheme, rows: Sequence[FilledRow]) -> list[Question]:
    names = rows[0].cells.keys() if rows else ()
    return [question for question in scheme.question if question.id in names]


def _known_by(rows: Sequence[FilledRow], path: str | os.PathLike[str]) -> Scheme:
    """Return the built-in scheme whose questions are all in the head."""
    for scheme in map(read_scheme, BUILT_IN):
        if len(_asked(scheme, rows)) == len(scheme.question):
            return scheme
    raise InputError(
        f"its columns are those of neither {' nor '.join(BUILT_IN)}; name the scheme with --scheme", path=path
    )


def _of_documents(rows: Sequence[FilledRow], question: Question) -> JudgedFigure:
    """Return the mean or the sum over documents, or the share of their items that contradict no other one."""
    sizes = Counter(row.document for row in rows)
    answers = {row.document: value for row in rows if (value := row.answer(question)) is not None}
    values = [
        max(0.0, sizes[document] - value) / sizes[document] if question.summary == "consistency" else value
        for document, value in answers.items()
    ]
    total = sum(values) if question.summary == "sum" else sum(values) / len(values) if values else None
    return JudgedFigure("sheet", "", question.id, question.summary, total, rated=len(values), listed=len(sizes))


def _figure(rows: Sequence[FilledRow], question: Question, documents: int | None, level: float) -> JudgedFigure:
    if question.per == "document":
        return _of_documents(rows, question)
    answers = dict(_answers(rows, question))
    total, rated = sum(answers.values()), len(answers)
    if question.summary == "sum" or not question.answers:
        return JudgedFigure("sheet", "", question.id, "sum", total, rated=rated, listed=len(rows))
    least, most = min(question.values), max(question.values)
    places = {row: (value - least) / (most - least) for row, value in answers.items()}
    limits = mean_limits({row.line: row.document for row in rows}, places, documents, level)
    low, high = (None if limit is None else least + limit * (most - least) for limit in limits)
    return JudgedFigure("sheet", "", question.id, "mean", total / rated if rated else None, low, high, rated, len(rows))


def _answers(rows: Sequence[FilledRow], question: Question) -> Iterator[tuple[int, float]]:
    for row in rows:
        value = row.answer(question)
        if value is not None:
            yield row.line, value
