"""``karat omin ner``: the drop-in for ner_semeval.py, and for ner_eval.py of the first evaluation."""

from __future__ import annotations

import click

from karat.cli.legacy import LegacyCommand, profile_option
from karat.protocols.omin.drop_in.commands import PROFILES, show

_GOLD = "../../OMIn_dataset/gold_standard/processed/"
_GOLD_FILES = {
    "conll03": "ner_conll.csv",
    "ontonotes": "ner_on.csv",
    "ace05": "ner_ace.csv",
    "ace05_nltk": "ner_ace_nltk.csv",
    "scierc": "",
}
_SEED_GOLD = "../../gold_standard/processed/ner.csv"
_TOKENS = "../../OMIn_dataset/data/FAA_data/faa.conll"


class _Command(LegacyCommand):
    own = ("--profile", "--tokens")


@click.command(cls=_Command, short_help="Score named entities (ner_semeval.py; ner_eval.py with --profile seed).")
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
@profile_option("The revision to reproduce, or Karat's corrected variant (of head with -t, else of seed).", PROFILES)
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
) -> None:
    """Score named entities and print the program's table.

    \b
        karat omin ner -d results/flair/flair_ner.csv -g gold/ner_on.csv -t ontonotes --tokens faa.conll
        karat omin ner --profile seed -d results/flair/flair_ner.csv -g gold/ner.csv -s
    """
    from karat.errors import UsageError

    corrected = profile == "corrected"
    if profile == "seed" or (corrected and type_set is None):
        _refuse("the first evaluation, which has no types", {"-t": type_set, "-u": untyped, "--tokens": tokens})
        from karat.protocols.omin.drop_in.ner import TextRequest, evaluate_texts

        columns = id_col or "c5_id", ent_col or "entities"
        show(evaluate_texts(TextRequest(dataset_path, gs_path or _SEED_GOLD, *columns, strict, corrected)))
        return
    _refuse("the later evaluation, which has fixed columns", {"-i": id_col, "-e": ent_col, "-s": strict})
    if type_set is None:
        raise UsageError(f"-t is missing; the later evaluation needs a set of types: {', '.join(_GOLD_FILES)}")
    if type_set == "scierc" and not untyped:
        raise UsageError("there is no gold with the types of SciERC; add --untyped")
    from karat.protocols.omin.drop_in.ner import SpanRequest, evaluate_spans

    gold = gs_path or _GOLD + ("ner.csv" if untyped else _GOLD_FILES[type_set])
    show(evaluate_spans(SpanRequest(dataset_path, gold, tokens or _TOKENS, type_set, untyped, corrected)))


def _refuse(what: str, given: dict[str, object]) -> None:
    from karat.errors import UsageError

    wrong = [name for name, value in given.items() if value]
    if wrong:
        raise UsageError(f"{', '.join(wrong)} does not belong to {what}; leave it out or choose another --profile")
