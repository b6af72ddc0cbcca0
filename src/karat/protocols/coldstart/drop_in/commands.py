"""``karat coldstart``: drop-ins for the programs of TAC KBP Cold Start 2015, with their switches."""

from __future__ import annotations

from typing import Any

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

COMMANDS = {name: (f"{__package__}.switches:{name.replace('-', '_')}", title) for name, title in _PUBLISHED.items()} | {
    "run": (f"{__name__}:run", "Go all the way from a knowledge base or a run to scores."),
    "stats": (f"{__name__}:stats", "Count what a knowledge base holds."),
}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def coldstart() -> None:
    """TAC KBP Cold Start 2015: the organisers' programs under their own switches.

    People with old scripts change only the program name:

    \b
        karat coldstart validate-kb -docs doclengths.txt -output tac -output_file run.valid run
        karat coldstart resolve-queries queries.xml run.valid run.sf
    """


@click.command()
@click.argument("source", metavar="KB|RUN")
@click.option("--queries", required=True, metavar="FILE", help="The query file.")
@click.option("--docs", metavar="FILE", help="A tab-separated file of document ids and lengths in characters.")
@click.option("--assessments", multiple=True, metavar="FILE", help="Assessments to score against; may be repeated.")
@click.option(
    "--index", "index_file", metavar="FILE", help="The LDC query of each entry point: adds scores of LDC queries."
)
@click.option("--mapping", metavar="FILE", help="One entry point for each LDC query: adds the score RANDOM.")
@click.option(
    "--query-ids", metavar="FILE|IDS", help="Score these queries only: ids one a line, or separated by colons."
)
@click.option(
    "--discipline",
    type=click.Choice(("ASSESSED", "STRING_EXACT", "STRING_CASE")),
    default="ASSESSED",
    help="When an assessment is about an answer (default: ASSESSED).",
)
@click.option(
    "--profile",
    type=click.Choice(("2015", "corrected")),
    default="2015",
    help="The published programs of 2015 (default), or corrected.",
)
@click.option("-o", "--out", "folder", required=True, metavar="DIR", help="A new folder for all files.")
def run(source: str, folder: str, **options: Any) -> None:
    """Take a knowledge base or a slot-filling run through the whole evaluation.

    Validates the knowledge base, resolves the queries in it, repairs the query ids, validates the run, scores it and
    projects the scores; all files of all steps are left in DIR, and the first step that fails says why.

    \b
        karat coldstart run kb.tac --queries queries.xml --assessments pool.fqec -o results
    """
    from pathlib import Path

    from karat.errors import InputError
    from karat.protocols.coldstart.drop_in.run import RunPlan, run
    from karat.vocabularies.coldstart.problems import Stop

    try:
        made = run(RunPlan(source, folder=folder, **options), lambda line: click.echo(line, err=True))
    except Stop as stop:
        raise InputError(str(stop)) from stop
    for name in made:
        if ".score." in Path(name).name:
            lines = [line for line in Path(name).read_text("utf-8").splitlines() if line.startswith(("QID/EC", "ALL-"))]
            click.echo("\n".join([name, *lines]))


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
    from karat.protocols.coldstart.drop_in.kb.validate import count
    from karat.vocabularies.coldstart.problems import Stop
    from karat.vocabularies.coldstart.provenance import read_lengths

    try:
        counted = read_kb(kb, None if docs is None else read_lengths(docs))
    except Stop as stop:
        raise InputError(str(stop)) from stop
    for name, value in count(counted):
        click.echo(f"{name}\t{value}")
