"""Karat's own format: JSON lines, each a :class:`~karat.model.Document`, checked against the schema and for soundness.

The schema is published beside this module as ``jsonl.schema.json``. ``Document.source`` is not part of the
format. The text of a mention may be left out; it is then the text at its spans. Blank lines are ignored.

A mention that does not occur in the text is written with the span ``[0, 0]`` and the attribute ``located: no``, and its
text is the attribute ``given``, since every mention of a file has a span. In the model it has none.
"""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from karat import model
from karat.annotations.faults import faults, shown
from karat.annotations.selection import KINDS
from karat.errors import InputError
from karat.formats.base import Format, Problems, Want
from karat.formats.parts.assembly import MAX_TIMES, Surfaces
from karat.io import lines
from karat.settings import Bounds, option

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from karat.model import Document, Mention

_CHAIN = "chain"
"""The key of an end that is a chain; ``target`` is then its first mention, for those who do not know chains."""
_NO_PLACE = ((0, 0),)
_NESTED: dict[type[msgspec.Struct], dict[str, type[msgspec.Struct]]] = {
    model.Document: {
        "mentions": model.Mention,
        "chains": model.Chain,
        "relations": model.Relation,
        "notes": model.Note,
        "table": model.TokenTable,
    },
    model.Mention: {"links": model.Link},
    model.Relation: {"arguments": model.Argument},
}
_KEYS = {
    kind: frozenset(kind.__struct_fields__) - {"source"}
    for kind in {*_NESTED, *(kind for nested in _NESTED.values() for kind in nested.values())}
}


@dataclass(frozen=True)
class JsonlOptions:
    """Limits of memory."""

    covered: int = option(
        MAX_TIMES,
        "how many times its text the mentions of a document may cover",
        bounds=Bounds(0, 1_000_000_000),
        metavar="TIMES",
    )


def read(path: str, *, problems: Problems, want: Want, options: JsonlOptions) -> Iterator[Document]:
    """Yield the documents of a file; malformed or unsound ones are reported and skipped."""
    del want
    times = options.covered
    first_lines: dict[str, int] = {}
    for line_number, line in enumerate(lines(path), start=1):
        content = line.removeprefix("\ufeff") if line_number == 1 else line
        if not content.strip(" \t"):
            continue
        try:
            document = _decode(content)
        except InputError as error:
            problems.error(path, line_number, error.message)
            continue
        wrong = [f"document {shown(document.id)}: {fault}" for fault in faults(document)]
        if document.id in first_lines:
            first_line = first_lines[document.id]
            wrong.append(f"document {shown(document.id)} is there twice, first on line {first_line}; remove one")
        first_lines.setdefault(document.id, line_number)
        for fault in wrong:
            problems.error(path, line_number, fault)
        if wrong:
            continue
        document.source = path
        try:
            _add_texts(document, Surfaces(document.text, times))
        except InputError as error:
            advice = f"raise the limit with --read covered={2 * times}"
            problems.error(path, line_number, f"document {shown(document.id)}: {error.message}, or {advice}")
            continue
        yield document


def write(documents: Iterable[Document], options: JsonlOptions) -> Iterator[str]:
    r"""Yield the documents as JSON lines; an unsound document is refused, since it could not be read back.

    >>> list(write([model.Document("d1", "Zürich", [model.Mention("m1", ((0, 6),), ("LOC",))])], JsonlOptions()))
    ['{"id":"d1","text":"Zürich","mentions":[{"id":"m1","spans":[[0,6]],"labels":["LOC"]}]}\n']
    """
    del options
    ids: set[str] = set()
    for document in documents:
        for fault in _unwritable(document, ids):
            message = f"document {shown(document.id)} cannot be written as JSON lines: {fault}"
            raise InputError(message, path=document.source or None)
        ids.add(document.id)
        try:
            yield msgspec.json.encode(_written(document)).decode() + "\n"
        except UnicodeEncodeError as error:
            message = f"document {shown(document.id)} holds half a surrogate pair, which UTF-8 has no bytes for"
            raise InputError(message, path=document.source or None) from error


def _written(document: Document) -> Any:
    """Return the document as it is written: an argument that is a chain becomes its first mention and an attribute."""
    mentions = [mention if mention.spans else _located_nowhere(mention) for mention in document.mentions]
    bare = msgspec.structs.replace(document, mentions=mentions, source="")
    firsts = {chain.id: chain.mentions[0] for chain in document.chains if chain.mentions}
    if not any(end.target in firsts for relation in document.relations for end in relation.arguments):
        return bare
    values = msgspec.to_builtins(bare)
    for relation in values["relations"]:
        for end in relation["arguments"]:
            if end["target"] in firsts:
                end[_CHAIN], end["target"] = end["target"], firsts[end["target"]]
    return values


def _located_nowhere(mention: Mention) -> Mention:
    """Return a mention without spans in the form that files have."""
    said = {"located": "no", "given": mention.text} if mention.text else {"located": "no"}
    return msgspec.structs.replace(mention, spans=_NO_PLACE, text="", attributes={**mention.attributes, **said})


def without_place(mention: Mention) -> Mention:
    """Return a mention in the form of the model: without spans if it does not occur in the text."""
    if not mention.spans:
        raise InputError(f"mention {shown(mention.id)}: there is no span; give at least one [start, end]")
    if mention.spans != _NO_PLACE or mention.attributes.get("located") != "no":
        return mention
    attributes = {name: value for name, value in mention.attributes.items() if name not in ("located", "given")}
    text = mention.attributes.get("given", "")
    return msgspec.structs.replace(mention, spans=(), text=text, attributes=attributes)


def _ends_at_chains(value: Any) -> None:
    """Replace relation arguments by the chains that they name."""
    relations = value.get("relations") if isinstance(value, dict) else None
    for relation in relations if isinstance(relations, list) else ():
        ends = relation.get("arguments") if isinstance(relation, dict) else None
        for end in ends if isinstance(ends, list) else ():
            if isinstance(end, dict) and _CHAIN in end:
                end["target"] = end.pop(_CHAIN)


def sniff(head: str) -> bool:
    """Tell whether the first line is (or, if it is cut off, begins like) a document of this format.

    >>> sniff('{"id": "d1", "text": "Zürich"}'), sniff('{"id": "d1", "entities": []}')
    (True, False)
    """
    line = head.removeprefix("\ufeff").lstrip().partition("\n")[0]
    if not line.startswith("{"):
        return False
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return re.match(r'\{\s*"id"\s*:\s*"', line) is not None
    return isinstance(value, dict) and isinstance(value.get("id"), str) and value.keys() <= _KEYS[model.Document]


def _decode(line: str) -> Document:
    """Return the document of a line; errors have no location yet."""
    try:
        value = msgspec.json.decode(line)
        _ends_at_chains(value)
        refuse_unknown_keys(value, model.Document, "$")
        document = msgspec.convert(value, model.Document)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        place = f" at {where.strip('`')}" if where else ""
        raise InputError(f"{what[:1].lower()}{what[1:]}{place}; see the schema of the format 'jsonl'") from error
    except msgspec.DecodeError as error:
        raise InputError(f"not a JSON object: {error}; write one whole document on each line") from error
    except RecursionError as error:
        raise InputError("the JSON is nested too deeply; a document has at most five levels") from error
    document.mentions = list(map(without_place, document.mentions))
    return document


def refuse_unknown_keys(content: Any, kind: type[msgspec.Struct], path: str) -> None:
    """Raise an error for a key that would be ignored, such as a misspelt one; msgspec checks the types."""
    if not isinstance(content, dict):
        return
    known = _KEYS[kind]
    if not content.keys() <= known:
        key = next(key for key in content if key not in known)
        near = difflib.get_close_matches(key[:100], sorted(known), n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(sorted(known))}"
        raise InputError(f"unknown key {shown(key)} at {path}; {hint}")
    for key, nested in _NESTED.get(kind, {}).items():
        value = content.get(key)
        if isinstance(value, list):
            for index, item in enumerate(value):
                refuse_unknown_keys(item, nested, f"{path}.{key}[{index}]")
        elif value is not None:
            refuse_unknown_keys(value, nested, f"{path}.{key}")


def _add_texts(document: Document, surfaces: Surfaces) -> None:
    """Set the text of every mention that was written without it."""
    for index, mention in enumerate(document.mentions):
        if not mention.text:
            document.mentions[index] = msgspec.structs.replace(mention, text=surfaces.at(mention.spans))


def _unwritable(document: Document, ids: set[str]) -> Iterator[str]:
    """Yield the reasons why the document could not be read back unchanged."""
    if document.id in ids:
        yield "another document has the same id"
    yield from faults(document)
    for mention in document.mentions:
        if any(link.score is not None and not math.isfinite(link.score) for link in mention.links):
            yield f"mention {shown(mention.id)}: a link has a score that is not a finite number"


FORMAT = Format(
    name="jsonl",
    title="Karat's JSON lines: one document per line",
    known_by="`id` with `mentions`, `chains` or `relations`, or `text` and no other keys than those of a document",
    read=read,
    sniff=sniff,
    suffixes=(".jsonl", ".ndjson"),
    write=write,
    options=JsonlOptions,
    keeps=frozenset(KINDS),
    layers="mentions, links, chains, relations, notes, tokens, metadata",
)
