"""``karat ontology``: build and inspect an ontology index, and compute the similarity of entities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli import LazyGroup, complain
from karat.cli.legacy import profile_option

if TYPE_CHECKING:
    from karat.vocabularies.ontology.index import Ontology
    from karat.vocabularies.ontology.similarity import Measured


COMMANDS = {
    "build": ("karat.cli.ontology:build", "Build an index from Wikidata or KGTK files."),
    "info": ("karat.cli.ontology:info", "Describe the content of an index."),
    "similarity": ("karat.cli.ontology:similarity", "Compute the similarity of pairs of nodes."),
}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def ontology() -> None:
    """Ontologies: partial credit for links that are wrong but close.

    An index is a folder that is built once from statements about classes (P31, P279, P106, P39) and English labels.

    \b
        karat ontology build wikidata.index latest-truthy.nt.bz2
        karat ontology build small.index claims.tsv.gz labels.en.tsv.gz
        karat ontology similarity wikidata.index Q144 Q146
    """


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
    from karat.vocabularies.ontology.builder import build as build_index

    show(build_index(index, files, max_superclasses))


@click.command()
@click.argument("index")
@click.option("--check", "whole", is_flag=True, help="Also read all of the index, and compare it with its digest.")
def info(index: str, *, whole: bool) -> None:
    """Describe the content of INDEX and its sources.

    The content of an index of up to 64 MB is compared with its digest whenever it is used, that of a larger one only by
    --check, which takes some seconds for each gigabyte.

    \b
        karat ontology info wikidata.index --check
    """
    from karat.vocabularies.ontology.index import ROOT, Ontology
    from karat.vocabularies.ontology.store import check

    if whole:
        check(index)
    ontology = Ontology(index)
    show(ontology.info)
    (root,) = ontology.places([ROOT]).tolist()
    click.echo(f"{ontology.total:>15,}  members of the root {ROOT} ({ontology.label(root) or 'no label'})")


def show(told: Mapping[str, Any]) -> None:
    """Print the description of an index."""
    from karat.io.terminal import visible

    for name, words in LINES.items():
        if told.get(name) or name != "left_out":
            click.echo(f"{told.get(name, 0):>15,}  {words}")
    given = ", ".join(map(str, told.get("given", ())))
    click.echo(f"From {visible(', '.join(map(str, told.get('sources', ()))))}; {given or 'nothing'} taken as given.")


HEADER = ("q1", "q2", "class", "jc", "q1_label", "q2_label")
MOST_REMARKS = 5


@click.command()
@click.argument("index")
@click.argument("nodes", nargs=-1, metavar="[Q1 Q2]...")
@click.option(
    "--pairs", metavar="FILE", help="A table with the columns q1 and q2, by tabs or commas; - is standard input."
)
@profile_option("As kgtk-similarity computes it, or corrected.")
def similarity(index: str, nodes: tuple[str, ...], pairs: str | None, profile: str) -> None:
    """Compute the similarity of the nodes of each pair: the class similarity, and that of Jiang and Conrath.

    A cell is empty if a similarity is undefined; the reason is printed to standard error.

    \b
        karat ontology similarity wikidata.index Q144 Q146
        karat ontology similarity wikidata.index --pairs pairs.tsv > scores.tsv
    """
    from karat.io.terminal import escaped_cell
    from karat.vocabularies.ontology.index import Ontology
    from karat.vocabularies.ontology.similarity import measure
    from karat.vocabularies.ontology.tables import read_pairs

    if len(nodes) % 2 or bool(nodes) == (pairs is not None):
        raise click.UsageError("name two nodes for each pair, or a table with --pairs, but not both")
    ontology = Ontology(index)
    asked = read_pairs(pairs) if pairs is not None else list(zip(nodes[::2], nodes[1::2], strict=True))
    results = measure(ontology, asked, profile)
    click.echo("\t".join(HEADER))
    labels = {name: ontology.label(node) for name, node in _places(ontology, asked)}
    rows = [
        "\t".join(
            [*map(escaped_cell, pair), *map(_cell, result[:2]), *(escaped_cell(labels[name] or "") for name in pair)]
        )
        for pair, result in zip(asked, results, strict=True)
    ]
    if rows:
        click.echo("\n".join(rows))
    _say(
        list(
            dict.fromkeys(
                remark for pair, result in zip(asked, results, strict=True) for remark in _remarks(pair, result)
            )
        )
    )


def _places(ontology: Ontology, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, int]]:
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    return zip(names, ontology.places(names).tolist(), strict=True)


def _cell(value: float | None) -> str:
    return "" if value is None else repr(value)


def _remarks(pair: tuple[str, str], result: Measured) -> Iterator[str]:
    """Yield a sentence for each reason why a similarity of a pair is undefined or uninformative."""
    unknown = [name for name, known in zip(pair, result.known, strict=True) if not known]
    for name in dict.fromkeys(unknown):
        yield f"{name!r} is not in the ontology: it has neither a class nor an English label"
    if unknown:
        return
    between = f"of {pair[0]} and {pair[1]} is undefined"
    if result.class_ is None:
        yield f"class {between}: nothing is said about one of them, or all their classes are as common as the root"
    if result.jc is None:
        yield f"jc {between}: a common class has no count, or both nodes are as common as the root, or unplaced"


def _say(remarks: list[str]) -> None:
    for remark in remarks[:MOST_REMARKS]:
        complain(remark)
    if len(remarks) > MOST_REMARKS:
        complain(f"and {len(remarks) - MOST_REMARKS:,} more of this kind")
