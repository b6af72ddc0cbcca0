"""The options of the coreference protocols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from karat.settings import choice, shared_option


def _singletons() -> Any:
    return choice(
        ("keep", "remove"), "chains of one mention: kept, or removed from both sides before anything is counted"
    )


@dataclass(frozen=True)
class CorefOptions:
    """What can be set in Karat's own coreference evaluation."""

    singletons: str = _singletons()
    invented: str = shared_option("invented")
    missing: str = shared_option("missing")


@dataclass(frozen=True)
class Conll2012Options:
    """What can be set for the official scorer of CoNLL-2012."""

    missing: str = shared_option("missing", "empty")


@dataclass(frozen=True)
class CovalOptions:
    """What can be set for CoVal."""

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
    """What can be set for coreference-eval."""

    missing: str = shared_option("missing")


@dataclass(frozen=True)
class ScorchOptions:
    """What can be set for SCORCH."""

    twinless: str = choice(
        ("add", "leave"),
        "system mentions that the gold lacks: added to the gold as chains of one mention, as the command line of the "
        "program does, or left as they are, as its library does",
    )
    missing: str = shared_option("missing", "skip")
