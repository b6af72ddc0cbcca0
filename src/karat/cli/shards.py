"""``karat split``, ``karat facts`` and ``karat merge``: files cut into shards, and their runs put together."""

from __future__ import annotations

from typing import Any

import click

from karat.cli import complain
from karat.cli.options import (
    ProtocolCommand,
    from_option,
    given,
    gold_argument,
    keep_apart,
    protocol_argument,
    read_option,
    reading_options,
    readings_of,
)


@click.command(epilog="Exit status: 0, 2 for a wrong command line, 3 for input that cannot be read or cut.")
@click.argument("source", metavar="FILE", type=click.Path())
@click.option("-n", "count", type=click.IntRange(2, 9999), required=True, help="How many shards there will be.")
@click.option(
    "-o", "--out", metavar="FOLDER", type=click.Path(), help="The folder of the shards (default: that of FILE)."
)
@from_option
@read_option
def split(
    *, source: str, count: int, out: str | None, source_format: str | None, read_settings: dict[str, str]
) -> None:
    """Cut FILE into shards of the same format, each with some of its documents.

    A document's shard follows from its id alone, so gold and system that are cut into as many shards fit together,
    whatever their order. A format that cannot be written without loss is refused.

    \b
        karat split gold.jsonl -n 16 -o gold/
        karat split system.jsonl -n 16 -o system/
        karat score coref gold/ system/ --workers 8
    """
    from pathlib import Path

    from karat.formats.splitting import split as cut

    keep_apart([source])
    folder = Path(source).parent if out is None else Path(out)
    for path, documents in cut(source, count, folder, source_format, read_settings):
        click.echo(f"{path}\t{documents}")


@click.command(
    cls=ProtocolCommand,
    epilog="Exit status: 0, 2 for a wrong command line, 3 for input that cannot be scored.",
)
@protocol_argument
@gold_argument
@click.argument("system", type=click.Path())
@click.option("-o", "--out", metavar="FILE", type=click.Path(), required=True, help="Where the facts are kept.")
@reading_options
def facts(*, protocol: str, gold: str, system: str, out: str, **parameters: Any) -> None:
    """Gather what a PROTOCOL must know of all shards of GOLD and SYSTEM before it can judge any of them.

    Such as the labels that occur. Shards that are scored by one command need no facts; those that are scored one by
    one, as on different machines, are given them with karat score --facts.

    \b
        karat facts hipe2022-nel gold/ system/ -o facts.karat
        karat score hipe2022-nel gold/03.tsv system/03.tsv --facts facts.karat --save 03.karat
    """
    from karat.errors import UsageError
    from karat.evaluation.corpora import load
    from karat.evaluation.facts_file import head_of, packed
    from karat.evaluation.protocol import no_facts
    from karat.evaluation.registry import protocol as protocol_named
    from karat.evaluation.tasks import facts_of
    from karat.io.outputs import write_whole

    keep_apart((gold, system), [out])
    declared = protocol_named(protocol)
    bound = declared.with_options(given(declared.options, parameters))
    if bound.facts is no_facts:
        raise UsageError(f"{protocol} need not know anything in advance: score its shards without --facts")
    sides = load(bound, [gold, system], readings_of(parameters))
    gathered = facts_of(bound, *sides)
    write_whole({out: packed(gathered, head_of(bound, *sides))})


@click.command(
    epilog="Exit status: 0, 2 for a wrong command line, 3 for runs that are damaged or do not belong together."
)
@click.argument("runs", metavar="RUN…", type=click.Path(), nargs=-1, required=True)
@click.option("-o", "--out", metavar="FILE", type=click.Path(), required=True, help="Where the run is kept.")
def merge(*, runs: tuple[str, ...], out: str) -> None:
    """Put the RUNs of shards together, which karat score --save has kept, wherever and in whatever order.

    The result is the run file that one process would have made of all shards, to the byte: rows, intervals, notes and
    signature are the same. Runs that do not belong together are refused, and so is a shard that is there twice.

    \b
        karat score coref gold/1.jsonl system/1.jsonl --save 1.karat
        karat score coref gold/2.jsonl system/2.jsonl --save 2.karat
        karat merge 1.karat 2.karat -o whole.karat
        karat show whole.karat --ci
    """
    from karat.evaluation.merging import merge as merged

    keep_apart(runs, [out])
    whole = merged(runs)
    whole.save(out)
    if whole.told:
        complain("note: shards are missing; those that are there were scored with the facts of a larger corpus")
