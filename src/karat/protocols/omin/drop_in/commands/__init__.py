"""``karat omin``: drop-ins for the evaluation programs of OMIn (nd-crane/trusted_ke), with their option names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from karat.cli import LazyGroup, complain

if TYPE_CHECKING:
    from collections.abc import Callable

    from karat.protocols.omin.drop_in.printing import PrintedReport

F = TypeVar("F", bound="Callable[..., Any]")

COMMANDS = {
    "ner": (f"{__name__}.ner:ner", "Score named entities (ner_semeval.py; ner_eval.py with --profile seed)."),
    "coref": (f"{__name__}.coref:coref", "Score coreference chains (cr_eval.py)."),
    "nel": (f"{__name__}.nel:nel", "Score entity links (nel_eval.py)."),
    "evaluate": (f"{__name__}.evaluate:evaluate", "Compare all tools: every table of the automatic evaluation."),
}
PROFILES = ("head", "seed", "corrected")


@click.command(cls=LazyGroup, lazy=COMMANDS)
def omin() -> None:
    """OMIn: the evaluation programs of trusted_ke under their own option names.

    People with old scripts change only the program name. The published tables are those of two revisions: --profile
    head is the last one, --profile seed that of July 2024.

    \b
        karat omin ner -d results/flair/flair_ner.csv -g gold/ner.csv --profile seed -s
        karat omin ner -d results/flair/flair_ner.csv -g gold/ner_on.csv -t ontonotes --tokens faa.conll
        karat omin coref -d results/s2e-coref/s2e-coref.csv -g gold/cr.csv
        karat omin nel -d results/blink/blink.csv -q bi_qid -g gold/nel.csv
        karat omin evaluate tool_results --gold gold -o evaluations
    """


def likeness_options(command: F) -> F:
    """Give a command the flags that say where the likeness of links comes from."""
    for option in reversed(_LIKENESS):
        command = option(command)
    return command


_LIKENESS = (
    click.option("--ontology", metavar="INDEX", help="Compute likeness from this index; see karat ontology build."),
    click.option(
        "--similarity-table", metavar="FILE", help="Scores of likeness, a table with the columns q1, q2, class and jc."
    ),
    click.option(
        "--max-pairs", metavar="N", type=click.IntRange(0), help="Score only so many pairs, as the service did."
    ),
    click.option(
        "--rounding",
        type=click.Choice(("service", "none")),
        default="service",
        show_default=True,
        help="Round each score to ten decimals, as the service did, or not.",
    ),
)


def show(report: PrintedReport) -> None:
    """Print a report, and its remarks on standard error."""
    for remark in report.remarks:
        complain(remark)
    click.echo(report.text, nl=False)
