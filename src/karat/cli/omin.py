"""``karat omin``: drop-ins for the evaluation programs of OMIn (nd-crane/trusted_ke), with their option names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli import LazyGroup

if TYPE_CHECKING:
    from karat.omin.report import Report

COMMANDS = {
    "ner": ("karat.cli.omin_ner:ner", "Score named entities (ner_semeval.py; ner_eval.py with --profile seed)."),
    "coref": ("karat.cli.omin_coref:coref", "Score coreference chains (cr_eval.py)."),
    "nel": ("karat.cli.omin_nel:nel", "Score entity links (nel_eval.py)."),
    "evaluate": ("karat.cli.omin_evaluate:evaluate", "Compare all tools: every table of the automatic evaluation."),
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


def show(report: Report) -> None:
    """Print a report, and its remarks on standard error."""
    for remark in report.remarks:
        click.echo(f"karat: {remark}", err=True)
    click.echo(report.text, nl=False)
