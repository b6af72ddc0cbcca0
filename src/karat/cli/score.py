"""``karat score``: score systems against gold by a published protocol."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from karat.cli.options import (
    ProtocolCommand,
    complete_protocols,
    from_option,
    given,
    read_option,
    share_links_option,
    system_format_option,
)
from karat.settings import shared_option

if TYPE_CHECKING:
    from karat.scores import Row, Scores

_ZERO = shared_option("zero")
_ENDINGS = {
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
}
VIEWS = ("table", "tsv", "json", "jsonl", "markdown", "latex", "html")


@click.command(
    cls=ProtocolCommand,
    epilog="Exit status: 0, 1 if --fail-under fails, 2 for a wrong command line, 3 for input that cannot be scored.",
)
@click.argument("protocol", shell_complete=complete_protocols)
@click.argument("gold", type=click.Path())
@click.argument("systems", metavar="SYSTEM…", type=click.Path(), nargs=-1, required=True)
@click.option("--by", type=click.Choice(("label", "unit")), help="Also show each label, or each document.")
@click.option("--ci", is_flag=True, help="Add 95 % confidence intervals: percentile bootstrap over the units.")
@click.option(
    "--resamples", type=click.IntRange(1, 1_000_000), default=1000, help="Resamples for --ci (default: 1000)."
)
@click.option("--seed", type=click.IntRange(0), default=42, help="Seed for --ci (default: 42), part of the signature.")
@click.option(
    "--zero",
    type=click.Choice(_ZERO.metadata["choices"]),
    default=_ZERO.default,
    help=f"{_ZERO.metadata['help'].capitalize()} (default: {_ZERO.default}, shown as -).",
)
@click.option("--all", "everything", is_flag=True, help="Show every regime and average, not only the main ones.")
@click.option("--view", type=click.Choice(VIEWS), help="How to show the result (default: table, or tsv in a pipe).")
@click.option("-o", "--out", metavar="FILE", type=click.Path(), help="Write the result to a file instead.")
@click.option("--fail-under", metavar="F1", type=float, help="Exit with 1 if the first F1 of a system is below this.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, help="Processes that judge units (default: 1).")
@from_option
@system_format_option
@read_option
@share_links_option
def score(*, protocol: str, gold: str, systems: tuple[str, ...], **parameters: Any) -> int:
    """Score one or more SYSTEMs against GOLD by a PROTOCOL.

    Files may be of any format; gold and system may differ in theirs. Every result ends with its signature, which says
    exactly which number it is.

    \b
        karat score hipe2022-nerc-coarse gold.tsv system.tsv
        karat score hipe2022-nel gold.tsv run1.tsv run2.tsv --n-best 1,3 --ci
        karat score hipe2022-nerc-coarse gold/ system/ --from brat --by label
        karat score omin-head-nel gold.csv results.csv --system-format refined
        karat score coref gold.conll system.jsonl
        karat score tac2015-sf queries.xml pool.fqec run1.tab.txt run2.tab.txt
    """
    import sys
    from dataclasses import replace
    from pathlib import Path

    from karat.files import remember_input
    from karat.files.outputs import refuse_input, write_whole
    from karat.protocols import protocol as protocol_named
    from karat.scoring import Bootstrap, Reading, evaluate, load
    from karat.views import render

    if parameters["out"]:
        for path in (gold, *systems):
            remember_input(path)
        refuse_input(Path(parameters["out"]), parameters["out"])
    chosen = protocol_named(protocol)
    settings = chosen.configure(given(chosen.options, parameters))
    reading = Reading(parameters["source_format"], parameters["read_settings"], parameters["share_links"])
    system_reading = replace(reading, format=parameters["system_format"] or reading.format)
    bootstrap = Bootstrap(parameters["resamples"], parameters["seed"]) if parameters["ci"] else False
    gold_side, *system_sides = load(chosen, settings, [gold, *systems], [reading, *[system_reading] * len(systems)])
    with _workers(parameters["workers"]) as executor:
        results = [
            evaluate(
                chosen,
                settings,
                gold_side,
                system_side,
                by=parameters["by"],
                ci=bootstrap,
                zero=parameters["zero"],
                executor=executor,
            )
            for system_side in system_sides
        ]
    view = parameters["view"] or _view_for(parameters["out"], terminal=sys.stdout.isatty())
    shown = results if parameters["everything"] else [_main_rows(scores) for scores in results]
    text = render(view, shown)
    if parameters["out"]:
        write_whole({parameters["out"]: text})
    else:
        click.echo(text, nl=not text.endswith("\n"))
    return _gate(results, parameters["fail_under"])


def _view_for(out: str | None, *, terminal: bool) -> str:
    """Return the view that the name of the output asks for: by its ending, else one for people or for programs."""
    from pathlib import Path

    if out is None:
        return "table" if terminal else "tsv"
    return _ENDINGS.get(Path(out).suffix.lower(), "table")


@contextmanager
def _workers(count: int) -> Iterator[Any]:
    """Give so many processes; Ctrl-C is for the one that has started them, and ends what they have not begun."""
    if count == 1:
        yield None
        return
    import signal
    from concurrent.futures import ProcessPoolExecutor

    executor = ProcessPoolExecutor(count, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def _main_rows(scores: Scores) -> Scores:
    """Return the scores without the regimes and averages that are only of interest to specialists."""
    import msgspec

    from karat.protocols import protocol

    main = protocol(scores.protocol).main

    def is_main(row: Row) -> bool:
        return row.regime in main.regimes and row.average in main.averages

    return msgspec.structs.replace(scores, rows=tuple(row for row in scores.rows if is_main(row)))


def _gate(results: list[Scores], threshold: float | None) -> int:
    """Return 1 if the first F1 of some system is below the threshold, and say so."""
    if threshold is None:
        return 0
    from karat.terminal import tell

    status = 0
    for scores in results:
        value = scores.value("f1") if scores.rows else None
        if value is None or not value >= threshold:
            shown = "undefined" if value is None else f"{value:.4f}"
            tell(f"karat: {scores.system}: F1 is {shown}, below {threshold}")
            status = 1
    return status
