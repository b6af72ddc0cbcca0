"""``karat ehealthkd``: drop-ins for the programs of the eHealth-KD challenges, with their option names."""

from __future__ import annotations

from typing import Any

import click

from karat.cli import LazyGroup
from karat.cli.legacy import profile_option
from karat.protocols.ehealthkd.drop_in.editions import EditionCommand

COMMANDS = {
    "score": (f"{__name__}:score", "Score a submission (score.py of 2021, 2020 and 2019)."),
    "rank": (f"{__name__}:rank", "Score and rank all submissions (score_2021.py; evaltest of 2020 and 2019)."),
    "codalab": (f"{__name__}:codalab", "Score a submission as the competition server of 2019 did (eval.py)."),
}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def ehealthkd() -> None:
    """eHealth-KD 2021, 2020 and 2019: the organisers' programs under their own option names.

    People with old scripts change only the program name, and name the edition if it is not 2021:

    \b
        karat ehealthkd score --gold 2021/eval/testing --submit submissions/team/testing
        karat ehealthkd score --edition 2020 gold/scenario.txt submission/scenario.txt --skip-B
        karat ehealthkd rank --edition 2020 --mode test --best --csv --final
    """


@click.command("score", cls=EditionCommand)
def score(edition: str, profile: str, gold: str, submit: str, verbose: bool, **others: Any) -> int:
    """Score a submission as score.py does: the report on standard output, the summary of 2021 on standard error.

    \b
        karat ehealthkd score --gold 2021/eval/testing --submit team/testing --runs 1 2
        karat ehealthkd score --edition 2020 gold/scenario.txt team/scenario.txt --skip-B
        karat ehealthkd score --edition 2019 gold/input_scenario1.txt team/output_scenario1.txt
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.ehealthkd.rules import Rules

    rules = Rules(edition=edition, corrected=profile == "corrected")
    if edition == "2021":
        from karat.protocols.ehealthkd.drop_in import score_2021

        result = score_2021.evaluate(score_2021.read(gold, submit, others["scenarios"], others["runs"], rules))
        return deliver(score_2021.printed(result, others["prefix"], verbose=verbose))
    from karat.protocols.ehealthkd.drop_in.score_2020 import evaluate, printed, read

    asked = read(gold, submit, rules, skip_a=others["skip_a"], skip_b=others["skip_b"])
    return deliver(printed(evaluate(asked), verbose=verbose))


@click.command("rank", cls=EditionCommand)
def rank(edition: str, profile: str, **options: Any) -> int:
    """Score all submissions of a challenge and rank the teams.

    2021: the reports on standard output, and scores_2021*.csv and .json in the current folder; ROOT holds
    2021/submissions and 2021/eval. 2020 and 2019: JSON or the tables that the options ask for.

    \b
        karat ehealthkd rank
        karat ehealthkd rank --edition 2020 --mode test --best --csv --final --pretty
        karat ehealthkd rank --edition 2019 submissions testing --best --csv
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.ehealthkd.rules import Rules

    rules = Rules(edition=edition, corrected=profile == "corrected")
    if edition == "2021":
        from karat.protocols.ehealthkd.drop_in import rank_2021

        return deliver(rank_2021.printed(rank_2021.evaluate(rank_2021.read(options["root"], rules))))
    from karat.protocols.ehealthkd.drop_in.rank_2020 import evaluate, printed, read

    _require(options["best"] or not options["csv"], "--csv needs --best")
    _require((options["csv"] and options["best"]) or not options["final"], "--final needs --csv and --best")
    if edition == "2020":
        if options["plain"] and not options["csv"]:
            _require(not options["best"], "--plain lists all runs and cannot be combined with --best")
        elif options["compact"] and not options["csv"]:
            _require(options["single"], "--compact needs --single")
            _require(options["best"], "--compact needs --best")
    return deliver(printed(evaluate(read(options, rules), best=options["best"]), options))


def _require(condition: object, message: str) -> None:
    if not condition:
        raise click.UsageError(message)


@click.command()
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@profile_option("As the published program does, or with its known faults corrected.")
def codalab(source: str, target: str, profile: str) -> int:
    """Score the submission in IN/res against the gold in IN/ref, and write OUT/scores.txt.

    \b
        karat ehealthkd codalab input output
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.ehealthkd.drop_in.codalab import evaluate, printed, read
    from karat.protocols.ehealthkd.rules import Rules

    submission = read(source, Rules(edition="2019", corrected=profile == "corrected"))
    return deliver(printed(evaluate(submission), target))
