"""Plain JSON, as people write it by hand or for training: a text with its entities, or tokens with their tags.

An entity is ``[start, end, label]`` or an object with those keys, in characters; ``type`` and ``entity_group``
are also read as labels. Tags are in ``ner_tags``, ``tags`` or ``labels`` beside ``tokens`` or ``words``; GLiNER has
spans of tokens instead, whose last token is included. Documents without an ``id`` are numbered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from karat.annotations.faults import shown
from karat.annotations.tag_schemes import (
    REPAIR_POLICIES,
    SCHEMES,
    RepairPolicy,
    Scheme,
    chunks_in,
    decode,
    guess_scheme,
)
from karat.annotations.tokens import join_tokens
from karat.errors import InputError
from karat.formats.base import Format, Problems, Want
from karat.formats.parts.assembly import Assembly
from karat.formats.parts.heads import first_object
from karat.formats.parts.json_items import JsonItem, documents_of, kind, read_as, text_of, texts_of
from karat.formats.parts.offset_units import Offsets
from karat.formats.parts.unread_names import NearNames
from karat.model import Document, Span, TokenTable
from karat.settings import choice, option

_LABELS = ("label", "type", "entity_group")
_TOKENS = ("tokens", "words", "tokenized_text")
_TAGS = ("ner_tags", "tags", "labels")
_SPANS = "ner"
_KNOWN = frozenset(("id", "text", "entities", "metadata", *_TOKENS, *_TAGS, _SPANS))


@dataclass(frozen=True)
class PlainOptions:
    """How tags and the ends of spans are read, in files and from Python."""

    scheme: Literal["auto"] | Scheme = choice(("auto", *SCHEMES), "the scheme of tags; auto takes them as they come")
    repair: RepairPolicy = option(
        "conlleval",
        "tags that break the scheme: read as conlleval does, refuse, or drop the mention",
        choices=REPAIR_POLICIES,
    )
    classes: str = option("", "the names of tags that are numbers, in their order", metavar="O,B-PER,…")
    end: str = choice(("exclusive", "inclusive"), "whether the end of a span is a part of it")

    @property
    def takes_tags_as_they_come(self) -> bool:
        """Whether neither the scheme of tags nor the policy for broken tags is set."""
        return self.scheme == "auto" and self.repair == "conlleval"

    @property
    def behind(self) -> int:
        """The difference between a half-open end and the end that the file states."""
        return 1 if self.end == "inclusive" else 0


def read(path: str, *, problems: Problems, want: Want, options: PlainOptions) -> Iterator[Document]:
    """Yield a document for each object."""
    del want
    return documents_of(path, problems, lambda item: (document_of(item, options),))


def document_of(item: JsonItem, options: PlainOptions) -> Document:
    """Return the document of an object; an unknown key is an error."""
    if not isinstance(item.value, dict):
        raise InputError(
            f"found {kind(item.value)}; expected an object with a text and its entities, or tokens and tags"
        )
    values: dict[str, Any] = item.value
    unknown = sorted(map(str, values.keys() - _KNOWN))
    if unknown:
        raise InputError(f"unknown key {shown(unknown[0])}; known are {', '.join(sorted(_KNOWN))}")
    name = text_of(values.get("id", item.number))
    metadata = texts_of(read_as(values.get("metadata") or {}, dict[str, Any]))
    tokens = [key for key in _TOKENS if key in values]
    if tokens:
        return _of_tokens(values, tokens[0], name, metadata, item, options)
    if not {"text", "entities"} <= values.keys():
        raise InputError("expected a 'text' with 'entities', or 'tokens' with 'ner_tags'")
    assembly = Assembly(name, read_as(values["text"], str), metadata=metadata)
    offsets = Offsets(assembly.document.text)
    for position, entity in enumerate(read_as(values["entities"], list[Any]), 1):
        _add(assembly, offsets, entity, position, options.behind)
    return assembly.document


def _add(assembly: Assembly, offsets: Offsets, entity: Any, position: int, behind: int) -> None:
    """Add an entity, which is a list of three, or an object."""
    try:
        start, end, label = place_of(entity)
    except InputError as error:
        raise InputError(f"entity {position} {error.message}") from None
    text = assembly.document.text
    span = offsets.span(start, end + behind)
    given = entity.get("text") if isinstance(entity, dict) else None
    if given is not None and given != text[span[0] : span[1]]:
        standing = f"the text has {shown(text[span[0] : span[1]])} at [{start}, {end}]"
        raise InputError(
            f"entity {position}: {standing}, not {shown(text_of(given))}; offsets are expected in characters"
        )
    attributes = texts_of(entity, ("start", "end", "text", "word", *_LABELS)) if isinstance(entity, dict) else {}
    assembly.mention([span], (label,), attributes=attributes)


def place_of(entity: Any) -> tuple[int, int, str]:
    """Return start, end and label of an entity, a list or an object; the label may be missing.

    >>> place_of([0, 4, "LOC"]), place_of({"start": 0, "end": 4, "entity_group": "LOC"})
    ((0, 4, 'LOC'), (0, 4, 'LOC'))
    """
    if not isinstance(entity, dict):
        return _read_place(entity, entity)
    labels = [entity[key] for key in _LABELS if key in entity]
    if "entity" in entity and not labels:
        raise InputError("is the tag of one token; let the pipeline put them together first")
    near = [] if labels else [key for key in entity if NearNames(_LABELS).of(str(key))]
    if near or not entity.keys() >= {"start", "end"}:
        raise InputError(f"has the keys {', '.join(map(shown, map(str, entity)))}; expected start, end, label")
    return _read_place([entity["start"], entity["end"], next(iter(labels), "")], entity)


def _read_place(place: Any, entity: Any) -> tuple[int, int, str]:
    try:
        return read_as(place, tuple[int, int, str])
    except InputError:
        raise InputError(f"is {shown(str(entity))}; expected two whole numbers and a label") from None


def _of_tokens(
    values: dict[str, Any], key: str, name: str, metadata: dict[str, str], item: JsonItem, options: PlainOptions
) -> Document:
    forms = read_as(values[key], list[str])
    text, starts = join_tokens(forms)
    given = [key for key in (*_TAGS, _SPANS) if key in values]
    if len(given) != 1 or "entities" in values:
        raise InputError(
            f"'{key}' stand with {', '.join(map(shown, given)) or 'no tags'}; expected one of 'ner_tags', 'ner'"
        )
    table = TokenTable(forms, segments=[0] if forms else [], starts=starts)
    if given[0] == _SPANS:
        spans = read_as(values[_SPANS], list[tuple[int, int, str]])
        chunks: Iterable[tuple[int, int, str]] = [(first, last + 1, label) for first, last, label in spans]
    else:
        tags = _tags(values[given[0]], len(forms), options)
        table.columns["TAG"] = tags
        chunks = chunks_of(tags, options, item.repair)
    assembly = Assembly(name, text, table, metadata)
    for first, end, label in chunks:
        assembly.mention([_place(first, end, forms, starts)], (label,))
    return assembly.document


def _place(first: int, end: int, forms: list[str], starts: list[int]) -> Span:
    """Return the span of tokens, given the first and the last of them."""
    if not 0 <= first < end <= len(forms):
        raise InputError(
            f"the tokens [{first}, {end - 1}] are empty, reversed, or outside of the {len(forms)} there are"
        )
    return starts[first], starts[end - 1] + len(forms[end - 1])


def _tags(given: Any, size: int, options: PlainOptions) -> list[str]:
    tags = read_as(given, list[int | str])
    if len(tags) != size:
        raise InputError(f"there are {size} tokens, but {len(tags)} tags")
    names = options.classes.split(",") if options.classes else []
    class_numbers = [tag for tag in tags if isinstance(tag, int)]
    if class_numbers and not names:
        raise InputError("the tags are numbers; name their classes in order with --read classes=O,B-PER,I-PER")
    if class_numbers and not 0 <= min(class_numbers) <= max(class_numbers) < len(names):
        raise InputError(f"tag {max(class_numbers)} is outside of the {len(names)} classes that were named")
    return [names[tag] if isinstance(tag, int) else tag for tag in tags]


def chunks_of(
    tags: Sequence[str], options: PlainOptions, tell: Callable[[str], None], guessed: Scheme | None = None
) -> Iterable[tuple[int, int, str]]:
    """Return the chunks of tags; broken tags are reported if a scheme or a policy was set.

    If no scheme was set, it is the ``guessed`` one of all documents, or the one that fits these tags best.
    """
    if options.takes_tags_as_they_come:
        return chunks_in(tags)
    scheme = (guessed or guess_scheme([tags])) if options.scheme == "auto" else options.scheme
    chunks, repairs = decode(tags, scheme, options.repair)
    for repair in repairs:
        message = f"token {repair.token + 1}: {repair.message}"
        if repair.is_error:
            raise InputError(f"{message}; read it all the same with --read repair=conlleval")
        tell(message)
    return chunks


def sniff(head: str) -> bool:
    """Tell whether the first object has a text with entities by offsets, or tokens with tags, and nothing else.

    >>> sniff('{"text": "Bern", "entities": [[0, 4, "LOC"]]}'), sniff('{"tokens": ["Bern"], "ner_tags": ["B-LOC"]}')
    (True, True)
    >>> sniff('{"text": "Bern", "entities": [{"start_offset": 0, "end_offset": 4, "label": "LOC"}]}')
    False
    """
    first = first_object(head)
    return is_plain(first) and first.get("entities") != []


def is_plain(first: dict[str, Any]) -> bool:
    """Tell whether an object has this format, even if it is damaged further down or has an empty list of entities."""
    if not first or not first.keys() <= _KNOWN:
        return False
    if any(isinstance(first.get(key), list | tuple) for key in _TOKENS):
        return "text" not in first and any(isinstance(first.get(key), list | tuple) for key in (*_TAGS, _SPANS))
    entities = first.get("entities")
    if not isinstance(first.get("text"), str) or not isinstance(entities, list | tuple):
        return False
    return all(_is_place(entity) for entity in entities[:1])


def _is_place(entity: Any) -> bool:
    if isinstance(entity, dict):
        return entity.keys() >= {"start", "end"}
    return isinstance(entity, list | tuple) and len(entity) == 3


FORMAT = Format(
    name="plain",
    title="Plain JSON: texts with entities, or tokens with tags",
    known_by="`text` with `entities`, which have `start`, `end` and `label` or `entity_group` or are lists of "
    "three, or `tokens` with `ner_tags`",
    read=read,
    sniff=sniff,
    options=PlainOptions,
    layers="mentions with one span and one label each, tokens, attributes, metadata",
)
