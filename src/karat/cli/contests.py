"""``karat compare``, and the parameters that it shares with ``karat leaderboard``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from karat.analysis.statistics.intervals import METHODS, Bootstrap, Method
from karat.cli.options import (
    READING,
    ProtocolCommand,
    given,
    gold_argument,
    grouped,
    keep_apart,
    protocol_argument,
    reading_options,
    readings_of,
    refuse,
    systems_argument,
)
from karat.cli.results import (
    VIEWS,
    ZERO_OPTION,
    bootstrap_of,
    complete_breakdowns,
    draw_options,
    measure_option,
    present_text,
    view_options,
)

if TYPE_CHECKING:
    from karat.analysis.comparison import Contest, Test
    from karat.analysis.comparison.items import Changes, ItemComparison
    from karat.evaluation.run import Run


EXIT_STATUS = "Exit status: 0, 2 for a wrong command line, 3 for input that cannot be scored or compared."


class ContestCommand(ProtocolCommand):
    """A command that takes PROTOCOL, GOLD and systems, or run files alone."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters; if the first word is not a protocol, all words are run files."""
        own = super().get_params(ctx)
        if ctx.meta.get("karat.protocols") or not ctx.meta.get("karat.words"):
            return own
        return [parameter for parameter in own if parameter.name not in ("protocol", "gold")]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse after deciding whether the first word is a protocol or a run file."""
        words = [word for word in args if not word.startswith("-")]
        ctx.meta["karat.words"] = words
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the usage line, with PROTOCOL and GOLD as optional."""
        del ctx
        return ["[OPTIONS]", "[PROTOCOL GOLD]", "SYSTEM…"]


def contest_bootstrap(parameters: dict[str, Any]) -> tuple[Bootstrap, Method]:
    """Return how intervals of scores are computed, and the method for differences."""
    asked: Method | None = parameters["ci_method"]
    return bootstrap_of(parameters | {"ci_method": asked or "studentised"}), asked or "widened"


contest_options = grouped(
    click.option(
        "--test",
        type=click.Choice(("randomisation", "bootstrap", "t")),
        default="randomisation",
        help="How differences are tested (default: randomisation, by swapping units between systems).",
    ),
    view_options(VIEWS),
    click.option(
        "--ci-method",
        type=click.Choice([method for method in METHODS if method != "wilson"]),
        help="Of intervals (default: studentised for scores, widened for differences).",
    ),
    draw_options,
    ZERO_OPTION,
    measure_option,
    reading_options,
)
"""Options of comparisons: the test, the bootstrap, the view, and how files are read."""


def runs_of(systems: Sequence[str], parameters: dict[str, Any]) -> dict[str, list[Run]]:
    """Return the runs of each system by name: scored now if a protocol is given, else read from run files."""
    if not parameters.get("protocol"):
        refuse(READING, "has no effect on run files; leave it out")
    named = named_systems(systems)
    files = [file for several in named.values() for file in several]
    runs = iter(ScoredHere(files, parameters).runs() if parameters.get("protocol") else _loaded(files))
    return {name: [next(runs) for _ in several] for name, several in named.items()}


def named_systems(words: Sequence[str]) -> dict[str, list[str]]:
    """Return the files of each system by name; the default name is the file name, without endings if all differ."""
    from karat.errors import UsageError

    systems = [_named(word) for word in words]
    short = [name if is_given else _plain(name) for name, _, is_given in systems]
    names = short if len(set(short)) == len(short) else [name for name, _, _ in systems]
    named = {name: files for name, (_, files, _) in zip(names, systems, strict=True)}
    if len(named) < len(words):
        raise UsageError("two systems have the same name; give each its own with NAME=FILE")
    return named


def _named(word: str) -> tuple[str, list[str], bool]:
    """Return the name of a system and its files, NAME=FILE,FILE or a file, and whether the name was given."""
    from pathlib import Path

    name, equals, files = word.partition("=")
    if not equals or _is_there(word):
        return Path(word).name, [word], False
    return name, [files] if _is_there(files) else files.split(","), True


_ENDING = re.compile(r"(?<=.)(\.[A-Za-z][A-Za-z0-9]{0,5}){1,3}$")
"""File endings that name a format, which are not part of the name of a system."""


def _plain(name: str) -> str:
    """Return the name of a file without its endings.

    >>> _plain("team1.tsv.karat"), _plain("v1.2")
    ('team1', 'v1.2')
    """
    return _ENDING.sub("", name)


def _is_there(path: str) -> bool:
    from pathlib import Path

    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _loaded(files: Sequence[str]) -> list[Run]:
    from karat.evaluation.registry import unknown_protocol
    from karat.evaluation.run_file import load

    first = files[0]
    if not _is_there(first) and not first.endswith(".karat"):
        raise unknown_protocol(first)
    return [load(file) for file in files]


class ScoredHere:
    """Gold and systems that are scored now."""

    def __init__(self, files: Sequence[str], parameters: dict[str, Any]) -> None:
        from karat.analysis.slices.breakdowns import breakdowns
        from karat.analysis.slices.slicer import slicer_for
        from karat.evaluation.corpora import load
        from karat.evaluation.registry import protocol as protocol_named

        gold = parameters["gold"]
        keep_apart((gold, *files))
        protocol = protocol_named(parameters["protocol"])
        self.bound = protocol.with_options(given(protocol.options, parameters))
        readings = readings_of(parameters, len(files))
        self.reading = readings[0]
        self.gold, *self.systems = load(self.bound, [gold, *files], readings)
        asked = breakdowns(parameters.get("by") or None)
        self.slicer = slicer_for(self.bound, asked, self.gold, self.reading)

    def runs(self) -> list[Run]:
        """Return the run of each system."""
        from karat.evaluation.tasks import run_of

        return [run_of(self.bound, self.gold, system, slicer=self.slicer) for system in self.systems]

    def compared(self) -> tuple[list[Run], ItemComparison]:
        """Return the runs of two systems, and their items, compared while the second system is scored."""
        from karat.analysis.comparison.items import ItemComparison
        from karat.evaluation.tasks import run_of

        items = ItemComparison(self.slicer)
        runs = [
            run_of(
                self.bound,
                self.gold,
                system,
                slicer=self.slicer,
                witness=lambda ledger, add=add: add(ledger.unit, ledger.entries),
            )
            for system, add in zip(self.systems, (items.add_first, items.add_second), strict=True)
        ]
        return runs, items


@click.command(
    cls=ContestCommand,
    epilog=EXIT_STATUS,
)
@protocol_argument
@gold_argument
@systems_argument()
@click.option(
    "--row",
    "rows",
    metavar="NAME",
    multiple=True,
    help="A number to compare, as f1[regime=strict] (may be repeated; default: the main ones of two systems, else F1).",
)
@click.option(
    "--by",
    metavar="WHAT",
    multiple=True,
    shell_complete=complete_breakdowns,
    help="Also compare each label, document, value of a KEY of the metadata, or part by a feature, as in karat score "
    "--by; with one SYSTEM, its parts with each other (may be repeated).",
)
@contest_options
def compare(*, systems: tuple[str, ...], **parameters: Any) -> None:
    """Compare SYSTEMs: all pairs, with intervals and tests, over shared resamples.

    Give PROTOCOL, GOLD and the systems, or run files from karat score --save. NAME=FILE gives a system a name,
    and NAME=FILE,FILE,… gives several runs of one system, such as runs with different seeds.

    \b
        karat compare hipe2022-nerc-coarse gold.tsv system-a.tsv system-b.tsv
        karat compare a.karat b.karat c.karat --by label
        karat compare hipe2022-nel gold.tsv base=base.tsv ours=seed1.tsv,seed2.tsv,seed3.tsv
    """
    from karat.analysis.comparison import compare as compared
    from karat.display.views.contest import render

    test: Test = parameters["test"]
    bootstrap, method = contest_bootstrap(parameters)
    named = named_systems(systems)
    files = [file for several in named.values() for file in several]
    has_items = bool(parameters.get("protocol")) and len(named) == len(files) == 2
    runs: dict[str, Any]
    comparison = None
    if has_items:
        scored, comparison = ScoredHere(files, parameters).compared()
        runs = dict(zip(named, scored, strict=True))
    else:
        runs = runs_of(systems, parameters)
    contest = compared(
        runs,
        rows=parameters["rows"],
        by=parameters["by"] or None,
        test=test,
        ci=bootstrap,
        difference_method=method,
        zero=parameters["zero"],
        measures=parameters["measures"],
    )
    items = _items(contest, comparison) if comparison else None
    parts = _parts(items, next(iter(runs.values())), parameters["by"]) if items else None
    present_text(lambda view, screen: render(contest, view, screen=screen, items=items, parts=parts), parameters)


def _items(contest: Contest, comparison: ItemComparison) -> Changes | None:
    """Return the items on which two systems differ in the headline number, or None if they cannot be determined."""
    first, second = contest.systems[:2]
    headline = contest.row(first, contest.headline)
    changes = comparison.changes(first, second, headline)
    return changes if changes.items or not headline.slice else None


def _parts(items: Changes, run: Any, by: Sequence[str]) -> dict[str, dict[str, tuple[int, int, int]]]:
    """Return the counts of changed items by the values of each breakdown."""
    from karat.analysis.slices.breakdowns import breakdowns

    return {"slice": items.by_slice()} | {breakdown.name: items.parts(breakdown, run) for breakdown in breakdowns(by)}
