"""``karat tacred``: the drop-in for scorer.py of TACRED."""

from __future__ import annotations

import click


@click.command()
@click.argument("gold", type=click.Path())
@click.argument("pred", type=click.Path())
@click.option(
    "--profile",
    type=click.Choice(("published", "corrected")),
    default="published",
    show_default=True,
    help="As the published program reads, or with an error for lines without a label.",
)
def tacred(gold: str, pred: str, profile: str) -> int:
    """Score the labels of PRED, one a line, against those of GOLD, and print what scorer.py prints.

    \b
        karat tacred test.gold test.pred
    """
    from karat.protocols.tacred.drop_in.printing import printed
    from karat.scoring import Evaluation, Reading, configure, load

    protocol, settings = configure("tacred", {"profile": profile})
    sides = load(protocol, settings, [gold, pred], [Reading("labels")] * 2, again=True)
    sizes = [sum(1 for _ in side) for side in sides]
    if sizes[0] != sizes[1]:
        numbers = f"{sizes[0]} in gold vs {sizes[1]} in prediction"
        click.echo(f"Gold and prediction file must have same number of elements: {numbers}")
        return 1
    total = Evaluation(protocol, settings, *sides).tallies().total()
    click.echo(printed(total, protocol.counts), nl=False)
    return 0
