"""``karat judge pool``: pool the items of several systems for judging."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from karat.cli import complain
from karat.cli.options import from_option, read_option

if TYPE_CHECKING:
    from collections.abc import Iterable

    from karat.model import Document

KINDS = ("relation", "event", "mention", "link", "chain")


@click.command()
@click.argument("systems", nargs=-1, required=True, metavar="SYSTEM…")
@click.option("-o", "--out", "output", required=True, type=click.Path(), help="The file of the pool.")
@from_option
@read_option
@click.option(
    "--kind", type=click.Choice(KINDS), default="relation", show_default=True, help="The kind of items to judge."
)
@click.option("--documents", type=int, metavar="N", help="Draw this many documents at random.")
@click.option(
    "--document-list",
    type=click.Path(),
    metavar="FILE",
    help="Take the documents listed in this file, one id per line.",
)
@click.option("--items", type=int, metavar="N", help="Draw this many items at random.")
@click.option("--stratify", type=click.Choice(("relation", "system")), help="Draw items within these strata.")
@click.option("--overlap", type=float, default=0.0, metavar="SHARE", help="The share of items that every judge sees.")
@click.option("--seed", type=int, default=42, show_default=True, help="Random seed of the draw and the order.")
@click.option(
    "--same",
    type=click.Choice(("normalised", "exact")),
    default="normalised",
    show_default=True,
    help="When two items are one: whatever their case, blanks and ways to write a character, or to the letter.",
)
@click.option("--right", type=click.Path(), metavar="FILE", help="Mix in items that are known to be right.")
@click.option("--wrong", type=click.Path(), metavar="FILE", help="Mix in items that are known to be wrong.")
def pool(systems: tuple[str, ...], output: str, **parameters: Any) -> None:
    """Pool the items of each SYSTEM (a file or folder, or NAME=PATH) in a file that judges work through.

    Identical items are judged once; who gave them stays hidden; the order depends on the seed alone.

    \b
        karat judge pool rebel.csv unirel.csv --documents 100 -o pool.jsonl
        karat judge pool A=a.jsonl B=b.jsonl --items 500 --stratify system --overlap 0.2 -o pool.jsonl
    """
    from karat.errors import many
    from karat.io import digest
    from karat.judge.pool import Draw, make_pool, write_pool

    read_from = _reader(parameters["source_format"], parameters["read_settings"])
    given = {name: (digest(path), read_from(path)) for name, path in map(_named, systems)}
    if len(given) < len(systems):
        raise click.UsageError("two systems have the same name; give each its own with NAME=PATH")
    if "" in given:
        raise click.UsageError("a system has an empty name; write NAME=PATH")
    names = _listed(parameters["document_list"]) if parameters["document_list"] else ()
    if names and parameters["documents"] is not None:
        raise click.UsageError("--documents and --document-list exclude each other; choose one")
    made = make_pool(
        given,
        parameters["kind"],
        draw=Draw(parameters["documents"], names, parameters["items"], parameters["stratify"] or ""),
        seed=parameters["seed"],
        sameness=parameters["same"],
        overlap=parameters["overlap"],
        controls={control: read_from(parameters[control]) for control in ("right", "wrong") if parameters[control]},
    )
    write_pool(made, output)
    for note in made.head.notes:
        complain(f"note: {note}")
    of = f"{made.head.drawn_documents} of {many(made.head.documents, 'document')}"
    click.echo(f"{output}: {many(len(made.entries), 'item')} of {many(len(given), 'system')} in {of}")


def _listed(path: str) -> tuple[str, ...]:
    """Return the ids in a list of documents; raise an error for an empty one, which would mean all documents."""
    from karat.errors import InputError
    from karat.io import lines

    names = tuple(filter(None, (line.strip() for line in lines(path))))
    if not names:
        raise InputError("lists no document; expected one id per line", path=path)
    return names


def _named(word: str) -> tuple[str, str]:
    """Return the name and the path of a system; the default name is the file name."""
    from pathlib import Path

    name, equals, path = word.partition("=")
    return (name, path) if equals else (Path(word).name.split(".")[0], word)


def _reader(source_format: str | None, settings: dict[str, str]) -> Any:
    from karat.formats import read

    def read_from(path: str) -> Iterable[Document]:
        return read(path, source_format, options=settings)

    return read_from
