"""The HIPE scorer as a function: a request in, the official rows and files out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from karat.formats.base import Problems, Want
from karat.formats.hipe import HipeOptions as Reading
from karat.formats.hipe import read
from karat.model import Document
from karat.protocols.base import SYSTEM_FILE
from karat.protocols.hipe import COLUMNS
from karat.protocols.hipe import reading as columns_to_read
from karat.protocols.hipe.drop_in.names import check_name, output_names
from karat.protocols.hipe.drop_in.reports import Block, condensed, detailed, json_text, tsv_text
from karat.protocols.hipe.judge import tally
from karat.protocols.hipe.options import HipeOptions
from karat.protocols.hipe.prepare import prepare
from karat.tally import Tallies

TASKS = ("nerc_coarse", "nerc_fine", "nel")
EDITIONS = ("hipe-2020", "hipe-2022")


class Request(msgspec.Struct, frozen=True):
    """One evaluation: what the scorer is told on its command line."""

    gold: str
    system: str
    task: str
    edition: str = "hipe-2022"
    options: HipeOptions = HipeOptions()
    suffix: str = ""
    check_name: bool = True

    @property
    def system_name(self) -> str:
        """What stands in the column System: the stem in lower case or, unchecked, the path as given."""
        return Path(self.system).stem.lower() if self.check_name else self.system


class Result(msgspec.Struct, frozen=True):
    """The rows of the condensed report, the texts of both files, and what the scorer would have logged."""

    rows: list[dict[str, str]]
    files: dict[str, str]
    warnings: Sequence[str]


def evaluate(request: Request) -> Result:
    """Evaluate a system file as the HIPE scorer does."""
    if request.check_name:
        check_name(request.system, request.edition)
    options = request.options
    columns = COLUMNS[request.edition, request.task]
    warnings: list[str] = []
    gold, system = (_read(path, request, warnings) for path in (request.gold, request.system))
    prepared = prepare(gold, system, options, columns=columns)
    warnings += [note.replace(SYSTEM_FILE, request.system) for note in prepared.notes]
    tallies = Tallies([case.unit for case in prepared.cases], [tally(case) for case in prepared.cases])
    blocks = [
        Block(column.name, part.time_name, part.noise_name, layer, part.name, cutoff)
        for column in columns
        for part in options.slices
        for layer, cutoff in column.layers(options)
    ]
    details = detailed(tallies, blocks)
    cutoffs = options.n_best if request.task == "nel" else None
    rows = condensed(details, request.system_name, request.suffix, cutoffs)
    tsv, json = output_names(request.system, request.task, request.suffix, options.profile)
    return Result(rows, {tsv: tsv_text(rows)} | {json: json_text(details)}, warnings)


def _read(path: str, request: Request, warnings: list[str]) -> list[Document]:
    options = request.options
    wanted = columns_to_read(options, columns=COLUMNS[request.edition, request.task])
    published = options.profile != "corrected"
    reading = Reading(**wanted.options["hipe"], bom="refuse" if published else "skip")
    problems = Problems()
    want = Want(mentions=False, lines=wanted.lines, columns=wanted.columns)
    documents = list(read(path, problems=problems, want=want, options=reading))
    warnings += [problem.message for problem in problems.found]
    return documents
