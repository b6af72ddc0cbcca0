"""The problems of a knowledge base for its author: grouped by kind, with line, text and advice.

Used by ``karat validate``; ``karat coldstart stats`` uses the counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from karat.errors import location_prefix, many
from karat.formats.coldstart.kb.assertions import Adder
from karat.formats.coldstart.kb.columns import KB
from karat.formats.coldstart.kb.integrity import check_integrity
from karat.formats.coldstart.kb.reader import TASKS, KBReader
from karat.io import peek
from karat.vocabularies.coldstart.problems import NO_PLACE, Kind, ProblemLog
from karat.vocabularies.coldstart.provenance import Lengths
from karat.vocabularies.coldstart.schema import Schema
from karat.vocabularies.coldstart.text import lower
from karat.vocabularies.coldstart.text_files import lines_of

if TYPE_CHECKING:
    from karat.formats.base import Problem

_LINE = re.compile(r":?\w+\t(?:\w+:)?(\w+)\t[^\t]+(?:\t[^\t]*){0,2}")
_LOOKED_AT = 50
_SHOWN_TEXT = 200


class Occurrence(NamedTuple):
    """An occurrence of a problem: the line and its text, both missing for a problem of the whole file."""

    message: str
    line: int | None
    text: str


class ProblemGroup(NamedTuple):
    """All occurrences of one kind of problem; ``met`` counts them, repeated ones on a line included."""

    kind: Kind
    met: int
    occurrences: tuple[Occurrence, ...]


def looks_like_kb(path: str) -> bool:
    """Tell whether a file looks like a knowledge base: a run id, then assertions with predicates of the schema."""
    first, *lines = peek(path).split("\n")[:_LOOKED_AT]
    if "\t" in first.partition("#")[0].strip():
        return False
    first_match = next(filter(None, (_LINE.match(line.strip()) for line in lines)), None)
    return first_match is not None and Schema().lookup(lower(first_match[1])) != []


def read_kb(path: str, lengths: Lengths | None = None) -> KB:
    """Return a knowledge base, read and checked under the rules of the task CSKB."""
    adder = Adder(KB(path, Schema(), ProblemLog()))
    KBReader(adder, "CSKB", lengths).read(path)
    check_integrity(adder, canonical=TASKS["CSKB"] is None)
    return adder.kb


def groups(kb: KB) -> list[ProblemGroup]:
    """Return the problems of a knowledge base by kind, errors first, with the lines of the file."""
    shift = 1 if "MISSING_RUNID" in kb.log.counts else 0  # without a run id the published numbers are one too high
    by_kind: dict[Kind, list[tuple[str, int | None]]] = {}
    for finding in kb.log.findings():
        message = finding.text.partition(": ")[2]
        for where in finding.places:
            written = where.rpartition(" line ")[2]
            line = int(written) - shift if where != NO_PLACE and written.isdecimal() else None
            by_kind.setdefault(finding.kind, []).append((message, line))
    wanted = {line for several in by_kind.values() for _, line in several if line is not None}
    lines = enumerate(lines_of(kb.file), 1) if wanted else ()
    texts = {line_number: text[:_SHOWN_TEXT] for line_number, text in lines if line_number in wanted}
    result = []
    for kind, several in by_kind.items():
        occurrences = [
            Occurrence(message, None if line is None else max(line, 1), "" if line is None else texts.get(line, ""))
            for message, line in several
        ]
        occurrences.sort(key=lambda occurrence: (occurrence.line or 0, occurrence.message))
        result.append(ProblemGroup(kind, kb.log.counts[kind.name], tuple(occurrences)))
    return sorted(result, key=lambda group: (group.kind.severity, group.kind.name))


def problems_of(kb: KB) -> Iterator[Problem]:
    """Yield the problems of a knowledge base as those of an annotation file; warnings become repairs."""
    from karat.formats.base import Problem

    for group in groups(kb):
        for occurrence in group.occurrences:
            message = f"{group.kind.name}: {occurrence.message}. {group.kind.fix}"
            yield Problem(kb.file, occurrence.line, message, "error" if group.kind.severity == "ERROR" else "repair")


def shown(kb: KB, examples: int = 10) -> Iterator[str]:
    """Yield lines that present the problems of a knowledge base, with some examples of each kind."""
    for group in groups(kb):
        kind = group.kind
        yield f"{kind.severity.lower()} {kind.name}, {many(group.met, 'time')}: {kind.when}"
        yield f"  repair: {kind.repair}"
        if kind.fix:
            yield f"  fix: {kind.fix}"
        for occurrence in islice(group.occurrences, examples):
            yield f"  {location_prefix(kb.file, occurrence.line)}{occurrence.message}"
            if occurrence.text:
                yield f"      {occurrence.text.expandtabs(1)}"
        if len(group.occurrences) > examples:
            yield f"  and {len(group.occurrences) - examples} more"
