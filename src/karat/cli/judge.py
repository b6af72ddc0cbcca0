"""``karat judge``: experts rate what systems extracted."""

from __future__ import annotations

import click

from karat.cli import LazyGroup

COMMANDS = {
    "pool": ("karat.cli.judge_pool:pool", "Pool the items of several systems, each once, for blind judging."),
    "serve": ("karat.cli.judge_project:serve", "Open the workbench in which judges answer."),
    "invite": ("karat.cli.judge_project:invite", "Create the token with which a person logs in to the workbench."),
    "summary": ("karat.cli.judge_summary:summary", "Summarise the answers, with intervals and agreement."),
    "gold": ("karat.cli.judge_summary:gold", "Write the items judged right as gold for every protocol."),
    "sheet": ("karat.cli.judge_summary:sheet", "Write a pool as a workbook (XLSX) to fill in."),
    "take": ("karat.cli.judge_summary:take", "Import the answers of a filled workbook."),
    "export": ("karat.cli.judge_project:export", "Export a project to one archive, also while judges work."),
    "import": ("karat.cli.judge_project:import_", "Import a project from an archive."),
    "verify": ("karat.cli.judge_project:verify", "Check that the journal of answers was not changed."),
}

pool_argument = click.argument("pool", type=click.Path())
answers_option = click.option(
    "--answers",
    metavar="PLACE",
    help="Where answers are stored: a file (default: beside the pool), or postgresql://… for a team.",
)
scheme_option = click.option(
    "--scheme",
    metavar="NAME",
    help="The questions: correct, omin, or a TOML file (default: those that were asked before, at first correct).",
)


@click.command(cls=LazyGroup, lazy=COMMANDS)
def judge() -> None:
    """Let experts rate what systems extracted: blind, pooled, and with agreement.

    \b
        karat judge pool rebel.csv unirel.csv --documents 100 -o pool.jsonl
        karat judge serve pool.jsonl --scheme omin --open
        karat judge summary pool.jsonl
    """
