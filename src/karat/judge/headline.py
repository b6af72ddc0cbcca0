"""What is said first of a judged pool: one sentence that can be quoted, and four numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from karat.errors import many, plural
from karat.judge.estimates import Domain, EstimatedShare
from karat.judge.judgements import Judgements
from karat.judge.pool import PoolHead
from karat.judge.results import JudgedFigure, JudgedResults
from karat.judge.scheme import Question


class Number(NamedTuple):
    """A number, and what it is of."""

    value: str
    about: str


class Headline(NamedTuple):
    """The sentence, and the numbers below it."""

    sentence: str
    numbers: tuple[Number, ...]


def headline_of(judgements: Judgements, results: JudgedResults, level: float = 0.95) -> Headline:
    """Say how many items are right, how sure that is, how much was judged, and how far the judges can be relied on."""
    question = judgements.scheme.deciding
    if question is None:
        return Headline(f"{many(len(judgements.ratings), 'answer')} given.", ())
    kind = judgements.pool.head.kind
    share = judgements.sample.share(Domain(), lambda entry: judgements.rightness(entry, question), level)
    judged, shared = f"{share.rated} of {share.items}", _shared(judgements, question)
    about_judged = f"judged, {shared} of them by several judges" if shared else "judged"
    if share.value is None:
        return Headline(f"None of {many(share.items, kind)} is judged yet.", (Number(judged, about_judged),))
    doubt = share.low is not None and share.high is not None and share.low < share.high
    limits = f"[{share.low:.3f}, {share.high:.3f}]" if doubt else ""
    numbers = [
        Number(f"{share.value:.3f}", f"of {plural(kind)} are right" + (f", {limits}" if limits else "")),
        Number(judged, about_judged),
        *_agreement(results, question),
        *_controls(results),
    ]
    return Headline(_sentence(judgements.pool.head, share, limits, level), tuple(numbers))


def _sentence(head: PoolHead, share: EstimatedShare, limits: str, level: float) -> str:
    """Say what can be quoted: of what, how much is right, how sure that is, and what it rests on."""
    every, documents = many(share.items, head.kind), ""
    if head.drawn_documents < head.documents and head.drawn_items is None:
        every = f"the {plural(head.kind)} of {many(head.documents, 'document')}"
        documents = f" of {share.items} in {many(head.drawn_documents, 'document')}"
    opening = f"A share of {share.value:.3f} of {every} is right"
    if share.rated == share.items and share.low is not None and not limits:
        return f"{opening}; all of them are judged, so nothing is left to chance."
    rests = f"{share.rated}{documents} are judged."
    if not limits:
        return f"{opening} so far, too little for an interval; {rests}"
    return f"{opening}, {100 * level:g} % interval {limits}; {rests}"


def _shared(judgements: Judgements, question: Question) -> int:
    """Return how many items several judges have answered."""
    given = (judgements.ratings.get((entry.id, question.id), ()) for entry in judgements.pool.entries)
    return sum(1 for ratings in given if len(ratings) > 1)


def beyond_chance(figures: Sequence[JudgedFigure]) -> JudgedFigure | None:
    """Return how far judges agree on a question: two by Cohen's kappa, as everyone knows it, more by Krippendorff's."""
    kappas = [figure for figure in figures if figure.measure == "Cohen's kappa"]
    alphas = [figure for figure in figures if figure.measure.startswith("Krippendorff")]
    return next(iter(kappas if len(kappas) == 1 else alphas), None)


def _agreement(results: JudgedResults, question: Question) -> Iterator[Number]:
    figures = [figure for figure in results.figures if (figure.table, figure.about) == ("agreement", question.id)]
    figure = beyond_chance(figures)
    if figure is not None and figure.value is not None:
        sign, shown = "κ" if "kappa" in figure.measure else "α", f"{figure.value:.2f}".replace("-", "−")
        yield Number(f"{sign} {shown}", f"on “{question.text}”, {many(figure.rated or 0, 'shared item')}")


def _controls(results: JudgedResults) -> Iterator[Number]:
    controls = [figure for figure in results.figures if figure.measure == "controls recognised"]
    if controls:
        known = sum(figure.rated or 0 for figure in controls)
        right = round(sum((figure.value or 0.0) * (figure.rated or 0) for figure in controls))
        yield Number(f"{right} of {known}", "controls answered as expected")
