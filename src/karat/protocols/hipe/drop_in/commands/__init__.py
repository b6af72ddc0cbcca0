"""``karat hipe``: drop-ins for the programs of the HIPE shared tasks, with their option names."""

from __future__ import annotations

import click

from karat.cli import LazyGroup

COMMANDS = {
    "evaluate": (f"{__name__}.evaluate:evaluate", "Evaluate a submission (clef_evaluation.py)."),
    "normalize-linking": (f"{__name__}.normalize:normalize_linking", "Normalise links (normalize_linking.py)."),
    "rank": (f"{__name__}.rank:rank", "Rank a folder of submissions: official tables and challenge points."),
    "baseline": (f"{__name__}.baseline:baseline", "Train, apply and evaluate the CRF baseline (baseline.py)."),
}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def hipe() -> None:
    """HIPE 2020 and 2022: the organisers' programs under their own option names.

    People with old scripts change only the program name:

    \b
        karat hipe evaluate --ref gold.tsv --pred team_bundle4_ajmc_de_1.tsv --task nerc_coarse
            --hipe_edition hipe-2022 --outdir results --log run.log
    """
