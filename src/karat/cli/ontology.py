"""``karat ontology``: build an index of who is what, look at it, and ask how alike two entities are."""

from __future__ import annotations

import click

from karat.cli import LazyGroup

COMMANDS = {
    "build": ("karat.cli.ontology_build:build", "Build an index from Wikidata or KGTK files."),
    "info": ("karat.cli.ontology_build:info", "Say what an index holds."),
    "similarity": ("karat.cli.ontology_similarity:similarity", "Say how alike the two nodes of pairs are."),
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
