"""``karat ontology build`` and ``karat ontology info``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

LINES = {
    "nodes": "nodes",
    "edges": "edges (P31, P279, P106, P39)",
    "classes": "classes with members",
    "superclasses": "pairs of a class and a superclass",
    "labels": "English labels",
    "left_out": "edges left out because one of their ends is empty",
}


@click.command()
@click.argument("index")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--max-superclasses",
    metavar="N",
    type=click.IntRange(1),
    help="How many pairs of a class and a superclass there may be, of 4 bytes each (default: 500 for each class, at"
    " least 4,000,000 and at most 1,000,000,000).",
)
def build(index: str, files: tuple[str, ...], max_superclasses: int | None) -> None:
    """Build the folder INDEX from one or more FILEs.

    A FILE is a KGTK edge file, N-Triples of Wikidata (truthy) or the JSON dump of Wikidata; it is recognised by how it
    begins, and may be compressed (.gz, .bz2, .xz, .zst). KGTK files with the closure of subclasses (P279star) or with
    class counts (count, class_count) are taken as they are; otherwise both are computed.

    The folder appears when it is complete. An index of that name is replaced.

    \b
        karat ontology build wikidata.index latest-all.json.gz
        karat ontology build small.index claims.tsv labels.en.tsv
    """
    from karat.ontology.building import build as build_index

    show(build_index(index, files, max_superclasses))


@click.command()
@click.argument("index")
@click.option("--check", "whole", is_flag=True, help="Also read all of the index, and compare it with its digest.")
def info(index: str, *, whole: bool) -> None:
    """Say what INDEX holds, and where it comes from.

    The content of an index of up to 64 MB is compared with its digest whenever it is used, that of a larger one only by
    --check, which takes some seconds for each gigabyte.

    \b
        karat ontology info wikidata.index --check
    """
    from karat.ontology.index import ROOT, Ontology
    from karat.ontology.store import check

    if whole:
        check(index)
    ontology = Ontology(index)
    show(ontology.info)
    (root,) = ontology.places([ROOT]).tolist()
    click.echo(f"{ontology.total:>15,}  members of the root {ROOT} ({ontology.label(root) or 'no label'})")


def show(told: Mapping[str, Any]) -> None:
    """Print what is told about an index."""
    from karat.terminal import visible

    for name, words in LINES.items():
        if told.get(name) or name != "left_out":
            click.echo(f"{told.get(name, 0):>15,}  {words}")
    given = ", ".join(map(str, told.get("given", ())))
    click.echo(f"From {visible(', '.join(map(str, told.get('sources', ()))))}; {given or 'nothing'} taken as given.")
