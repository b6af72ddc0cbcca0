"""``karat report``: an HTML page with scores, and every document with gold and systems in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from karat.cli.options import (
    READING,
    ProtocolCommand,
    given,
    keep_apart,
    protocol_argument,
    reading_options,
    readings_of,
    refuse,
    systems_argument,
)
from karat.cli.results import bootstrap_of, interval_options, open_option, open_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.analysis.statistics.intervals import Bootstrap
    from karat.evaluation.protocol import Protocol
    from karat.report.content import Report


@click.command(
    cls=ProtocolCommand, epilog="Exit status: 0, 2 for a wrong command line, 3 for input that cannot be scored."
)
@protocol_argument
@click.argument("gold", type=click.Path(), required=False)
@systems_argument(required=False)
@click.option("-o", "--out", metavar="FILE", type=click.Path(), required=True, help="Output file, such as report.html.")
@open_option
@interval_options
@reading_options
def report(*, protocol: str, gold: str | None, systems: tuple[str, ...], out: str, **parameters: Any) -> None:
    """Write an HTML page: scores with intervals, and every document with gold and SYSTEMs in it.

    The page is one file that needs no network. Run files instead of protocol, gold and systems give a page without
    texts. Above 200,000 items it is a folder of pages.

    \b
        karat report hipe2022-nerc-coarse gold.tsv system-a.tsv system-b.tsv -o report.html
        karat report relations gold/ system/ -o relations.html
        karat report run1.karat run2.karat -o report.html
    """
    from pathlib import Path

    from karat.cli import complain
    from karat.evaluation.registry import find
    from karat.evaluation.registry import protocol as protocol_named
    from karat.io.outputs import write_folder, write_whole
    from karat.report.pages import pages_of

    bootstrap = bootstrap_of(parameters)
    words = [protocol, *([gold] if gold else []), *systems]
    are_runs = find(protocol) is None and Path(protocol).is_file()
    if not are_runs and (gold is None or not systems):
        protocol_named(protocol)
        raise click.UsageError("a report needs PROTOCOL, GOLD and at least one SYSTEM, or run files")
    if are_runs:
        refuse(READING, "has no effect on run files; leave it out")
    paths = words if are_runs else words[1:]
    keep_apart(paths, [out])
    chosen = None if are_runs else protocol_named(protocol)
    made = _of_files(chosen, paths, parameters, bootstrap) if chosen else _of_runs(paths, bootstrap)
    pages = pages_of(made, Path(out).name)
    if len(pages) == 1:
        write_whole({out: next(iter(pages.values()))})
    else:
        folder = str(Path(out).with_suffix(""))
        write_folder(folder, pages)
        out = str(Path(folder, "index.html"))
        complain(f"the items are too many for one page; begin with {out}")
    if parameters["opens"]:
        open_page(out)


def _of_runs(paths: Sequence[str], bootstrap: Bootstrap | bool) -> Report:
    """Return the report on saved runs, which has scores but no texts."""
    from karat.evaluation.run_file import load
    from karat.report.evaluation import check_runs, of_runs

    runs = [load(path) for path in paths]
    check_runs(runs, paths)
    return of_runs(runs, bootstrap)


def _of_files(
    protocol: Protocol, paths: Sequence[str], parameters: dict[str, Any], bootstrap: Bootstrap | bool
) -> Report:
    """Return the report on systems, which are scored now."""
    from karat.report.evaluation import evaluated

    options = given(protocol.options, parameters)
    readings = readings_of(parameters, len(paths) - 1)
    flags = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in options.items())
    return evaluated(protocol.with_options(options), paths, readings, bootstrap, flags=flags)
