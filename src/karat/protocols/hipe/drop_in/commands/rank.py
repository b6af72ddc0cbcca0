"""``karat hipe rank``: the official tables of a shared task from its submissions and gold files."""

from __future__ import annotations

from pathlib import Path

import click

_PROFILES = ("current", "2022", "2020", "corrected")


@click.command()
@click.argument("submissions", metavar="SUBMISSIONS")
@click.argument("golds", metavar="GOLDS")
@click.option("-o", "--outdir", metavar="DIR", required=True, help="The folder for the tables; it must exist.")
@click.option(
    "-e",
    "--hipe_edition",
    "edition",
    type=click.Choice(["hipe-2020", "hipe-2022"], case_sensitive=False),
    default="hipe-2022",
    show_default=True,
    help="The shared task whose tables are made.",
)
@click.option(
    "-m",
    "--map",
    "maps",
    metavar="[DATASET=]FILE",
    multiple=True,
    help="QID map for relaxed linking; with a data set's name in front, for that one only. Can be repeated.",
)
@click.option("--tagset", metavar="FILE", default="", help="Tags, one a line, that count even if the gold has none.")
@click.option(
    "--baseline",
    "baselines",
    metavar="TEAM",
    multiple=True,
    default=["neurbsl"],
    show_default=True,
    help="A team that is ranked but gets no points. Can be repeated.",
)
@click.option(
    "--profile",
    type=click.Choice(_PROFILES),
    help="The revision of the scorer to reproduce (default: that of the edition), or Karat's corrected variant.",
)
def rank(
    submissions: str,
    golds: str,
    outdir: str,
    edition: str,
    maps: tuple[str, ...],
    tagset: str,
    baselines: tuple[str, ...],
    profile: str | None,
) -> None:
    """Evaluate all SUBMISSIONS (a folder) and rank them.

    Every TEAM_bundleB_DATASET_LANG_RUN.tsv is evaluated for the tasks of its bundle, against the one file of GOLDS (a
    folder) called *DATASET*test*LANG.tsv. The tables are those of the organisers; relaxed linking and the points of
    the HIPE-2022 challenges need a QID map:

    \b
        karat hipe rank submitted gold -o rankings --tagset tagset-hipe2022-all.txt
            -m historico-fuzzy-QID-mapping-ID-mapping.tsv -m ajmc=ajmc-alternatives-QID-mapping-ID-mapping.tsv
    """
    from karat.errors import InputError
    from karat.files.outputs import write_folder
    from karat.protocols.hipe.drop_in.campaign import Campaign, evaluate_all, plan, result_files
    from karat.protocols.hipe.options import parse_tagset
    from karat.terminal import tell

    if not Path(outdir).is_dir():
        raise InputError("there is no such folder; create it first, or choose another --outdir", path=outdir)
    edition = edition.lower()
    by_dataset = dict(map(_dataset_and_path, maps))
    campaign = Campaign(edition, profile or edition[-4:], parse_tagset(tagset), by_dataset)
    jobs = plan(submissions, golds, campaign)
    rows, failures = evaluate_all(jobs, campaign)
    if failures:
        for failure in failures:
            tell(failure)
        advice = "mend or remove these submissions; nothing was written"
        raise InputError(f"{len(failures)} of {len(jobs)} evaluations failed, as said above: {advice}")
    files = result_files(rows, campaign, baselines)
    write_folder(outdir, files, make=False)
    tell(f"{len(files)} tables of {len(jobs)} evaluations in {outdir}")


def _dataset_and_path(text: str) -> tuple[str, str]:
    from karat.protocols.hipe.drop_in.names import DATASETS

    dataset, equals, path = text.partition("=")
    return (dataset, path) if equals and dataset in DATASETS else ("", text)
