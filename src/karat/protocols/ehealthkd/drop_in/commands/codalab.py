"""``karat ehealthkd codalab``: the drop-in for eval.py of the competition server of 2019."""

from __future__ import annotations

from pathlib import Path

import click

from karat.protocols.ehealthkd.drop_in.commands.score import warn


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--profile",
    type=click.Choice(("published", "corrected")),
    default="published",
    show_default=True,
    help="As the published program does, or with its known faults corrected.",
)
def codalab(source: str, target: str, profile: str) -> None:
    """Score the submission in IN/res against the gold in IN/ref, and write OUT/scores.txt.

    \b
        karat ehealthkd codalab input output
    """
    from karat.files.outputs import write_folder
    from karat.protocols.ehealthkd.drop_in.codalab import evaluate_submission
    from karat.protocols.ehealthkd.rules import Rules

    text, warnings = evaluate_submission(Path(source), Rules(edition="2019", corrected=profile == "corrected"))
    write_folder(target, {"scores.txt": text})
    warn(warnings)
