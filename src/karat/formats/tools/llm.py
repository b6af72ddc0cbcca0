"""What language models write: JSON of mentions as strings, one document a line or all in one array.

A document is ``{"id", "text", "mentions": [...], "relations": [...]}``. A mention is a string, or an object with its
text and perhaps a label, a link and offsets; mentions by label, ``{"PERSON": ["Ada"]}``, are understood too. Nothing
stops the reading: lines that are no JSON, keys that are not known, repetitions and mentions that the text does not have
are reported, and the rest is scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.files import lines, peek
from karat.formats.base import EVERYTHING, Problems, Want
from karat.formats.tools.base import (
    IDS,
    TEXTS,
    Names,
    Records,
    ToolOptions,
    decode,
    json_file,
    kind,
    lacks_text,
    report_bare,
    text_of,
)
from karat.formats.tools.draft import Draft, Origin
from karat.model import Document, Link

_MENTIONS = ("mentions", "entities", "named_entities", "ents")
_RELATIONS = ("relations", "triples", "triplets")
_SURFACES = ("text", "mention", "entity", "name", "surface", "span")
_LABELS = ("label", "type", "category", "entity_type")
_LINKS = ("link", "qid", "wikidata_id", "kb_id")
_OFFSETS = (("start", "end"), ("start_char", "end_char"), ("start_pos", "end_pos"))
_HEADS, _NAMES, _TAILS = ("head", "subject"), ("relation", "type", "predicate", "label"), ("tail", "object")
_KNOWN = {*IDS, *TEXTS, *_MENTIONS, *_RELATIONS}
_MENTION_KEYS = {*_SURFACES, *_LABELS, *_LINKS, *(key for pair in _OFFSETS for key in pair)}
_RELATION_KEYS = {*_HEADS, *_NAMES, *_TAILS}


def read(path: str, *, problems: Problems, want: Want = EVERYTHING, options: ToolOptions) -> Iterator[Document]:
    """Yield the documents of a file, and report what cannot be read."""
    del want
    names, records = Names(path, problems), Records(options.records)
    seen: set[str] = set()
    bare = 0
    for line, record in _records(path, problems):
        origin = Origin(path, line, problems)
        try:
            name = names.of(record, line)
            document = _Reading(origin).document(name, record, records)
        except InputError as error:
            origin.repair(f"{error.message}; the document is left out")
            continue
        if name in seen:
            origin.repair(f"document {shown(name)} is there already; this one is left out")
            continue
        seen.add(name)
        document.source = path
        bare += lacks_text(document)
        yield document
    if bare:
        report_bare(path, problems, bare)
    if not seen:
        raise InputError("there is no document that can be read; expected JSON with mentions", path=path)


def _records(path: str, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a file with their lines; one array of mentions is one document."""
    if peek(path).removeprefix("\ufeff").lstrip().startswith("[") and (whole := _array(path)) is not None:
        if any(isinstance(one, dict) and not _KNOWN.isdisjoint(one) and _is_document(one) for one in whole):
            yield from ((1, one) for one in whole if _is_object(one, path, 1, problems))
        else:
            yield 1, {"mentions": whole}
        return
    for number, line in enumerate(lines(path), start=1):
        content = line.removeprefix("\ufeff").strip().removesuffix(",")
        if content in ("", "[", "]") or content.startswith("```"):
            continue
        try:
            found = decode(content)
        except InputError as error:
            problems.repair(path, number, f"{error.message}; the line is left out")
            continue
        if _is_object(found, path, number, problems):
            yield number, found


def _array(path: str) -> list[Any] | None:
    """Return the array that the whole file is, if it is one; a broken one is read line by line."""
    if path == "-":
        return None
    try:
        found = json_file(path)
    except InputError:
        return None
    return found if isinstance(found, list) else None


def _is_document(one: Mapping[str, Any]) -> bool:
    return any(key in one for key in (*_MENTIONS, *_RELATIONS))


def _is_object(one: Any, path: str, line: int, problems: Problems) -> bool:
    if not isinstance(one, dict):
        problems.repair(path, line, f"there is {kind(one)} instead of a document; it is left out")
    return isinstance(one, dict)


class _Reading:
    """Reads one document, and reports what it leaves out."""

    def __init__(self, origin: Origin) -> None:
        self.origin = origin

    def document(self, name: str, record: dict[str, Any], records: Records) -> Document:
        """Return the document."""
        self._report_unknown(record, _KNOWN, f"document {shown(name)}")
        if not _is_document(record):
            raise InputError(f"document {shown(name)} has no mentions; expected the key {' or '.join(_MENTIONS)}")
        draft = Draft(name, records.text(name, text_of(record)), self.origin)
        for one in self._listed(record, _MENTIONS):
            self._mention(draft, one)
        for one in self._listed(record, _RELATIONS):
            self._relation(draft, one)
        return draft.document()

    def _listed(self, record: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[Any]:
        """Yield what the keys list; an object is read as lists by label."""
        for key in keys:
            found = record.get(key)
            if isinstance(found, list):
                yield from found
            elif isinstance(found, dict):
                for label, some in found.items():
                    for one in some if isinstance(some, list) else [some]:
                        yield {"text": one, "label": label} if isinstance(one, str) else one
            elif found is not None:
                self.origin.repair(f"{key} is {kind(found)}; expected a list, so it is left out")

    def _mention(self, draft: Draft, one: Any) -> None:
        if isinstance(one, str):
            one = {"text": one}
        given = self._text(one, _SURFACES)
        if given is None:
            self.origin.repair(
                f"{shown(str(one))} is no mention; expected a text or an object with one, so it is left out"
            )
            return
        self._report_unknown(one, _MENTION_KEYS, f"mention {shown(given)}")
        label, target = self._text(one, _LABELS), self._text(one, _LINKS)
        labels, links = (label,) if label else (), (Link(target),) if target else ()
        span = self._span(draft, one, given)
        if span is not None:
            draft.at(span, labels, given=given, links=links)
        else:
            draft.named(given, labels, links=links)

    def _span(self, draft: Draft, one: Mapping[str, Any], given: str) -> tuple[int, int] | None:
        """Return the offsets of a mention, if there are any and the mention stands there."""
        for first, behind in _OFFSETS:
            start, end = one.get(first), one.get(behind)
            if type(start) is int and type(end) is int and draft.text is not None:
                if 0 <= start < end and draft.text[start:end].lower() == given.lower():
                    return start, end
                self.origin.repair(f"{shown(given)} does not stand at [{start}, {end}]; it is looked for in the text")
        return None

    def _relation(self, draft: Draft, one: Any) -> None:
        if isinstance(one, list) and len(one) == 3:
            one = dict(zip(("head", "relation", "tail"), one, strict=True))
        parts = [self._text(one, keys) for keys in (_HEADS, _NAMES, _TAILS)]
        head, relation, tail = parts
        if not head or not relation or not tail:
            self.origin.repair(f"{shown(str(one))} is no relation; expected head, relation and tail, so it is left out")
            return
        self._report_unknown(one, _RELATION_KEYS, f"relation {shown(relation)}")
        draft.relation(draft.thing(head), relation, draft.thing(tail))

    def _text(self, one: Any, keys: tuple[str, ...]) -> str | None:
        """Return the first text among the values of some keys."""
        if not isinstance(one, dict):
            return None
        return next((one[key].strip() for key in keys if isinstance(one.get(key), str) and one[key].strip()), None)

    def _report_unknown(self, record: Mapping[str, Any], known: set[str], what: str) -> None:
        for key in record:
            if key not in known:
                self.origin.repair(f"{what} has the unknown key {shown(key)}; it is ignored")
