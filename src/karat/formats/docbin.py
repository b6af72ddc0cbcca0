"""spaCy's DocBin (``.spacy``), read without spaCy: zlib-compressed MessagePack with an array of numbers per token.

Entities are in the default layer, each group of spans is a layer of its name, as in ``spacyjson``. The id of a document
is ``id`` in its user data, or else its number.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import IO, Any

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.formats.base import Format, NoOptions, Problems, Want
from karat.formats.parts.assembly import Assembly, links_of
from karat.formats.parts.json_items import text_of
from karat.io import open_bytes, read_bytes
from karat.io.archives import unpacked_zlib
from karat.model import Document, Span, TokenTable

_MIX, _ROTATION, _SEED, _WORD = 0xC6A4A7935BD1E995, 47, 1, 0xFFFFFFFFFFFFFFFF

_FLAGS = """IS_ALPHA IS_ASCII IS_DIGIT IS_LOWER IS_PUNCT IS_SPACE IS_TITLE IS_UPPER LIKE_URL LIKE_NUM LIKE_EMAIL IS_STOP
IS_OOV_DEPRECATED IS_BRACKET IS_QUOTE IS_LEFT_PUNCT IS_RIGHT_PUNCT IS_CURRENCY"""
_ATTRIBUTES = """ID ORTH LOWER NORM SHAPE PREFIX SUFFIX LENGTH CLUSTER LEMMA POS TAG DEP ENT_IOB ENT_TYPE HEAD
SENT_START SPACY PROB LANG"""
_CLASSES = "ADJ ADP ADV AUX CONJ CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X EOL SPACE"
_ENTITIES = """PERSON NORP FACILITY ORG GPE LOC PRODUCT EVENT WORK_OF_ART LANGUAGE LAW DATE TIME PERCENT MONEY QUANTITY
ORDINAL CARDINAL"""
_DEPENDENCIES = """acomp advcl advmod agent amod appos attr aux auxpass cc ccomp complm conj cop csubj csubjpass dep det
dobj expl hmod hyph infmod intj iobj mark meta neg nmod nn npadvmod nsubj nsubjpass num number oprd obj obl parataxis
partmod pcomp pobj poss possessive preconj prep prt punct quantmod relcl rcmod root xcomp acl"""
_LATER = "ENT_KB_ID MORPH ENT_ID IDX _"
_ORTH, _IOB, _TYPE, _KB_ID, _ID = 65, 77, 78, 452, 454
_MISSING, _INSIDE, _OUTSIDE, _BEGIN = range(4)
_SPAN = struct.Struct(">QQQllll")
_HEAD = 1024
"""Bytes within which the first keys stand."""


def _built_in() -> Iterator[str]:
    """Yield the built-in names of spaCy in the order of their numbers."""
    yield ""
    yield from _FLAGS.split()
    yield from (f"FLAG{number}" for number in range(19, 64))
    yield from _ATTRIBUTES.split()
    yield from _CLASSES.split()
    yield from (f"DEPRECATED{number:03}" for number in range(1, 277))
    yield from _ENTITIES.split()
    yield from _DEPENDENCIES.split()
    yield from _LATER.split()


def hash_of(text: str) -> int:
    """Return the number of a text that is not built in: MurmurHash64A of its UTF-8.

    >>> hash_of("coffee")
    3197928453018144401
    """
    data = text.encode("utf-8")
    value = _SEED ^ (len(data) * _MIX & _WORD)
    whole = len(data) // 8 * 8
    for offset in range(0, whole, 8):
        part = int.from_bytes(data[offset : offset + 8], "little") * _MIX & _WORD
        part = (part ^ (part >> _ROTATION)) * _MIX & _WORD
        value = (value ^ part) * _MIX & _WORD
    if whole < len(data):
        value = (value ^ int.from_bytes(data[whole:], "little")) * _MIX & _WORD
    value = (value ^ (value >> _ROTATION)) * _MIX & _WORD
    return value ^ (value >> _ROTATION)


def names_of(strings: Iterable[str]) -> dict[int, str]:
    """Return all texts by their numbers: those that are built in, and these.

    >>> names = names_of(["coffee"])
    >>> names[380], names[3197928453018144401]
    ('PERSON', 'coffee')
    """
    return {hash_of(text): text for text in strings} | dict(enumerate(_built_in()))


class _File(msgspec.Struct):
    attrs: list[int]
    tokens: bytes
    spaces: bytes
    lengths: bytes
    strings: list[str]
    cats: list[dict[str, Any]] = []
    span_groups: list[bytes] = []
    user_data: list[bytes] = []


class _Group(msgspec.Struct):
    name: str
    spans: list[bytes]


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield the documents of a file."""
    del want, options
    with problems.catching(path):
        yield from _DocBin(_unpacked(path), path, problems).documents()


def read_objects(objects: Any, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield the documents of a ``DocBin`` object, which requires no vocabulary."""
    del want, options
    if not hasattr(objects, "to_bytes"):
        raise InputError(f"{type(objects).__name__} is not a DocBin of spaCy; expected one, or the path of a file")
    yield from _DocBin(_unpacked("objects", io.BytesIO(objects.to_bytes())), "objects", problems).documents()


def _unpacked(path: str, stream: IO[bytes] | None = None) -> _File:
    with unpacked_zlib(stream or open_bytes(path), path) as unpacked:
        content = read_bytes(unpacked, -1, path)
    file: _File = _decoded(content, _File, "the file")
    return file


def _decoded(content: bytes, shape: Any, what: str) -> Any:
    try:
        return msgspec.msgpack.decode(content, type=shape)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, TypeError) as error:
        raise InputError(f"{what} is not as spaCy writes it: {error}") from error


class _DocBin:
    """The documents of a file: one table of numbers for all, divided by the lengths of the documents."""

    def __init__(self, file: _File, path: str, problems: Problems) -> None:
        import numpy

        self.file, self.path, self.problems = file, path, problems
        if _ORTH not in file.attrs:
            raise InputError("the file was written without the attribute ORTH: there is no text")
        width = len(file.attrs)
        lengths = numpy.frombuffer(file.lengths[: len(file.lengths) // 4 * 4], dtype="<i4").tolist()
        tokens = sum(lengths)
        sizes = len(file.tokens), len(file.spaces), len(file.lengths)
        if min(lengths, default=0) < 0 or sizes != (8 * width * tokens, tokens, 4 * len(lengths)):
            raise InputError(f"the lengths of {many(len(lengths), 'document')} do not fit the tokens; is it cut off?")
        self.rows = numpy.frombuffer(file.tokens, dtype="<u8").reshape(tokens, width)
        self.bounds = [*accumulate(lengths, initial=0)]
        self.names = names_of(file.strings)
        if _KB_ID in file.attrs:
            problems.has("docbin", ["links of entities (ENT_KB_ID)"])
        self.with_entities = {_IOB, _TYPE} <= set(file.attrs)

    def documents(self) -> Iterator[Document]:
        """Yield the documents; a repeated id is an error."""
        if not self.with_entities:
            message = "the file was written without ENT_IOB and ENT_TYPE: it can have no entities"
            self.problems.repair(self.path, None, message)
        taken: set[str] = set()
        for index, (first, behind) in enumerate(pairwise(self.bounds)):
            name = self._name(index)
            if name in taken:
                raise InputError(f"document {shown(name)} is there twice; remove one")
            taken.add(name)
            with self.problems.catching(self.path, of=f"document {shown(name)}: "):
                yield self._document(name, index, first, behind)

    def _name(self, index: int) -> str:
        """Return the id of a document, or else its number."""
        data = _decoded(self.file.user_data[index], Any, "user data") if index < len(self.file.user_data) else None
        given = data.get("id") if isinstance(data, dict) else None
        return str(given) if isinstance(given, str | int) and str(given) else str(index + 1)

    def _document(self, name: str, index: int, first: int, behind: int) -> Document:
        forms = self._texts(_ORTH, first, behind)
        if "" in forms:
            raise InputError(f"token {forms.index('')} is empty; a token has at least one character")
        pieces = [form + " " * bool(blank) for form, blank in zip(forms, self.file.spaces[first:behind], strict=True)]
        starts = [*accumulate(map(len, pieces), initial=0)][:-1]
        table = TokenTable(forms, segments=[0], starts=starts, dialect="spacyjson") if forms else None
        classes = self.file.cats[index] if index < len(self.file.cats) else {}
        metadata = {"cats": text_of(classes)} if classes else {}
        assembly = Assembly(name, "".join(pieces), table, metadata, self.path)
        places = [(start, start + len(form)) for start, form in zip(starts, forms, strict=True)]
        if self.with_entities:
            self._add_entities(assembly, places, first, behind)
        groups = self.file.span_groups[index] if index < len(self.file.span_groups) else b""
        for group, layer in _groups(groups):
            self._add_group(assembly, group, layer, places)
        is_unannotated = self.with_entities and forms and not any(self._column(_IOB, first, behind))
        if is_unannotated and not assembly.document.mentions:
            message = f"document {name}: no token has entity annotation: unknown is read as none"
            self.problems.repair(self.path, None, message)
        return assembly.document

    def _column(self, attribute: int, first: int, behind: int) -> list[int]:
        """Return the values of an attribute by token, 0 if the file lacks the attribute."""
        if attribute not in self.file.attrs:
            return [0] * (behind - first)
        column: list[int] = self.rows[first:behind, self.file.attrs.index(attribute)].tolist()
        return column

    def _texts(self, attribute: int, first: int, behind: int) -> list[str]:
        return [self._text(text_number) for text_number in self._column(attribute, first, behind)]

    def _text(self, text_number: int) -> str:
        if text_number not in self.names:
            raise InputError(f"the number {text_number} stands for a text that the file does not hold")
        return self.names[text_number]

    def _add_entities(self, assembly: Assembly, places: list[Span], first: int, behind: int) -> None:
        codes = self._column(_IOB, first, behind)
        types, targets, ids = (self._texts(attribute, first, behind) for attribute in (_TYPE, _KB_ID, _ID))
        begins = [token for token, code in enumerate(codes) if code == _BEGIN and types[token]]  # or else it is blocked
        inside = {token for token, code in enumerate(codes) if code == _INSIDE}
        for token in begins:
            last = token
            while last + 1 in inside:
                last += 1
                inside.remove(last)
            span = places[token][0], places[last][1]
            assembly.mention([span], (types[token],), links=links_of(targets[token]), attributes=_with_id(ids[token]))
        if inside or max(codes, default=0) > _BEGIN:
            raise InputError("a token is inside of an entity that has not begun, or has no ENT_IOB of spaCy")

    def _add_group(self, assembly: Assembly, group: _Group, layer: str, places: list[Span]) -> None:
        for packed in group.spans:
            if len(packed) != _SPAN.size:
                raise InputError(f"a span of the group {shown(layer)} has {len(packed)} bytes; expected {_SPAN.size}")
            name, target, label, first, behind, *_ = _SPAN.unpack(packed)
            if not 0 <= first < behind <= len(places):
                size = many(len(places), "token")
                raise InputError(f"the tokens [{first}, {behind}] are outside of the document, which has {size}")
            span = (places[first][0], places[behind - 1][1])
            links, attributes = links_of(self._text(target)), _with_id(self._text(name))
            assembly.mention([span], (self._text(label),), layer=layer, links=links, attributes=attributes)


def _with_id(name: str) -> dict[str, str]:
    """Return the attributes of a span: the id of a pattern or of its own, which need not be unique."""
    return {"id": name} if name else {}


def _groups(packed: bytes) -> Iterator[tuple[_Group, str]]:
    """Yield the groups of spans of a document with their keys, in the current or the older serialisation."""
    content = _decoded(packed, dict[bytes, list[str]] | list[bytes], "a group of spans") if packed else []
    if isinstance(content, list):
        content = {group: [] for group in content}
    for encoded, keys in content.items():
        group = _decoded(encoded, _Group, "a group of spans")
        for key in keys or [group.name]:
            yield group, key


def sniff_bytes(head: bytes) -> bool:
    """Tell whether a zlib-compressed file begins with the keys of a DocBin.

    >>> sniff_bytes(zlib.compress(msgspec.msgpack.encode({"version": "0.1", "attrs": [65], "tokens": b""})))
    True
    >>> sniff_bytes(zlib.compress(b"anything else")), sniff_bytes(b"{}")
    (False, False)
    """
    if head[:1] != b"\x78":
        return False
    try:
        begin = zlib.decompressobj().decompress(head, _HEAD)
    except zlib.error:
        return False
    return b"\xa5attrs" in begin and b"\xa6tokens" in begin


FORMAT = Format(
    name="docbin",
    title="spaCy's DocBin, as it is trained on: entities, groups of spans and tokens",
    known_by="bytes packed by zlib that hold `attrs` and `tokens` of spaCy",
    read=read,
    read_objects=read_objects,
    sniff_bytes=sniff_bytes,
    suffixes=(".spacy",),
    layers="mentions with one span in layers, links, tokens, classes as metadata",
)
