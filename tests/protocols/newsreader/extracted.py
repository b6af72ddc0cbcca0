"""The lines of extracted files as documents, so that what the drop-in evaluates can be scored by its protocol."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import karat
from karat.evaluation.registry import protocol
from karat.evaluation.scores import Scores
from karat.evaluation.tally import Group
from karat.measures.published import whole_zero_f1
from karat.model import Document, Link, Mention
from karat.protocols.newsreader.drop_in.evaluate import Line
from karat.protocols.newsreader.spans import ids_of


def documents(gold: Iterable[Line], system: Iterable[Line]) -> list[list[Document]]:
    """Return the documents of both sides: every id that a document has on either is a word of its text."""
    sides: list[dict[str, list[Any]]] = [{}, {}]
    words: dict[str, dict[str, int]] = {}
    for side, lines in zip(sides, (gold, system), strict=True):
        for name, mark in lines:
            places = words.setdefault(name, {})
            ids = [places.setdefault(token, len(places)) for token in ids_of(mark.span)]
            spans = tuple((2 * place, 2 * place + 1) for place in ids)
            mentions = side.setdefault(name, [])
            mentions.append(Mention(f"m{len(mentions)}", spans, links=(Link(mark.label),)))
    texts = {name: " ".join("x" * len(places)) for name, places in words.items()}
    return [[Document(name, texts[name], mentions) for name, mentions in side.items()] for side in sides]


def counts_of(name: str, scores: Scores) -> dict[str, int]:
    """Return the counts that the drop-in prints as a protocol has them."""
    bound = protocol(name).with_options()
    total = scores.tallies.total().get(Group(), (0,) * len(bound.counts))
    fractions = {(figure.regime, figure.measure): figure.formula.over(bound.counts)(total) for figure in bound.figures}
    return {
        "SYSTEM": fractions["strict", "precision"][1],
        "GOLD": fractions["strict", "recall"][1],
        "TP": fractions["strict", "precision"][0],
        "FUZZY": fractions["fuzzy", "recall"][0],
    }


def scored(name: str, gold: Iterable[Line], system: Iterable[Line]) -> tuple[dict[str, int], dict[str, list[Any]]]:
    """Return the counts and the ratios of a protocol: for each regime precision, recall and F."""
    scores = karat.score(name, *documents(gold, system), missing="empty")
    measures = ("precision", "recall", "f1")
    values = {
        regime: [scores.value(measure, regime=regime) for measure in measures]
        for regime in ("strict", "fuzzy")
        if scores.rows  # there are none if there is no document
    }
    return counts_of(name, scores), values


def printed(text: str) -> tuple[dict[str, int], list[list[str]]]:
    """Return the counts that the drop-in has printed, and the cells of the lines behind them."""
    rows = [line.split("\t") for line in text.splitlines()]
    first = max((place for place, row in enumerate(rows) if row[0] == "SYSTEM"), default=len(rows))
    return {name: int(number) for name, number in rows[first : first + 4]}, rows[first + 4 :]


def as_printed(values: list[Any], *, published: bool) -> list[str]:
    """Return ratios as the drop-in prints them; as published, F is computed of precision and recall."""
    precision, recall, f1 = values
    f1 = whole_zero_f1(precision, recall) if published else f1
    return [f"{100 * (number or 0.0):.15g}" for number in (precision, recall, f1)]
