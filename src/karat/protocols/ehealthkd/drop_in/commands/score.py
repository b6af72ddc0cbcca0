"""``karat ehealthkd score``: the drop-in for score.py."""

from __future__ import annotations

import click

from karat.protocols.ehealthkd.drop_in.commands.editions import EditionCommand


@click.command("score", cls=EditionCommand)
def score(edition: str, profile: str, gold: str, submit: str, verbose: bool, **others: object) -> None:
    """Score a submission as score.py does: the report on standard output, the summary of 2021 on standard error.

    \b
        karat ehealthkd score --gold 2021/eval/testing --submit team/testing --runs 1 2
        karat ehealthkd score --edition 2020 gold/scenario.txt team/scenario.txt --skip-B
        karat ehealthkd score --edition 2019 gold/input_scenario1.txt team/output_scenario1.txt
    """
    from pathlib import Path

    from karat.protocols.ehealthkd.drop_in.scenarios import score_file, score_runs, summary
    from karat.protocols.ehealthkd.options import Rules

    rules = Rules(edition=edition, corrected=profile == "corrected")
    lines: list[str] = []
    if edition == "2021":
        report = score_runs(
            Path(gold),
            Path(submit),
            others["scenarios"],  # type: ignore[arg-type]
            others["runs"],  # type: ignore[arg-type]
            rules,
            verbose=verbose,
        )
        text, warnings = report.text, report.warnings
        lines = summary(report.runs, str(others["prefix"]), best=rules.corrected)
    else:
        skips = {"skip_a": bool(others["skip_a"]), "skip_b": bool(others["skip_b"])}
        text, warnings, _ = score_file(Path(gold), Path(submit), rules, verbose=verbose, **skips)
    warn(warnings)
    click.echo(text, nl=False)
    click.echo("".join(f"{line}\n" for line in lines), err=True, nl=False)


def warn(warnings: list[str]) -> None:
    """Print warnings, each only once, as Python does."""
    for message in dict.fromkeys(warnings):
        click.echo(f"UserWarning: {message}", err=True)
