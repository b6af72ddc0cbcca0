"""Builds documents from the entries of BRAT ``.ann`` files: resolves references and checks offsets."""

from __future__ import annotations

import re
from math import inf
from typing import TYPE_CHECKING

from karat.annotations.faults import shown, span_faults, surface
from karat.formats.brat.conventions import (
    LAYER,
    NO_CHAIN_LABEL,
    NO_NOTE_LABEL,
    REFERENCE,
    read_reference,
    read_roles,
)
from karat.formats.brat.lines import FORMS, BratEntry, LineRemark
from karat.formats.parts.assembly import Surfaces
from karat.model import Argument, Chain, Document, Link, Mention, Note, Relation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from karat.model import Span

_BLANKS = re.compile(r"\s+")


def settle_text(raw: str, entries: Sequence[BratEntry]) -> tuple[str, int]:
    r"""Return the text, and the number to subtract from all offsets so that most mentions fit the text.

    BRAT counts every character of the text file: a byte-order mark and both halves of ``\r\n``. Other tools
    do not. The reading under which most mentions have their stated text is used; on a tie, BRAT's own.
    A byte-order mark is never part of the text.
    """
    body = raw.removeprefix("\ufeff")
    shifts = (1, 0) if raw != body else (0,)
    texts = [body, body.replace("\r\n", "\n")] if "\r\n" in body else [body]
    candidates = [(text, shift) for text in texts for shift in shifts]
    if len(candidates) == 1:
        return candidates[0]
    bound = [(entry.spans or (), entry.text or "") for entry in entries if entry.kind == "T"]

    def fits(candidate: tuple[str, int]) -> int:
        text, shift = candidate
        return sum(_same_text(surface(text, _moved(spans, shift)), stated) for spans, stated in bound)

    return max(candidates, key=fits)


def _moved(spans: Iterable[Span], shift: int) -> tuple[Span, ...]:
    return tuple([(start - shift, end - shift) for start, end in spans])


def _same_text(text: str, other: str) -> bool:
    """Tell whether two texts are equal up to white space: BRAT writes line ends as blanks."""
    return text == other or _BLANKS.sub(" ", text) == _BLANKS.sub(" ", other)


class BratAssembly:
    """Builds a document from the entries of a file; faults are collected, not raised.

    After :meth:`document` was called, ``wrong`` holds the faults and ``repairs`` what was read differently
    from how it is written. A document with faults may lack the faulty items. ``as_written`` keeps unsound annotations:
    repeated ids, missing references, offsets that do not fit the text; only unsound notes are left out.
    """

    def __init__(self, entries: Sequence[BratEntry], text: str, shift: int = 0, *, as_written: bool = False) -> None:
        self.entries, self.text, self.shift, self.as_written = entries, text, shift, as_written
        self.wrong: list[LineRemark] = []
        self.repairs: list[LineRemark] = []
        self._known: dict[str, BratEntry] = {}
        self._owners: dict[str, str] = {}
        self._attributes: dict[str, dict[str, str]] = {}
        self._links: dict[str, list[Link]] = {}
        self._surfaces = Surfaces(text, inf)  # of what is not written; by strict rules all of it is

    def document(self, name: str) -> Document:
        """Return the document; all ids are collected before references are resolved."""
        for entry in self.entries:
            if entry.kind != "*" and self._known.setdefault(entry.id, entry) is not entry:
                first = self._known[entry.id].line
                self._unsound(entry, f"the id {shown(entry.id)} is taken by line {first}; choose another")
        for entry in self._of("A"):
            self._attribute(entry)
        for entry in self._of("N"):
            self._normalisation(entry)
        mentions = [self._mention(entry) for entry in self._of("T")]
        chains = [self._chain(entry, chain_number) for chain_number, entry in enumerate(self._of("*"), start=1)]
        relations = [self._relation(entry) for entry in self._of("RE")]
        notes = [self._note(entry) for entry in self._of("#")]
        return Document(
            name,
            self.text,
            [mention for mention in mentions if mention is not None],
            [chain for chain in chains if chain is not None],
            [relation for relation in relations if relation is not None],
            [note for note in notes if note is not None],
        )

    def _of(self, kinds: str) -> list[BratEntry]:
        return [entry for entry in self.entries if entry.kind in kinds]

    def _fault(self, entry: BratEntry, message: str) -> None:
        self.wrong.append(LineRemark(entry.line, message))

    def _unsound(self, entry: BratEntry, message: str) -> bool:
        """Record an unsound annotation; return whether it is kept as written."""
        (self.repairs if self.as_written else self.wrong).append(LineRemark(entry.line, message))
        return self.as_written

    def _malformed(self, entry: BratEntry) -> None:
        written = "<TAB>".join([entry.id, " ".join(entry.words), *([] if entry.text is None else [entry.text])])
        note = self._unsound if entry.kind == "#" else self._fault
        note(entry, f"found {shown(written)}, expected the form {FORMS[entry.id[0]]!r}")

    def _points_at(self, entry: BratEntry, target: str, kinds: str, *, needed: bool = True) -> bool:
        """Tell whether the target exists and is of one of the kinds; if not, record a fault.

        With ``as_written`` a missing target is a fault only if it is ``needed``.
        """
        pointed = self._known.get(target)
        if pointed is not None and pointed.kind in kinds:
            return True
        what = "is not there" if pointed is None else f"(line {pointed.line}) is of another kind"
        expected = f"expected the id of a {' or '.join(kinds)} line"
        note = self._fault if needed else self._unsound
        note(entry, f"{shown(entry.id)} refers to {shown(target)}, which {what}; {expected}")
        return False

    def _attribute(self, entry: BratEntry) -> None:
        if len(entry.words) < 2:
            self._malformed(entry)
            return
        name, target, *value = entry.words
        if not self._points_at(entry, target, "TRE"):
            return
        self._owners[entry.id] = target
        attributes = self._attributes.setdefault(target, {})
        if name in attributes:
            self._unsound(entry, f"{shown(target)} already has an attribute {shown(name)}; keep one of them")
        elif name == LAYER and target[0] == "T" and not value:
            self._unsound(entry, f"the attribute {LAYER!r} has no value; expected the name of a layer")
        attributes[name] = " ".join(value)

    def _normalisation(self, entry: BratEntry) -> None:
        reference = entry.words[2] if len(entry.words) == 3 and entry.words[0] == REFERENCE else ""
        resource, _, name = reference.partition(":")
        if not resource or not name:
            self._malformed(entry)
        elif self._points_at(entry, entry.words[1], "T"):
            self._owners[entry.id] = entry.words[1]
            self._links.setdefault(entry.words[1], []).append(Link(read_reference(reference)))

    def _mention(self, entry: BratEntry) -> Mention | None:
        if entry.spans is None or (entry.text is None and not self.as_written):
            self._malformed(entry)
            return None
        spans = _moved(entry.spans, self.shift)
        covered = surface(self.text, spans)
        unsound = self._unfit(entry, spans, covered)
        if unsound and not self._unsound(entry, unsound):
            return None
        attributes = self._attributes.get(entry.id, {})
        layer = attributes.pop(LAYER, "")
        links = tuple(self._links.get(entry.id, ()))
        kept = self._surfaces.at(spans) if self.as_written else covered
        return Mention(entry.id, spans, (entry.words[0],), kept, layer, links, attributes)

    def _unfit(self, entry: BratEntry, spans: tuple[Span, ...], covered: str) -> str:
        """Return a sentence on how a mention does not fit the text, or ``""``."""
        wrong = list(span_faults(spans, len(self.text)))
        if wrong:
            return f"{shown(entry.id)}: {wrong[0]}"
        if entry.text is None or _same_text(covered, entry.text):
            return ""
        stated = f"{shown(entry.id)} states the text {shown(entry.text)}"
        offsets = ";".join([f"{start} {end}" for start, end in entry.spans or ()])
        return f"{stated}, but the text file has {shown(covered)} at {offsets}; correct the offsets or the text file"

    def _relation(self, entry: BratEntry) -> Relation | None:
        ends = [word.rpartition(":") for word in entry.words[entry.kind == "R" :]]
        complete = bool(ends) and (self.as_written or all(role and target for role, _, target in ends))
        if not complete or (entry.kind == "R" and len(ends) != 2):
            self._malformed(entry)
            return None
        label, trigger = entry.words[0], None
        if entry.kind == "E":
            label, _, trigger = ends.pop(0)
            self._points_at(entry, trigger, "T")
        for _, _, target in ends:
            self._points_at(entry, target, "TRE", needed=False)
        written = [role for role, _, _ in ends]
        roles = read_roles(written) if entry.kind == "E" else written
        arguments = tuple(Argument(role, end[2]) for role, end in zip(roles, ends, strict=True))
        return Relation(entry.id, label, arguments, trigger, self._attributes.get(entry.id, {}))

    def _chain(self, entry: BratEntry, chain_number: int) -> Chain | None:
        if len(entry.words) < 2:
            self._malformed(entry)
            return None
        label, *targets = entry.words
        for target in targets:
            self._points_at(entry, target, "T", needed=False)
        return Chain(f"*{chain_number}", tuple(targets), "" if label == NO_CHAIN_LABEL else label)

    def _note(self, entry: BratEntry) -> Note | None:
        if len(entry.words) != 2:
            self._malformed(entry)
            return None
        label, target = entry.words
        if target in self._owners:
            owner = self._owners[target]
            message = f"the note {shown(entry.id)} on {shown(target)} was read as one on {shown(owner)}"
            self.repairs.append(LineRemark(entry.line, message))
            target = owner
        if not self._points_at(entry, target, "TRE", needed=False):
            return None
        return Note(entry.id, target, entry.text or "", "" if label == NO_NOTE_LABEL else label)
