"""Coreference by the conventions of four published programs, and by Karat's own, which says what it leaves out.

Mirrors ``scorer.pl`` 8.01 of conll/reference-coreference-scorers, ``scorer.py`` of ns-moosavi/coval (commit 87071a6),
tollefj/coreference-eval (commit 8d785bd) and LoicGrobol/scorch (commit 5b45932).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from karat.evaluation.invented import with_invented
from karat.protocols.coreference.countbook import Countbook
from karat.protocols.coreference.draft import Drafting, LastOfEach, chain_protocol
from karat.protocols.coreference.judgement import CONLL2012, COREF, COREFEVAL, COVAL
from karat.protocols.coreference.preparation import for_conll2012, for_coref, for_corefeval, for_coval, for_scorch
from karat.protocols.coreference.scorch import MEASURES, ScorchBook
from karat.settings import choice, shared_option


def _singletons() -> Any:
    return choice(
        ("keep", "remove"), "chains of one mention: kept, or removed from both sides before anything is counted"
    )


@dataclass(frozen=True)
class CorefOptions:
    """Options of Karat's own coreference evaluation."""

    singletons: str = _singletons()
    invented: str = shared_option("invented")
    missing: str = shared_option("missing")


@dataclass(frozen=True)
class Conll2012Options:
    """Options of the official scorer of CoNLL-2012."""

    missing: str = shared_option("missing", "empty")


@dataclass(frozen=True)
class CovalOptions:
    """Options of CoVal."""

    singletons: str = _singletons()
    nested: str = choice(
        ("keep", "remove"), "mentions inside another mention of their chain: kept, or removed as remove_nested does"
    )
    np_only: str = choice(
        ("no", "yes"), "whether mentions that are verb phrases by the parse of the gold are left out, as NP_only does"
    )
    min_spans: str = choice(
        ("no", "yes"),
        "whether mentions are compared by their minimum spans by the parse of the gold, as min_spans does",
    )
    missing: str = shared_option("missing")


@dataclass(frozen=True)
class CorefevalOptions:
    """Options of coreference-eval."""

    missing: str = shared_option("missing")


@dataclass(frozen=True)
class ScorchOptions:
    """Options of SCORCH."""

    twinless: str = choice(
        ("add", "leave"),
        "system mentions that the gold lacks: added to the gold as chains of one mention, as the command line of the "
        "program does, or left as they are, as its library does",
    )
    missing: str = shared_option("missing", "skip")


PROTOCOLS = (
    with_invented(
        chain_protocol(
            "coref",
            Drafting(for_coref),
            book=Countbook(COREF),
            title="Coreference, all measures by their definitions",
            summary="MUC, B³, CEAF, BLANC, LEA and the CoNLL average; singletons count, repeated mentions do not.",
            options=CorefOptions,
        )
    ),
    chain_protocol(
        "conll2012",
        LastOfEach(for_conll2012, identity="token"),
        book=Countbook(CONLL2012, each=False, bounded=True, truncated=True),
        rules={"conll2012": "official"},
        empty="conll2012",
        title="CoNLL-2012 coreference, official scorer 8.01",
        summary="MUC, B³, CEAF, BLANC and the official average, with the scorer's rules for repeated mentions.",
        options=Conll2012Options,
        reference="scorer.pl 8.01 of conll/reference-coreference-scorers",
    ),
    chain_protocol(
        "coval",
        Drafting(for_coval, identity="sentence", surplus="leave"),
        book=Countbook(COVAL),
        rules={"conll2012": "coval"},
        empty="conll2012",
        beside=None,
        title="Coreference by CoVal",
        summary="MUC, B³, CEAFe, LEA and the CoNLL average; repeated mentions stay, singletons may be removed.",
        options=CovalOptions,
        reference="scorer.py of ns-moosavi/coval",
    ),
    chain_protocol(
        "corefeval",
        Drafting(for_corefeval, identity="literal"),
        book=Countbook(COREFEVAL, singletons=False),
        rules={"jsonlines": "corefeval"},
        title="Coreference by coreference-eval (e2e-coref)",
        summary="MUC, B³, CEAFe, LEA and the CoNLL average as e2e-coref and its descendants count them.",
        options=CorefevalOptions,
        reference="tollefj/coreference-eval",
    ),
    chain_protocol(
        "scorch",
        Drafting(for_scorch, identity="literal", surplus="leave"),
        book=ScorchBook(MEASURES),
        rules={"conll2012": "scorch"},
        title="Coreference by SCORCH",
        summary="MUC, B³, CEAF, BLANC and the CoNLL average, as means of documents weighted by their mentions.",
        options=ScorchOptions,
        reference="LoicGrobol/scorch",
    ),
)
