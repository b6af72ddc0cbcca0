"""``karat explain``: the ledger behind a score."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import ProtocolCommand, complete_protocols, from_option, given, read_option

OUTCOMES = ("correct", "incorrect", "partial", "missed", "spurious")


@click.command(cls=ProtocolCommand)
@click.argument("protocol", shell_complete=complete_protocols)
@click.argument("gold", type=click.Path())
@click.argument("system", type=click.Path())
@click.option("--outcome", multiple=True, type=click.Choice(OUTCOMES), help="Only these outcomes (may be repeated).")
@click.option("--regime", help="The regime that --outcome speaks of (default: the protocol's first).")
@click.option("--label", multiple=True, help="Only entries with this gold or system label (may be repeated).")
@click.option("--document", multiple=True, help="Only this document (may be repeated).")
@click.option("--view", type=click.Choice(("table", "tsv", "jsonl")), help="Default: table, or jsonl in a pipe.")
@from_option
@read_option
@click.pass_context
def explain(ctx: click.Context, /, protocol: str, gold: str, system: str, **parameters: Any) -> None:
    """Show the verdict on every gold and system item of SYSTEM against GOLD, with its partner and the reason.

    \b
        karat explain hipe2022-nerc-coarse gold.tsv system.tsv
        karat explain hipe2022-nerc-coarse gold.tsv system.tsv --outcome missed --label LOC
    """
    import sys

    from karat.errors import unknown
    from karat.scoring import Reading, configure, load, prepare
    from karat.views.ledger import render_entries

    declared = ctx.meta.get("karat.protocol")
    chosen, settings = configure(protocol, given(declared.options, parameters) if declared else {})
    regime = parameters["regime"] or chosen.regimes()[0]
    if regime not in chosen.regimes():
        raise unknown("regime", regime, chosen.regimes())
    sides = load(
        chosen,
        settings,
        [gold, system],
        [Reading(parameters["source_format"], parameters["read_settings"])] * 2,
        lines=True,
    )
    outcomes, labels, documents = (set(parameters[name]) for name in ("outcome", "label", "document"))
    folded = {label.upper() for label in labels}
    entries = (
        entry
        for case in prepare(chosen, settings, *sides).cases
        if not documents or case.unit in documents
        for entry in chosen.ledger(case)
        if not outcomes or entry.verdicts.get(regime) in outcomes
        if not folded or any(item and item.label.upper() in folded for item in (entry.gold, entry.system))
    )
    view: Any = parameters["view"] or ("table" if sys.stdout.isatty() else "jsonl")
    regimes = [regime] if parameters["regime"] else chosen.main.regimes
    for line in render_entries(entries, view, regimes=regimes):
        click.echo(line)
