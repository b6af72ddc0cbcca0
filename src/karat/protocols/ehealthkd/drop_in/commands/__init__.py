"""``karat ehealthkd``: drop-ins for the programs of the eHealth-KD challenges, with their option names."""

from __future__ import annotations

import click

from karat.cli import LazyGroup

_PROGRAMS = f"{__name__}.programs"

COMMANDS = {
    "score": (f"{_PROGRAMS}:score", "Score a submission (score.py of 2021, 2020 and 2019)."),
    "rank": (f"{_PROGRAMS}:rank", "Score and rank all submissions (score_2021.py; evaltest of 2020 and 2019)."),
    "codalab": (f"{_PROGRAMS}:codalab", "Score a submission as the competition server of 2019 did (eval.py)."),
}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def ehealthkd() -> None:
    """eHealth-KD 2021, 2020 and 2019: the organisers' programs under their own option names.

    People with old scripts change only the program name, and name the edition if it is not 2021:

    \b
        karat ehealthkd score --gold 2021/eval/testing --submit submissions/team/testing
        karat ehealthkd score --edition 2020 gold/scenario.txt submission/scenario.txt --skip-B
        karat ehealthkd rank --edition 2020 --mode test --best --csv --final
    """
