"""Provenance: up to four spans of documents, ``docid:start-end`` with inclusive character offsets.

A provenance is kept as text, its triples joined by commas in their original order; its normal form and its documents
are computed on request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from karat.vocabularies.coldstart.problems import ProblemLog
from karat.vocabularies.coldstart.text import BLANKS, number, number_text
from karat.vocabularies.coldstart.text_files import lines_of

MAX_TRIPLES = 4
MAX_CHARACTERS = 150
NO_DOCUMENT = "NO DOCUMENT"
"""What stands for the first document of a provenance without triples."""

ILLEGIBLE = "NO_DOCUMENT"
"""A document id that the published programs keep for what they cannot read; its triples vanish silently."""

_DOCID = re.compile(r"[^:,\s]+")
_FEW_DIGITS = 19
_DIGITS = re.compile(r"\d+$")
_TRIPLE = re.compile(rf"[{BLANKS}]*([^:]+):(\d+)-(\d+)[{BLANKS}]*")

Lengths = Mapping[str, int | float]
"""The number of characters of every document; one without a length is no document of the task."""


class ProvenanceTriple(NamedTuple):
    """A span of a document; the offsets are kept as they were written."""

    docid: str
    start: str
    end: str

    def __str__(self) -> str:
        return f"{self.docid}:{self.start}-{self.end}"


def read_lengths(path: str) -> Lengths | None:
    """Return document lengths by id, or None if the table is empty, which turns off the check of lengths."""
    texts: dict[str, str] = {}
    for line in lines_of(path):
        docid, _, rest = line.partition("\t")
        texts[docid] = rest.partition("\t")[0]
    return {docid: number(text) for docid, text in texts.items() if text not in ("", "0")} if texts else None


def check_triple(
    triple: ProvenanceTriple, lengths: Lengths | None, log: ProblemLog, where: str
) -> ProvenanceTriple | None:
    """Return the triple, shortened if it is too long, or None if it has an error."""
    docid, start, end = triple
    if docid == ILLEGIBLE:
        return None
    errors_before = log.errors
    numeric = {offset: _DIGITS.match(offset) is not None for offset in (start, end)}
    for offset in (start, end):
        if not numeric[offset]:
            log.record("ILLEGAL_OFFSET", offset, where=where)
    length = None if lengths is None else lengths.get(docid)
    if lengths is not None and length is None:
        log.record("ILLEGAL_DOCID", docid, where=where)
    first, last, shown = number(start), number(end), end
    if all(numeric.values()):
        if last < first:
            log.record("ILLEGAL_OFFSET_PAIR", start, end, where=where)
        elif last - first + 1 > MAX_CHARACTERS:
            log.record("TOO_MANY_CHARS", MAX_CHARACTERS, where=where)
            last = first + MAX_CHARACTERS - 1
            shown = number_text(last)
    if length is not None:
        if numeric[start] and first > length:
            log.record("ILLEGAL_OFFSET_IN_DOC", start, docid, where=where)
        if numeric[end] and last > length:
            log.record("ILLEGAL_OFFSET_IN_DOC", shown, docid, where=where)
    return ProvenanceTriple(docid, start, shown) if log.errors == errors_before else None


def parse(text: str, lengths: Lengths | None, log: ProblemLog, where: str) -> str:
    """Return the repaired provenance of a text; triples with errors are left out.

    >>> log = ProblemLog()
    >>> parse("d1:3-9, d2:0-199,d3:9-3", None, log, "kb.tac line 2")
    'd1:3-9,d2:0-149'
    >>> log.errors, log.warnings
    (1, 1)
    """
    parts = text.rstrip(",").split(",") if text.strip(",") else []
    if len(parts) > MAX_TRIPLES:
        log.record("TOO_MANY_PROVENANCE_TRIPLES", len(parts), MAX_TRIPLES, where=where)
    kept = []
    for part in parts[:MAX_TRIPLES]:
        match = _TRIPLE.fullmatch(part)
        if match is None:
            log.record("ILLEGAL_OFFSET_TRIPLE_STRING", part, where=where)
        elif (triple := check_triple(ProvenanceTriple(*match.groups()), lengths, log, where)) is not None:
            kept.append(str(triple))
    return ",".join(kept)


def triples(provenance: str) -> list[ProvenanceTriple]:
    """Return the triples of a provenance in their order."""
    listed = []
    for part in provenance.split(",") if provenance else ():
        docid, _, offsets = part.partition(":")
        start, _, end = offsets.partition("-")
        listed.append(ProvenanceTriple(docid, start, end))
    return listed


def first_place(provenance: str) -> tuple[str, int | float]:
    """Return the id of the first document of a provenance, as written, and the start of its span."""
    docid, _, offsets = provenance.partition(":")
    return docid, number(offsets.partition("-")[0])


def normal(provenance: str) -> str:
    """Return the normal form of a provenance, by which provenances are compared: triples by document and offsets.

    Starts are compared as numbers and ends as text, as the published programs do.

    >>> normal("d2:0-3,d1:20-9,d1:20-100")
    'd1:20-100,d1:20-9,d2:0-3'
    """
    if "," not in provenance:
        return provenance
    order = sorted(triples(provenance), key=lambda triple: (triple.docid, number(triple.start), triple.end))
    return ",".join(map(str, order))


class ProvenanceReader:
    """Reads provenances of lines; sound ones are recognised by a fast check, and cached.

    >>> read = ProvenanceReader(None, ProblemLog())
    >>> read("d2:1-5,d1:7-9", "run", 1)
    'd1:7-9,d2:1-5'
    """

    def __init__(self, lengths: Lengths | None, log: ProblemLog) -> None:
        self.lengths = lengths
        self.log = log
        self._sound: dict[str, str] = {}
        self._usual = None if lengths is None else {docid: lengths[docid] for docid in lengths if _is_usual(docid)}

    def __call__(self, text: str, path: str, line: int) -> str:
        """Return the normal form of the provenance on a line."""
        known = self._sound.get(text)
        if known is not None:
            return known
        if self._stretch(text) is not None:
            self._sound[text] = text
            return text
        problems_before = self.log.errors + self.log.warnings
        known = normal(parse(text, self.lengths, self.log, f"{path} line {line}"))
        if self.log.errors + self.log.warnings == problems_before:
            self._sound[text] = known
        return known

    def repaired(self, text: str, path: str, line: int) -> str:
        """Return the repaired provenance of a line, with its triples in their original order."""
        return text if self.sound(text) is not None else parse(text, self.lengths, self.log, f"{path} line {line}")

    def sound(self, text: str) -> tuple[str, int] | None:
        """Return the first document of a provenance without faults and the start of its span, or None."""
        first = self._stretch(text)
        if first is None and "," in text:
            parts = text.split(",")
            stretches = [self._stretch(part) for part in parts]
            return stretches[0] if len(parts) <= MAX_TRIPLES and None not in stretches else None
        return first

    def _stretch(self, triple: str) -> tuple[str, int] | None:
        """Return the document and the start of a triple without faults; None if it needs the full check.

        Splitting takes half the time of a regular expression.
        """
        docid, _, offsets = triple.partition(":")
        start, _, end = offsets.partition("-")
        if not (start.isdecimal() and end.isdecimal() and offsets.isascii() and len(offsets) <= _FEW_DIGITS):
            return None
        first, last = int(start), int(end)
        if not 0 <= last - first < MAX_CHARACTERS:
            return None
        is_known = _is_usual(docid) if self._usual is None else last <= self._usual.get(docid, -1)
        return (docid, first) if is_known else None


def _is_usual(docid: str) -> bool:
    """Tell whether the id of a document needs no full check."""
    return docid != ILLEGIBLE and _DOCID.fullmatch(docid) is not None
