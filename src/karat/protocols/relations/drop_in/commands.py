"""``karat pure`` and ``karat spert``: what these programs print about their predictions."""

from __future__ import annotations

import click


@click.command()
@click.option(
    "--prediction_file",
    metavar="FILE",
    type=click.Path(),
    required=True,
    help="SciERC lines with ner, relations, predicted_ner and predicted_relations.",
)
def pure(prediction_file: str) -> int:
    """Score the predictions of a file against the gold beside them, and print what run_eval.py of PURE prints.

    \b
        karat pure --prediction_file predictions.json
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.relations.drop_in.pure import evaluate, printed, read

    predictions = read(prediction_file)
    return deliver(printed(prediction_file, evaluate(predictions)))


@click.command()
@click.argument("gold", type=click.Path())
@click.argument("system", type=click.Path(), required=False)
def spert(gold: str, system: str | None) -> int:
    """Score SYSTEM against GOLD, and print the table that SpERT prints.

    Files may be of any format with relations. Without SYSTEM, GOLD has SciERC lines with predictions beside the gold.

    \b
        karat spert conll04_test.json predictions.json
        karat spert predictions.json
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.relations.drop_in.spert import evaluate, printed, read

    files = read(gold, system)
    return deliver(printed(evaluate(files)))
