"""``karat semeval2010``: drop-ins for the official scorer and the checker of formats."""

from __future__ import annotations

import click

from karat.cli import LazyGroup

COMMANDS = {
    "score": (
        "karat.protocols.semeval2010.drop_in.commands:score",
        "Score proposed answers against the key (semeval2010_task8_scorer.pl).",
    ),
    "check": (
        "karat.protocols.semeval2010.drop_in.commands:check",
        "Check the format of answers (semeval2010_task8_format_checker.pl).",
    ),
}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def semeval2010() -> None:
    """SemEval-2010 task 8: the official programs.

    \b
        karat semeval2010 check proposed.txt
        karat semeval2010 score proposed.txt key.txt
    """


@click.command("score")
@click.argument("proposed", type=click.Path())
@click.argument("key", type=click.Path())
def score(proposed: str, key: str) -> int:
    """Score the answers of PROPOSED against those of KEY, and print what the official scorer prints.

    \b
        karat semeval2010 score proposed.txt key.txt
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.semeval2010.drop_in.score import evaluate, printed, read

    sides = read(proposed, key)
    return deliver(printed(evaluate(sides)))


@click.command("check")
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path())
def check(files: tuple[str, ...]) -> int:
    """Say which lines of each FILE are no answers, as the format checker does.

    \b
        karat semeval2010 check proposed.txt
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.semeval2010.drop_in.check import evaluate, printed, read

    return deliver(printed(evaluate(read(files))))
