"""``karat omin evaluate``: the tables of a whole comparison of tools."""

from __future__ import annotations

import click

from karat.cli.legacy import profile_option
from karat.protocols.omin.drop_in.commands import PROFILES, likeness_options


@click.command(short_help="Compare all tools: every table of the automatic evaluation.")
@click.argument("results", metavar="RESULTS_DIR")
@click.option("-g", "--gold", metavar="DIR", required=True, help="The folder of the gold: ner.csv, cr.csv, nel.csv, …")
@click.option("-o", "--outdir", metavar="DIR", required=True, help="The folder for the tables; it is made if need be.")
@click.option("--tokens", metavar="FILE", default="", help="The token file (default: tokens.conll beside the gold).")
@likeness_options
@profile_option("The evaluation to reproduce, or Karat's corrected variant.", PROFILES)
def evaluate(
    results: str,
    gold: str,
    outdir: str,
    tokens: str,
    ontology: str | None,
    similarity_table: str | None,
    max_pairs: int | None,
    rounding: str,
    profile: str,
) -> None:
    """Evaluate the results of all tools and write the tables.

    RESULTS_DIR has a folder for each tool, with the CSV files of its results. Their columns say whether they hold
    entities, links or chains; the entities that were found for linking are evaluated too. The tables are written as
    Markdown (evaluation.md), JSON (evaluation.json) and CSV (a file for each), with a list of what was skipped and why.
    Relations, which the automatic evaluation leaves out, are scored by karat score triples.

    \b
        karat omin evaluate tool_results --gold gold_standard/processed -o evaluations --tokens faa.conll
        karat omin evaluate tool_results --gold gold_standard/processed -o evaluations --ontology wikidata.index
    """
    from karat.cli import complain
    from karat.errors import InputError, many
    from karat.files.outputs import write_folder
    from karat.protocols.likeness_options import LikenessOptions
    from karat.protocols.omin.drop_in.comparison import compare_tools
    from karat.protocols.omin.drop_in.comparison.tables import files

    comparison = compare_tools(
        results,
        gold,
        profile=profile,
        tokens=tokens,
        likeness=LikenessOptions(ontology or "", similarity_table or "", max_pairs, rounding),
        leave_out=outdir,
    )
    for name, reason, table in comparison.skipped:
        complain(f"skipped {name}{f' ({table})' if table else ''}: {reason}")
    rows = sum(map(len, comparison.tables.values()))
    if not rows:
        what = f"{len(comparison.skipped)} skipped, as said above" if comparison.skipped else "there are no files"
        raise InputError(f"nothing could be scored: {what}; nothing was written", path=results)
    contents = files(comparison)
    write_folder(outdir, contents)
    complain(f"{many(rows, 'row')} in {many(len(comparison.tables), 'table')}, written to {outdir}")
