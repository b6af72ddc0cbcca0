"""NAF documents of the usual form, whose tokens and entities are read without a tree.

The parser, without building anything, says that all of a document is well-formed; with neither comments nor
declarations every ``<`` then begins a tag, and the layers that are looked at can be read off by patterns. A document
that is not plain to see, by its tags or by their attributes, is left to whoever builds the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from karat.formats._xml import Checker

_ROOT = re.compile(
    rb'(?:<\?xml version="1\.0"(?: encoding="(?:UTF|utf)-8")?(?: standalone="(?:yes|no)")?\s*\?>)?\s*'
    rb"<NAF(?: [^<>&'\t\n\r]*)?>"
)
_TAG = re.compile(rb"<([A-Za-z_][\w.-]*)(?: [^<>&'\t\n\r]*[^<>&'\t\n\r/])?(/?)>")
_TOKEN = re.compile(
    r'<wf id="([^"\t\n]*)"(?: (?!sent=)[\w.:-]+="[^"]*")*+ sent="([^"\t\n]*)"[^>]*>([^<]*)</wf>', re.ASCII
)
"""A token, of which nothing but ends of tags may be a ``>``."""
_ENTITY = re.compile(
    r"<entity(?: [^>]*+)?>\s*+<references>\s*+<span>\s*+"
    r'(<target id="([^"\t\n]*+)"[^>]*/>\s*+(?:<target id="[^"\t\n]*+"[^>]*/>\s*+)*+)</span>\s*+'
    r"</references>(?:\s*+<externalReferences>((?:\s*+<externalRef [^>]*/>)*+)\s*+</externalReferences>)?\s*+</entity>",
    re.ASCII,
)
"""An entity: behind a ``>`` inside of a value there would be a quotation mark, which matches nothing."""
_TARGET = re.compile(r'<target id="([^"]*)"')
_ATTRIBUTE = re.compile(r' ([^ ="]++) *+= *+"([^"]*+)"')
_NOTHING = slice(0)


class PlainEntity(NamedTuple):
    """An entity: the tags of its targets, the id of the first, and the tags of its references."""

    target_tags: str
    first: str
    reference_tags: str | None

    def targets(self) -> list[str]:
        """Return the ids of the targets."""
        return _TARGET.findall(self.target_tags)

    def references(self) -> Iterator[dict[str, str]]:
        """Yield the attributes of the references."""
        tags = (self.reference_tags or "").replace("\t", " ").replace("\n", " ")  # as the parser does in values
        return (dict(_ATTRIBUTE.findall(tag)) for tag in tags.split("<")[1:])

    def inner(self, reference: dict[str, str]) -> list[dict[str, str]]:
        """Return the attributes of the references inside of one: a plain one has none."""
        del reference
        return []


class PlainDocument(NamedTuple):
    """The tokens of a document, each with its id, its sentence and its text, and its entities."""

    tokens: list[tuple[str, str, str]]
    entities: list[PlainEntity]


class PlainReader:
    """Reads documents, one after the other, up to the end of a sentence.

    >>> document = PlainReader(6).read(b'<NAF><text><wf id="w1" sent="1">Bern</wf></text><terms/></NAF>')
    >>> document.tokens, document.entities
    ([('w1', '1', 'Bern')], [])
    """

    def __init__(self, last_sentence: int) -> None:
        self._next_sentence = str(last_sentence + 1)
        self._in_next_sentence = f' sent="{self._next_sentence}"'.encode()
        self._checker = Checker()

    def read(self, data: bytes) -> PlainDocument | None:
        """Return the tokens up to the first of the next sentence, and all entities; nothing if that is not plain."""
        layers = _layers(data)
        if layers is None:
            return None
        tokens = self._tokens(data[layers.get(b"text", _NOTHING)])
        entities = _entities(data[layers.get(b"entities", _NOTHING)])
        if tokens is None or entities is None or not self._checker.is_well_formed(data):
            return None
        return PlainDocument(tokens, entities)

    def _tokens(self, layer: bytes) -> list[tuple[str, str, str]] | None:
        """Return the tokens of a layer that has nothing else, up to the first one of the next sentence."""
        beyond = layer.find(self._in_next_sentence)
        if beyond >= 0:
            layer = layer[: layer.find(b"</wf>", beyond) + len(b"</wf>")]
        content = layer.decode("utf-8", "replace")
        tokens: list[tuple[str, str, str]] = _TOKEN.findall(content)
        if content.count(">") != 2 * len(tokens) or _needs_a_parser(content):
            return None
        ends_beyond = beyond < 0 or (bool(tokens) and tokens[-1][1] == self._next_sentence)
        return tokens if ends_beyond else None


def _layers(data: bytes) -> dict[bytes, slice] | None:
    """Return where the content of each layer is by name; nothing if they cannot be told apart by their tags.

    In a well-formed document, whatever is taken for a layer ends inside of what it stands in. So the last tag is only
    met if each of them is a layer, even where one has elements of its own name.
    """
    root = _ROOT.match(data)
    if root is None or b"xmlns" in root[0] or _has_more_than_tags(data, root.end()):
        return None
    layers: dict[bytes, slice] = {}
    position = data.find(b"<", root.end())
    while tag := _TAG.match(data, position):
        name, end = tag[1], tag.end()
        if name in layers or b"xmlns" in tag[0]:
            return None
        layers[name] = _NOTHING
        if not tag[2]:
            content_end = data.find(b"</" + name, end)
            layers[name], end = slice(end, content_end), content_end + len(b"</" + name)
            if content_end < 0 or not data.startswith(b">", end):
                return None
        position = data.find(b"<", end)
    return layers if position == data.rfind(b"<") else None


def _has_more_than_tags(data: bytes, start: int) -> bool:
    """Say whether there are comments or the like: to look for one character first takes hardly any time."""
    return any(data.find(mark, start) > 0 and data.find(b"<" + mark, start) > 0 for mark in (b"!", b"?"))


def _entities(layer: bytes) -> list[PlainEntity] | None:
    """Return the entities of a layer that has nothing else."""
    content = layer.decode("utf-8", "replace")
    if "'" in content or _needs_a_parser(content):
        return None
    parts = _ENTITY.split(content)
    if "".join(parts[::4]).strip():
        return None
    return list(map(PlainEntity, parts[1::4], parts[2::4], parts[3::4]))


def _needs_a_parser(content: str) -> bool:
    """Say whether there may be characters that stand for others, or namespaces."""
    return "&" in content or "\r" in content or "xmlns" in content
