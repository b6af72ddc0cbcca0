"""Entities on any format with mentions: as conlleval counts them, under the SemEval-2013 regimes, and by overlap.

``conll2003`` mirrors ``conlleval`` in its version of 2004-01-26; ``semeval2013`` follows the definitions of
SemEval-2013 task 9.1, with an optimal pairing in place of the unstated one; ``overlap`` mirrors no program.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from karat.protocols.base import Average, Demands, Main, Protocol
from karat.protocols.casebook import Cases, Judge, RegimeBook
from karat.protocols.invented import counting_invented, with_invented
from karat.protocols.spans import cases
from karat.protocols.spans.draft import draft, facts, remarks, settle
from karat.protocols.spans.judge import judge_conll2003, judge_overlap, judge_semeval2013
from karat.protocols.spans.options import Conll2003Options, EntityOptions, OverlapOptions
from karat.quirks import quirks_of

_AVERAGES: tuple[Average, ...] = ("micro", "macro-unit", "macro-label")
_SEMEVAL2013 = ("strict", "exact", "partial", "type")
_OVERLAP = ("typed", "untyped", "typed-graded", "untyped-graded")


def _demands(options: EntityOptions) -> Demands:
    """Return what is needed of the readers; the official profile reads tags itself, so none may be dropped before."""
    official = isinstance(options, Conll2003Options) and options.profile == "official"
    asked: Mapping[str, Mapping[str, str]] = {"conll": {"repair": "conlleval"}} if official else {}
    return Demands(lines=False, options=asked)


def _book(table: Cases, judge: Judge, **declared: Any) -> RegimeBook:
    counted = counting_invented(table, judge, item=cases.item, reason=cases.reason)
    return RegimeBook(**counted, order=cases.order, averages=_AVERAGES, **declared)


def _protocol(name: str, book: RegimeBook, **declared: Any) -> Protocol:
    protocol = Protocol(
        name=name,
        task="entities",
        unit="document",
        book=book,
        facts=facts,
        settle=settle,
        draft=draft,
        remarks=remarks,
        main=Main(regimes=book.regimes, averages=("micro",)),
        demands=_demands,
        docs="entities",
        **declared,
    )
    return with_invented(protocol)


PROTOCOLS = (
    _protocol(
        "conll2003",
        _book(
            cases.CONLL2003,
            judge_conll2003,
            columns={"strict": ("gold", "system", "correct")},
            also={"tokens": attrgetter("tokens"), "same-tags": attrgetter("same_tags")},
            shares={"accuracy": ("same-tags", "tokens")},
            shows_all=True,
        ),
        title="CoNLL-2003 named entities, conlleval",
        summary="Exact boundaries and labels, and the accuracy of tags where both sides have them.",
        options=Conll2003Options,
        quirks=quirks_of("karat.protocols.spans", "conll2003"),
        reference="conlleval of 2004-01-26",
    ),
    _protocol(
        "semeval2013",
        _book(
            cases.SEMEVAL2013,
            judge_semeval2013,
            sided=True,
            columns={name: ("gold", "system", f"{name}-credit", f"{name}-credit-system") for name in _SEMEVAL2013},
            outcomes=True,
        ),
        title="Entities under the four regimes of SemEval-2013",
        summary="Strict, exact, partial and type with the outcomes of MUC, paired one to one in the best way.",
        options=EntityOptions,
        reference="SemEval-2013 task 9.1",
    ),
    _protocol(
        "overlap",
        _book(
            cases.OVERLAP,
            judge_overlap,
            sided=True,
            columns={name: ("gold", "system", name, f"{name}-system") for name in _OVERLAP},
            parts=("gold", "system", "credit"),
        ),
        title="Entities that overlap enough, counted or graded",
        summary="Intersection over union above a threshold, with or without labels, paired one to one in the best way.",
        options=OverlapOptions,
    ),
)
