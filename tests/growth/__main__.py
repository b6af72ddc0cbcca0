"""``python -m tests.growth SIZE``: every dimension of every sample, protocol and result at a larger size."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from karat.evaluation.registry import protocols
from tests.fuzz.targets import targets
from tests.growth.limits import is_excepted
from tests.growth.results import COMMANDS, of_command
from tests.growth.subjects import of_protocol, of_target


@click.command()
@click.argument("size", type=click.IntRange(2), default=30)
@click.option("--only", multiple=True, help="Only samples and protocols whose name has this in it.")
def growth(size: int, only: tuple[str, ...]) -> None:
    """Report what grows faster than n log n when the input grows from SIZE to four times that."""
    failed = measured = 0
    for title, found in _subjects(size):
        if only and not any(name in title for name in only):
            continue
        for dimension, told in found:
            measured += 1
            if told and not is_excepted(f"{title}, {dimension}"):
                failed += 1
                click.echo(f"{title}, {dimension}: {told}")
    click.echo(f"{measured:,} dimensions, {failed:,} of which grow too fast")
    sys.exit(failed > 0)


def _subjects(size: int) -> Iterator[tuple[str, Iterator[tuple[str, str]]]]:
    for target in targets().values():
        yield target.title, of_target(target, size)
    for name, protocol in protocols().items():
        if name != "tac2015-sf":
            yield f"protocol {name}", of_protocol(protocol, size)
    for name in COMMANDS:
        yield f"results of {name}", of_command(name, size)


if __name__ == "__main__":
    growth()
