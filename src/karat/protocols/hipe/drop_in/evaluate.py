"""clef_evaluation.py, the HIPE scorer: two reports on a submission, named as in the shared tasks."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError
from karat.evaluation.corpus import Corpus
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.protocol import Bound
from karat.evaluation.registry import configure
from karat.formats.base import Problems, Want
from karat.formats.hipe.declaration import HipeFileOptions, read_text
from karat.formats.hipe.declaration import read as read_file
from karat.io.outputs import in_folder
from karat.model import Document
from karat.protocols.hipe.declaration import COLUMNS, name_of
from karat.protocols.hipe.drop_in.reports import (
    ReportBlock,
    condensed,
    detailed,
    details_of_june_2020,
    json_text,
    rows_of_june_2020,
    tsv_text,
)
from karat.protocols.hipe.options import HipeOptions

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


class ScorerRequest(msgspec.Struct, frozen=True):
    """One evaluation: what the scorer is told on its command line; ``settings`` are options of the protocol.

    ``texts`` holds the text of files that are not taken as they are, by their paths.
    """

    gold: str
    system: str
    task: str
    edition: str = "hipe-2022"
    settings: Mapping[str, Any] = {}
    suffix: str = ""
    check_name: bool = True
    texts: Mapping[str, str] = {}

    @property
    def system_name(self) -> str:
        """What stands in the column System: the stem in lower case or, unchecked, the path as given."""
        return Path(self.system).stem.lower() if self.check_name else self.system


class ScorerInput(NamedTuple):
    """What the scorer is asked, the protocol with its options, and the documents of both sides."""

    request: ScorerRequest
    bound: Bound
    gold: Corpus
    system: Corpus


class Result(msgspec.Struct, frozen=True):
    """The rows of the condensed report, the figures of the detailed one, and what the scorer logs.

    ``names`` are the file names of both reports.
    """

    rows: list[dict[str, str]]
    details: dict[Any, Any]
    warnings: Sequence[str]
    names: tuple[str, str]

    @property
    def files(self) -> dict[str, str]:
        """The condensed report (TSV) and the detailed one (JSON), by file name."""
        tsv, json = self.names
        return {tsv: tsv_text(self.rows)} | {json: json_text(self.details)}


def read(request: ScorerRequest) -> ScorerInput:
    """Check the name of a submission, and return the documents of both files, which are read when they are needed."""
    bound = configure(name_of(request.edition, request.task), request.settings)
    if request.check_name:
        check_name(request.system, request.edition)
    sides = (_corpus(path, request.texts.get(path), bound) for path in (request.gold, request.system))
    return ScorerInput(request, bound, *sides)


def evaluate(asked: ScorerInput) -> Result:
    """Evaluate a system file as the HIPE scorer does."""
    request, bound, gold, system = asked
    options: HipeOptions = bound.options
    evaluation = Evaluation(bound, gold, system)
    tallies = evaluation.tallies()
    warnings = [problem.message for side in (gold, system) for problem in side.problems.found]
    details = detailed(tallies, _blocks(request, options))
    cutoffs = options.n_best if request.task == "nel" else None
    if options.rules.revision == "2020" and len(options.slices) == 1:
        rows = condensed(details, request.system_name, request.suffix if cutoffs else "", cutoffs)
        rows, details = rows_of_june_2020(rows, cutoffs), details_of_june_2020(details, cutoffs)
    else:
        rows = condensed(details, request.system_name, request.suffix, cutoffs)
    names = output_names(request.system, request.task, request.suffix, options.profile)
    return Result(rows, details, [*warnings, *evaluation.remarks], names)


def printed(result: Result, asked: ScorerInput, folder: str, log: str | None = None) -> ProgramOutput:
    """Return the two reports of a folder, the log, and its warnings for standard error.

    Args:
        result: The result of the evaluation.
        asked: What was evaluated.
        folder: Where the reports go.
        log: The file of the log, if there is one.

    """
    noise_level = asked.request.settings.get("noise_level", "")
    levels = [part.split("-") for part in noise_level.split(",") if part]
    warnings = [f"noise_level `{noise_level}` noise_levels {levels}"] if noise_level else []
    warnings += result.warnings
    files = in_folder(folder, result.files)
    if log is not None:
        now = datetime.datetime.now().astimezone()
        stamp = f"{now:%Y-%m-%d %H:%M:%S},{now.microsecond // 1000:03d}"
        files[log] = "".join(f"{stamp} - WARNING - {asked.request.system} - {message}\n" for message in warnings)
    return ProgramOutput(files=files, notes=[f"WARNING: {message}" for message in warnings])


def _corpus(path: str, text: str | None, bound: Bound) -> Corpus:
    """Return the documents of a file, read as the scorer reads it, or of a text that stands for it."""
    demands = bound.demands
    want = Want(mentions=False, lines=demands.lines, columns=demands.columns)
    rules = HipeFileOptions(
        **demands.options["hipe"], bom="skip" if bound.options.profile in ("corrected", "2020") else "refuse"
    )

    def documents(problems: Problems) -> Iterable[Document]:
        if text is None:
            return read_file(path, problems=problems, want=want, options=rules)
        return read_text(text, path, problems=problems, want=want, options=rules)

    return Corpus(path, documents, path=path, builds_mentions=want.mentions)


def _blocks(request: ScorerRequest, options: HipeOptions) -> list[ReportBlock]:
    return [
        ReportBlock(column.name, part.time_name, part.noise_name, layer, part.name, cutoff)
        for column in COLUMNS[request.edition, request.task]
        for part in options.slices
        for layer, cutoff in column.layers(options)
    ]
