"""``karat score`` scores systems against gold by a published protocol; ``karat show`` shows saved runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click

from karat.cli.gates import NAMES as GATE
from karat.cli.gates import AskedGate, asked_gate, conclude, gate_options, outcomes_at
from karat.cli.options import (
    ProtocolCommand,
    given,
    gold_argument,
    keep_apart,
    protocol_argument,
    reading_options,
    readings_of,
    refuse,
    systems_argument,
)
from karat.cli.results import INTERVALS, asked_intervals, identifies, present, present_text, result_options

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager

    from karat.evaluation.corpus import Corpus
    from karat.evaluation.protocol import Bound, Facts
    from karat.evaluation.run import Run


@click.command(
    cls=ProtocolCommand,
    epilog="Exit status: 0, 1 if a gate fails, 2 for a wrong command line, 3 for input that cannot be scored.",
)
@protocol_argument
@gold_argument
@systems_argument()
@click.option(
    "--family",
    metavar="TASK",
    help="Instead of a PROTOCOL: all of a task side by side (entities, linking, coreference, relations, triples).",
)
@result_options
@click.option(
    "--save",
    metavar="FILE",
    type=click.Path(),
    help="Keep the run in a file, for karat show and what else needs no annotations; of several systems in a folder.",
)
@click.option(
    "--facts",
    metavar="FILE",
    type=click.Path(),
    help="What karat facts has gathered of all shards; GOLD and SYSTEM are some of them.",
)
@gate_options
@click.option("--strict", is_flag=True, help="Fail if gold or system has nothing to score (default: a note).")
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="Processes that score shards and systems (default: as many as pay).",
)
@click.option(
    "--cluster", metavar="ADDRESS", help="Let the workers of a Dask cluster do it, whose scheduler has this address."
)
@reading_options
def score(*, gold: str, systems: tuple[str, ...], protocol: str = "", **parameters: Any) -> int:
    """Score one or more SYSTEMs against GOLD by a PROTOCOL.

    Files may be of any format, also different ones for gold and system. Each may be several files (shards): a folder or
    a quoted pattern. Every result ends with its signature: settings, version and data digests.

    \b
        karat score hipe2022-nerc-coarse gold.tsv system.tsv
        karat score hipe2022-nel gold.tsv run1.tsv run2.tsv --n-best 1,3 --ci
        karat score hipe2022-nerc-coarse gold/ system/ --from brat --by label
        karat score conll2003 'gold/*.conll' 'system/*.conll' --workers 8
        karat score conll2003 gold.conll system.conll --by length --by seen=train.conll --ci
        karat score omin-head-nel gold.csv results.csv --system-format refined
        karat score coref gold.conll system.jsonl
        karat score tac2015-sf queries.xml pool.fqec run1.tab.txt run2.tab.txt
        karat score --family entities gold.conll system.conll
    """
    if parameters["family"] is not None:
        _show_family(parameters["family"], gold, systems, parameters)
        return 0
    from karat.analysis.slices.breakdowns import breakdowns
    from karat.analysis.slices.slicer import slicer_for
    from karat.analysis.summary import check_request
    from karat.evaluation.corpora import load
    from karat.evaluation.registry import protocol as protocol_named
    from karat.evaluation.tasks import runs_of

    saved = _run_files(parameters["save"], systems)
    if parameters["facts"] and len(systems) > 1:
        raise click.UsageError("--facts is about one system; give one")
    parameters["ci"] = asked_intervals(parameters)
    declared = protocol_named(protocol)
    bound = declared.with_options(given(declared.options, parameters)).asking(parameters["measures"])
    gate = asked_gate(parameters, [bound])
    asked = breakdowns([*parameters["by"], *_not_yet(gate.needed, parameters["by"])])
    files = [breakdown.file for breakdown in asked if breakdown.file]
    keep_apart([gold, *systems, *files], [parameters["out"], *saved])
    check_request(parameters["zero"])
    readings = readings_of(parameters, len(systems))
    sides = load(bound, [gold, *systems], readings)
    told = _facts(parameters["facts"], bound, sides)
    slicer = slicer_for(bound, asked, sides[0], readings[0])
    with _executor(parameters, sides) as executor:
        runs = runs_of(
            bound,
            sides[0],
            sides[1:],
            strict=parameters["strict"],
            facts=told,
            slicer=slicer,
            executor=executor,
            identify=bool(saved or gate.baselines) or identifies(parameters),
        )
    return _shown(runs, gate, parameters, saved)


def _shown(runs: Sequence[Run], gate: AskedGate, parameters: dict[str, Any], saved: Sequence[str] = ()) -> int:
    """Print the scores of runs (``saved`` are their files), and return 1 if one does not pass the gate, else 0."""
    from karat.analysis.summary import scores_of
    from karat.evaluation.run import declared

    asked = {name: parameters[name] for name in ("by", "ci", "zero")}
    results = [scores_of(run, declared(run).asking(parameters["measures"]), **asked) for run in runs]
    outcomes = outcomes_at(gate, results, parameters)
    if saved:
        from karat.evaluation.run_file import packed
        from karat.io.outputs import write_whole

        write_whole({path: packed(run) for path, run in zip(saved, runs, strict=True)}, folders=len(saved) > 1)
    present(results, parameters)
    return conclude(outcomes, results, parameters)


def _not_yet(needed: Sequence[str], by: Sequence[str]) -> list[str]:
    """Return the breakdowns that a gate needs and that were not requested otherwise."""
    return [name for name in needed if name not in {text.partition("=")[0] for text in by}]


def _show_family(task: str, gold: str, systems: tuple[str, ...], parameters: dict[str, Any]) -> None:
    """Print the scores of each system by all protocols of a task, side by side."""
    from karat.analysis.side_by_side import family_of
    from karat.analysis.summary import check_request
    from karat.display.views.family import render_family

    of_one_protocol = ("by", "ci", "measures", *INTERVALS, "save", "facts", "workers", "cluster", *GATE)
    refuse(of_one_protocol, "needs one protocol; name it instead of --family")
    keep_apart([gold, *systems], [parameters["out"]])
    check_request(parameters["zero"])
    readings = readings_of(parameters)
    ask = {name: parameters[name] for name in ("everything", "zero", "strict")}
    families = [family_of(task, [gold, system], readings, **ask) for system in systems]
    present_text(lambda view, shown_on: render_family(view, families, shown_on), parameters)


def _executor(parameters: dict[str, Any], sides: Sequence[Corpus]) -> AbstractContextManager[Executor | None]:
    """Return who judges several tasks: processes of this machine, or the workers of a cluster."""
    if parameters["cluster"] is not None:
        if parameters["workers"] is not None:
            raise click.UsageError("--workers is about this machine, --cluster about others; give one of them")
        from karat.evaluation.workers import cluster

        return cluster(parameters["cluster"])
    if len(sides) == 2 and len(sides[0].shards) == 1:
        return nullcontext()
    from karat.evaluation.workers import Processes

    return Processes(parameters["workers"])


def _facts(path: str | None, bound: Bound, sides: list[Corpus]) -> Facts | None:
    """Return the facts of a file, if one is given."""
    if path is None:
        return None
    from karat.evaluation.facts_file import head_of, load

    return load(path, head_of(bound, *sides), bound)


def _run_files(save: str | None, systems: tuple[str, ...]) -> list[str]:
    """Return the run file of each system: the given file, or one in the given folder with the name of the system."""
    if save is None:
        return []
    from pathlib import Path

    from karat.io import is_folder

    if not save.endswith(("/", "\\")) and not is_folder(save):
        if len(systems) > 1:
            raise click.UsageError(f"--save {save} names one file for {len(systems)} systems; give a folder/")
        return [save]
    files = [str(Path(save, f"{_file_name(system)}.karat")) for system in systems]
    if len(set(files)) < len(files):
        raise click.UsageError("two systems have the same name, so their run files would, too; save them one by one")
    return files


def _file_name(system: str) -> str:
    """Return the name of a system as that of a file; one that is a pattern is called without it."""
    from pathlib import Path

    return re.sub(r"[*?\[\]]", "", Path(system).name).lstrip(".") or Path(system).parent.name or "system"


@click.command(
    epilog="Exit status: 0, 1 if a gate fails, 2 for a wrong command line, 3 for a file that is no run or is damaged."
)
@click.argument("runs", metavar="RUN…", type=click.Path(), nargs=-1, required=True)
@result_options
@gate_options
def show(*, runs: tuple[str, ...], **parameters: Any) -> int:
    """Show the scores of one or more RUNs, which karat score --save has written.

    Nothing is scored again: rows, intervals and breakdowns come from the counts in the file and are the same that
    karat score would print.

    \b
        karat score hipe2022-nel gold.tsv system.tsv --save run.karat
        karat show run.karat --by label --ci
        karat show run.karat --fail-under f1[label=PER]=0.85 --fail-if-worse before.karat
    """
    from karat.evaluation.run import declared
    from karat.evaluation.run_file import load

    parameters["ci"] = asked_intervals(parameters)
    loaded = [load(path) for path in runs]
    return _shown(loaded, asked_gate(parameters, map(declared, loaded)), parameters)
