"""Entities on any format with mentions: as conlleval counts them, under the SemEval-2013 regimes, and by overlap.

``conll2003`` mirrors ``conlleval`` in its version of 2004-01-26; ``semeval2013`` follows the definitions of
SemEval-2013 task 9.1, with an optimal pairing in place of the unstated one; ``overlap`` mirrors no program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec

from karat.evaluation.casebook import Casebook, Cases, Judge, RegimeCounts, Verdict, prf
from karat.evaluation.counting import Counting
from karat.evaluation.invented import counting_invented, with_invented
from karat.evaluation.protocol import Average, Demands, Figure, Main, Protocol, Rules
from karat.evaluation.quirks import quirks_of
from karat.measures.formulas import Quotient
from karat.protocols.spans import cases
from karat.protocols.spans.books import ScenarioCounts, forgetful, judges_apart, smoothed, with_labels_apart
from karat.protocols.spans.draft import draft, facts, remarks, settle
from karat.protocols.spans.judge import (
    judge_conll2003,
    judge_exact,
    judge_nervaluate,
    judge_overlap,
    judge_semeval2013,
    judge_wnut17,
)
from karat.protocols.spans.options import (
    Conll2003Options,
    ConllevalOptions,
    EntityOptions,
    MulticonerOptions,
    NervaluateOptions,
    OverlapOptions,
    SeqevalOptions,
    Wnut17Options,
)
from karat.protocols.spans.scenarios import SCENARIOS
from karat.protocols.spans.surfaces import draft_all, draft_with_forms, facts_with_forms, settle_with_forms, why_whole

_AVERAGES: tuple[Average, ...] = ("micro", "macro-unit", "macro-label")
_SEMEVAL2013 = ("strict", "exact", "partial", "type")
_OVERLAP = ("typed", "untyped", "typed-graded", "untyped-graded")
_OF_TAGS = {"tokens": attrgetter("tokens"), "same-tags": attrgetter("same_tags")}
"""What is counted of tags beside entities."""
_ACCURACY = {"accuracy": Quotient(above={"same-tags": 1}, below={"tokens": 1})}
_PRF = partial(prf, averages=_AVERAGES)


def _demands(options: EntityOptions) -> Demands:
    """Return what is needed of the readers; where tags are read as a program does, none may be dropped before."""
    if options.reading() is None:
        return Demands(lines=False)
    in_cells = () if isinstance(options, Wnut17Options) else ("conll",)  # surface forms are not in them
    return Demands(lines=False, options={"conll": {"repair": "conlleval"}}, facts_in_cells=in_cells)


def _book(
    table: Cases,
    judge: Judge,
    counting: Callable[..., RegimeCounts],
    *,
    reason: Callable[[Any, Verdict], str] = cases.reason,
    figures: Callable[[Counting], Iterable[Figure]] = _PRF,
    listed: Judge | None = None,
    **declared: Any,
) -> Casebook:
    counted = counting_invented(table, judge, reason=reason, listed=listed)
    return Casebook(**counted, item=cases.item, order=cases.order, counting=counting, figures=figures, **declared)


def _tagged_book(averages: Sequence[Average] = _AVERAGES) -> Casebook:
    """Return the book of a protocol that counts what is exactly right, and the tags that are the same."""
    counting = partial(RegimeCounts, columns={"strict": ("gold", "system", "correct")}, shows_all=True)
    figures = partial(prf, averages=averages, shares=_ACCURACY)
    told: dict[str, Any] = {"listed": judge_conll2003, "also": _OF_TAGS, "regimes": ("strict",)}
    return _book(cases.CONLL2003, judge_exact, counting, figures=figures, **told)


def _credited(regimes: Sequence[str]) -> dict[str, tuple[str, ...]]:
    return {name: ("gold", "system", f"{name}-credit", f"{name}-credit-system") for name in regimes}


def _rules(book: Casebook, options: EntityOptions, main: Main | None = None) -> Rules:
    """Return the rules of an evaluation of entities."""
    return Rules(
        book,
        partial(draft, options=options),
        facts=partial(facts, options=options),
        settle=settle,
        remarks=partial(remarks, options=options),
        demands=_demands(options),
        main=main or Main(regimes=book.regimes, averages=("micro",)),
    )


def _bind_tagged(options: EntityOptions) -> Rules:
    return _rules(_tagged_book(), options)


def _bind_seqeval(options: SeqevalOptions) -> Rules:
    main = Main(regimes=("strict",), averages=("micro", "macro-label", "weighted-label"))
    return _rules(_tagged_book((*_AVERAGES, "weighted-label")), options, main)


def _bind_wnut17(options: Wnut17Options) -> Rules:
    columns = {"entity": ("gold", "system", "correct"), "surface": ("gold-forms", "system-forms", "correct-forms")}
    counting = partial(RegimeCounts, columns=columns)
    figures = partial(prf, averages=_AVERAGES, shares=_ACCURACY)
    return msgspec.structs.replace(
        _rules(
            _book(cases.WNUT17, judge_wnut17, counting, figures=figures, also=_OF_TAGS, regimes=tuple(columns)), options
        ),
        draft=partial(draft_with_forms, options=options),
        facts=partial(facts_with_forms, options=options),
        settle=partial(settle_with_forms, options=options),
        whole=partial(why_whole, options=options),
        draft_all=partial(draft_all, options=options),
    )


def _bind_multiconer(options: MulticonerOptions) -> Rules:
    is_smoothed = options.profile == "published" and not options.mends("tiny-number-below-the-line")
    columns = {"strict": ("gold", "system", "correct"), "mention": ("places", "system-places", "detected")}
    book = _book(
        cases.MULTICONER,
        judge_conll2003,
        partial(RegimeCounts, columns=columns, labelled=("strict",)),
        regimes=tuple(columns),
        figures=partial(smoothed, averages=_AVERAGES, plain=("mention",)) if is_smoothed else _PRF,
    )
    return _rules(book, options)


def _bind_nervaluate(options: NervaluateOptions) -> Rules:
    book = _book(
        cases.NERVALUATE,
        judge_nervaluate,
        partial(ScenarioCounts, options=options, sided=True, columns=_credited(SCENARIOS), outcomes=True),
        reason=cases.reason_by_meetings,
        figures=partial(forgetful, averages=_AVERAGES) if options.profile == "1.1.0" else _PRF,
        pages=with_labels_apart if judges_apart(options) else None,
        regimes=SCENARIOS,
    )
    return _rules(book, options)


def _bind_semeval2013(options: EntityOptions) -> Rules:
    counting = partial(RegimeCounts, sided=True, columns=_credited(_SEMEVAL2013), outcomes=True)
    return _rules(_book(cases.SEMEVAL2013, judge_semeval2013, counting, regimes=_SEMEVAL2013), options)


def _bind_overlap(options: OverlapOptions) -> Rules:
    columns = {name: ("gold", "system", name, f"{name}-system") for name in _OVERLAP}
    counting = partial(RegimeCounts, sided=True, columns=columns, parts=("gold", "system", "credit"))
    return _rules(_book(cases.OVERLAP, judge_overlap, counting, regimes=_OVERLAP), options)


def _protocol(name: str, bind: Callable[[Any], Rules], **declared: Any) -> Protocol:
    quirks = quirks_of("karat.protocols.spans", name)
    common = {"task": "entities", "unit": "document", "quirks": quirks, "docs": "entities"}
    return with_invented(Protocol(name=name, bind=bind, **{**common, **declared}))


PROTOCOLS = (
    _protocol(
        "conll2003",
        _bind_tagged,
        title="CoNLL-2003 named entities, conlleval",
        summary="Exact boundaries and labels, and the accuracy of tags where both sides have them.",
        options=Conll2003Options,
        reference="conlleval of 2004-01-26",
    ),
    _protocol(
        "conlleval",
        _bind_tagged,
        title="Chunks as conlleval counts them, with its options",
        summary="Exact boundaries and labels, or raw labels of single words, and the accuracy of tags.",
        options=ConllevalOptions,
        docs="conlleval",
        reference="conlleval of 2004-01-26",
    ),
    _protocol(
        "seqeval",
        _bind_seqeval,
        title="Entities as seqeval counts them, in its default or strict mode",
        summary="Exact boundaries and labels, micro, macro and weighted over labels, and the accuracy of tags.",
        options=SeqevalOptions,
        docs="seqeval",
        reference="seqeval 1.2.2",
    ),
    _protocol(
        "wnut17",
        _bind_wnut17,
        title="WNUT-17: emerging entities, and their surface forms",
        summary="Exact boundaries and labels, and the different surface forms of them, each counted once.",
        options=Wnut17Options,
        docs="wnut17",
        reference="wnuteval.py of WNUT-17",
    ),
    _protocol(
        "multiconer",
        _bind_multiconer,
        title="MultiCoNER: entities, and mentions whatever their type",
        summary="Exact boundaries and labels, or boundaries alone, as the baseline of the task reads and counts them.",
        options=MulticonerOptions,
        docs="multiconer",
        reference="amzn/multiconer-baseline",
    ),
    _protocol(
        "nervaluate",
        _bind_nervaluate,
        title="Entities as nervaluate pairs them, version by version",
        summary="Strict, exact, partial and ent_type, paired first come, first served, or in the best way.",
        options=NervaluateOptions,
        docs="nervaluate",
        reference="nervaluate 1.2.1",
    ),
    _protocol(
        "semeval2013",
        _bind_semeval2013,
        title="Entities under the four regimes of SemEval-2013",
        summary="Strict, exact, partial and type with the outcomes of MUC, paired one to one in the best way.",
        options=EntityOptions,
        reference="SemEval-2013 task 9.1",
    ),
    _protocol(
        "overlap",
        _bind_overlap,
        title="Entities that overlap enough, counted or graded",
        summary="Intersection over union above a threshold, with or without labels, paired one to one in the best way.",
        options=OverlapOptions,
    ),
)
