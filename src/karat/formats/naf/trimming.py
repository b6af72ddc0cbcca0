"""NAF documents without the layers that nobody is going to look at, so that no tree is built of them.

The parser, without building anything, says that what is left out is well-formed; what is kept is so if it can be read,
and both together are the document, since it is cut between elements. A document in which these are not plain to see is
left as it is: one with comments, declarations or another encoding, with a layer inside of a layer of its name, or with
a fault, of which whoever reads it whole says more.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from karat.formats._xml import is_well_formed

_ATTRIBUTE = rb'\s+[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?\s*=\s*"[^"<]*"'
_ROOT = re.compile(
    rb'(?:<\?xml\s+version="1\.0"(?:\s+encoding="(?:UTF|utf)-8")?(?:\s+standalone="(?:yes|no)")?\s*\?>)?\s*'
    rb"<NAF(?:%s)*+\s*>" % _ATTRIBUTE
)
_TAG = re.compile(rb"<([A-Za-z_][\w.-]*)(?:%s)*+\s*(/?)>" % _ATTRIBUTE)
_VALUE = re.compile(rb'\s([A-Za-z_][\w.:-]*)\s*=\s*"([^"<]*)"')
_NAMED = re.compile(rb"</[\w.-]+\s*>")


class _Layer(NamedTuple):
    """A layer: its name, where it begins, where its content begins and ends, and where it ends itself."""

    name: bytes
    start: int
    content: int
    content_end: int
    end: int


def trimmed(data: bytes, layers: Collection[bytes], last_sentence: int) -> bytes:
    """Return a document with these layers only, and without most tokens behind a sentence; line ends stay.

    >>> trimmed(b"<NAF><text><wf sent='1'>a</wf></text><terms><term/></terms></NAF>", [b"text"], 6)
    b"<NAF><text><wf sent='1'>a</wf></text></NAF>"
    """
    found = _layers(data)
    if found is None:
        return data
    aside: list[tuple[int, int]] = []
    looked_at: list[tuple[int, int]] = []
    for layer in found:
        if layer.name not in layers:
            aside.append((layer.start, layer.end))
        else:
            end = _behind(data, layer, last_sentence) if layer.name == b"text" else layer.content_end
            looked_at.append((layer.content, end))
            aside.append((end, layer.content_end))
    return _without(aside, data) if is_well_formed(_without(looked_at, data)) else data


def _without(ranges: Iterable[tuple[int, int]], data: bytes) -> bytes:
    """Return a document of which all but the line ends of some ranges are left out."""
    pieces = []
    position = 0
    for start, end in ranges:
        pieces += [data[position:start], b"\n" * data.count(b"\n", start, end)]
        position = end
    return b"".join([*pieces, data[position:]])


def _layers(data: bytes) -> list[_Layer] | None:
    """Return the layers of a document; nothing if they cannot be told apart by their tags."""
    root = _ROOT.match(data)
    if root is None or any(
        data.find(mark, root.end()) > 0 and b"<" + mark in data[root.end() :] for mark in (b"!", b"?")
    ):
        return None
    layers: list[_Layer] = []
    position = data.find(b"<", root.end())
    while tag := _TAG.match(data, position):
        name, content = tag[1], tag.end()
        if tag[2]:
            layers.append(_Layer(name, position, content, content, content))
        else:
            content_end = _end_of(name, data, content)
            closing = _NAMED.match(data, content_end) if content_end > 0 else None
            if closing is None or closing[0][2:-1].rstrip() != name:
                return None
            layers.append(_Layer(name, position, content, content_end, closing.end()))
        position = data.find(b"<", layers[-1].end)
    return layers if data.startswith(b"</NAF", position) else None


def _end_of(name: bytes, data: bytes, content: int) -> int:
    """Return where the end tag of a layer begins, -1 if a tag that begins like its own stands before it."""
    word = data.find(name, content)  # mostly this is the one search that is needed
    if data.startswith(b"</", word - 2):
        return word - 2
    end = data.find(b"</" + name, content)
    return -1 if data.find(b"<" + name, content, end) > 0 else end


def _behind(data: bytes, layer: _Layer, last_sentence: int) -> int:
    """Return the end of the first token behind a sentence, or that of the layer if that cannot be told."""
    nothing = layer.content_end
    beyond = re.compile(rb' sent="(?:[%d-9]|[1-9][0-9]{1,8})"' % (last_sentence + 1)).search(
        data, layer.content, nothing
    )
    start = data.rfind(b"<", layer.content, beyond.start()) if beyond else -1
    tag = _TAG.match(data, start, nothing) if start > 0 else None
    if beyond is None or tag is None or tag[1] != b"wf" or (b"sent", beyond[0][7:-1]) not in _VALUE.findall(tag[0]):
        return nothing
    before = data[layer.content : start]
    tokens = before.count(b"</wf>")
    if before.count(b"<") != 2 * tokens or before.count(b"<wf ") != tokens:
        return nothing
    end = data.find(b"</wf>", start, nothing)
    return nothing if end < 0 or data.find(b"<", tag.end(), end) > 0 else end + len(b"</wf>")
