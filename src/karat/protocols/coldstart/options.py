"""The options of Cold Start slot filling."""

from __future__ import annotations

from dataclasses import dataclass

from karat.coldstart.sf.matching import DISCIPLINES
from karat.settings import option

LEVELS = ("sf", "ldc-max", "ldc-random")


def _digest(path: str) -> str:
    """Return what stands for a file in a signature: a digest of its content, whatever its name."""
    from karat.files import digest

    return digest(path) if path else ""


@dataclass(frozen=True)
class SlotOptions:
    """What can be set for slot filling."""

    profile: str = option(
        "published",
        "as the published scorer counts, or with its named quirks put right",
        choices=("published", "corrected"),
        always=True,
    )
    discipline: str = option(
        "ASSESSED",
        "when an assessment is about a fill: same line, same value, or same value but for case",
        choices=tuple(DISCIPLINES),
        always=True,
    )
    queries: str = option("", "score the queries of this query file only", metavar="FILE", show=_digest)
    level: str = option(
        "sf",
        "score entry points by themselves, or LDC queries by their best or a given entry point",
        choices=LEVELS,
        always=True,
    )
    index: str = option(
        "", "the LDC query of each entry point, two columns separated by a tab", metavar="FILE", show=_digest
    )
    mapping: str = option("", "the entry point of each LDC query for ldc-random", metavar="FILE", show=_digest)
