"""``karat leaderboard``: systems ranked by a number, with intervals and statistical ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.cli.contests import EXIT_STATUS, ContestCommand, contest_bootstrap, contest_options, named_systems, runs_of
from karat.cli.options import given, gold_argument, protocol_argument, refuse, systems_argument
from karat.cli.results import INTERVALS, present_text

if TYPE_CHECKING:
    from karat.evaluation.run import Run
    from karat.evaluation.scores import Row


@click.command(
    cls=ContestCommand,
    epilog=EXIT_STATUS,
)
@protocol_argument
@gold_argument
@systems_argument(required=False)
@click.option(
    "--sort", metavar="NAME", default="", help="The number to rank by, as f1[regime=fuzzy] (default: the first F1)."
)
@click.option(
    "--golds",
    is_flag=True,
    help="GOLD is a folder of gold files; each gets a leaderboard of the systems on its documents.",
)
@click.option("--ci/--no-ci", default=True, help="With intervals, ranks and groups, or plain ranks.")
@click.option(
    "--intervals/--no-intervals", default=True, help="Show intervals, or only the ranks and ties that follow from them."
)
@click.option(
    "--codabench",
    metavar="FILE",
    type=click.Path(),
    help="Write a bundle for Codabench with GOLD and a scoring program; systems need not be given.",
)
@contest_options
def leaderboard(*, systems: tuple[str, ...], **parameters: Any) -> None:
    """Rank SYSTEMs by a number, with intervals, the range of ranks of each, and statistical ties.

    Give PROTOCOL, GOLD and the systems, or run files. A single folder stands for all files in it: the submissions, or
    the run files, to which another can be added at any time. Files with an ending that no submission has, such as a
    README, are left out, and a note names them. A system whose number is undefined is never ranked.

    \b
        karat leaderboard hipe2022-nerc-coarse gold.tsv submissions/ -o board.html
        karat leaderboard runs/ --sort "f1[regime=fuzzy]"
        karat leaderboard hipe2022-nerc-coarse gold.tsv submissions/ -o table.tex --no-intervals
    """
    from karat.analysis.comparison import leaderboard as ranked
    from karat.display.views.leaderboard import render

    if parameters["codabench"]:
        _check_bundle(parameters)
    if not systems:
        if not parameters["codabench"]:
            raise click.UsageError("Missing argument 'SYSTEM…'.")
        board = ("view", "out", "opens", "ci", "intervals", "test", *INTERVALS)
        refuse(board, "needs systems; give some, or leave it out")
        _write_bundle(parameters)
        return
    if not parameters["ci"]:
        refuse(("test", *INTERVALS), "needs intervals; leave --no-ci out")
    bootstrap, _ = contest_bootstrap(parameters)
    options: dict[str, Any] = {name: parameters[name] for name in ("sort", "test", "zero", "measures")}
    boards = [
        ranked(runs, ci=bootstrap if parameters["ci"] else False, gold=gold, **options)
        for gold, runs in _by_gold(_submissions(systems, parameters), parameters).items()
    ]
    if parameters["codabench"]:
        _write_bundle(parameters)
    shows = parameters["intervals"]
    present_text(lambda view, screen: render(boards, view, screen=screen, intervals=shows), parameters)


def _submissions(words: Sequence[str], parameters: Mapping[str, Any]) -> list[str]:
    """Return the files of systems; a single folder stands for the files in it."""
    from karat.cli.folders import files_in, runs_in
    from karat.io import is_folder

    if len(words) > 1 or not is_folder(words[0]):
        return list(words)
    if not parameters.get("protocol"):
        return runs_in(words[0])
    return files_in(words[0], parameters["system_format"] or parameters["source_format"], what="submissions")


def _by_gold(words: Sequence[str], parameters: dict[str, Any]) -> dict[str, dict[str, list[Run]]]:
    """Return the runs of each system on each gold; there are several golds with --golds."""
    if not parameters["golds"]:
        return {"": runs_of(words, parameters)}
    from karat.cli.folders import golds_of
    from karat.errors import UsageError

    if not parameters.get("protocol"):
        raise UsageError("--golds has no effect on run files; give PROTOCOL, a folder of gold files, and systems")

    by_gold = golds_of(named_systems(words), parameters)
    return {gold: runs_of(own, parameters | {"gold": path}) for (gold, path), own in by_gold.items()}


def _check_bundle(parameters: Mapping[str, Any]) -> None:
    """Raise an error, before anything is read, if no bundle can be made from the parameters."""
    from karat.errors import UsageError

    if not parameters.get("protocol"):
        raise UsageError("a bundle for Codabench is made of PROTOCOL and GOLD, not of run files")
    if parameters["golds"]:
        raise UsageError("a bundle for Codabench has one gold; make one for each, without --golds")


def _write_bundle(parameters: Mapping[str, Any]) -> None:
    """Write the bundle: the gold, files that options name, and which numbers are shown."""
    from karat import __version__
    from karat.display.views.codabench import Competition, bundle
    from karat.evaluation.registry import protocol as protocol_named
    from karat.evaluation.scores import f_measures_in, row_named, rows_of
    from karat.evaluation.tally import Tallies
    from karat.io.outputs import write_whole

    chosen = protocol_named(parameters["protocol"])
    given_options = given(chosen.options, dict(parameters))
    asked = [*parameters["measures"], *f_measures_in([parameters["sort"]] if parameters["sort"] else [])]
    bound = chosen.with_options(given_options).asking(asked)
    files = _named_files(chosen.options, given_options)
    rows = rows_of(bound, Tallies([], [])) or _rows_of_gold(dict(parameters), bound.measures)
    main = list(filter(bound.main.includes, rows)) or list(rows)
    first = (
        row_named(rows, parameters["sort"]) if parameters["sort"] else next(row for row in main if row.measure == "f1")
    )
    readings = {"format": parameters["source_format"], "system_format": parameters["system_format"]}
    settings = {name: value for name, value in readings.items() if value} | {
        name: value for name, value in given_options.items() if name not in files
    }
    if parameters["read_settings"]:
        settings["read"] = dict(parameters["read_settings"])
    if parameters["share_links"]:
        settings["share_links"] = True
    if parameters["zero"] != "undefined":
        settings["zero"] = parameters["zero"]
    if bound.measures:
        settings["measures"] = list(bound.measures)
    competition = Competition(
        chosen.name,
        chosen.title,
        __version__,
        settings,
        [first, *(row for row in main if row.name != first.name)],
        _contents(parameters["gold"]),
        dict(files.values()),
    )
    write_whole({parameters["codabench"]: bundle(competition)})


def _rows_of_gold(parameters: dict[str, Any], measures: Sequence[str]) -> Sequence[Row]:
    """Return the numbers of the gold scored against itself; its layers determine which there are."""
    runs = runs_of([f"gold={parameters['gold']}"], parameters | {"system_format": None})
    return runs["gold"][0].scores(measures=measures).rows


def _named_files(options: type[Any], settings: Mapping[str, Any]) -> dict[str, tuple[str, bytes]]:
    """Return the files that options name, under names that begin with the name of the option."""
    from dataclasses import fields
    from pathlib import Path

    from karat.io import open_packed

    files = {}
    for option in fields(options):
        is_file = option.metadata.get("argument") or option.metadata.get("metavar") == "FILE"
        if is_file and option.name in settings:
            path = Path(settings[option.name])
            with open_packed(path) as stream:
                files[option.name] = (option.name + path.suffix, stream.read())
    return files


def _contents(gold: str) -> dict[str, bytes]:
    """Return the file of a gold, or all files of its folder, by their names in it."""
    from pathlib import Path

    from karat.io import is_folder, open_packed, remember_input

    remember_input(gold)
    paths = {Path(gold).name: Path(gold)}
    if is_folder(gold):
        files = (path for path in sorted(Path(gold).rglob("*")) if path.is_file())
        paths = {path.relative_to(gold).as_posix(): path for path in files}
    contents = {}
    for name, path in paths.items():
        with open_packed(path) as stream:
            contents[name] = stream.read()
    return contents
