"""``karat facts`` and ``karat merge``: what the parts of a run must know in advance, and how they become the run."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.options import (
    ProtocolCommand,
    given,
    gold_argument,
    keep_apart,
    protocol_argument,
    reading_options,
    readings_of,
)


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
    """Gather what a PROTOCOL must know of all documents of GOLD and SYSTEM before it can judge any of them.

    Such as the labels that occur. Every part of a run gathers them by itself, unless it is given them with
    karat score --facts; so they are gathered once, and the parts read only their own documents where the format allows.

    \b
        karat facts hipe2022-nel gold.tsv system.tsv -o facts.karat
        karat score hipe2022-nel gold.tsv system.tsv --facts facts.karat --part 3/16 --save 3.karat
    """
    from karat.errors import UsageError
    from karat.evaluation.corpora import load
    from karat.evaluation.part_file import packed_facts
    from karat.evaluation.protocol import no_facts
    from karat.evaluation.registry import protocol as protocol_named
    from karat.evaluation.running import about
    from karat.evaluation.spreading import facts_of
    from karat.io.outputs import write_whole

    keep_apart((gold, system), [out])
    declared = protocol_named(protocol)
    bound = declared.with_options(given(declared.options, parameters))
    if bound.facts is no_facts:
        raise UsageError(f"{protocol} need not know anything in advance: score its parts without --facts")
    sides = load(bound, [gold, system], readings_of(parameters))
    gathered = facts_of(bound, *sides)
    write_whole({out: packed_facts(gathered, about(bound, *sides))})


@click.command(
    epilog="Exit status: 0, 2 for a wrong command line, 3 for parts that are damaged, missing or not of one run."
)
@click.argument("parts", metavar="PART…", type=click.Path(), nargs=-1, required=True)
@click.option("-o", "--out", metavar="FILE", type=click.Path(), required=True, help="Where the run is kept.")
def merge(*, parts: tuple[str, ...], out: str) -> None:
    """Put all PARTs of a run together, which karat score --part has made, wherever and in whatever order.

    The result is the run file that one process would have made, to the byte: rows, intervals, notes and signature are
    the same. Parts that do not belong together are refused, and so are parts of which one is missing or there twice.

    \b
        karat score coref gold.jsonl system.jsonl --part 1/2 --save 1.karat
        karat score coref gold.jsonl system.jsonl --part 2/2 --save 2.karat
        karat merge 1.karat 2.karat -o whole.karat
        karat show whole.karat --ci
    """
    from karat.evaluation.part import merge as merged

    keep_apart(parts, [out])
    merged(parts).save(out)
