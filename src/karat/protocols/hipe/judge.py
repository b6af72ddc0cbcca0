"""Judging one document: which gold entity each system entity meets, and what that counts for."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from karat.annotations.tokens import line_of
from karat.evaluation.casebook import (
    CORRECT,
    INCORRECT,
    MISSED,
    PARTIAL,
    SPURIOUS,
    Casebook,
    Cases,
    Verdict,
    prf,
)
from karat.evaluation.counting import Counting
from karat.evaluation.invented import counting_invented
from karat.evaluation.ledger import Item
from karat.evaluation.protocol import Average, Figure, Side
from karat.evaluation.tally import Group
from karat.matching.greedy import best_first, first_come
from karat.matching.sweep import candidates
from karat.measures.formulas import FMeasure
from karat.model import Span, TokenTable
from karat.protocols.hipe.entities import ColumnEntity

CASES: Cases = {
    "exact": {"strict": CORRECT, "fuzzy": CORRECT, "partial": CORRECT, "exact": CORRECT},
    "wrong-label": {"strict": INCORRECT, "fuzzy": INCORRECT, "partial": CORRECT, "exact": CORRECT},
    "wrong-boundary": {"strict": INCORRECT, "fuzzy": CORRECT, "partial": PARTIAL, "exact": INCORRECT},
    "wrong-both": {"strict": INCORRECT, "fuzzy": INCORRECT, "partial": PARTIAL, "exact": INCORRECT},
    "spurious": SPURIOUS,
    "missed": MISSED,
}
"""What can happen to an entity, and what that counts for under the four regimes."""

_PREFERENCE = ("exact", "wrong-boundary", "wrong-label", "wrong-both")
"""The cases of a pair, the better partner first: the label decides."""


class TokenSource(msgspec.Struct, frozen=True):
    """Where the tokens of one side of a document stand: the file, and its table if the lines are known."""

    source: str
    table: TokenTable | None = None

    def of(self, token: int) -> str:
        """Return ``file:line`` of a token, as far as it is known."""
        line = None if self.table is None else line_of(self.table, token)
        return self.source if line is None else f"{self.source}:{line}"


class EntityPage(msgspec.Struct, frozen=True):
    """The entities of one document under one layer and slice, filtered by the tag set, ready to be judged."""

    group: Group
    gold: Sequence[ColumnEntity]
    system: Sequence[ColumnEntity]
    tags: frozenset[str]
    compare_text: bool
    best_overlap: bool
    charge_both: bool
    forms: tuple[Sequence[str], Sequence[str]]
    places: tuple[TokenSource, TokenSource]
    characters: tuple[Sequence[Span], Sequence[Span]] = ((), ())

    def text(self, side: int, entity: ColumnEntity) -> str:
        """Return the text of an entity, whose tokens are those of a side."""
        return "".join(self.forms[side][entity.start : entity.end])

    def shared_places(self) -> Collection[Span]:
        """Return the ranges of tokens in which both sides have an entity, and the same text as far as that matters."""
        places = {(entity.start, entity.end) for entity in self.gold if entity.spans}
        places.intersection_update([(entity.start, entity.end) for entity in self.system])
        gold_forms, system_forms = self.forms
        if not self.compare_text or gold_forms is system_forms:
            return places
        return {
            (start, end) for start, end in places if "".join(gold_forms[start:end]) == "".join(system_forms[start:end])
        }


def judge(page: EntityPage) -> Iterator[Verdict]:
    """Yield the verdicts: system entities in text order, then what was missed."""
    shared = page.shared_places()
    if page.best_overlap:

        def cost(system: int, gold: int) -> tuple[int, int]:
            return _cost(page.gold[gold], page.system[system], shared)

        pairs = best_first(candidates(page.gold, page.system), cost)
    else:
        gold_keys = [(entity.labels[0], entity.start, entity.end) if entity.spans else None for entity in page.gold]
        system_keys = (
            [(label, entity.start, entity.end) for label in entity.labels if (entity.start, entity.end) in shared]
            for entity in page.system
        )
        pairs = first_come(page.gold, page.system, gold_keys, system_keys)
    used = set()
    for index in range(len(page.system)):
        partner = pairs.get(index)
        if partner is None:
            yield Verdict("spurious", None, index)
        else:
            used.add(partner)
            yield Verdict(_case(page.gold[partner], page.system[index], shared), partner, index)
    for index in range(len(page.gold)):
        if index not in used:
            yield Verdict("missed", index, None)


def _case(gold: ColumnEntity, system: ColumnEntity, shared: Container[Span]) -> str:
    label = gold.labels[0]
    same_label = label in system.labels
    if gold.start == system.start and gold.end == system.end:
        if same_label and (gold.start, gold.end) in shared:
            return "exact"
        if label != system.labels[0]:
            return "wrong-label"
    return "wrong-boundary" if same_label else "wrong-both"


def _cost(gold: ColumnEntity, system: ColumnEntity, shared: Container[Span]) -> tuple[int, int]:
    """Return how bad a partner is: the label first, then the tokens shared."""
    case = _case(gold, system, shared)
    return _PREFERENCE.index(case), max(gold.start, system.start) - min(gold.end, system.end)


def charge(page: EntityPage, verdict: Verdict) -> Sequence[tuple[str, str]]:
    """Return the labels a verdict is booked on, and as what.

    A spurious entity whose first label is no tag, which only happens to ranked links, is booked on every tag.
    """
    case, gold, system = verdict[:3]
    if gold is None:
        label = page.system[system or 0].labels[0]
        return [(label, case)] if label in page.tags else [(tag, case) for tag in sorted(page.tags)]
    label = page.gold[gold].labels[0]
    if page.charge_both and system is not None and case in ("wrong-label", "wrong-both"):
        return [(label, "missed"), (page.system[system].labels[0], "spurious")]
    return [(label, case)]


def item(page: EntityPage, side: Side, index: int) -> Item:
    """Show an entity with its tokens and its place."""
    side_index = 0 if side == "gold" else 1
    entity = (page.gold, page.system)[side_index][index]
    label, alternatives = entity.labels[0], entity.labels[1:]
    tokens, characters = page.places[side_index], page.characters[side_index]
    if not entity.spans:
        return Item(label, entity.text, None, alternatives=alternatives, place=tokens.source)
    where = characters and (characters[entity.start][0], characters[entity.end - 1][1])
    return Item(
        label=label,
        text=" ".join(page.forms[side_index][entity.start : entity.end]),
        span=(entity.start, entity.end),
        ends=((where,),) if where else (),
        alternatives=alternatives,
        place=tokens.of(entity.start),
    )


def reason(page: EntityPage, verdict: Verdict) -> str:
    """Return in words why the case is what it is."""
    if verdict.gold is None:
        return "no gold mention that is still free shares a token with it"
    if verdict.system is None:
        return "no system mention was paired with it"
    gold, system = page.gold[verdict.gold], page.system[verdict.system]
    labels = f"{'|'.join(system.labels)} for {gold.labels[0]}"
    if verdict.case == "exact":
        return "same label and same tokens"
    if verdict.case == "wrong-label":
        return f"same tokens, but {labels}"
    tokens = f"tokens {system.start}-{system.end} for {gold.start}-{gold.end}"
    if verdict.case == "wrong-both":
        return f"{labels}, and {tokens}"
    if (gold.start, gold.end) == (system.start, system.end):
        texts = f"{page.text(1, system)!r} for {page.text(0, gold)!r}"
        return f"same label and place, but the text reads {texts}"
    return f"same label, but {tokens}"


def _figures(counting: Counting, averages: Sequence[Average]) -> Iterator[Figure]:
    """Yield the figures; in the average over documents, F1 counts only where both sides have an entity."""
    for figure in prf(counting, averages=averages):
        if figure.average == "macro-unit" and isinstance(figure.formula, FMeasure):
            yield replace(figure, formula=replace(figure.formula, sides="both"))
        else:
            yield figure


def casebook(averages: Sequence[Average]) -> Casebook:
    """Return the book of a protocol with these averages."""
    counted = counting_invented(CASES, judge, reason=reason)
    return Casebook(**counted, item=item, charge=charge, figures=partial(_figures, averages=averages))
