"""``karat merge``: parts of a run become the run."""

from __future__ import annotations

import click

from karat.cli.options import keep_apart


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
    from karat.runs.part import merge as merged

    keep_apart(parts, [out])
    merged(parts).save(out)
