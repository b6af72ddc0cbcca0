"""A whole shared task: every submission of a folder evaluated for the tasks of its bundle, then ranked.

A quirk of the published HIPE-2022 results, which the profile ``corrected`` avoids: the gold of every data set was
normalised with the general QID map, even where the systems were with a map of their own
(*maps-gold-by-general-map*; it costs one link in ``ajmc`` in French).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError
from karat.io import read_text
from karat.io.outputs import in_folder
from karat.io.progress import step
from karat.protocols.hipe.drop_in.evaluate import ScorerRequest, Submission, check_name
from karat.protocols.hipe.drop_in.evaluate import evaluate as evaluate_submission
from karat.protocols.hipe.drop_in.evaluate import read as read_submission
from karat.protocols.hipe.drop_in.normalize import NormalizeSteps, normalize, read_mapping
from karat.protocols.hipe.drop_in.rankings import ReportRow, challenge_files, file_name, ranking, ranking_text, tables

_TASKS = {
    1: ("nerc_coarse", "nerc_fine", "nel"),
    2: ("nerc_coarse", "nel"),
    3: ("nerc_coarse", "nerc_fine"),
    4: ("nerc_coarse",),
    5: ("nel",),
}
_CUTOFFS = {"hipe-2022": (1,), "hipe-2020": (1, 3, 5)}
_REMEMBERED = 32
"""Normalised texts that are kept for the next submissions: one for the gold of each data set and language."""
_MASKED = re.compile("(?<!un)masked")
_ENDINGS = r"\.tsv(\.gz|\.bz2)?$"


@dataclass(frozen=True)
class Campaign:
    """How a shared task is evaluated; ``maps`` holds QID maps by data set, and under ``""`` the general one."""

    edition: str = "hipe-2022"
    profile: str = "2022"
    tagset: tuple[str, ...] = ()
    maps: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CampaignJob:
    """One evaluation of one submission."""

    submission: Submission
    system: str
    gold: str
    task: str
    relaxed: bool = False

    def __str__(self) -> str:
        return f"{Path(self.system).stem} {self.task}{' relaxed' if self.relaxed else ''}"


class CampaignInput(NamedTuple):
    """The shared task, and the evaluations of its submissions, whose files are read when they are evaluated."""

    campaign: Campaign
    jobs: Sequence[CampaignJob]


class CampaignResult(NamedTuple):
    """The rows of all reports, and a sentence for each evaluation that failed."""

    asked: CampaignInput
    rows: list[ReportRow]
    failures: list[str]


def read(submissions: str, golds: str, campaign: Campaign) -> CampaignInput:
    """Find the submissions of a folder, in the order of their names, and the gold of each."""
    systems = sorted(path for path in _folder(submissions) if path.suffix == ".tsv")
    if not systems:
        raise InputError("holds no submission: expected files that end in .tsv", path=submissions)
    named = [(str(path), check_name(str(path), campaign.edition)) for path in systems]
    available = [path for path in _folder(golds) if re.search(_ENDINGS, path.name.lower())]
    places = {(submission.dataset, submission.language) for _, submission in named}
    gold = {pair: find_gold(available, *pair, folder=golds) for pair in sorted(places)}
    jobs = [
        CampaignJob(submission, path, gold[submission.dataset, submission.language], task, relaxed)
        for path, submission in named
        for task in _TASKS[submission.bundle]
        for relaxed in ((False, True) if task == "nel" and campaign.maps else (False,))
    ]
    for dataset in sorted({job.submission.dataset for job in jobs if job.relaxed}):
        if not {"", dataset} & campaign.maps.keys():
            raise InputError(f"there is no QID map for the data set {dataset}: give one with --map {dataset}=FILE")
    return CampaignInput(campaign, jobs)


def find_gold(paths: Iterable[Path], dataset: str, language: str, folder: str) -> str:
    """Return the only file whose name says that it is the test gold of a data set in a language.

    >>> names = ["HIPE-2022-v2.1-ajmc-test-de.tsv", "HIPE-2022-v2.1-ajmc-test-de_histonorm.tsv"]
    >>> find_gold(map(Path, names), "ajmc", "de", folder="gold")
    'HIPE-2022-v2.1-ajmc-test-de.tsv'
    """
    whole = r"(?<![a-z0-9]){}(?![a-z0-9])"
    words = [whole.format(word) for word in (dataset, "test") if word]
    pattern = re.compile(".*".join([*words, rf"[^a-z0-9]{language}{_ENDINGS}"]))
    fitting = [path for path in paths if pattern.search(path.name.lower()) and not _MASKED.search(path.name.lower())]
    if len(fitting) != 1:
        scheme = f"*{dataset}*test*{language}.tsv"
        count = (
            "no gold file" if not fitting else f"{len(fitting)} gold files ({', '.join(path.name for path in fitting)})"
        )
        raise InputError(f"holds {count} of the form {scheme}; expected one", path=folder)
    return str(fitting[0])


def evaluate(asked: CampaignInput) -> CampaignResult:
    """Evaluate every submission for each of its tasks."""
    campaign, jobs = asked
    result = CampaignResult(asked, [], [])
    normalizer = _Normalizer(campaign)
    for done, job in enumerate(jobs):
        step(done, len(jobs), str(job))
        try:
            result.rows.extend(evaluate_submission(read_submission(_request(job, campaign, normalizer))).rows)
        except InputError as error:
            result.failures.append(f"{job}: {error}")
    return result


def printed(result: CampaignResult, folder: str, baselines: Collection[str] = ()) -> ProgramOutput:
    """Return the official tables as files; if an evaluation failed, what failed and no table.

    Args:
        result: The result of all evaluations.
        folder: The folder for the tables.
        baselines: Teams that are ranked but get no points.

    """
    count = len(result.asked.jobs)
    if result.failures:
        advice = "mend or remove these submissions; nothing was written"
        failure = InputError(f"{len(result.failures)} of {count} evaluations failed, as said above: {advice}")
        return ProgramOutput(notes=result.failures, failure=failure)
    files = result_files(result.rows, result.asked.campaign, baselines)
    note = f"{len(files)} tables of {count} evaluations in {folder}"
    return ProgramOutput(files=in_folder(folder, files), notes=[note])


def result_files(rows: Iterable[ReportRow], campaign: Campaign, baselines: Collection[str] = ()) -> dict[str, str]:
    """Return the official tables by file name: rankings and, if links were also scored relaxed, challenge points."""
    corrected = campaign.profile == "corrected"
    by_place: dict[tuple[str, str], list[ReportRow]] = {}
    for row in rows:
        submission = check_name(f"{row['System']}.tsv", campaign.edition)
        by_place.setdefault((submission.dataset, submission.language), []).append(row)
    rankings: dict[tuple[str, str, str], Sequence[ReportRow]] = {}
    files: dict[str, str] = {}
    for (dataset, language), part in sorted(by_place.items()):
        for table in tables(campaign.edition, dataset, language):
            if table.relaxed and not campaign.maps:
                continue
            ranked = ranking(part, table, campaign.edition, corrected=corrected)
            rankings[dataset, language, table.name] = ranked
            files[file_name(table, dataset, language)] = ranking_text(ranked, table, campaign.edition)
    if campaign.edition == "hipe-2022" and campaign.maps:
        systems = {row["System"] for part in by_place.values() for row in part}
        files |= challenge_files(rankings, systems, baselines, corrected=corrected)
    return files


class _Normalizer:
    """Normalises the links of files, and remembers the texts of those that are asked for again and again."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.profile = "corrected" if campaign.profile == "corrected" else "current"
        self.text = lru_cache(maxsize=_REMEMBERED)(self._text)
        self.mapping = cache(partial(read_mapping, profile=self.profile))

    def _text(self, path: str, *, time: bool, dataset: str | None) -> str:
        """Return the text of a file; ``dataset`` is the one whose QID map is applied, ``""`` the general map."""
        maps = self.campaign.maps
        mapping = None if dataset is None else self.mapping(maps.get(dataset) or maps[""])
        steps = NormalizeSteps(mapping=mapping, time=time, edition=self.campaign.edition)
        return normalize(read_text(path), steps, profile=self.profile, path=path)


def _request(job: CampaignJob, campaign: Campaign, normalizer: _Normalizer) -> ScorerRequest:
    """Return what to evaluate for a job.

    Relaxed evaluations map gold and system to main QIDs. Times are NIL in the gold, so the system's are made so: for
    relaxed evaluations in 2022, for all of them in 2020.
    """
    texts: dict[str, str] = {}
    if job.relaxed:
        dataset = job.submission.dataset
        general = "" in campaign.maps and campaign.profile != "corrected"
        texts[job.gold] = normalizer.text(job.gold, time=False, dataset="" if general else dataset)
        texts[job.system] = normalizer.text(job.system, time=True, dataset=dataset)
    elif campaign.edition == "hipe-2020":
        texts[job.system] = normalizer.text(job.system, time=True, dataset=None)
    n_best = _CUTOFFS[campaign.edition] if job.relaxed else (1,)
    settings = {"profile": campaign.profile, "tagset": campaign.tagset, "n_best": n_best}
    suffix = "relaxed" if job.relaxed else ""
    return ScorerRequest(job.gold, job.system, job.task, campaign.edition, settings, suffix, texts=texts)


def _folder(path: str) -> list[Path]:
    if not Path(path).is_dir():
        raise InputError("is not a folder", path=path)
    return sorted(entry for entry in Path(path).iterdir() if entry.is_file())
