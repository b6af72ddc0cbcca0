"""``karat judge summary``, ``gold``, ``sheet`` and ``take``: results of judging, and workbooks to fill in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from karat.cli import complain
from karat.cli.judge import answers_option, pool_argument, scheme_option
from karat.cli.options import complete_formats, lossy_option, refuse

if TYPE_CHECKING:
    from pathlib import Path

    from karat.judge.results import JudgedResults
    from karat.model import Document

FOLDER = "manual_evaluations"
"""The default folder for saved summaries."""


@click.command()
@pool_argument
@answers_option
@click.option(
    "--view",
    type=click.Choice(("table", "json", "csv", "markdown", "latex")),
    default="table",
    show_default=True,
    help="How to show the summary.",
)
@click.option("-o", "--out", "output", type=click.Path(), help="Write only this view, to a file.")
@click.option(
    "--scheme",
    help="The questions of a sheet or workbook: correct, omin, or a TOML file (default: as its columns say).",
)
@click.option("--no-save", is_flag=True, help=f"Show the summary without saving it in {FOLDER}/.")
@click.option(
    "--of", "documents", type=int, metavar="N", help="For a workbook: the number of documents that the tool was given."
)
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    help="Confidence level of intervals.",
)
def summary(
    pool: str,
    answers: str | None,
    view: str,
    output: str | None,
    scheme: str | None,
    no_save: bool,
    documents: int | None,
    level: float,
) -> None:
    """Summarise the answers to a POOL: precision and recall of each system with intervals, and agreement of judges.

    The summary is shown, and saved as JSON, CSV, Markdown, LaTeX and a workbook in the folder manual_evaluations.

    POOL may also be a filled sheet (karat judge sheet), or the workbook (.xlsx) of a published manual evaluation: it
    is summarised from its cells, and notes name its own sums that disagree with them.

    \b
        karat judge summary pool.jsonl
        karat judge summary pool.jsonl --view json -o summary.json
        karat judge summary sheet.xlsx
        karat judge summary rebel_eval.xlsx --scheme omin --of 2748
    """
    from karat.io.outputs import write_whole
    from karat.judge.summary_views import show
    from karat.judge.workbook import is_workbook

    if is_workbook(pool):
        refuse(["answers"], "works only with a pool; a workbook has its answers in its cells")
        results = _of_workbook(pool, scheme, documents, level)
    else:
        refuse(["documents"], "works only with a workbook; a pool has its number of documents")
        results = _of_project(pool, answers, scheme, level)
    text = show(results, view)
    if output is not None:
        write_whole({output: text})
        return
    if not no_save:
        _save(results, pool)
    click.echo(text, nl=False)


def _of_workbook(path: str, scheme: str | None, documents: int | None, level: float) -> JudgedResults:
    from karat.errors import UsageError
    from karat.judge.published import summary_of
    from karat.judge.scheme import read_scheme
    from karat.judge.sheet import is_filled_sheet, sheet_summary

    if is_filled_sheet(path):
        return sheet_summary(path, read_scheme(scheme) if scheme else None, documents, level)
    if scheme not in (None, "omin"):
        raise UsageError(
            f"{path} is not a sheet of karat judge; for workbooks of published evaluations, use --scheme omin"
        )
    return summary_of(path, documents, level)


def _of_project(pool: str, answers: str | None, scheme: str | None, level: float) -> JudgedResults:
    from karat.errors import UsageError
    from karat.judge.project import resume
    from karat.judge.results import results_of
    from karat.judge.scheme import read_scheme

    with resume(pool, answers) as project:
        if scheme is not None and read_scheme(scheme) != project.scheme:
            raise UsageError(
                f"the judges of {pool} were asked the questions of {project.scheme.title!r}, not of {scheme}"
            )
        end = project.journal.end()
        return results_of(project.judgements(), level, end)


def _save(results: JudgedResults, pool: str) -> None:
    """Save a summary in every format under the name of its pool, and print the paths."""
    import os
    from pathlib import Path

    import msgspec

    from karat.io.outputs import write_folder
    from karat.judge.summary_views import files_of

    name, source = Path(pool).stem, Path(os.path.relpath(pool)).as_posix()
    _refuse_another(Path(FOLDER, f"{name}.json"), source)
    files = files_of(msgspec.structs.replace(results, source=source), name)
    write_folder(FOLDER, files)
    click.echo(f"saved: {', '.join(f'{FOLDER}/{name}' for name in files)}", err=True)
    if not any(name.endswith(".xlsx") for name in files):
        complain("note: no workbook was saved; it needs  pip install 'karat[judge]'")


def _refuse_another(saved: Path, source: str) -> None:
    """Raise an error if saving would replace the summary of another source with the same name."""
    import msgspec

    from karat.errors import InputError

    class Saved(msgspec.Struct):
        source: str = ""

    try:
        other = msgspec.json.decode(saved.read_bytes(), type=Saved).source
    except (OSError, msgspec.DecodeError):
        return  # not a summary of Karat
    if other not in ("", source):
        kept = f"sums up {other}, not {source}, and would be replaced"
        raise InputError(f"{kept}; move it away, or write a view of this summary with --out", path=saved)


@click.command()
@pool_argument
@answers_option
@click.option("-o", "--out", "output", required=True, type=click.Path(), help="The file of the gold.")
@click.option(
    "--to",
    "target_format",
    metavar="FORMAT",
    default="jsonl",
    show_default=True,
    shell_complete=complete_formats,
    help="The format of the gold.",
)
@click.option(
    "--unlabelled",
    metavar="LABEL",
    default="",
    help="The label for mentions that systems do not label, or label differently.",
)
@lossy_option
def gold(pool: str, answers: str | None, output: str, target_format: str, unlabelled: str, lossy: bool) -> None:
    """Write the items that judges called right or found themselves as gold for every protocol.

    \b
        karat judge gold pool.jsonl -o gold.jsonl
        karat score triples gold.jsonl new-system.jsonl
    """
    from karat.errors import many
    from karat.formats import write
    from karat.formats.fidelity import Losses
    from karat.judge.gold import gold_of, undecided
    from karat.judge.items import items_of
    from karat.judge.project import resume

    with resume(pool, answers) as project:
        judgements, kind = project.judgements(), project.pool.head.kind
    documents, left = gold_of(judgements, unlabelled), undecided(judgements)
    if kind != "mention":
        _say_who_labelled(documents, unlabelled)
    losses = Losses() if lossy else None
    write(documents, output, target_format, losses=losses)
    if losses:
        complain(f"lost {losses}")
    if left:
        of = many(len(judgements.entries), "item")
        what = f"{left} of {of} are undecided and not in this gold: they count as false positives of a system"
        complain(f"note: {what}")
    size = sum(1 for document in documents for _ in items_of(document, kind))
    click.echo(f"{output}: {many(len(documents), 'document')}, {many(size, kind)}")


def _say_who_labelled(documents: list[Document], unlabelled: str) -> None:
    """Print notes on mention labels: nobody judged them, and some mentions have none."""
    from karat.errors import many

    mentions = [mention for document in documents for mention in document.mentions]
    labelled = sum(1 for mention in mentions if mention.labels and mention.labels != (unlabelled,))
    if labelled:
        complain(f"note: {many(labelled, 'mention')} labelled as by all systems; labels were not judged")
    if labelled < len(mentions) and not unlabelled:
        left = many(len(mentions) - labelled, "mention")
        what = "systems give none or different ones; set one with --unlabelled LABEL"
        complain(f"note: {left} without a label: {what}")


@click.command()
@pool_argument
@answers_option
@scheme_option
@click.option("-o", "--out", "output", required=True, type=click.Path(), help="The workbook.")
def sheet(pool: str, answers: str | None, scheme: str | None, output: str) -> None:
    """Write the items of a POOL as a workbook: answers by drop-down, everything else protected."""
    from karat.io.outputs import write_whole
    from karat.judge.project import begin
    from karat.judge.sheet import sheet_of

    with begin(pool, scheme, answers) as project:
        write_whole({output: sheet_of(project)})
    click.echo(output)


@click.command()
@pool_argument
@click.argument("workbook", type=click.Path())
@answers_option
@scheme_option
@click.option("--judge", "person", required=True, metavar="NAME", help="Whose answers they are.")
def take(pool: str, workbook: str, answers: str | None, scheme: str | None, person: str) -> None:
    """Import the answers of a filled WORKBOOK, or of a CSV file with its columns, into the journal of a POOL.

    Either all answers are imported or none; answers that were imported before count once.
    """
    from karat.errors import many
    from karat.judge.project import begin
    from karat.judge.sheet import take_sheet

    with begin(pool, scheme, answers) as project:
        taken = take_sheet(project, workbook, person)
    click.echo(f"{many(taken, 'answer')} taken")
