"""``karat newsreader``: drop-ins for the programs of the NewsReader evaluation of entity disambiguation."""

from __future__ import annotations

import click

from karat.cli import LazyGroup

TITLES = {
    "gold": "Extract the gold links of NAF documents (goldFiveSentences.pl).",
    "gold-with-redirects": "The same, names replaced by their main ones (goldFiveSentencesWithRedirects.pl).",
    "system": "Extract a system's links from NAF documents (systemFiveSentences.pl).",
    "system-not-english": "The same by English references of other languages (systemFiveSentencesNotEnglish.pl).",
    "system-with-redirects": "The same by first references and main names (systemFiveSentencesWithRedirects.pl).",
    "evaluate": "Evaluate extracted links (evaluate.pl).",
}
COMMANDS = {name: (f"{__name__}.programs:{name.replace('-', '_')}", title) for name, title in TITLES.items()}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def newsreader() -> None:
    """NewsReader entity disambiguation: the published programs under their own arguments.

    People with old scripts change only the program name:

    \b
        karat newsreader gold gold-folder gold.tsv
        karat newsreader system system-folder spotlight_v1 system.tsv info.tsv
        karat newsreader evaluate gold.tsv system.tsv result.tsv
    """
