"""``karat omin coref``: the drop-in for cr_eval.py."""

from __future__ import annotations

import click

from karat.cli.legacy import LegacyCommand, profile_option
from karat.protocols.omin.drop_in.commands import PROFILES, show

_GOLD = {
    "head": "../../OMIn_dataset/gold_standard/processed/cr.csv",
    "seed": "../../gold_standard/gold/coref_gold.csv",
}


@click.command(cls=LegacyCommand, short_help="Score coreference chains (cr_eval.py).")
@click.option("-d", "--dataset_path", metavar="FILE", required=True, help="The results, CSV, in a folder of the tool.")
@click.option("-g", "--gs_path", metavar="FILE", help="The gold, CSV (default: where the program looks for it).")
@click.option("-i", "--id_col", metavar="NAME", default="c5_id", help="The results' column of ids (default: c5_id).")
@click.option("-c", "--cr_col", metavar="NAME", default="corefs", help="Their column of chains (default: corefs).")
@profile_option("The revision to reproduce, or Karat's corrected variant.", PROFILES)
def coref(dataset_path: str, gs_path: str | None, id_col: str, cr_col: str, profile: str) -> None:
    """Score coreference chains and print the program's table.

    \b
        karat omin coref -d results/s2e-coref/s2e-coref.csv -g gold/cr.csv
    """
    from karat.protocols.omin.drop_in.coref import ChainRequest, evaluate_chains

    gold = gs_path or _GOLD.get(profile, _GOLD["head"])
    show(evaluate_chains(ChainRequest(dataset_path, gold, id_col, cr_col, profile)))
