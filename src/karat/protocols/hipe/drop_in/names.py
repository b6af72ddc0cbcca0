"""File names of the shared tasks: the rule for submissions, and how result files are called."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from karat.errors import InputError

LANGUAGES = {"hipe-2020": ("de", "fr", "en"), "hipe-2022": ("de", "fr", "en", "sv", "fi")}
DATASETS = ("ajmc", "newseye", "hipe2020", "topres19th", "sonar", "letemps")
_SCHEMES = {
    "hipe-2020": "TEAMNAME_TASKBUNDLEID_LANG_RUNNUMBER.tsv",
    "hipe-2022": "TEAMNAME_TASKBUNDLEID_DATASETALIAS_LANG_RUNNUMBER.tsv",
}


class Submission(NamedTuple):
    """What the name of a submission says; HIPE-2020 has no data set."""

    team: str
    bundle: int
    language: str
    run: str
    dataset: str = ""


def check_name(path: str, edition: str) -> Submission:
    """Return what a submission's name says, or say what is wrong with it.

    >>> check_name("runs/teamx_bundle3_sonar_de_1.tsv", "hipe-2022").bundle
    3
    """
    name = Path(path).name.lower()
    parts = Path(name).stem.split("_")
    wanted = _SCHEMES[edition].count("_") + 1
    if len(parts) != wanted:
        raise _bad(path, edition, f"it has {len(parts)} parts between underscores instead of {wanted}")
    team, bundle, *dataset, language, run = parts
    bundle_number = _number(bundle.lstrip("bundle"))
    if bundle_number is None:
        raise _bad(path, edition, f"{bundle!r} is no bundle")
    if Path(name).suffix != ".tsv":
        raise _bad(path, edition, f"it ends in {Path(name).suffix or 'nothing'}")
    if not 1 <= bundle_number <= 5:
        raise _bad(path, edition, f"there is no bundle {bundle_number}")
    if dataset and dataset[0] not in DATASETS:
        raise _bad(path, edition, f"{dataset[0]!r} is none of the data sets {', '.join(DATASETS)}")
    if language not in LANGUAGES[edition]:
        raise _bad(path, edition, f"{language!r} is none of the languages {', '.join(LANGUAGES[edition])}")
    if edition == "hipe-2022" and _number(run) not in (1, 2):
        raise _bad(path, edition, f"run {run!r} is neither 1 nor 2")
    return Submission(team, bundle_number, language, run, dataset[0] if dataset else "")


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _bad(path: str, edition: str, reason: str) -> InputError:
    scheme = f"expected {_SCHEMES[edition]}"
    return InputError(f"the name is not that of a submission: {reason}; {scheme}, or give --skip-check", path=path)


def output_names(path: str, task: str, suffix: str, profile: str) -> tuple[str, str]:
    """Return the names of the condensed and the detailed report.

    The published program replaces every ``.tsv`` in the name, and nothing where there is none, so that both reports
    get one name; the corrected profile appends instead.

    >>> output_names("runs/x.tsv", "nel", "relaxed", "current")
    ('x_nel_relaxed.tsv', 'x_nel_relaxed.json')
    """
    name = Path(path).name
    ending = f"_{task}_{suffix}" if suffix else f"_{task}"
    if profile == "corrected":
        stem = name.removesuffix(".tsv")
        return f"{stem}{ending}.tsv", f"{stem}{ending}.json"
    return name.replace(".tsv", f"{ending}.tsv"), name.replace(".tsv", f"{ending}.json")
