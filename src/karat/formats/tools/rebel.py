"""REBEL: triples as the model writes them, ``<triplet> head <subj> tail <obj> relation``, or recorded CSV files.

Records are named by the number of their row, from 0; with the file of the records they get their ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools.base import DocumentNames, Records, ToolOptions, each_record, kind, text_of
from karat.formats.tools.draft import Draft, Origin
from karat.model import Document

Triple = tuple[str, str, str]
_IGNORED = re.compile(r"<s>|<pad>|</s>")
_MARK = re.compile(r"<triplet>|<subj>|<obj>")
_END = "<triplet>"
_STARTS = {_END: ("head", "tail", "relation"), "<subj>": ("tail", "relation"), "<obj>": ("relation",)}
"""The part of a triple that a mark begins, and those that it ends; what is there of them was a triple."""


def parse_triples(generated: str) -> list[Triple]:
    """Return the triples of a generated text; a repeated ``<subj>`` uses the head again, what is missing is empty.

    >>> parse_triples("<s><triplet> A <subj> B <obj> owned by <subj> C <obj> part of</s>")
    [('A', 'owned by', 'B'), ('A', 'part of', 'C')]
    """
    triples: list[Triple] = []
    parts: dict[str, list[str]] = {"head": [], "relation": [], "tail": []}
    part = ""
    for word in [*_MARK.sub(r" \g<0> ", _IGNORED.sub(" ", generated)).split(), _END]:
        if word in _STARTS:
            part = _STARTS[word][0]
            if any(parts[name] for name in _STARTS[word]):
                triples.append((" ".join(parts["head"]), " ".join(parts["relation"]), " ".join(parts["tail"])))
            for name in _STARTS[word]:
                parts[name] = []
        elif part:
            parts[part].append(word)
    return triples


def native(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    """Yield the documents of native output."""
    names, records = DocumentNames(path, problems), Records(options.records)

    def build(record: dict[str, Any], line: int) -> Document:
        generated = record.get("generated")
        if not isinstance(generated, str):
            raise InputError(f"generated is {kind(generated)}; expected a text with <triplet>, <subj> and <obj>")
        row = str(record["index"]) if "index" in record else ""
        name = (records.name(int(row)) or row) if row.isdecimal() and len(row) < 10 else names.of(record, line)
        draft = Draft(name, records.text(name, text_of(record)), Origin(path, line, problems))
        for triple in parse_triples(generated):
            draft.triple(*triple)
        return draft.document()

    return each_record(path, problems, build)
