"""``karat coldstart``: drop-ins for the programs of TAC KBP Cold Start 2015, with their switches."""

from __future__ import annotations

import click

from karat.cli import LazyGroup

_PUBLISHED = {
    "validate-kb": "Check a knowledge base and write it repaired (CS-ValidateKB.pl).",
    "resolve-queries": "Answer queries from a validated knowledge base (CS-ResolveQueries.pl).",
    "generate-queries": "Make the queries of the first or the second round (CS-GenerateQueries.pl).",
    "validate-sf": "Check a slot-filling run and write it repaired (CS-ValidateSF.pl).",
    "correct-query-ids": "Repair the query ids of the second hop (CS-ValidateSF-QueryIDCorrector.pl).",
    "score": "Score runs against assessments (CS-Score.pl).",
    "project-scores": "Bring scores of entry points to those of LDC queries (CS-ProjectSFScoreToLDCScores.pl).",
}

COMMANDS = {name: (f"{__name__}.switches:{name.replace('-', '_')}", title) for name, title in _PUBLISHED.items()} | {
    "run": (f"{__name__}.run:run", "Go all the way from a knowledge base or a run to scores."),
    "stats": (f"{__name__}.run:stats", "Count what a knowledge base holds."),
}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def coldstart() -> None:
    """TAC KBP Cold Start 2015: the organisers' programs under their own switches.

    People with old scripts change only the program name:

    \b
        karat coldstart validate-kb -docs doclengths.txt -output tac -output_file run.valid run
        karat coldstart resolve-queries queries.xml run.valid run.sf
    """
