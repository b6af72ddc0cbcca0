"""``karat docred``: the drop-in for evaluation.py of DocRED."""

from __future__ import annotations

import click

from karat.cli.legacy import profile_option


@click.command()
@click.argument("input_folder", metavar="INPUT", type=click.Path())
@click.argument("output_folder", metavar="OUTPUT", type=click.Path())
@profile_option("As the published program counts, or with its named quirks put right.")
def docred(input_folder: str, output_folder: str, profile: str) -> int:
    """Score INPUT/res/result.json against INPUT/ref/dev_test.json, print the scores, and write OUTPUT/scores.txt.

    The facts of the training data come from ../data/train_annotated.json and ../data/train_distant.json, or from files
    train_annotated.fact and train_distant.fact beside the gold.

    \b
        karat docred input output
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.docred.drop_in.docred import evaluate, printed, read

    files = read(input_folder, profile)
    return deliver(printed(evaluate(files, profile), output_folder))
