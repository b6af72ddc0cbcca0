"""``karat hipe normalize-linking``: a drop-in for ``normalize_linking.py``."""

from __future__ import annotations

import click

from karat.cli.legacy import LegacyCommand, profile_option


@click.command("normalize-linking", cls=LegacyCommand)
@click.option("-i", "--in", "source", required=True, metavar="FILE", help="The file to normalise.")
@click.option("-o", "--out", "target", required=True, metavar="FILE", help="Where to write the normalised file.")
@click.option("-m", "--map", "mapping", metavar="FILE", help="Main QIDs with their alternatives, for --norm-histo.")
@click.option("--norm-time", "time", is_flag=True, help="Link mentions of time to NIL.")
@click.option("--norm-histo", "histo", is_flag=True, help="Replace historical variants by their main QID.")
@click.option(
    "--union-meto-lit", "union", is_flag=True, help="Interleave literal and metonymic links, in both columns."
)
@click.option(
    "-e",
    "--hipe_edition",
    "edition",
    default="hipe-2020",
    show_default=True,
    metavar="EDITION",
    help="hipe-2020, or hipe-2022: the metonymic links of times are left alone.",
)
@profile_option(
    "corrected leaves everything but the links as it is: tokens such as NA, numbers, comments.",
    ("current", "corrected"),
)
def normalize_linking(
    source: str,
    target: str,
    mapping: str | None,
    time: bool,
    histo: bool,
    union: bool,
    edition: str,
    profile: str,
) -> None:
    """Normalise the links of a HIPE file before its relaxed evaluation.

    Gold and system are each normalised; the evaluation then compares main QIDs:

    \b
        karat hipe normalize-linking -i team.tsv -o normalised.tsv
            --norm-time --norm-histo -m map.tsv -e hipe-2022
    """
    from karat.errors import InputError, unknown
    from karat.files import read_text
    from karat.files.outputs import write_whole
    from karat.protocols.hipe.drop_in.normalize import EDITIONS, NormalizeSteps, normalize, read_mapping

    if histo != (mapping is not None):
        raise click.UsageError("--norm-histo and --map go together: give both or neither")
    if edition.lower() not in EDITIONS:
        raise InputError(str(unknown("HIPE edition", edition, EDITIONS)))
    text = read_text(source)
    qids = None if mapping is None else read_mapping(mapping, profile=profile)
    steps = NormalizeSteps(mapping=qids, time=time, union=union, edition=edition.lower())
    write_whole({target: normalize(text, steps, profile=profile, path=source)})
