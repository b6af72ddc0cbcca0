"""``karat newsreader``: drop-ins for the programs of the NewsReader evaluation of entity disambiguation."""

from __future__ import annotations

import click

from karat.cli import LazyGroup

_PROGRAMS = f"{__name__}.programs"
COMMANDS = {
    "gold": (f"{_PROGRAMS}:gold", "Extract the gold links of NAF documents (goldFiveSentences.pl)."),
    "gold-with-redirects": (
        f"{_PROGRAMS}:gold_with_redirects",
        "The same, names replaced by their main ones (goldFiveSentencesWithRedirects.pl).",
    ),
    "system": (f"{_PROGRAMS}:system", "Extract a system's links from NAF documents (systemFiveSentences.pl)."),
    "system-not-english": (
        f"{_PROGRAMS}:system_not_english",
        "The same by English references of other languages (systemFiveSentencesNotEnglish.pl).",
    ),
    "system-with-redirects": (
        f"{_PROGRAMS}:system_with_redirects",
        "The same by first references and main names (systemFiveSentencesWithRedirects.pl).",
    ),
    "evaluate": (f"{_PROGRAMS}:evaluate", "Evaluate extracted links (evaluate.pl)."),
}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def newsreader() -> None:
    """NewsReader entity disambiguation: the published programs under their own arguments.

    People with old scripts change only the program name:

    \b
        karat newsreader gold gold-folder gold.tsv
        karat newsreader system system-folder spotlight_v1 system.tsv info.tsv
        karat newsreader evaluate gold.tsv system.tsv result.tsv
    """
