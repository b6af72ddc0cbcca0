"""Runs and assessments of TAC KBP Cold Start slot filling: one answer or judged answer per line, tab-separated.

Every query is a document, together with its follow-up queries; every line is a mention. Its text is the value,
its label the slot, its span the first provenance of the value (the attribute ``place`` names the source document). The
attributes ``query``, ``relation``, for answers ``run`` and ``score`` (the confidence), and for assessments
``judgment`` and ``class`` hold the other columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from karat.errors import InputError, many
from karat.formats.base import Format, NoOptions, Problems, Want
from karat.model import Document, Mention

if TYPE_CHECKING:
    from karat.vocabularies.coldstart.slot_lines import SlotColumns

_TRIPLES = r"[^\t:]+:\d+-\d+[^\t]*"
_FIRST_LINE = re.compile(
    rf"[^\t\n]+\t(?:[^\t:]+:[^\t:]+\t[^\t]+\t{_TRIPLES}\t[^\t]+(?:\t\w+)?\t{_TRIPLES}\t\d+(?:\.\d+)?"
    rf"|[^\t:]+:[^\t:]+:[^\t]+\t{_TRIPLES}\t[^\t]+\t{_TRIPLES}\t[CWXISL]\t[CWXISL]\t[^\t]+)"
)
_SHOWN = 60
_PLACE = re.compile(r"[^:,]+:([0-9]{1,9})-([0-9]{1,9})")


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield a document for each query, in the order of their first lines; faulty lines are reported and skipped."""
    del want, options
    from karat.vocabularies.coldstart.query_ids import base

    documents: dict[str, Document] = {}
    for mention in _mentions(path, problems):
        name = base(mention.attributes["query"])
        if name not in documents:
            documents[name] = Document(name, source=path)
        documents[name].mentions.append(mention)
    yield from documents.values()


def _mentions(path: str, problems: Problems) -> Iterator[Mention]:
    from karat.io import lines
    from karat.vocabularies.coldstart.problems import ProblemLog
    from karat.vocabularies.coldstart.provenance import ProvenanceReader

    log = ProblemLog()
    places = ProvenanceReader(None, log)
    layout = None
    for line_number, line in enumerate(lines(path), 1):
        elements = line.rstrip("\t").split("\t")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if layout is None:
            layout = _layout(elements)
            if layout is not None and layout.is_run:
                problems.has("coldstart run", (f"column {name}" for name in layout.columns))
        if layout is None:
            message = f"{line[:_SHOWN]!r} is not Cold Start slot filling: {_misfit(elements)}"
            raise InputError(message, path=path, line=line_number)
        if len(elements) != len(layout.columns):
            message = f"has {len(elements)} columns; expected {len(layout.columns)} as the first line"
            problems.error(path, line_number, message)
            continue
        errors = log.errors
        columns = layout.relation, layout.place
        relation, place = (places(elements[column], path, line_number) for column in columns)
        if log.errors > errors or not relation or not place:
            message = "has a provenance that cannot be read; expected docid:start-end with start <= end"
            problems.error(path, line_number, message)
            continue
        query, slot = layout.asked(elements)
        if layout.is_run:
            more = {"run": elements[layout.run_id], "score": elements[-1]}
        else:
            more = {"judgment": elements[layout.judgment], "class": elements[-1]}
        if not query or not elements[layout.value].strip():
            problems.error(path, line_number, "has no query id or no value; fill every column")
            continue
        value = elements[layout.value]
        attributes = {"query": query, "relation": relation, "place": place, **more}
        start_end = _PLACE.match(place)
        span = (int(start_end[1]), int(start_end[2]) + 1) if start_end else (0, len(value))
        yield Mention(str(line_number), (span,), (slot,), value, attributes=attributes)


def _layout(elements: Sequence[str]) -> SlotColumns | None:
    """Return the layout of a file with this first line, if any; a provenance that is too long will be shortened."""
    from karat.vocabularies.coldstart.problems import Stop
    from karat.vocabularies.coldstart.provenance import MAX_TRIPLES
    from karat.vocabularies.coldstart.slot_lines import recognise

    for several in (elements, [",".join(element.split(",")[:MAX_TRIPLES]) for element in elements]):
        try:
            return recognise(list(several), "")
        except Stop:
            continue
    return None


def _misfit(elements: Sequence[str]) -> str:
    """Return why a line belongs neither to a run nor to assessments: the first column that is not as expected."""
    from karat.vocabularies.coldstart.slot_lines import ASSESSMENTS, LAYOUTS

    misfits = []
    for layout in LAYOUTS:
        if len(elements) == len(layout.columns):
            fitting = [
                pattern.fullmatch(text) is not None for pattern, text in zip(layout.patterns, elements, strict=True)
            ]
            misfits.append((sum(fitting), layout, fitting.index(False)))
    if not misfits:
        return f"it has {many(len(elements), 'column')}; expected 8 separated by tabs, or 7 for a run of 2014"
    _, layout, column = max(misfits, key=lambda misfit: misfit[0])
    kind = "assessments" if layout is ASSESSMENTS else "a run"
    stands = f"column {column + 1}, {layout.columns[column]}, has {elements[column][:_SHOWN]!r}"
    return f"{stands}; expected the columns of {kind}"


def _sniff(head: str) -> bool:
    for line in head.split("\n"):
        if line.strip() and not line.lstrip().startswith("#"):
            return _FIRST_LINE.fullmatch(line.rstrip("\r\t")) is not None
    return False


FORMAT = Format(
    name="coldstart",
    title="TAC KBP Cold Start: slot-filling runs and assessments",
    known_by="lines of a query, a slot, a run or an answer, and places such as doc:0-12",
    read=read,
    sniff=_sniff,
    suffixes=(".fqec",),
    layers="fills of slots, with provenance, judgments and equivalence classes",
)
