"""``karat conll2012``: the drop-in for the official CoNLL-2012 scorer, scorer.pl."""

from __future__ import annotations

import os

import click

from karat.cli.legacy import profile_option


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("words", metavar="METRIC KEY RESPONSE [NAME]", nargs=-1, type=click.UNPROCESSED)
@profile_option("As the published version does, or with its known faults corrected.", ("8.01", "corrected"))
def conll2012(words: tuple[str, ...], profile: str) -> int:
    """Score the coreference chains of RESPONSE against those of KEY, and print what scorer.pl prints.

    METRIC is muc, bcub, ceafm, ceafe, blanc or all. NAME is the one document to score; "none" scores all of them
    and prints only the totals.

    \b
        karat conll2012 all gold.conll system.conll none
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.coreference.drop_in.conll2012 import evaluate, printed, read

    if len(words) < 3:
        raise click.UsageError(f"{len(words)} arguments were given; expected METRIC KEY RESPONSE [NAME]")
    metric, gold, system, *rest = words
    name = os.fsencode(rest[0]).decode("latin-1") if rest else None
    files = read(gold, system)
    return deliver(printed(evaluate(files, _metric(metric), name, corrected=profile == "corrected")))


def _metric(word: str) -> str:
    """Return the metric that a word names, in lower case; ``all`` must be written in lower case."""
    from karat.errors import unknown
    from karat.protocols.coreference.drop_in.conll2012 import ALL, METRICS

    if word != ALL and word.lower() not in METRICS:
        raise unknown("metric", word, (*METRICS, ALL))
    return word if word == ALL else word.lower()
