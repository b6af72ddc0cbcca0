"""``karat ehealthkd rank``: the drop-ins for score_2021.py and for evaltest of 2020 and 2019."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from karat.protocols.ehealthkd.drop_in.commands.editions import EditionCommand
from karat.protocols.ehealthkd.drop_in.commands.score import printing, warn


@click.command("rank", cls=EditionCommand)
def rank(edition: str, profile: str, **options: Any) -> None:
    """Score all submissions of a challenge and rank the teams.

    2021: the reports on standard output, and scores_2021*.csv and .json in the current folder; ROOT holds
    2021/submissions and 2021/eval. 2020 and 2019: JSON or the tables that the options ask for.

    \b
        karat ehealthkd rank
        karat ehealthkd rank --edition 2020 --mode test --best --csv --final --pretty
        karat ehealthkd rank --edition 2019 submissions testing --best --csv
    """
    from karat.protocols.ehealthkd.rules import Rules

    rules = Rules(edition=edition, corrected=profile == "corrected")
    if edition == "2021":
        _rank_2021(Path(options["root"]), rules)
        return
    text, warnings = (_rank_2020 if edition == "2020" else _rank_2019)(rules, options)
    warn(warnings)
    click.echo(text, nl=False)


def _rank_2021(root: Path, rules: Any) -> None:
    from karat.files.outputs import write_whole
    from karat.protocols.ehealthkd.drop_in.ranking2021 import rank as run

    with printing() as output:
        write_whole(run(root, rules, output))


def _rank_2020(rules: Any, options: dict[str, Any]) -> tuple[str, list[str]]:
    from karat.protocols.ehealthkd.drop_in import evaltest_reports as reports
    from karat.protocols.ehealthkd.drop_in.evaltest import Evaltest, listing

    _check(options)
    if options["plain"] and not options["csv"]:
        _require(not options["best"], "--plain lists all runs and cannot be combined with --best")
    elif options["compact"] and not options["csv"]:
        _require(options["single"], "--compact needs --single")
        _require(options["best"], "--compact needs --best")
    program = Evaltest(rules)
    golds = program.golds_2020(Path(options["gold"]), options["mode"])
    teams = program.teams_2020(Path(options["submit"]), options["mode"], options["single"], ignore=options["ignore"])
    results = {}
    for team, folder in teams:
        if runs := [program.run_2020(run, golds) for run in listing(folder)]:
            results[team] = runs
    names = [f"scenario{number}" for number in (1, 2, 3, 4)]
    best = program.best_runs(results, names) if options["best"] else {}
    if options["csv"]:
        table = reports.BestTable(best)
        places = 3 if rules.corrected else None
        if not options["final"]:
            text = f"{table.csv()}\n"
        elif options["pretty"]:
            text = "".join(f"{table.final(name, markdown=True, places=places)}\n\n" for name in names)
        else:
            text = "".join(f"{table.final(name)}\n" for name in names)
    elif options["plain"]:
        text = "".join(f"{line}\n" for line in reports.plain(results))
    elif options["compact"]:
        text = "".join(f"{line}\n" for line in reports.compact(best, options["single"]))
    else:
        text = f"{reports.as_json(best if options['best'] else results, pretty=options['pretty'])}\n"
    return text, program.warnings


def _rank_2019(rules: Any, options: dict[str, Any]) -> tuple[str, list[str]]:
    from karat.protocols.ehealthkd.drop_in import evaltest_reports as reports
    from karat.protocols.ehealthkd.drop_in.evaltest import Evaltest, listing

    _check(options)
    program = Evaltest(rules)
    golds = program.golds_2019(Path(options["gold"]))
    root = Path(options["submits"])
    results = {}
    for team in [root] if options["single"] else listing(root):
        if runs := [program.run_2019(run, golds) for run in listing(team)]:
            results[team.name] = runs
    names = [f"scenario{number}" for number in (1, 2, 3)]
    best = program.best_runs(results, names) if options["best"] else {}
    if not options["csv"]:
        text = f"{reports.as_json(best if options['best'] else results, pretty=options['pretty'])}\n"
    elif options["final"]:
        text = "".join(f"{reports.BestTable(best).final(name)}\n" for name in names)
    else:
        table = reports.BestTable(best)
        text = f"{table.html() if options['pretty'] else table.csv()}\n"
    return text, program.warnings


def _check(options: dict[str, Any]) -> None:
    _require(options["best"] or not options["csv"], "--csv needs --best")
    _require((options["csv"] and options["best"]) or not options["final"], "--final needs --csv and --best")


def _require(condition: object, message: str) -> None:
    if not condition:
        raise click.UsageError(message)
