"""Entities on any format with mentions: as conlleval counts them, under the SemEval-2013 regimes, and by overlap.

``conll2003`` mirrors ``conlleval`` in its version of 2004-01-26; ``semeval2013`` follows the definitions of
SemEval-2013 task 9.1, with an optimal pairing in place of the unstated one; ``overlap`` mirrors no program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from karat.protocols.base import Main, Protocol, Reading, old_protocol
from karat.protocols.spans import conll2003, graded, semeval2013
from karat.protocols.spans.ledger import ledger
from karat.protocols.spans.options import Conll2003Options, EntityOptions, OverlapOptions
from karat.protocols.spans.pairing import Regime
from karat.protocols.spans.prepare import prepare
from karat.protocols.spans.quirks import QUIRKS


def _reading(options: EntityOptions) -> Reading:
    """Return what is needed of the readers; the official profile reads tags itself, so none may be dropped before."""
    official = isinstance(options, Conll2003Options) and options.profile == "official"
    asked: Mapping[str, Mapping[str, str]] = {"conll": {"repair": "conlleval"}} if official else {}
    return Reading(lines=False, options=asked)


def _protocol(
    name: str, regimes: Callable[[Any], Sequence[Regime]], shown: tuple[str, ...], **declared: Any
) -> Protocol:
    return old_protocol(
        name=name,
        task="entities",
        unit="document",
        prepare=partial(prepare, regimes=regimes),
        ledger=ledger,
        main=Main(regimes=shown, averages=("micro",)),
        reading=_reading,
        docs="entities",
        **declared,
    )


PROTOCOLS = (
    _protocol(
        "conll2003",
        conll2003.regimes,
        (conll2003.REGIME,),
        title="CoNLL-2003 named entities, conlleval",
        summary="Exact boundaries and labels, and the accuracy of tags where both sides have them.",
        counts=conll2003.COUNTS,
        figures=conll2003.FIGURES,
        tally=conll2003.tally,
        options=Conll2003Options,
        quirks=QUIRKS,
        reference="conlleval of 2004-01-26",
    ),
    _protocol(
        "semeval2013",
        semeval2013.regimes,
        tuple(regime.name for regime in semeval2013.REGIMES),
        title="Entities under the four regimes of SemEval-2013",
        summary="Strict, exact, partial and type with the outcomes of MUC, paired one to one in the best way.",
        counts=semeval2013.COUNTS,
        figures=semeval2013.FIGURES,
        tally=semeval2013.tally,
        options=EntityOptions,
        reference="SemEval-2013 task 9.1",
    ),
    _protocol(
        "overlap",
        graded.regimes,
        graded.NAMES,
        title="Entities that overlap enough, counted or graded",
        summary="Intersection over union above a threshold, with or without labels, paired one to one in the best way.",
        counts=graded.COUNTS,
        figures=graded.FIGURES,
        tally=graded.tally,
        options=OverlapOptions,
    ),
)
