"""The shapes in which language models list mentions and relations, converted to annotations.

Lists of texts, pairs, objects and triples; texts by type, types by text; possibly below a key, or several of these.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from karat.annotations.faults import shown
from karat.annotations.location import Haystack
from karat.errors import InputError
from karat.formats.llm.json import strict
from karat.formats.llm.markup import mentions_of_tags
from karat.formats.parts.assembly import links_of
from karat.formats.parts.json_items import kind, texts_of
from karat.formats.tools.draft import ToolDraft
from karat.model import Span

MENTIONS = ("entities", "mentions", "named_entities", "ents", "spans", "extracted_entities", "entity_mentions")
RELATIONS = ("relations", "triples", "triplets", "relationships", "facts")
_WRAPPERS = ("answer", "response", "result", "results", "output", "data", "extraction", "extractions")
_SURFACES = ("text", "mention", "entity", "name", "surface", "span", "value", "word", "entity_text", "entity_name")
_LABELS = ("type", "label", "category", "entity_type", "labels", "types", "class", "tag", "entity_group")
_LINKS = ("link", "links", "qid", "wikidata_id", "wikidata", "kb_id", "uri", "url")
_OFFSETS = (
    *(("start", "end"), ("start_char", "end_char"), ("start_pos", "end_pos")),
    *(("begin", "end"), ("start_offset", "end_offset"), ("start_index", "end_index")),
)
_HEADS, _TAILS = ("head", "subject", "subj", "source", "from"), ("tail", "object", "obj", "target", "to")
_NAMES = ("relation", "predicate", "type", "label", "relationship", "relation_type", "property")
_REMARKS = ("error", "message", "note", "notes", "explanation", "reason", "reasoning", "comment", "status", "summary")
_MENTION_KEYS = {*_SURFACES, *_LABELS, *_LINKS, *(key for pair in _OFFSETS for key in pair)}
_NAMED = re.compile(r"(\S.*?)\s*[(\[]([A-Za-z][\w /&-]{0,40})[)\]]")
_CAPITALS = re.compile(r"[A-Z][A-Z0-9_/&-]*")


def snake_case(key: str) -> str:
    """Return a key in lower case with underscores.

    >>> snake_case("Named Entities")
    'named_entities'
    """
    return re.sub(r"[\s-]+", "_", key.strip().lower())


class Shapes:
    """Adds the content of an answer to the draft of a document, and reports what it leaves out."""

    def __init__(self, draft: ToolDraft, names: Haystack) -> None:
        self.draft, self.names = draft, names
        self.read = self.left = 0
        self._ends: dict[str, str] = {}
        self._relations: list[tuple[Any, str, Any]] = []

    def add(self, value: Any) -> None:
        """Add everything in a value, relations after all mentions; a value without annotations is an error."""
        self._value(value)
        if self.left and not self.read:
            raise InputError("nothing in it is a mention or a relation")
        for head, label, tail in self._relations:
            self.draft.relation(self._end(head), label, self._end(tail))
        self._relations.clear()

    def _value(self, value: Any) -> None:
        if isinstance(value, list):
            self._items(value, "")
            return
        if not isinstance(value, dict):
            raise InputError(f"it is {kind(value)}; expected mentions")
        keys = {snake_case(key): key for key in value}
        lists = {key for key, content in value.items() if isinstance(content, list | dict | None)}
        if known := [keys[key] for key in (*MENTIONS, *RELATIONS) if keys.get(key) in lists]:
            for key in known:
                self._listed(key, value[key], is_relations=snake_case(key) in RELATIONS)
            self._report_others(value, known)
        elif _surface(value) is not None or _part(value, _HEADS) is not None:
            self._item(value, "")
        elif wrapped := [inner for key in _WRAPPERS if key in keys and (inner := _inner(value[keys[key]])) is not None]:
            self._value(wrapped[0])
        else:
            self._by_type(value)

    def _report_others(self, value: Mapping[str, Any], known: list[str]) -> None:
        for key, content in value.items():
            if key not in known and isinstance(content, list | dict) and content:
                what = f"the key {shown(key)} of the answer"
                self.draft.origin.drop(what, f"{what} is not read as annotations")

    def _listed(self, key: str, content: Any, *, is_relations: bool) -> None:
        if isinstance(content, dict):
            self._by_type(content)
        elif isinstance(content, list) and is_relations:
            for item in content:
                self._relation(item)
        elif isinstance(content, list):
            self._items(content, "")
        else:
            self._leave(f"{shown(key)} is {kind(content)}; expected a list")

    def _items(self, items: list[Any], label: str) -> None:
        """Add mentions, which may be tokens with their tags."""
        tagged = mentions_of_tags(items)
        for item in items if tagged is None else tagged:
            self._item(item, label)

    def _by_type(self, content: Mapping[str, Any]) -> None:
        """Add texts by type, or types by text; the side that occurs in the text has the names. Remarks are skipped."""
        remarks = {key for key, part in content.items() if snake_case(key) in _REMARKS and isinstance(part, str)}
        self.left += len(remarks)
        content = {key: part for key, part in content.items() if key not in remarks}
        if self._keys_are_names(content):
            for name, labels in content.items():
                self._item({"text": name, "type": labels}, "")
            return
        for label, listed in content.items():
            for item in listed if isinstance(listed, list) else [listed]:
                if item is not None and item != "":
                    self._item(item, label)

    def _keys_are_names(self, content: Mapping[str, Any]) -> bool:
        values = [item for listed in content.values() for item in (listed if isinstance(listed, list) else [listed])]
        texts = [value for value in values if isinstance(value, str)]
        if not texts or len(texts) < len(values):
            return False
        keys_found, values_found = sum(map(self.names.has, content)), sum(map(self.names.has, texts))
        if keys_found != values_found:
            return keys_found > values_found
        return all(map(_CAPITALS.fullmatch, texts)) and not all(map(_CAPITALS.fullmatch, content))

    def _item(self, item: Any, label: str) -> None:
        """Add a mention, or a relation in a list of relations; ``label`` is that of its list."""
        if isinstance(item, list):
            self._row(item, label)
        elif isinstance(item, str) and item.strip():
            named = None if label or self.names.has(item) else _NAMED.fullmatch(item.strip())
            is_known = named is not None and self.names.has(named[1])
            self._mention({"text": named[1], "type": named[2]} if named and is_known else {"text": item}, label)
        elif isinstance(item, dict):
            if _part(item, _HEADS) is not None and _part(item, _TAILS) is not None:
                self._relation(item)
            elif listed := _several(item):
                for part in listed:
                    self._item(part, next(iter(_labels(item)), label))
            elif _surface(item) is not None or _span_of(item) is not None:
                self._mention(item, label)
            elif any(snake_case(key) in (*MENTIONS, *RELATIONS) for key in item):
                self._value(item)
            elif item and all(isinstance(part, str | list) for part in item.values()):
                self._by_type(item)
            else:
                self._leave(f"{shown(str(item))} is not a mention; expected a text or an object with one")
        else:
            self._leave(f"{shown(str(item))} is not a mention; expected a text or an object with one")

    def _row(self, row: list[Any], label: str) -> None:
        """Add a list of values: text and type in either order, a triple, or either with offsets."""
        texts = [part for part in row if isinstance(part, str)]
        offsets = [part for part in row if type(part) is int]
        if len(offsets) == 2 and len(texts) + 2 == len(row) and 1 <= len(texts) <= 2:
            given = texts[0] if len(texts) == 2 else None
            self._mention({"text": given, "type": texts[-1], "start": offsets[0], "end": offsets[1]}, label)
        elif len(texts) == len(row) == 3:
            self._relation(row)
        elif len(row) == 2 and isinstance(row[0], str) and (row[1] is None or isinstance(row[1], str | list)):
            name, kind_of = row
            if isinstance(kind_of, str) and not self.names.has(name) and self.names.has(kind_of):
                name, kind_of = kind_of, name
            self._mention({"text": name, "type": kind_of}, label)
        elif len(texts) == len(row) == 1:
            self._mention({"text": texts[0]}, label)
        else:
            self._leave(f"{shown(str(row))} is not a mention; expected text and type, or three parts of a relation")

    def _mention(self, item: Mapping[str, Any], label: str) -> str:
        given, span = _surface(item) or "", _span_of(item)
        labels = _labels(item) or ((label,) if label else ())
        links = links_of(*_texts(item, _LINKS))
        named = {key: part for key, part in item.items() if snake_case(key) not in _MENTION_KEYS}
        attributes = texts_of(named)
        self.read += 1
        place = self._checked(given, span)
        if place is not None or not given:
            given = given or ("" if place or span is None else f"{span[0]}-{span[1]}")
            name = self.draft.at(place, labels, given=given, links=links, attributes=attributes)
        else:
            name = self.draft.named(given, labels, links=links, attributes=attributes)
        self._ends.setdefault(given.lower(), name)
        return name

    def _checked(self, given: str, span: Span | None) -> Span | None:
        """Return the offsets in the answer, if the text has the name there, or None."""
        text = self.draft.text
        if span is None or text is None:
            return None
        start, end = span
        is_inside = 0 <= start < end <= len(text)
        if is_inside and (not given or text[start:end].lower() == given.lower()):
            return span
        what = f"the offsets {start}-{end} are " + (f"not where {shown(given)} stands" if given else "not in the text")
        remedy = "located by its text" if given else "it is kept without a place"
        self.draft.origin.repair(f"document {shown(self.draft.name)}: {what}; {remedy}")
        return None

    def _relation(self, item: Any) -> None:
        if isinstance(item, list) and len(item) == 3:
            item = dict(zip(("head", "relation", "tail"), item, strict=True))
        parts = [_part(item, keys) for keys in (_HEADS, _NAMES, _TAILS)] if isinstance(item, dict) else [None]
        if not all(map(_is_end, parts)) or not isinstance(parts[1], str):
            self._leave(f"{shown(str(item))} is not a relation; expected head, relation and tail")
            return
        self.read += 1
        types = [_part(item, tuple(f"{key}_type" for key in keys)) for keys in (_HEADS, _TAILS)]
        head, tail = (
            {"text": part, "type": label} if label and isinstance(part, str) else part
            for part, label in zip((parts[0], parts[2]), types, strict=True)
        )
        self._relations.append((head, parts[1].strip(), tail))

    def _end(self, end: Any) -> str:
        """Return the mention for an end of a relation: one of the list, or a new one."""
        if isinstance(end, str):
            return self._ends.get(end.strip().lower()) or self.draft.thing(end.strip())
        given = (_surface(end) or "").strip()
        return self._ends.get(given.lower()) or self._mention(end, "")

    def _leave(self, what: str) -> None:
        self.left += 1
        self.draft.origin.repair(f"document {shown(self.draft.name)}: {what}, so it is left out")


def _several(item: Mapping[str, Any]) -> list[Any]:
    """Return the mentions that an object lists under one type."""
    if not _labels(item):
        return []
    keys = (*_SURFACES, "texts", "names", *MENTIONS)
    lists = [part for key, part in item.items() if snake_case(key) in keys and isinstance(part, list)]
    return next((part for part in lists if all(isinstance(element, str | dict) for element in part)), [])


def _inner(content: Any) -> Any:
    """Return the content of a wrapper: a list or an object, possibly encoded as text."""
    if isinstance(content, str) and content.lstrip().startswith(("[", "{")):
        value = strict(content)
        content = None if value is None else value.content
    return content if isinstance(content, dict | list) else None


def _is_end(part: Any) -> bool:
    if isinstance(part, dict):
        return _surface(part) is not None
    return isinstance(part, str) and bool(part.strip())


def _part(item: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    """Return the value of the first of some keys that an object has."""
    plain = {snake_case(key): part for key, part in item.items()}
    return next((plain[key] for key in keys if plain.get(key) is not None), None)


def _surface(item: Mapping[str, Any]) -> str | None:
    """Return the mention text in an object."""
    texts = _texts(item, _SURFACES)
    return texts[0].strip() if texts else None


def _labels(item: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(_texts(item, _LABELS))


def _texts(item: Mapping[str, Any], keys: tuple[str, ...]) -> list[str]:
    """Return the texts of the first key that has any."""
    plain = {snake_case(key): part for key, part in item.items()}
    for key in keys:
        part = plain.get(key)
        texts = [text.strip() for text in (part if isinstance(part, list) else [part]) if isinstance(text, str)]
        if texts := [text for text in texts if text]:
            return texts
    return []


def _span_of(item: Mapping[str, Any]) -> Span | None:
    plain = {snake_case(key): part for key, part in item.items()}
    pairs: list[list[Any]] = [[plain.get(first), plain.get(behind)] for first, behind in _OFFSETS]
    pairs += [plain[key] for key in ("span", "offsets", "position") if isinstance(plain.get(key), list)]
    return next(((pair[0], pair[1]) for pair in pairs if [*map(type, pair)] == [int, int]), None)
