"""``karat hipe evaluate``: the drop-in for clef_evaluation.py."""

from __future__ import annotations

import datetime

import click

from karat.cli.legacy import LegacyCommand, profile_option

_PROFILES = ("current", "2022", "2020", "corrected")
_TASKS = ("nerc_coarse", "nerc_fine", "nel")
_EDITIONS = ("hipe-2020", "hipe-2022")


@click.command(cls=LegacyCommand, short_help="Evaluate a submission (clef_evaluation.py).")
@click.option("-r", "--ref", metavar="FILE", required=True, help="The gold file, HIPE TSV, also .gz or .bz2.")
@click.option("-p", "--pred", metavar="FILE", required=True, help="The system file, HIPE TSV.")
@click.option("-t", "--task", metavar="TASK", required=True, type=click.Choice(_TASKS), help=f"{', '.join(_TASKS)}.")
@click.option(
    "-e",
    "--hipe_edition",
    metavar="EDITION",
    type=click.Choice(_EDITIONS, case_sensitive=False),
    help="hipe-2020 or hipe-2022. The profiles current and 2022 insist on it.",
)
@click.option("-o", "--outdir", metavar="DIR", default=".", help="Where the two reports go (default: here).")
@click.option("-l", "--log", metavar="FILE", help="Where warnings go. The same profiles insist on it.")
@click.option("-g", "--original_nel", is_flag=True, help="Links are runs of equal links, whatever the entities.")
@click.option("-n", "--n_best", metavar="N,N…", default="1", help="Cutoffs of the ranked links (default: 1).")
@click.option("--noise-level", metavar="LO-HI,…", default="", help="Also evaluate bands of OCR noise.")
@click.option(
    "--time-period", metavar="FROM-TO,…", default="", help="Also evaluate periods: years, or days 1798/01/20."
)
@click.option("--glue", metavar="COL1+COL2,…", default="", help="Put the label of COL1 in front of that of COL2.")
@click.option("--skip-check", is_flag=True, help="Take a system file of any name.")
@click.option("--tagset", metavar="FILE", default="", help="Tags, one a line, that count even if the gold has none.")
@click.option("--suffix", metavar="TEXT", default="", help="Added to file names and to the column Evaluation.")
@profile_option("The revision of the program to reproduce, or Karat's corrected variant.", _PROFILES)
def evaluate(
    ref: str,
    pred: str,
    task: str,
    hipe_edition: str | None,
    outdir: str,
    log: str | None,
    original_nel: bool,
    n_best: str,
    noise_level: str,
    time_period: str,
    glue: str,
    skip_check: bool,
    tagset: str,
    suffix: str,
    profile: str,
) -> None:
    """Evaluate a submission and write the organisers' two reports, byte for byte.

    Options may be shortened to a unique prefix. The condensed report is TSV, the detailed one JSON:

    \b
        karat hipe evaluate --ref gold.tsv --pred team_bundle4_ajmc_de_1.tsv
            --task nerc_coarse --hipe_edition hipe-2022 --outdir results --log run.log
    """
    from karat.errors import InputError
    from karat.files import is_folder
    from karat.files.outputs import in_folder, write_whole
    from karat.protocols.hipe.drop_in.evaluation import ScorerRequest
    from karat.protocols.hipe.drop_in.evaluation import evaluate as run
    from karat.terminal import tell

    if profile in ("current", "2022"):
        for name, given in (("--hipe_edition", hipe_edition), ("--log", log)):
            if given is None:
                advice = f"give {name}, or choose --profile corrected or 2020, which do without"
                raise InputError(f"the published program fails without {name}: {advice}")
    if not is_folder(outdir):
        raise InputError("there is no such folder; create it first, or choose another --outdir", path=outdir)
    settings = {
        "profile": profile,
        "link_spans": "runs" if original_nel else "",
        "n_best": n_best,
        "noise_level": noise_level,
        "time_period": time_period,
        "glue": glue,
        "tagset": tagset,
    }
    edition = hipe_edition or ("hipe-2020" if profile == "2020" else "hipe-2022")
    result = run(ScorerRequest(ref, pred, task, edition, settings, suffix, check_name=not skip_check))
    warnings = [f"noise_level `{noise_level}` noise_levels {_levels(noise_level)}"] if noise_level else []
    warnings += result.warnings
    files = in_folder(outdir, result.files)
    if log is not None:
        now = datetime.datetime.now().astimezone()
        stamp = f"{now:%Y-%m-%d %H:%M:%S},{now.microsecond // 1000:03d}"
        files[log] = "".join(f"{stamp} - WARNING - {pred} - {message}\n" for message in warnings)
    write_whole(files)
    for message in warnings:
        tell(f"WARNING: {message}")


def _levels(text: str) -> list[list[str]]:
    return [part.split("-") for part in text.split(",") if part]
