"""``karat omin``: drop-ins for the evaluation programs of OMIn (nd-crane/trusted_ke), with their option names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from karat.cli import LazyGroup
from karat.cli.legacy import LegacyCommand, profile_option
from karat.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

COMMANDS = {
    "ner": (f"{__name__}:ner", "Score named entities (ner_semeval.py; ner_eval.py with --profile seed)."),
    "coref": (f"{__name__}:coref", "Score coreference chains (cr_eval.py)."),
    "nel": (f"{__name__}:nel", "Score entity links (nel_eval.py)."),
    "evaluate": (f"{__name__}:evaluate", "Compare all tools: every table of the automatic evaluation."),
}
_PROFILES = ("head", "seed", "corrected")

_GOLD = "../../OMIn_dataset/gold_standard/processed/"
"""Where the last revision of the programs looks for the gold; the first one has other places."""
_SEED_GOLD = {"ner": "../../gold_standard/processed/ner.csv", "coref": "../../gold_standard/gold/coref_gold.csv"}
_GOLD_FILES = {
    "conll03": "ner_conll.csv",
    "ontonotes": "ner_on.csv",
    "ace05": "ner_ace.csv",
    "ace05_nltk": "ner_ace_nltk.csv",
    "scierc": "",
}
_TOKENS = "../../OMIn_dataset/data/FAA_data/faa.conll"


@click.command(cls=LazyGroup, lazy=COMMANDS)
def omin() -> None:
    """OMIn: the evaluation programs of trusted_ke under their own option names.

    People with old scripts change only the program name. The published tables are those of two revisions: --profile
    head is the last one, --profile seed that of July 2024.

    \b
        karat omin ner -d results/flair/flair_ner.csv -g gold/ner.csv --profile seed -s
        karat omin ner -d results/flair/flair_ner.csv -g gold/ner_on.csv -t ontonotes --tokens faa.conll
        karat omin coref -d results/s2e-coref/s2e-coref.csv -g gold/cr.csv
        karat omin nel -d results/blink/blink.csv -q bi_qid -g gold/nel.csv
        karat omin evaluate tool_results --gold gold -o evaluations
    """


def _likeness_options(command: F) -> F:
    """Give a command the flags that say where the likeness of links comes from."""
    for option in reversed(_LIKENESS):
        command = option(command)
    return command


_LIKENESS = (
    click.option("--ontology", metavar="INDEX", help="Compute likeness from this index; see karat ontology build."),
    click.option(
        "--similarity-table", metavar="FILE", help="Scores of likeness, a table with the columns q1, q2, class and jc."
    ),
    click.option(
        "--max-pairs", metavar="N", type=click.IntRange(0), help="Score only so many pairs, as the service did."
    ),
    click.option(
        "--rounding",
        type=click.Choice(("service", "none")),
        default="service",
        show_default=True,
        help="Round each score to ten decimals, as the service did, or not.",
    ),
)


class _NerCommand(LegacyCommand):
    own = ("--profile", "--tokens")


@click.command(cls=_NerCommand, short_help=COMMANDS["ner"][1])
@click.option("-d", "--dataset_path", metavar="FILE", required=True, help="The results, CSV, in a folder of the tool.")
@click.option("-g", "--gs_path", metavar="FILE", help="The gold, CSV (default: where the program looks for it).")
@click.option(
    "-t", "--type_set", metavar="SET", type=click.Choice(tuple(_GOLD_FILES)), help=f"{', '.join(_GOLD_FILES)} (head)."
)
@click.option("-u", "--untyped", is_flag=True, help="Compare with the gold without types (head).")
@click.option("--tokens", metavar="FILE", help="The token file, faa.conll (head).")
@click.option("-i", "--id_col", metavar="NAME", help="The results' column of document ids (seed; default: c5_id).")
@click.option("-e", "--ent_col", metavar="NAME", help="The results' column of entities (seed; default: entities).")
@click.option("-s", "--strict", is_flag=True, help="Count only equal texts (seed).")
@profile_option("The revision to reproduce, or Karat's corrected variant (of head with -t, else of seed).", _PROFILES)
def ner(
    dataset_path: str,
    gs_path: str | None,
    type_set: str | None,
    untyped: bool,
    tokens: str | None,
    id_col: str | None,
    ent_col: str | None,
    strict: bool,
    profile: str,
) -> int:
    """Score named entities and print the program's table.

    \b
        karat omin ner -d results/flair/flair_ner.csv -g gold/ner_on.csv -t ontonotes --tokens faa.conll
        karat omin ner --profile seed -d results/flair/flair_ner.csv -g gold/ner.csv -s
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.omin.drop_in.files import FileCache
    from karat.protocols.omin.drop_in.tables import tool_name

    corrected = profile == "corrected"
    if profile == "seed" or (corrected and type_set is None):
        _refuse("the first evaluation, which has no types", {"-t": type_set, "-u": untyped, "--tokens": tokens})
        from karat.protocols.omin.drop_in import ner_seed

        columns = id_col or "c5_id", ent_col or "entities"
        texts = ner_seed.TextRequest(dataset_path, gs_path or _SEED_GOLD["ner"], *columns, strict, corrected)
        scores = ner_seed.evaluate(ner_seed.read(texts, FileCache()))
        return deliver(ner_seed.printed(tool_name(dataset_path), scores))
    _refuse("the later evaluation, which has fixed columns", {"-i": id_col, "-e": ent_col, "-s": strict})
    if type_set is None:
        raise UsageError(f"-t is missing; the later evaluation needs a set of types: {', '.join(_GOLD_FILES)}")
    if type_set == "scierc" and not untyped:
        raise UsageError("there is no gold with the types of SciERC; add --untyped")
    from karat.protocols.omin.drop_in.ner import SpanRequest, evaluate, printed, read

    gold = gs_path or _GOLD + ("ner.csv" if untyped else _GOLD_FILES[type_set])
    spans = SpanRequest(dataset_path, gold, tokens or _TOKENS, type_set, untyped, corrected)
    return deliver(printed(tool_name(dataset_path), spans, evaluate(read(spans, FileCache()))))


def _refuse(what: str, given: dict[str, object]) -> None:
    wrong = [name for name, value in given.items() if value]
    if wrong:
        raise UsageError(f"{', '.join(wrong)} does not belong to {what}; leave it out or choose another --profile")


@click.command(cls=LegacyCommand, short_help=COMMANDS["coref"][1])
@click.option("-d", "--dataset_path", metavar="FILE", required=True, help="The results, CSV, in a folder of the tool.")
@click.option("-g", "--gs_path", metavar="FILE", help="The gold, CSV (default: where the program looks for it).")
@click.option("-i", "--id_col", metavar="NAME", default="c5_id", help="The results' column of ids (default: c5_id).")
@click.option("-c", "--cr_col", metavar="NAME", default="corefs", help="Their column of chains (default: corefs).")
@profile_option("The revision to reproduce, or Karat's corrected variant.", _PROFILES)
def coref(dataset_path: str, gs_path: str | None, id_col: str, cr_col: str, profile: str) -> int:
    """Score coreference chains and print the program's table.

    \b
        karat omin coref -d results/s2e-coref/s2e-coref.csv -g gold/cr.csv
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.omin.drop_in.coref import ChainRequest, evaluate, printed, read
    from karat.protocols.omin.drop_in.files import FileCache
    from karat.protocols.omin.drop_in.tables import tool_name

    gold = gs_path or (_SEED_GOLD["coref"] if profile == "seed" else f"{_GOLD}cr.csv")
    request = ChainRequest(dataset_path, gold, id_col, cr_col, profile)
    return deliver(printed(tool_name(dataset_path), profile, evaluate(read(request, FileCache()))))


class _NelCommand(LegacyCommand):
    own = ("--profile", "--ontology", "--similarity-table", "--max-pairs", "--rounding", "--fill-in-qids")


@click.command(cls=_NelCommand, short_help=COMMANDS["nel"][1])
@click.option("-d", "--dataset_path", metavar="FILE", required=True, help="The results, CSV, in a folder of the tool.")
@click.option(
    "-g", "--gs_path", metavar="FILE", default=f"{_GOLD}nel.csv", help="The gold (default: where the program looks)."
)
@click.option("-q", "--qid_col", metavar="NAME", default="qids", help="The results' column of ids (default: qids).")
@_likeness_options
@click.option("--fill-in-qids", is_flag=True, help="Give phrases without an id that of a shorter phrase.")
@profile_option("The published program, the text of the first evaluation, or Karat's corrected variant.", _PROFILES)
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
) -> int:
    """Score entity links and print the program's table.

    The columns JC and Class need an ontology, or a table of scores; without them they are nan.

    \b
        karat omin nel -d results/blink/blink.csv -q bi_qid -g gold/nel.csv
        karat omin nel -d results/blink/blink.csv -q bi_qid -g gold/nel.csv --ontology wikidata.index
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.likeness import LikenessOptions
    from karat.protocols.omin.drop_in.files import FileCache
    from karat.protocols.omin.drop_in.nel import LinkRequest, evaluate, printed, read
    from karat.protocols.omin.drop_in.tables import tool_name

    source = LikenessOptions(ontology or "", similarity_table or "", max_pairs, rounding)
    request = LinkRequest(dataset_path, gs_path, qid_col, source, fill_in_qids, profile)
    return deliver(printed(tool_name(dataset_path), source, evaluate(read(request, FileCache()))))


@click.command(short_help=COMMANDS["evaluate"][1])
@click.argument("results", metavar="RESULTS_DIR")
@click.option("-g", "--gold", metavar="DIR", required=True, help="The folder of the gold: ner.csv, cr.csv, nel.csv, …")
@click.option("-o", "--outdir", metavar="DIR", required=True, help="The folder for the tables; it is made if need be.")
@click.option("--tokens", metavar="FILE", default="", help="The token file (default: tokens.conll beside the gold).")
@_likeness_options
@profile_option("The evaluation to reproduce, or Karat's corrected variant.", _PROFILES)
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
) -> int:
    """Evaluate the results of all tools and write the tables.

    RESULTS_DIR has a folder for each tool, with the CSV files of its results. Their columns say whether they hold
    entities, links or chains; the entities that were found for linking are evaluated too. The tables are written as
    Markdown (evaluation.md), JSON (evaluation.json) and CSV (a file for each), with a list of what was skipped and why.
    Relations, which the automatic evaluation leaves out, are scored by karat score triples.

    \b
        karat omin evaluate tool_results --gold gold_standard/processed -o evaluations --tokens faa.conll
        karat omin evaluate tool_results --gold gold_standard/processed -o evaluations --ontology wikidata.index
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.likeness import LikenessOptions
    from karat.protocols.omin.drop_in.evaluate import evaluate, printed, read

    likeness = LikenessOptions(ontology or "", similarity_table or "", max_pairs, rounding)
    asked = read(results, gold, profile=profile, tokens=tokens, likeness=likeness, leave_out=outdir)
    return deliver(printed(evaluate(asked), outdir))
