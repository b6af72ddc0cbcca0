"""``karat hipe baseline``: a drop-in for ``baseline.py``."""

from __future__ import annotations

import click

from karat.cli.legacy import LegacyCommand, profile_option


@click.command(cls=LegacyCommand)
@click.option("-t", "--train", required=True, metavar="FILE", help="The HIPE file to learn from.")
@click.option("-d", "--dev", required=True, metavar="FILE", help="The HIPE file to predict; its labels are not used.")
@click.option("-p", "--pred", required=True, metavar="FILE", help="Where to write the predictions.")
@click.option("-c", "--cols", required=True, metavar="COL,COL…", help="The columns to learn, one model each.")
@click.option(
    "-e",
    "--eval",
    "task",
    type=click.Choice(["nerc_coarse", "nerc_fine"]),
    help="Evaluate the predictions for this task; both reports go to the current folder.",
)
@click.option(
    "--hipe_edition",
    "edition",
    type=click.Choice(["hipe-2020", "hipe-2022"], case_sensitive=False),
    default="hipe-2020",
    show_default=True,
    help="The edition whose columns and file names --eval goes by.",
)
@profile_option(
    "corrected writes clean HIPE files: no quoting, no helper columns, no empty cells.", ("current", "corrected")
)
def baseline(train: str, dev: str, pred: str, cols: str, task: str | None, edition: str, profile: str) -> None:
    """Train the CRF baseline, predict with it and, on request, evaluate it.

    What it predicted is kept, also where it cannot be evaluated.

    \b
        karat hipe baseline --train train.tsv --dev test.tsv --pred baseline_bundle4_de_1.tsv
            --cols NE-COARSE-LIT,NE-COARSE-METO --eval nerc_coarse
    """
    from karat.files.outputs import write_whole
    from karat.protocols.hipe.drop_in.baseline import corrected_text, learn_and_predict, predictions_text, read_tables
    from karat.protocols.hipe.drop_in.names import check_name

    edition = edition.lower()
    if task is not None:
        check_name(pred, edition)
    columns = cols.split(",")
    learnt, unseen = read_tables(train, columns), read_tables(dev, columns)
    predictions = learn_and_predict(
        [table for _, table in learnt],
        [table for _, table in unseen],
        columns,
        upper=profile != "corrected",
        progress=lambda message: click.echo(message, err=True),
    )
    written = corrected_text if profile == "corrected" else predictions_text
    write_whole({pred: written(unseen, predictions)})
    if task is not None:
        from karat.protocols.hipe.drop_in.evaluation import ScorerRequest, evaluate

        result = evaluate(ScorerRequest(dev, pred, task, edition, {"profile": profile}))
        write_whole(result.files)
        for warning in result.warnings:
            click.echo(f"WARNING: {warning}", err=True)
