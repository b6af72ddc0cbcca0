"""``karat coldstart``: drop-ins for the programs of TAC KBP Cold Start 2015, with their switches."""

from __future__ import annotations

import click

from karat.cli import LazyGroup

COMMANDS = {
    "validate-kb": (
        "karat.protocols.coldstart.drop_in.commands.validate_kb:validate_kb",
        "Check a knowledge base and write it repaired (CS-ValidateKB.pl).",
    ),
    "resolve-queries": (
        "karat.protocols.coldstart.drop_in.commands.resolve_queries:resolve_queries",
        "Answer queries from a validated knowledge base (CS-ResolveQueries.pl).",
    ),
    "generate-queries": (
        "karat.protocols.coldstart.drop_in.commands.generate_queries:generate_queries",
        "Make the queries of the first or the second round (CS-GenerateQueries.pl).",
    ),
    "validate-sf": (
        "karat.protocols.coldstart.drop_in.commands.validate_sf:validate_sf",
        "Check a slot-filling run and write it repaired (CS-ValidateSF.pl).",
    ),
    "correct-query-ids": (
        "karat.protocols.coldstart.drop_in.commands.correct_query_ids:correct_query_ids",
        "Repair the query ids of the second hop (CS-ValidateSF-QueryIDCorrector.pl).",
    ),
    "score": (
        "karat.protocols.coldstart.drop_in.commands.score:score",
        "Score runs against assessments (CS-Score.pl).",
    ),
    "project-scores": (
        "karat.protocols.coldstart.drop_in.commands.project_scores:project_scores",
        "Bring scores of entry points to those of LDC queries (CS-ProjectSFScoreToLDCScores.pl).",
    ),
    "run": (
        "karat.protocols.coldstart.drop_in.commands.run:run",
        "Go all the way from a knowledge base or a run to scores.",
    ),
    "stats": ("karat.protocols.coldstart.drop_in.commands.stats:stats", "Count what a knowledge base holds."),
}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def coldstart() -> None:
    """TAC KBP Cold Start 2015: the organisers' programs under their own switches.

    People with old scripts change only the program name:

    \b
        karat coldstart validate-kb -docs doclengths.txt -output tac -output_file run.valid run
        karat coldstart resolve-queries queries.xml run.valid run.sf
    """
