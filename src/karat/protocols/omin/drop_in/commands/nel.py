"""``karat omin nel``: the drop-in for nel_eval.py."""

from __future__ import annotations

import click

from karat.cli.legacy import LegacyCommand, profile_option
from karat.protocols.omin.drop_in.commands import PROFILES, likeness_options, show

_GOLD = "../../OMIn_dataset/gold_standard/processed/nel.csv"


class _Command(LegacyCommand):
    own = ("--profile", "--ontology", "--similarity-table", "--max-pairs", "--rounding", "--fill-in-qids")


@click.command(cls=_Command, short_help="Score entity links (nel_eval.py).")
@click.option("-d", "--dataset_path", metavar="FILE", required=True, help="The results, CSV, in a folder of the tool.")
@click.option("-g", "--gs_path", metavar="FILE", default=_GOLD, help="The gold (default: where the program looks).")
@click.option("-q", "--qid_col", metavar="NAME", default="qids", help="The results' column of ids (default: qids).")
@likeness_options
@click.option("--fill-in-qids", is_flag=True, help="Give phrases without an id that of a shorter phrase.")
@profile_option("The published program, the text of the first evaluation, or Karat's corrected variant.", PROFILES)
def nel(
    dataset_path: str,
    gs_path: str,
    qid_col: str,
    ontology: str | None,
    similarity_table: str | None,
    max_pairs: int | None,
    rounding: str,
    fill_in_qids: bool,
    profile: str,
) -> None:
    """Score entity links and print the program's table.

    The columns JC and Class need an ontology, or a table of scores; without them they are nan.

    \b
        karat omin nel -d results/blink/blink.csv -q bi_qid -g gold/nel.csv
        karat omin nel -d results/blink/blink.csv -q bi_qid -g gold/nel.csv --ontology wikidata.index
    """
    from karat.ontology.provider import LikenessSource
    from karat.protocols.omin.drop_in.nel import LinkRequest, evaluate_links

    source = LikenessSource(ontology, similarity_table, max_pairs, rounding == "service")
    show(evaluate_links(LinkRequest(dataset_path, gs_path, qid_col, source, fill_in_qids, profile)))
