"""``karat tacred``: the drop-in for scorer.py of TACRED."""

from __future__ import annotations

import click

from karat.cli.legacy import profile_option


@click.command()
@click.argument("gold", type=click.Path())
@click.argument("pred", type=click.Path())
@profile_option("As the published program reads, or with an error for lines without a label.")
def tacred(gold: str, pred: str, profile: str) -> int:
    """Score the labels of PRED, one a line, against those of GOLD, and print what scorer.py prints.

    \b
        karat tacred test.gold test.pred
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.tacred.drop_in.tacred import evaluate, printed, read

    sides = read(gold, pred, profile)
    return deliver(printed(evaluate(sides)))
