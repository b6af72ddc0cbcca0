"""HIPE 2020 and 2022: entities (coarse, fine, nested) and entity links in historical documents.

Mirrors ``clef_evaluation.py`` of hipe-eval/HIPE-scorer: its current revision (c2a5684), the one that made the
published HIPE-2022 results (6605770), and the state of June 2020 that made those of HIPE-2020.
"""

from __future__ import annotations

from functools import partial

from karat.protocols.base import Main, Protocol, Reading, old_protocol
from karat.protocols.hipe.judge import CASES, figures, ledger, tally
from karat.protocols.hipe.options import Column, HipeLinkOptions, HipeOptions
from karat.protocols.hipe.prepare import prepare
from karat.protocols.hipe.quirks import QUIRKS
from karat.protocols.likeness import with_likeness

COLUMNS = {
    ("hipe-2020", "nerc_coarse"): (Column("NE-COARSE-LIT"), Column("NE-COARSE-METO")),
    ("hipe-2020", "nerc_fine"): (
        Column("NE-FINE-LIT"),
        Column("NE-FINE-METO"),
        Column("NE-FINE-COMP"),
        Column("NE-NESTED"),
    ),
    ("hipe-2020", "nel"): (Column("NEL-LIT", "NE-COARSE-LIT"), Column("NEL-METO", "NE-COARSE-METO")),
    ("hipe-2022", "nerc_coarse"): (Column("NE-COARSE-LIT"),),
    ("hipe-2022", "nerc_fine"): (Column("NE-FINE-LIT"), Column("NE-NESTED")),
    ("hipe-2022", "nel"): (Column("NEL-LIT", "NE-COARSE-LIT"),),
}
"""The evaluated columns by edition and task, named as the scorer names them."""

_TITLES = {
    "nerc_coarse": "named entities, coarse types",
    "nerc_fine": "named entities, fine types and nested",
    "nel": "entity linking, end to end",
}


def reading(options: HipeOptions, *, columns: tuple[Column, ...]) -> Reading:
    """Return what is needed of HIPE files: the evaluated columns and, for slices, the noise of each token."""
    needed = {name for column in columns for name in (column.name, column.bounds) if name}
    needed |= {name for pair in options.glue for name in pair}
    if options.noise_level:
        needed.add("MISC")
    rules = options.rules
    return Reading(
        columns=frozenset(needed),
        lines=bool(options.glue or options.time_period) or rules.odd_cells == "refuse",
        options={"hipe": {"rows": rules.rows, "hash_tokens": rules.hash_tokens, "last_document": rules.last_document}},
    )


def _protocol(edition: str, task: str) -> Protocol:
    columns = COLUMNS[edition, task]
    linking = task == "nel"
    protocol = old_protocol(
        name=f"{edition.replace('-', '')}-{task.replace('_', '-')}",
        title=f"HIPE-{edition[-4:]} {_TITLES[task]}",
        task="linking" if linking else "entities",
        summary=f"Columns {', '.join(column.name for column in columns)}; strict and fuzzy boundaries.",
        unit="document",
        counts=CASES,
        figures=figures(("micro", "macro-unit") if linking else ("micro", "macro-unit", "macro-label")),
        prepare=partial(prepare, columns=columns),
        tally=tally,
        ledger=ledger,
        options=HipeLinkOptions if linking else HipeOptions,
        main=Main(regimes=("strict", "fuzzy"), averages=("micro", "macro-unit")),
        reading=partial(reading, columns=columns),
        quirks=QUIRKS,
        reference="clef_evaluation.py of hipe-eval/HIPE-scorer",
        docs="hipe",
    )
    return with_likeness(protocol, {"strict": "same", "fuzzy": "any"}) if linking else protocol


PROTOCOLS = tuple(_protocol(edition, task) for edition, task in COLUMNS)
