"""``karat coldstart``: drop-ins for the programs of TAC KBP Cold Start 2015, with their switches."""

from __future__ import annotations

import click

from karat.cli import LazyGroup

COMMANDS = {
    "validate-kb": (
        "karat.cli.coldstart_validate_kb:validate_kb",
        "Check a knowledge base and write it repaired (CS-ValidateKB.pl).",
    ),
    "resolve-queries": (
        "karat.cli.coldstart_resolve_queries:resolve_queries",
        "Answer queries from a validated knowledge base (CS-ResolveQueries.pl).",
    ),
    "generate-queries": (
        "karat.cli.coldstart_generate_queries:generate_queries",
        "Make the queries of the first or the second round (CS-GenerateQueries.pl).",
    ),
    "validate-sf": (
        "karat.cli.coldstart_validate_sf:validate_sf",
        "Check a slot-filling run and write it repaired (CS-ValidateSF.pl).",
    ),
    "correct-query-ids": (
        "karat.cli.coldstart_correct_query_ids:correct_query_ids",
        "Repair the query ids of the second hop (CS-ValidateSF-QueryIDCorrector.pl).",
    ),
    "score": ("karat.cli.coldstart_score:score", "Score runs against assessments (CS-Score.pl)."),
    "project-scores": (
        "karat.cli.coldstart_project_scores:project_scores",
        "Bring scores of entry points to those of LDC queries (CS-ProjectSFScoreToLDCScores.pl).",
    ),
    "run": ("karat.cli.coldstart_run:run", "Go all the way from a knowledge base or a run to scores."),
    "stats": ("karat.cli.coldstart_stats:stats", "Count what a knowledge base holds."),
}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def coldstart() -> None:
    """TAC KBP Cold Start 2015: the organisers' programs under their own switches.

    People with old scripts change only the program name:

    \b
        karat coldstart validate-kb -docs doclengths.txt -output tac -output_file run.valid run
        karat coldstart resolve-queries queries.xml run.valid run.sf
    """
