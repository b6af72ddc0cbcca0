"""``karat compare``: whether one system is better than another, and on what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from karat.cli.contests import (
    EXIT_STATUS,
    ContestCommand,
    ScoredHere,
    contest_bootstrap,
    contest_options,
    named_systems,
    runs_of,
)
from karat.cli.options import gold_argument, protocol_argument, systems_argument
from karat.cli.results import complete_breakdowns, present_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.comparison import Contest, Test
    from karat.comparison.items import Changes


@click.command(
    cls=ContestCommand,
    epilog=EXIT_STATUS,
)
@protocol_argument
@gold_argument
@systems_argument()
@click.option(
    "--row",
    "rows",
    metavar="NAME",
    multiple=True,
    help="A number to compare, as f1[regime=strict] (may be repeated; default: the main ones of two systems, else F1).",
)
@click.option(
    "--by",
    metavar="WHAT",
    multiple=True,
    shell_complete=complete_breakdowns,
    help="Also compare each label, document, value of a KEY of the metadata, or part by a feature, as in karat score "
    "--by; with one SYSTEM, its parts with each other (may be repeated).",
)
@contest_options
def compare(*, systems: tuple[str, ...], **parameters: Any) -> None:
    """Compare SYSTEMs: all pairs, with intervals and tests, over shared resamples.

    Give PROTOCOL, GOLD and the systems, or run files that karat score --save has kept. NAME=FILE gives a system a name,
    and NAME=FILE,FILE,… says that these are runs of the same system, as from several seeds.

    \b
        karat compare hipe2022-nerc-coarse gold.tsv system-a.tsv system-b.tsv
        karat compare a.karat b.karat c.karat --by label
        karat compare hipe2022-nel gold.tsv base=base.tsv ours=seed1.tsv,seed2.tsv,seed3.tsv
    """
    from karat.comparison import compare as compared
    from karat.views.contest import render

    test: Test = parameters["test"]
    bootstrap, method = contest_bootstrap(parameters)
    named = named_systems(systems)
    files = [file for several in named.values() for file in several]
    has_items = bool(parameters.get("protocol")) and len(named) == len(files) == 2
    judged = ScoredHere(files, parameters, again=True) if has_items else None
    runs = dict(zip(named, judged.runs(), strict=True)) if judged else runs_of(systems, parameters)
    contest = compared(
        runs,
        rows=parameters["rows"],
        by=parameters["by"] or None,
        test=test,
        ci=bootstrap,
        difference_method=method,
        zero=parameters["zero"],
    )
    items = _items(contest, judged) if judged else None
    parts = _parts(items, next(iter(runs.values())), parameters["by"]) if items else None
    present_text(lambda view, screen: render(contest, view, screen=screen, items=items, parts=parts), parameters)


def _items(contest: Contest, judged: ScoredHere) -> Changes | None:
    """Return the items on which two systems differ in the number that is spoken of; of a slice, if a ledger has it."""
    from karat.comparison.items import item_changes

    number = contest.row(contest.systems[0], contest.headline)
    ledgers = judged.ledger(0), judged.ledger(1)
    changes = item_changes(contest.systems[:2], ledgers, number, judged.slicer)
    return changes if changes.items or not number.slice else None


def _parts(items: Changes, run: Any, by: Sequence[str]) -> dict[str, dict[str, tuple[int, int, int]]]:
    """Return the items by everything that the comparison was broken down by."""
    from karat.slices.asking import breakdowns

    return {"slice": items.by_slice()} | {breakdown.name: items.parts(breakdown, run) for breakdown in breakdowns(by)}
