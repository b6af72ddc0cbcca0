"""The HIPE scorer as a function: a request in, the official rows and files out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from karat.formats.base import Problems, Want
from karat.formats.hipe.declaration import HipeFileOptions, read, read_text
from karat.model import Document
from karat.protocols.base import Protocol
from karat.protocols.hipe.declaration import COLUMNS, name_of
from karat.protocols.hipe.drop_in.names import check_name, output_names
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
from karat.scoring import Corpus, Evaluation, configure


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


class Result(msgspec.Struct, frozen=True):
    """The rows of the condensed report, the texts of both files, and what the scorer would have logged."""

    rows: list[dict[str, str]]
    files: dict[str, str]
    warnings: Sequence[str]


def evaluate(request: ScorerRequest) -> Result:
    """Evaluate a system file as the HIPE scorer does."""
    protocol, options = configure(name_of(request.edition, request.task), request.settings)
    if request.check_name:
        check_name(request.system, request.edition)
    gold, system = (
        _corpus(path, request.texts.get(path), protocol, options) for path in (request.gold, request.system)
    )
    evaluation = Evaluation(protocol, options, gold, system)
    tallies = evaluation.tallies()
    warnings = [problem.message for side in (gold, system) for problem in side.problems.found]
    details = detailed(tallies, _blocks(request, options))
    cutoffs = options.n_best if request.task == "nel" else None
    if options.rules.revision == "2020" and len(options.slices) == 1:
        rows = condensed(details, request.system_name, request.suffix if cutoffs else "", cutoffs)
        rows, details = rows_of_june_2020(rows, cutoffs), details_of_june_2020(details, cutoffs)
    else:
        rows = condensed(details, request.system_name, request.suffix, cutoffs)
    tsv, json = output_names(request.system, request.task, request.suffix, options.profile)
    return Result(rows, {tsv: tsv_text(rows)} | {json: json_text(details)}, [*warnings, *evaluation.remarks])


def _corpus(path: str, text: str | None, protocol: Protocol, options: HipeOptions) -> Corpus:
    """Return the documents of a file, read as the scorer reads it, or of a text that stands for it."""
    demands = protocol.demands(options)
    want = Want(mentions=False, lines=demands.lines, columns=demands.columns)
    rules = HipeFileOptions(
        **demands.options["hipe"], bom="skip" if options.profile in ("corrected", "2020") else "refuse"
    )

    def documents(problems: Problems) -> Iterable[Document]:
        if text is None:
            return read(path, problems=problems, want=want, options=rules)
        return read_text(text, path, problems=problems, want=want, options=rules)

    return Corpus(path, documents, path=path, builds_mentions=want.mentions)


def _blocks(request: ScorerRequest, options: HipeOptions) -> list[ReportBlock]:
    return [
        ReportBlock(column.name, part.time_name, part.noise_name, layer, part.name, cutoff)
        for column in COLUMNS[request.edition, request.task]
        for part in options.slices
        for layer, cutoff in column.layers(options)
    ]
