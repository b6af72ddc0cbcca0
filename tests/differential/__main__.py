"""``python -m tests.differential [NAME…]``: random cases by Karat and by the programs it replaces, side by side."""

from __future__ import annotations

import sys

import click

from tests.differential.comparing import compared
from tests.differential.references import REFERENCES


@click.command()
@click.argument("names", nargs=-1)
@click.option("--cases", type=click.IntRange(1), default=200, show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--list", "listed", is_flag=True, help="Say what each program needs, and which are there.")
def differential(names: tuple[str, ...], cases: int, seed: int, listed: bool) -> None:
    """Compare Karat with the programs of these NAMEs, or with all that are there."""
    failed = False
    for name in names or REFERENCES:
        reference = REFERENCES[name]
        if missing := reference.missing():
            click.echo(f"{name}: skipped, {missing}")
            continue
        if listed:
            click.echo(f"{name}: there")
            continue
        results = list(compared(reference, cases, seed))
        differences = [result for result in results if result.told]
        failed |= bool(differences)
        click.echo(f"{name}: {len(results):,} of {cases:,} cases compared, {len(differences):,} differ")
        for difference in differences[:3]:
            click.echo(f"  seed {difference.seed}: {difference.told}")
    sys.exit(failed)


if __name__ == "__main__":
    differential()
