"""The options of gates, shared by all commands that show scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from karat.cli.options import grouped, keep_apart

if TYPE_CHECKING:
    from karat.analysis.gates import Condition, GateOutcome
    from karat.evaluation.protocol import Bound
    from karat.evaluation.run import Run
    from karat.evaluation.scores import Scores

NAMES = ("fail_under", "fail_if_worse", "junit", "summary")
"""The parameters of gates."""

gate_options = grouped(
    click.option(
        "--fail-under",
        metavar="BOUND",
        multiple=True,
        help="Exit with 1 if the first F1 of a system is below this, or the number that is named, as in "
        "f1[regime=strict,label=PER]=0.85 (may be repeated).",
    ),
    click.option(
        "--fail-if-worse",
        metavar="RUN",
        type=click.Path(),
        multiple=True,
        help="Exit with 1 if a system is significantly worse than the one of this run file (may be repeated).",
    ),
    click.option("--junit", metavar="FILE", type=click.Path(), help="Also write the outcome of the gate as JUnit XML."),
    click.option(
        "--summary", metavar="FILE", type=click.Path(), help="Also write it as a page in Markdown, with the scores."
    ),
)
"""Options of a gate, and of the files for its outcome."""


class AskedGate(NamedTuple):
    """The conditions and baselines of a gate, checked as far as possible before anything is scored."""

    conditions: Sequence[Condition]
    baselines: Sequence[tuple[str, Run]]
    needed: Sequence[str]


def asked_gate(parameters: dict[str, Any], protocols: Iterable[Bound]) -> AskedGate:
    """Return the gate for systems of some protocols; raise an error for a condition that one of them cannot have."""
    if not any(parameters[name] for name in NAMES):
        return AskedGate((), (), ())
    from pathlib import Path

    from karat.analysis.gates import breakdowns_for, check_condition, condition
    from karat.evaluation.run_file import load

    conditions = [condition(text) for text in parameters["fail_under"]]
    pages = [name for name in ("junit", "summary") if parameters[name]]
    keep_apart(parameters["fail_if_worse"], [parameters[name] for name in pages])
    if pages and not conditions and not parameters["fail_if_worse"]:
        raise click.UsageError(f"--{pages[0]} needs a gate; add --fail-under or --fail-if-worse")
    needed: dict[str, None] = {}
    baselines = [(Path(path).name, load(path)) for path in parameters["fail_if_worse"]]
    for bound in protocols:
        for asked in conditions:
            check_condition(asked, bound)
        for name, baseline in baselines:
            if baseline.protocol != bound.name:
                told = f"--fail-if-worse {name} is a run of {baseline.protocol}"
                raise click.UsageError(f"{told}, which cannot be compared with {bound.name}")
        needed |= dict.fromkeys(breakdowns_for(conditions, bound))
    return AskedGate(conditions, baselines, list(needed))


def outcomes_at(gate: AskedGate, results: Sequence[Scores], parameters: dict[str, Any]) -> list[GateOutcome]:
    """Return the outcome of every condition for every system; raise an error for a missing number."""
    if not gate.conditions and not gate.baselines:
        return []
    from karat.analysis.gates import against, outcomes_of

    outcomes: list[GateOutcome] = []
    for run in (result.run for result in results if result.run is not None):
        outcomes += outcomes_of(run, gate.conditions, zero=parameters["zero"])
        outcomes += [against(run, baseline, name, zero=parameters["zero"]) for name, baseline in gate.baselines]
    return outcomes


def conclude(outcomes: Sequence[GateOutcome], results: Sequence[Scores], parameters: dict[str, Any]) -> int:
    """Print the failed conditions, write the requested files, and return 1 if a system failed, else 0."""
    from karat.cli import complain

    _write(outcomes, results, parameters)
    for outcome in outcomes:
        if not outcome.is_passed:
            complain(f"{outcome.system}: {outcome.sentence}")
    return 0 if all(outcome.is_passed for outcome in outcomes) else 1


def _write(outcomes: Sequence[GateOutcome], results: Sequence[Scores], parameters: dict[str, Any]) -> None:
    """Write the requested files, both or none."""
    if not parameters["junit"] and not parameters["summary"]:
        return
    from karat.cli.results import shown_rows
    from karat.display.views import gates
    from karat.io.outputs import write_whole

    pages = {"junit": gates.junit, "summary": gates.summary}
    shown = shown_rows(results, parameters)
    write_whole({parameters[name]: page(outcomes, shown) for name, page in pages.items() if parameters[name]})
