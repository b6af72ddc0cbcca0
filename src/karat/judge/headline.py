"""What is said first of a judged pool: one sentence that can be quoted, and four numbers."""

from __future__ import annotations

from typing import NamedTuple

from karat.errors import many
from karat.judge.estimates import Domain, share_of
from karat.judge.judgements import Judgements
from karat.judge.results import Results


class Number(NamedTuple):
    """A number, and what it is of."""

    value: str
    about: str


class Headline(NamedTuple):
    """The sentence, and the numbers below it."""

    sentence: str
    numbers: tuple[Number, ...]


def headline_of(judgements: Judgements, results: Results, level: float = 0.95) -> Headline:
    """Say how many items are right, how sure that is, how much was judged, and how far the judges can be relied on."""
    question = judgements.scheme.deciding
    if question is None:
        return Headline(f"{many(len(judgements.ratings), 'answer')} given.", ())
    share = share_of(judgements.pool, Domain(), lambda entry: judgements.rightness(entry, question), level)
    judged = f"{share.rated} of {share.items}"
    if share.value is None:
        return Headline(f"None of {many(share.items, 'item')} is judged yet.", (Number(judged, "items are judged"),))
    limits = "" if share.low is None or share.high is None else f" [{share.low:.3f}, {share.high:.3f}]"
    doubt = f", {level:.0%} interval{limits}" if limits else ", without an interval: too little is judged"
    sentence = f"A share of {share.value:.3f} of {many(share.items, 'item')} is right{doubt}; {judged} are judged."
    numbers = [Number(f"{share.value:.3f}", f"of items are right{limits}"), Number(judged, "items are judged")]
    agreement = [figure for figure in results.figures if figure.table == "agreement" and figure.about == question.id]
    for figure in agreement:
        if figure.measure.startswith("Krippendorff") and figure.value is not None:
            shared = many(figure.rated or 0, "shared item")
            numbers.append(Number(f"α {figure.value:.2f}", f"on “{question.text}”, {shared}"))
    controls = [figure for figure in results.figures if figure.measure == "controls recognised"]
    if controls:
        known = sum(figure.rated or 0 for figure in controls)
        right = round(sum((figure.value or 0.0) * (figure.rated or 0) for figure in controls))
        numbers.append(Number(f"{right} of {known}", "controls answered as expected"))
    return Headline(sentence, tuple(numbers))
