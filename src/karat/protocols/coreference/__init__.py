"""Coreference by the conventions of four published programs, and by Karat's own, which says what it leaves out.

Mirrors ``scorer.pl`` 8.01 of conll/reference-coreference-scorers, ``scorer.py`` of ns-moosavi/coval (commit 87071a6),
tollefj/coreference-eval (commit 8d785bd) and LoicGrobol/scorch (commit 5b45932).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from karat.protocols.base import Figure, Main, Protocol, Reading, old_protocol
from karat.protocols.coreference import counting, scorch
from karat.protocols.coreference.arranging import for_conll2012, for_coref, for_corefeval, for_coval, for_scorch
from karat.protocols.coreference.figures import figures, names
from karat.protocols.coreference.ledger import ledger
from karat.protocols.coreference.options import (
    Conll2012Options,
    CorefevalOptions,
    CorefOptions,
    CovalOptions,
    ScorchOptions,
)
from karat.protocols.coreference.prepare import Habits, prepare, tally
from karat.protocols.coreference.quirks import (
    COREFEVAL_QUIRKS,
    COVAL_QUIRKS,
    EMPTY_CLUSTERS,
    OFFICIAL_QUIRKS,
    SCORCH_QUIRKS,
)
from karat.tally import Group


def _reading(rules: str, options: Any) -> Reading:
    """Return what is needed of the readers: column files are read by the rules of the program."""
    del options
    asked: Mapping[str, Mapping[str, str]] = {"conll2012": {"rules": rules}} if rules else {}
    return Reading(lines=False, options=asked)


def _protocol(
    name: str,
    *,
    counts: tuple[str, ...],
    shown: tuple[Figure, ...],
    habits: Habits,
    rules: str = "",
    **declared: Any,
) -> Protocol:
    regimes = tuple(dict.fromkeys(figure.regime for figure in shown))
    return old_protocol(
        name=name,
        task="coreference",
        unit="document",
        counts=counts,
        figures=shown,
        prepare=partial(prepare, habits=habits),
        tally=tally,
        ledger=ledger,
        main=Main(regimes=regimes, averages=("micro",)),
        reading=partial(_reading, rules),
        groups=(Group(),),
        docs="coreference",
        **declared,
    )


PROTOCOLS = (
    _protocol(
        "coref",
        title="Coreference, all measures by their definitions",
        summary="MUC, B³, CEAF, BLANC, LEA and the CoNLL average; singletons count, repeated mentions do not.",
        counts=names(counting.COREF),
        shown=figures(counting.COREF),
        habits=Habits(for_coref, counting.coref),
        options=CorefOptions,
    ),
    _protocol(
        "conll2012",
        title="CoNLL-2012 coreference, official scorer 8.01",
        summary="MUC, B³, CEAF, BLANC and the official average, with the scorer's rules for repeated mentions.",
        counts=names(counting.CONLL2012),
        shown=figures(counting.CONLL2012, truncated=True),
        habits=Habits(
            for_conll2012,
            counting.conll2012,
            repeated_documents=True,
            without_links=partial(counting.conll2012, links=False),
        ),
        rules="official",
        options=Conll2012Options,
        quirks=OFFICIAL_QUIRKS,
        reference="scorer.pl 8.01 of conll/reference-coreference-scorers",
    ),
    _protocol(
        "coval",
        title="Coreference by CoVal",
        summary="MUC, B³, CEAFe, LEA and the CoNLL average; repeated mentions stay, singletons may be removed.",
        counts=names(counting.COVAL),
        shown=figures(counting.COVAL),
        habits=Habits(for_coval, counting.coval, identity="sentence", surplus="leave"),
        rules="coval",
        options=CovalOptions,
        quirks=COVAL_QUIRKS,
        reference="scorer.py of ns-moosavi/coval",
    ),
    _protocol(
        "corefeval",
        title="Coreference by coreference-eval (e2e-coref)",
        summary="MUC, B³, CEAFe, LEA and the CoNLL average as e2e-coref and its descendants count them.",
        counts=names(counting.COREFEVAL),
        shown=figures(counting.COREFEVAL),
        habits=Habits(for_corefeval, counting.corefeval, identity="literal"),
        options=CorefevalOptions,
        quirks=(*COREFEVAL_QUIRKS, EMPTY_CLUSTERS),
        reference="tollefj/coreference-eval",
    ),
    _protocol(
        "scorch",
        title="Coreference by SCORCH",
        summary="MUC, B³, CEAF, BLANC and the CoNLL average, as means of documents weighted by their mentions.",
        counts=scorch.COUNTS,
        shown=scorch.figures(),
        habits=Habits(for_scorch, scorch.scorch, surplus="leave"),
        rules="scorch",
        options=ScorchOptions,
        quirks=SCORCH_QUIRKS,
        reference="LoicGrobol/scorch",
    ),
)
