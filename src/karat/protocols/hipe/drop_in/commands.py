"""``karat hipe``: drop-ins for the programs of the HIPE shared tasks, with their option names."""

from __future__ import annotations

from pathlib import Path

import click

from karat.cli import LazyGroup
from karat.cli.legacy import LegacyCommand, profile_option

_PROFILES = ("current", "2022", "2020", "corrected")
_TASKS = ("nerc_coarse", "nerc_fine", "nel")
_EDITIONS = ("hipe-2020", "hipe-2022")
COMMANDS = {
    "evaluate": (f"{__name__}:evaluate", "Evaluate a submission (clef_evaluation.py)."),
    "normalize-linking": (f"{__name__}:normalize_linking", "Normalise links (normalize_linking.py)."),
    "rank": (f"{__name__}:rank", "Rank a folder of submissions: official tables and challenge points."),
    "baseline": (f"{__name__}:baseline", "Train, apply and evaluate the CRF baseline (baseline.py)."),
}


@click.command(cls=LazyGroup, lazy=COMMANDS)
def hipe() -> None:
    """HIPE 2020 and 2022: the organisers' programs under their own option names.

    People with old scripts change only the program name:

    \b
        karat hipe evaluate --ref gold.tsv --pred team_bundle4_ajmc_de_1.tsv --task nerc_coarse
            --hipe_edition hipe-2022 --outdir results --log run.log
    """


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
    skip_check: bool,
    suffix: str,
    **settings: str,
) -> int:
    """Evaluate a submission and write the organisers' two reports, byte for byte.

    Options may be shortened to a unique prefix. The condensed report is TSV, the detailed one JSON:

    \b
        karat hipe evaluate --ref gold.tsv --pred team_bundle4_ajmc_de_1.tsv
            --task nerc_coarse --hipe_edition hipe-2022 --outdir results --log run.log
    """
    from karat.cli.drop_in import deliver
    from karat.errors import InputError
    from karat.io import is_folder
    from karat.protocols.hipe.drop_in.evaluate import ScorerRequest, evaluate, printed, read

    profile = settings["profile"]
    if profile in ("current", "2022"):
        for name, given in (("--hipe_edition", hipe_edition), ("--log", log)):
            if given is None:
                advice = f"give {name}, or choose --profile corrected or 2020, which do without"
                raise InputError(f"the published program fails without {name}: {advice}")
    if not is_folder(outdir):
        raise InputError("there is no such folder; create it first, or choose another --outdir", path=outdir)
    settings["link_spans"] = "runs" if original_nel else ""
    edition = hipe_edition or ("hipe-2020" if profile == "2020" else "hipe-2022")
    asked = read(ScorerRequest(ref, pred, task, edition, settings, suffix, check_name=not skip_check))
    return deliver(printed(evaluate(asked), asked, outdir, log))


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
    source: str, target: str, mapping: str | None, time: bool, histo: bool, union: bool, edition: str, profile: str
) -> int:
    """Normalise the links of a HIPE file before its relaxed evaluation.

    Gold and system are each normalised; the evaluation then compares main QIDs:

    \b
        karat hipe normalize-linking -i team.tsv -o normalised.tsv
            --norm-time --norm-histo -m map.tsv -e hipe-2022
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.hipe.drop_in.normalize import convert, printed, read

    if histo != (mapping is not None):
        raise click.UsageError("--norm-histo and --map go together: give both or neither")
    asked = read(source, mapping=mapping, time=time, union=union, edition=edition, profile=profile)
    return deliver(printed(convert(asked), target))


@click.command()
@click.argument("submissions", metavar="SUBMISSIONS")
@click.argument("golds", metavar="GOLDS")
@click.option("-o", "--outdir", metavar="DIR", required=True, help="The folder for the tables; it must exist.")
@click.option(
    "-e",
    "--hipe_edition",
    "edition",
    type=click.Choice(_EDITIONS, case_sensitive=False),
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
) -> int:
    """Evaluate all SUBMISSIONS (a folder) and rank them.

    Every TEAM_bundleB_DATASET_LANG_RUN.tsv is evaluated for the tasks of its bundle, against the one file of GOLDS (a
    folder) called *DATASET*test*LANG.tsv. The tables are those of the organisers; relaxed linking and the points of
    the HIPE-2022 challenges need a QID map:

    \b
        karat hipe rank submitted gold -o rankings --tagset tagset-hipe2022-all.txt
            -m historico-fuzzy-QID-mapping-ID-mapping.tsv -m ajmc=ajmc-alternatives-QID-mapping-ID-mapping.tsv
    """
    from karat.cli.drop_in import deliver
    from karat.errors import InputError
    from karat.protocols.hipe.drop_in.rank import Campaign, evaluate, printed, read
    from karat.protocols.hipe.options import parse_tagset

    if not Path(outdir).is_dir():
        raise InputError("there is no such folder; create it first, or choose another --outdir", path=outdir)
    edition = edition.lower()
    by_dataset = dict(map(_dataset_and_path, maps))
    campaign = Campaign(edition, profile or edition[-4:], parse_tagset(tagset), by_dataset)
    return deliver(printed(evaluate(read(submissions, golds, campaign)), outdir, baselines))


def _dataset_and_path(text: str) -> tuple[str, str]:
    from karat.protocols.hipe.drop_in.evaluate import DATASETS

    dataset, equals, path = text.partition("=")
    return (dataset, path) if equals and dataset in DATASETS else ("", text)


@click.command(cls=LegacyCommand)
@click.option("-t", "--train", required=True, metavar="FILE", help="The HIPE file to learn from.")
@click.option("-d", "--dev", required=True, metavar="FILE", help="The HIPE file to predict; its labels are not used.")
@click.option("-p", "--pred", required=True, metavar="FILE", help="Where to write the predictions.")
@click.option("-c", "--cols", required=True, metavar="COL,COL…", help="The columns to learn, one model each.")
@click.option(
    "-e",
    "--eval",
    "task",
    type=click.Choice(["nerc_coarse", "nerc_fine"]),
    help="Evaluate the predictions for this task; both reports go to the current folder.",
)
@click.option(
    "--hipe_edition",
    "edition",
    type=click.Choice(_EDITIONS, case_sensitive=False),
    default="hipe-2020",
    show_default=True,
    help="The edition whose columns and file names --eval goes by.",
)
@profile_option(
    "corrected writes clean HIPE files: no quoting, no helper columns, no empty cells.", ("current", "corrected")
)
def baseline(train: str, dev: str, pred: str, cols: str, task: str | None, edition: str, profile: str) -> int:
    """Train the CRF baseline, predict with it and, on request, evaluate it.

    What it predicted is kept, also where it cannot be evaluated.

    \b
        karat hipe baseline --train train.tsv --dev test.tsv --pred baseline_bundle4_de_1.tsv
            --cols NE-COARSE-LIT,NE-COARSE-METO --eval nerc_coarse
    """
    from karat.cli.drop_in import deliver
    from karat.protocols.hipe.drop_in.baseline import predict, printed, read
    from karat.protocols.hipe.drop_in.evaluate import check_name

    edition = edition.lower()
    if task is not None:
        check_name(pred, edition)
    asked = read(train, dev, cols.split(","), profile)
    result = predict(asked, progress=lambda message: click.echo(message, err=True))
    status = deliver(printed(result, pred))
    if task is None:
        return status
    from karat.protocols.hipe.drop_in import evaluate as scorer

    submission = scorer.read(scorer.ScorerRequest(dev, pred, task, edition, {"profile": profile}))
    return deliver(scorer.printed(scorer.evaluate(submission), submission, "."))
