"""Evaluations that the HIPE organisers have published, computed again: which revision gives them, cell by cell."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from karat.analysis.verification.check import Check, Finding
from karat.errors import InputError, UsageError
from karat.io import read_text
from karat.protocols.hipe.drop_in.evaluate import Result, ScorerRequest, evaluate, read
from karat.protocols.hipe.drop_in.reports import HEADER

_NAME = re.compile(
    r"(?P<column>NE-(?:COARSE|FINE)-[A-Z]+|NE-NESTED|NEL-[A-Z]+)-(?:micro|macro_doc)-(?:fuzzy|strict)"
    r"(?:-(?P<suffix>.+?))??(?:-TIME-(?P<time>ALL|[0-9]{4}-[0-9]{4})-LED-(?P<noise>ALL|[0-9.]+-[0-9.]+))?"
    r"(?:-@(?P<cutoff>[0-9]+))?"
)
_TASKS = {"NE-COARSE": "nerc_coarse", "NE-FINE": "nerc_fine", "NE-NESTED": "nerc_fine", "NEL": "nel"}
_REVISIONS = (("hipe-2022", "current"), ("hipe-2022", "2022"), ("hipe-2020", "current"), ("hipe-2020", "2020"))
"""Editions and profiles, in the order in which they are tried."""

Cells = dict[str, str]
"""The numbers of a report as they are written, each under the name of its row and column."""


class PublishedReport(NamedTuple):
    """A published report: whether it is the detailed one, what it is about, and its numbers."""

    is_detailed: bool
    task: str
    settings: Mapping[str, str]
    suffix: str
    cells: Cells


def is_report(path: str | os.PathLike[str]) -> bool:
    """Return whether a file looks like one of the two reports of the HIPE scorer."""
    text = read_text(path)
    return text.startswith("\t".join(HEADER)) or (text.lstrip().startswith("{") and _nested(text) is not None)


def report_in(path: str | os.PathLike[str]) -> PublishedReport:
    """Return the report of a file, with all that its names say about how it was made."""
    text = read_text(path)
    details = _nested(text) if text.lstrip().startswith("{") else None
    if details is not None:
        return _detailed(details)
    rows = list(csv.DictReader(io.StringIO(text), delimiter="\t"))
    matches = [_NAME.fullmatch(row["Evaluation"] or "") for row in rows]
    names = [match for match in matches if match is not None]
    if len(names) < len(rows) or not names:
        odd = next((row["Evaluation"] for row, match in zip(rows, matches, strict=True) if match is None), "nothing")
        raise InputError(f"is no report of the HIPE scorer: {odd!r} names no evaluation", path=path)
    task = _task_of(names[0]["column"])
    settings = {
        "n_best": ",".join(dict.fromkeys(match["cutoff"] for match in names if match["cutoff"])) or "1",
        "time_period": _joined(match["time"] for match in names),
        "noise_level": _joined(match["noise"] for match in names),
    }
    return PublishedReport(False, task, settings, names[0]["suffix"] or "", _condensed(rows))


def _task_of(column: str) -> str:
    return next(task for name, task in _TASKS.items() if column.startswith(name))


def _joined(parts: Iterator[str | None]) -> str:
    return ",".join(dict.fromkeys(part for part in parts if part and part != "ALL"))


def _condensed(rows: list[dict[str, str]]) -> Cells:
    return {
        f"{column} of {row['Evaluation']}, {row['Label']}": row[column] or "" for row in rows for column in HEADER[3:]
    }


def _nested(text: str) -> dict[str, Any] | None:
    """Return the content of a detailed report; of any other JSON nothing."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    first = next(iter(content), "") if isinstance(content, dict) else ""
    is_ours = first.isdigit() or any(first.startswith(name) for name in _TASKS)
    return content if is_ours else None


def _detailed(details: dict[str, Any]) -> PublishedReport:
    is_linked = next(iter(details)).isdigit()
    columns = next(iter(details.values())) if is_linked else details
    column = next(iter(columns))
    task = "nel" if is_linked else _task_of(column)
    slices = [part for part in columns[column] if part != "TIME-ALL"] if "TIME-ALL" in columns[column] else []
    noises = [part for part in columns[column].get("TIME-ALL", {}) if part != "LED-ALL"]
    settings = {
        "n_best": ",".join(details) if is_linked else "1",
        "time_period": ",".join(part.removeprefix("TIME-") for part in slices),
        "noise_level": ",".join(part.removeprefix("LED-") for part in noises),
    }
    return PublishedReport(True, task, settings, "", dict(_leaves(details)))


def _leaves(content: Any, *path: str) -> Iterator[tuple[str, str]]:
    if isinstance(content, dict):
        for key, member in content.items():
            yield from _leaves(member, *path, key)
    else:
        *place, name = path
        yield f"{name} of {' '.join(place)}", "" if content is None else repr(content)


def verify(path: str | os.PathLike[str], gold: Any, system: Any, given: Mapping[str, Any]) -> Check:
    """Evaluate a system as the revisions of the scorer do, and say which of them gives the published report.

    ``given`` are options that a report cannot say, such as the tag set, and the profile if only one is to be tried.
    """
    if not all(isinstance(side, str | os.PathLike) for side in (gold, system)):
        raise UsageError("a report of the HIPE scorer is about files; give the paths of gold and system")
    report = report_in(path)
    tried: list[tuple[str, list[Finding]]] = []
    refused: list[InputError] = []
    for edition, profile in _REVISIONS:
        if given.get("profile", profile) != profile:
            continue
        settings = {**report.settings, **given, "profile": profile}
        request = ScorerRequest(
            os.fspath(gold), os.fspath(system), report.task, edition, settings, report.suffix, check_name=False
        )
        try:
            findings = _differences(report, evaluate(read(request)))
        except InputError as error:
            refused.append(error)
            continue
        tried.append((f"{edition}, profile {profile}", findings))
        if not findings:
            break
    if not tried:
        raise refused[0] if refused else UsageError(f"no published revision has the profile {given['profile']!r}")
    settings_in_words, findings = min(tried, key=lambda attempt: len(attempt[1]))
    filled = sum(bool(cell) for cell in report.cells.values())
    return Check(
        Path(path).name, filled, (*_hints(report, given, findings), *findings), f"{report.task}, {settings_in_words}"
    )


def _hints(report: PublishedReport, given: Mapping[str, Any], findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield what may explain differences: what the scorer was told, and its reports do not say."""
    if not findings:
        return
    if report.task != "nel" and "tagset" not in given:
        yield Finding("options", "options: no tag set was given; if the organisers used one, add --with tagset=FILE")
    if report.settings["time_period"] and "time_period" not in given:
        sentence = "options: periods are taken for whole years; if they were days, add --with time_period=FROM-TO,…"
        yield Finding("options", sentence)


def _differences(report: PublishedReport, result: Result) -> list[Finding]:
    """Return every number of a report that is another one here."""
    details = (text for text in result.files.values() if text.lstrip().startswith("{"))
    cells = dict(_leaves(json.loads(next(details)))) if report.is_detailed else _condensed(result.rows)
    names = dict.fromkeys((*report.cells, *cells))
    return [
        Finding("number", f"{name}: {_told(report.cells, name)} in the result, {_told(cells, name)} here", True)
        for name in names
        if report.cells.get(name) != cells.get(name) and not _is_same(report.cells.get(name), cells.get(name))
    ]


def _is_same(first: str | None, second: str | None) -> bool:
    """Return whether two cells are the same number, also if one is written ``0`` and the other ``0.0``."""
    try:
        return float(first or "nan") == float(second or "nan")
    except ValueError:
        return False


def _told(cells: Cells, name: str) -> str:
    return (cells[name] or "empty") if name in cells else "no such number"
