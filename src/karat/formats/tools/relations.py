"""Relation extractors: REBEL, UniRel, DeepStruct and the relations of PL-Marker; or recorded CSV files.

REBEL writes ``<triplet> head <subj> tail <obj> relation``, UniRel prints ``[[(head, relation, tail), …]]``, one
document per line; DeepStruct has one line per document, ``( head ; relation ; tail ) ( … )``, possibly without triples.
REBEL and DeepStruct name records by row number, from 0; the file of the records gives their ids and texts.

PL-Marker has ``pred_results.json`` with the ``ent_pred_test.json`` whose words it counts. The results are one JSON
object: for each number of a document, sentences with ``[[first, last], [first, last], relation]``. The entities of the
other file are the mentions; an end that is no entity becomes one without a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.parts.literals import NotALiteralError, parse_list
from karat.formats.tools.base import (
    DocumentNames,
    Records,
    ToolOptions,
    ToolReader,
    checked,
    companion,
    each_record,
    json_file,
    json_objects,
    kind,
    plain_key,
    text_of,
)
from karat.formats.tools.draft import Origin, ToolDraft
from karat.formats.tools.entities import PlmarkerRecord
from karat.formats.tools.recorded import PrintedDocuments
from karat.io import lines
from karat.model import Document
from karat.settings import option

Triple = tuple[str, str, str]

_IGNORED = re.compile(r"<s>|<pad>|</s>")
_MARK = re.compile(r"<triplet>|<subj>|<obj>")
_END = "<triplet>"
_STARTS = {_END: ("head", "tail", "relation"), "<subj>": ("tail", "relation"), "<obj>": ("relation",)}
"""The part of a triple that a mark begins, and those that it ends; what is there of them was a triple."""


def rebel_triples(generated: str) -> list[Triple]:
    """Return the triples of a generated text; a repeated ``<subj>`` reuses the head, missing parts are empty.

    >>> rebel_triples("<s><triplet> A <subj> B <obj> owned by <subj> C <obj> part of</s>")
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


def _rebel(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    names, records = DocumentNames(path, problems), Records(options.records)

    def build(record: dict[str, Any], line: int) -> Document:
        generated = record.get("generated")
        if not isinstance(generated, str):
            raise InputError(f"generated is {kind(generated)}; expected a text with <triplet>, <subj> and <obj>")
        row = str(record["index"]) if "index" in record else ""
        name = (records.name(int(row)) or row) if row.isdecimal() and len(row) < 10 else names.of(record, line)
        draft = ToolDraft(name, records.text(name, text_of(record)), Origin(path, line, problems))
        for triple in rebel_triples(generated):
            draft.triple(*triple)
        return draft.document()

    return each_record(path, problems, build)


REBEL = ToolReader(_rebel)


_EXPECTED = "expected [[('HEAD', '/the/relation', 'TAIL'), …]]"


def unirel_triples(text: str) -> list[Triple]:
    """Return the triples of a printed list.

    >>> unirel_triples("[[('IN', '/location/location/contains', 'ENGINE')]]"), unirel_triples("[[]]")
    ([('IN', '/location/location/contains', 'ENGINE')], [])
    """
    try:
        value = parse_list(text)
    except NotALiteralError as error:
        raise InputError(f"the triples cannot be read: {error}; {_EXPECTED}") from error
    return [triple for part in checked(value, list[list[Triple]], "the triples") for triple in part]


class _Unirel(PrintedDocuments):
    """Builds documents from printed triples."""

    def add(self, draft: ToolDraft, printed: str) -> None:
        """Add the triples to a document."""
        for triple in unirel_triples(printed):
            draft.triple(*triple)


UNIREL = ToolReader(_Unirel)


_FIRST = re.compile(r"\s*\( [^;()]{1,200} ; [^;()]{1,200} ; ")


def deepstruct_triples(line: str) -> list[Triple]:
    """Return the triples of a line; brackets within their parts, which the model adds at random, are removed.

    >>> deepstruct_triples(" ( RYAN ; place lived ; NASHVILLE ) ( RYAN ; company ; PIS - 1 )")
    [('RYAN', 'place lived', 'NASHVILLE'), ('RYAN', 'company', 'PIS - 1')]
    """
    triples: list[Triple] = []
    for triple in line.strip().split(") (") if line.strip() else ():
        parts = [part.strip() for part in triple.replace("(", "").replace(")", "").split(";")]
        if len(parts) != 3:
            fault = f"the triple {shown(triple.strip())} has {len(parts)} parts"
            raise InputError(f"{fault}; expected head ; relation ; tail")
        triples.append((parts[0], parts[1], parts[2]))
    return triples


def _deepstruct(path: str, problems: Problems, options: ToolOptions) -> Iterator[Document]:
    records = Records(options.records)
    for index, line in enumerate(lines(path)):
        with problems.catching(path, index + 1):
            name = records.name(index) or str(index)
            draft = ToolDraft(name, records.text(name), Origin(path, index + 1, problems))
            for triple in deepstruct_triples(line):
                draft.triple(*triple)
            yield draft.document()


DEEPSTRUCT = ToolReader(_deepstruct, sniff=lambda head: _FIRST.match(head) is not None)


_BESIDE = "ent_pred_test.json"
_FIRST_RESULT = re.compile(r'\s*\{"[0-9]{1,9}":\s*\[\[[0-9]')
_NUMBER = re.compile(r"[^_]*/([0-9]{1,9})_.*")

WordRange = tuple[int, int]
Sentences = list[tuple[int, list[tuple[WordRange, WordRange, str]]]]


@dataclass(frozen=True)
class PlmarkerOptions(ToolOptions):
    """Options for the relations of PL-Marker."""

    entities: str = option("", f"the file of the entities; unless given, {_BESIDE} beside the results", metavar="FILE")


def _plmarker(path: str, problems: Problems, options: PlmarkerOptions) -> Iterator[Document]:
    """Yield the documents of the file of entities, with the relations of the results by document number."""
    entities_path = companion(path, options.entities, _BESIDE, "name it with --read entities=FILE")
    results: dict[str, Sentences] = checked(json_file(path), dict[str, Sentences], "the relations", path=path)
    records = Records(options.records)
    lines: list[tuple[int, PlmarkerRecord]] = [
        (line, checked(record, PlmarkerRecord, "the document", path=entities_path, line=line))
        for line, record in json_objects(entities_path, problems)
    ]
    document_keys = _numbers([given for _, given in lines])
    for key, (line, given) in zip(document_keys, lines, strict=True):
        with problems.catching(entities_path, line):
            yield _document(given, results.pop(key, []), records, Origin(entities_path, line, problems))
    for key in results:
        problems.error(path, None, f"{entities_path} has no document {shown(key)}; name the file of these entities")


def _numbers(lines: list[PlmarkerRecord]) -> list[str]:
    """Return the number of each document: the one in its key if all keys have one, else that of its line, from 0."""
    matches = [_NUMBER.fullmatch(line.doc_key) for line in lines]
    document_keys = [match[1] for match in matches if match]
    return document_keys if len(set(document_keys)) == len(lines) else [str(index) for index in range(len(lines))]


def _document(given: PlmarkerRecord, sentences: Sentences, records: Records, origin: Origin) -> Document:
    name = plain_key(given.doc_key)
    words = given.words(records.text(name))
    draft = words.draft(name, origin)
    known = {(first, last): words.add(draft, first, last + 1, (label,)) for first, last, label in given.entities()}
    for head, tail, relation in (related for _, relations in sentences for related in relations):
        for first, last in (head, tail):
            if (first, last) not in known:
                known[first, last] = words.add(draft, first, last + 1)
        draft.relation(known[head], relation, known[tail])
    return draft.document()


PLMARKER_RELATIONS = ToolReader(_plmarker, PlmarkerOptions, lambda head: _FIRST_RESULT.match(head) is not None)
