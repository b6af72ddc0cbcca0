"""``karat coldstart stats``: what a knowledge base holds, in numbers."""

from __future__ import annotations

import click


@click.command()
@click.argument("kb", metavar="KB")
@click.option("--docs", metavar="FILE", help="A tab-separated file of document ids and lengths in characters.")
def stats(kb: str, docs: str | None) -> None:
    """Count the assertions, entities, documents and problems of a knowledge base, whether it is valid or not.

    \b
        karat coldstart stats run.valid
    """
    from karat.errors import InputError
    from karat.formats.coldstart.kb.review import read_kb
    from karat.protocols.coldstart.drop_in.kb.stats import count
    from karat.vocabularies.coldstart.problems import Stop
    from karat.vocabularies.coldstart.provenance import read_lengths

    try:
        found = read_kb(kb, None if docs is None else read_lengths(docs))
    except Stop as stop:
        raise InputError(str(stop)) from stop
    for name, value in count(found):
        click.echo(f"{name}\t{value}")
