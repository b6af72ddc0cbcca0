"""``karat show``: the scores of run files, without any annotations."""

from __future__ import annotations

from typing import Any

import click

from karat.cli.gates import asked_gate, conclude, gate_options, outcomes_at
from karat.cli.results import bootstrap_of, present, result_options


@click.command(
    epilog="Exit status: 0, 1 if a gate fails, 2 for a wrong command line, 3 for a file that is no run or is damaged."
)
@click.argument("runs", metavar="RUN…", type=click.Path(), nargs=-1, required=True)
@result_options
@gate_options
def show(*, runs: tuple[str, ...], **parameters: Any) -> int:
    """Show the scores of one or more RUNs, which karat score --save has kept.

    Nothing is scored again: rows, intervals and breakdowns come from the counts in the file, and are those that
    karat score would print.

    \b
        karat score hipe2022-nel gold.tsv system.tsv --save run.karat
        karat show run.karat --by label --ci
        karat show run.karat --fail-under f1[label=PER]=0.85 --fail-if-worse before.karat
    """
    from karat.runs.file import load
    from karat.runs.run import declared, scores_of

    loaded = [load(path) for path in runs]
    gate = asked_gate(parameters, map(declared, loaded))
    asked = {"by": parameters["by"], "ci": parameters["ci"] and bootstrap_of(parameters), "zero": parameters["zero"]}
    results = [scores_of(run, declared(run), **asked) for run in loaded]
    outcomes = outcomes_at(gate, results, parameters)
    present(results, parameters)
    return conclude(outcomes, results, parameters)
