"""``karat judge summary`` and ``verify``: what judges answered, and whether the journal is whole."""

from __future__ import annotations

import click

from karat.cli.options import complete_formats

pool_argument = click.argument("pool", type=click.Path())
answers_option = click.option(
    "--answers",
    metavar="PLACE",
    help="Where answers are kept: a file (default: beside the pool), or postgresql://… for a team.",
)
scheme_option = click.option(
    "--scheme", default="correct", show_default=True, help="The questions: correct, omin, or a TOML file."
)


@click.command()
@pool_argument
@answers_option
@click.option(
    "--view",
    type=click.Choice(("table", "json", "csv", "markdown", "latex")),
    default="table",
    show_default=True,
    help="How the summary is shown.",
)
@click.option("-o", "--output", type=click.Path(), help="Write it to a file instead of standard output.")
@click.option("--of", "documents", type=int, metavar="N", help="For a workbook: how many documents the tool was given.")
@click.option("--level", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95, help="Of intervals.")
def summary(pool: str, answers: str | None, view: str, output: str | None, documents: int | None, level: float) -> None:
    """Sum up the answers to a POOL: what was rated, how good each system is, how sure that is, and who agrees.

    A workbook of a published manual evaluation (.xlsx) is summed up from its cells; sums of its own that disagree with
    them are named.

    \b
        karat judge summary pool.jsonl
        karat judge summary pool.jsonl --view json -o summary.json
        karat judge summary rebel_eval.xlsx --of 2748
    """
    from karat.files.outputs import write_whole
    from karat.judge.project import resume
    from karat.judge.published import summary_of
    from karat.judge.results import results_of
    from karat.judge.showing import show
    from karat.judge.workbook import is_workbook

    if is_workbook(pool):
        results = summary_of(pool, documents, level)
    else:
        results = results_of(resume(pool, answers).judgements(), level)
    text = show(results, view)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole({output: text})


@click.command()
@pool_argument
@answers_option
@click.option("-o", "--output", required=True, type=click.Path(), help="The file of the gold.")
@click.option(
    "--to",
    "target_format",
    metavar="FORMAT",
    default="jsonl",
    show_default=True,
    shell_complete=complete_formats,
    help="The format of the gold.",
)
def gold(pool: str, answers: str | None, output: str, target_format: str) -> None:
    """Write what judges called right, or found themselves, as gold that every protocol takes.

    \b
        karat judge gold pool.jsonl -o gold.jsonl
        karat score triples gold.jsonl new-system.jsonl
    """
    from karat.api import write
    from karat.errors import many
    from karat.judge.gold import gold_of
    from karat.judge.project import resume

    documents = gold_of(resume(pool, answers).judgements())
    write(documents, output, target_format)
    number = sum(len(document.relations) + len(document.chains) for document in documents)
    click.echo(f"{output}: {many(len(documents), 'document')}, {many(number, 'relation')}")


@click.command()
@pool_argument
@answers_option
@scheme_option
@click.option("-o", "--output", required=True, type=click.Path(), help="The workbook.")
def sheet(pool: str, answers: str | None, scheme: str, output: str) -> None:
    """Write the items of a POOL as a workbook: answers by drop-down, everything else protected."""
    from karat.files.outputs import write_whole
    from karat.judge.project import begin
    from karat.judge.sheet import sheet_of

    write_whole({output: sheet_of(begin(pool, scheme, answers))})
    click.echo(output)


@click.command()
@pool_argument
@click.argument("workbook", type=click.Path())
@answers_option
@scheme_option
@click.option("--judge", "person", required=True, metavar="NAME", help="Whose answers they are.")
def take(pool: str, workbook: str, answers: str | None, scheme: str, person: str) -> None:
    """Take the answers of a filled WORKBOOK, or of a CSV file with its columns, into the journal of a POOL.

    All of them are taken or none, and what was taken before counts once.
    """
    from karat.errors import many
    from karat.judge.project import begin
    from karat.judge.sheet import take_sheet

    number = take_sheet(begin(pool, scheme, answers), workbook, person)
    click.echo(f"{many(number, 'answer')} taken")


@click.command()
@pool_argument
@answers_option
def verify(pool: str, answers: str | None) -> None:
    """Check that every line of the journal of a POOL follows from the one before it, and all that holds from them."""
    from karat.errors import many
    from karat.judge.project import resume

    number = resume(pool, answers).journal.check()
    click.echo(f"{many(number, 'line')}, none changed")
