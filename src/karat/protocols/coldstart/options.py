"""The options of Cold Start slot filling."""

from __future__ import annotations

from dataclasses import dataclass

from karat.protocols.coldstart.files_beside import Table, index_of, mapping_of, queries_of
from karat.protocols.coldstart.matching import DISCIPLINES
from karat.settings import option


def _digest(table: Table) -> str:
    return table.digest


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
    queries: Table | None = option(
        None,
        "the query file: only its queries are scored, and only what they ask for",
        parse=queries_of,
        metavar="QUERIES",
        show=_digest,
        argument=True,
        signed="query-file",
    )
    index: Table | None = option(
        None,
        "score LDC queries too: the LDC query of each entry point, two columns separated by a tab",
        parse=index_of,
        metavar="FILE",
        show=_digest,
    )
    mapping: Table | None = option(
        None,
        "the entry point of each LDC query for ldc-random, separated by a blank",
        parse=mapping_of,
        metavar="FILE",
        show=_digest,
    )
