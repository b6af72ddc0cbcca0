"""``karat ehealthkd score``: the drop-in for score.py."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from karat.protocols.ehealthkd.drop_in.commands.editions import EditionCommand

if TYPE_CHECKING:
    from karat.protocols.ehealthkd.drop_in.report import Output


@click.command("score", cls=EditionCommand)
def score(edition: str, profile: str, gold: str, submit: str, verbose: bool, **others: object) -> None:
    """Score a submission as score.py does: the report on standard output, the summary of 2021 on standard error.

    \b
        karat ehealthkd score --gold 2021/eval/testing --submit team/testing --runs 1 2
        karat ehealthkd score --edition 2020 gold/scenario.txt team/scenario.txt --skip-B
        karat ehealthkd score --edition 2019 gold/input_scenario1.txt team/output_scenario1.txt
    """
    from karat.protocols.ehealthkd.drop_in.scenarios import score_file, score_runs, summary
    from karat.protocols.ehealthkd.rules import Rules

    rules = Rules(edition=edition, corrected=profile == "corrected")
    with printing() as output:
        if edition == "2021":
            runs = score_runs(
                gold,
                submit,
                others["scenarios"],  # type: ignore[arg-type]
                others["runs"],  # type: ignore[arg-type]
                rules,
                output,
                verbose=verbose,
            )
            output.summary += summary(runs, str(others["prefix"]), best=rules.corrected)
        else:
            skips = {"skip_a": bool(others["skip_a"]), "skip_b": bool(others["skip_b"])}
            score_file(gold, submit, rules, output, verbose=verbose, **skips)


@contextmanager
def printing() -> Iterator[Output]:
    """Print what a program says, also where it stops in the middle, as the published ones do."""
    from karat.protocols.ehealthkd.drop_in.report import Output

    output = Output()
    try:
        yield output
    finally:
        warn(output.warnings)
        click.echo("".join(output.text), nl=False)
        click.echo("".join(f"{line}\n" for line in output.summary), err=True, nl=False)


def warn(warnings: list[str]) -> None:
    """Print warnings, each only once, as Python does."""
    for message in dict.fromkeys(warnings):
        click.echo(f"UserWarning: {message}", err=True)
