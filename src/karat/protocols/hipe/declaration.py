"""HIPE 2020 and 2022: entities (coarse, fine, nested) and entity links in historical documents.

Mirrors ``clef_evaluation.py`` of hipe-eval/HIPE-scorer: its current revision (c2a5684), the one that made the
published HIPE-2022 results (6605770), and the state of June 2020 that made those of HIPE-2020.
"""

from __future__ import annotations

from functools import partial

from karat.evaluation.invented import with_invented
from karat.evaluation.protocol import Demands, Main, Protocol, Rules
from karat.evaluation.quirks import quirks_of
from karat.protocols.hipe.draft import draft, pairs
from karat.protocols.hipe.facts import facts, remarks, settle
from karat.protocols.hipe.judge import casebook
from karat.protocols.hipe.options import HipeColumn, HipeLinkOptions, HipeOptions
from karat.protocols.likeness import with_likeness

COLUMNS = {
    ("hipe-2020", "nerc_coarse"): (HipeColumn("NE-COARSE-LIT"), HipeColumn("NE-COARSE-METO")),
    ("hipe-2020", "nerc_fine"): (
        HipeColumn("NE-FINE-LIT"),
        HipeColumn("NE-FINE-METO"),
        HipeColumn("NE-FINE-COMP"),
        HipeColumn("NE-NESTED"),
    ),
    ("hipe-2020", "nel"): (HipeColumn("NEL-LIT", "NE-COARSE-LIT"), HipeColumn("NEL-METO", "NE-COARSE-METO")),
    ("hipe-2022", "nerc_coarse"): (HipeColumn("NE-COARSE-LIT"),),
    ("hipe-2022", "nerc_fine"): (HipeColumn("NE-FINE-LIT"), HipeColumn("NE-NESTED")),
    ("hipe-2022", "nel"): (HipeColumn("NEL-LIT", "NE-COARSE-LIT"),),
}
"""The evaluated columns by edition and task, named as the scorer names them."""

_TITLES = {
    "nerc_coarse": "named entities, coarse types",
    "nerc_fine": "named entities, fine types and nested",
    "nel": "entity linking, end to end",
}


def demands(options: HipeOptions, *, columns: tuple[HipeColumn, ...]) -> Demands:
    """Return what is needed of HIPE files: the evaluated columns and, for slices, the noise of each token."""
    needed = {name for column in columns for name in (column.name, column.bounds) if name}
    needed |= {name for pair in options.glue for name in pair}
    if options.noise_level:
        needed.add("MISC")
    rules = options.rules
    return Demands(
        columns=frozenset(needed),
        lines=bool(options.glue or options.time_period) or rules.odd_cells == "refuse",
        options={
            "hipe": {
                "rows": rules.rows,
                "hash_tokens": rules.hash_tokens,
                "last_document": rules.last_document,
                "revision": rules.revision,
            }
        },
    )


def bind(options: HipeOptions, *, columns: tuple[HipeColumn, ...], linking: bool) -> Rules:
    """Return the rules of the scorer for some columns with these options."""
    return Rules(
        casebook(("micro", "macro-unit") if linking else ("micro", "macro-unit", "macro-label")),
        partial(draft, options=options),
        facts=partial(facts, options=options, columns=columns),
        settle=partial(settle, options=options, columns=columns),
        pairs=partial(pairs, options=options),
        remarks=partial(remarks, options=options),
        demands=demands(options, columns=columns),
        main=Main(regimes=("strict", "fuzzy"), averages=("micro", "macro-unit")),
    )


def name_of(edition: str, task: str) -> str:
    """Return the name of the protocol for a task of an edition, both as the scorer names them.

    >>> name_of("hipe-2022", "nerc_coarse")
    'hipe2022-nerc-coarse'
    """
    return f"{edition.replace('-', '')}-{task.replace('_', '-')}"


def _protocol(edition: str, task: str) -> Protocol:
    columns = COLUMNS[edition, task]
    linking = task == "nel"
    judged = Protocol(
        name=name_of(edition, task),
        title=f"HIPE-{edition[-4:]} {_TITLES[task]}",
        task="linking" if linking else "entities",
        summary=f"Columns {', '.join(column.name for column in columns)}; strict and fuzzy boundaries.",
        unit="document",
        bind=partial(bind, columns=columns, linking=linking),
        options=HipeLinkOptions if linking else HipeOptions,
        quirks=quirks_of("karat.protocols.hipe"),
        reference="clef_evaluation.py of hipe-eval/HIPE-scorer",
        docs="hipe",
    )
    protocol = with_invented(judged)
    return with_likeness(protocol, {"strict": "same", "fuzzy": "any"}) if linking else protocol


PROTOCOLS = tuple(_protocol(edition, task) for edition, task in COLUMNS)
