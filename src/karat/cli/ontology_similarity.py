"""``karat ontology similarity``: pairs from the command line or a table, one row each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from karat.cli import complain
from karat.cli.legacy import profile_option

if TYPE_CHECKING:
    from karat.ontology.index import Ontology
    from karat.ontology.similarity import Measured

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
    """Say how alike the two nodes of each pair are, by the class similarity and by that of Jiang and Conrath.

    A cell is empty where a likeness is undefined; the reason is said on standard error.

    \b
        karat ontology similarity wikidata.index Q144 Q146
        karat ontology similarity wikidata.index --pairs pairs.tsv > scores.tsv
    """
    from karat.ontology.index import Ontology
    from karat.ontology.similarity import measure
    from karat.ontology.tables import read_pairs
    from karat.terminal import masked

    if len(nodes) % 2 or bool(nodes) == (pairs is not None):
        raise click.UsageError("name two nodes for each pair, or a table with --pairs, but not both")
    ontology = Ontology(index)
    asked = read_pairs(pairs) if pairs is not None else list(zip(nodes[::2], nodes[1::2], strict=True))
    results = measure(ontology, asked, profile)
    click.echo("\t".join(HEADER))
    labels = {name: ontology.label(place) for name, place in _places(ontology, asked)}
    rows = [
        "\t".join([*map(masked, pair), *map(_cell, result[:2]), *(masked(labels[name] or "") for name in pair)])
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
    """Yield a sentence for each reason why a pair has no likeness, or one that says nothing."""
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
