"""``karat ontology build`` and ``karat ontology info``."""

from __future__ import annotations

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
def build(index: str, files: tuple[str, ...]) -> None:
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

    show(build_index(index, files))


@click.command()
@click.argument("index")
def info(index: str) -> None:
    """Say what INDEX holds, and where it comes from.

    \b
        karat ontology info wikidata.index
    """
    from karat.ontology.index import ROOT, Ontology

    ontology = Ontology(index)
    show(ontology.info)
    (root,) = ontology.places([ROOT]).tolist()
    click.echo(f"{ontology.total:>15,}  members of the root {ROOT} ({ontology.label(root) or 'no label'})")


def show(told: dict[str, Any]) -> None:
    """Print what is told about an index."""
    from karat.terminal import visible

    for name, words in LINES.items():
        if told.get(name) or name != "left_out":
            click.echo(f"{told.get(name, 0):>15,}  {words}")
    given = ", ".join(map(str, told.get("given", ())))
    click.echo(f"From {visible(', '.join(map(str, told.get('sources', ()))))}; {given or 'nothing'} taken as given.")
