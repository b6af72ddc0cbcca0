"""The JSON of SCORCH: one document per file, whose mentions have names instead of offsets.

``{"type": "clusters", "clusters": {"0": ["0.3-6", …], …}}`` lists the mentions of each chain, ``{"type": "graph",
"mentions": […], "links": [["0.3-6", "1.0-0"], …]}`` links mentions: connected components are chains, and a mention
without a link is a chain of its own, as often as it is listed. A name only identifies a mention, so the document has no
text, the span of a mention is the number of its name, and the name is its attribute ``place``; where
the name is an integer, the attribute ``offset`` says so. A document in a folder has the name of its file; for two
single files both documents have the same id, so that they are compared whatever the files are called.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.annotations.tokens import AS_WRITTEN
from karat.errors import InputError
from karat.formats._files import files_below
from karat.formats.base import File, Format, NoOptions, Problems, Want, everything_but
from karat.io import is_folder, read_text
from karat.model import Chain, Document, Mention

_SUFFIX = ".json"
_START = re.compile(r'\s*\{(?:[^{}\[\]]*,)?\s*"type"\s*:\s*"(?:clusters|graph)"')
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,99}")
_EXPECTED = 'expected {"type": "clusters", "clusters": {…}} or {"type": "graph", "mentions": […], "links": […]}'

ALONE = "document"
"""The id of a document that is not in a folder."""

Name = str | int
"""What a mention is called; to the program ``10`` and ``"10"`` are two mentions."""


class _Clusters(msgspec.Struct, tag_field="type", tag="clusters"):
    clusters: dict[str, list[Name]]


class _Graph(msgspec.Struct, tag_field="type", tag="graph"):
    mentions: list[Name]
    links: list[tuple[Name, Name]]


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield a document for each ``.json`` file, by name; faulty ones are reported and skipped."""
    del want, options
    for file, name in files_below(path, _SUFFIX, problems):
        with problems.catching(file):
            try:
                content = msgspec.json.decode(read_text(file), type=_Clusters | _Graph)
            except (msgspec.DecodeError, RecursionError) as error:
                raise InputError(f"{error}; {_EXPECTED}") from error
            chains = content.clusters.items() if isinstance(content, _Clusters) else _components(content)
            yield _document(name if is_folder(path) else ALONE, chains, str(file))


def _document(name: str, chains: Iterable[tuple[str, list[Name]]], source: str) -> Document:
    document = Document(name, source=source)
    member_numbers: dict[Name, int] = {}
    for name_of_chain, members in chains:
        ids = []
        for member in members:
            offset = member_numbers.setdefault(member, len(member_numbers))
            place = str(member)
            attributes = {"place": place} if member is place else {"place": place, AS_WRITTEN: place}
            ids.append(f"m{len(document.mentions) + 1}")
            document.mentions.append(Mention(ids[-1], ((offset, offset + 1),), text=place, attributes=attributes))
        document.chains.append(Chain(name_of_chain, tuple(ids)))
    return document


def _components(graph: _Graph) -> Iterator[tuple[str, list[Name]]]:
    """Yield the connected components of mentions, in order of their first occurrence."""
    leaders: dict[Name, Name] = {}

    def leader(name: Name) -> Name:
        leaders.setdefault(name, name)
        while leaders[name] != name:
            leaders[name] = name = leaders[leaders[name]]
        return name

    for mention in graph.mentions:
        leader(mention)
    for source, target in graph.links:
        leaders[leader(target)] = leader(source)
    members: dict[Name, list[Name]] = {}
    for mention in leaders:
        members.setdefault(leader(mention), []).append(mention)
    listed, connected = Counter(graph.mentions), set(chain.from_iterable(graph.links))
    times = (1 if names[0] in connected else listed[names[0]] for names in members.values())
    chains = chain.from_iterable(map(repeat, members.values(), times))
    yield from ((str(index), names) for index, names in enumerate(chains))


def write(documents: Iterable[Document], options: NoOptions) -> Iterator[File]:
    """Yield a file with the clusters of each document; mentions are named by their offsets."""
    del options
    return (File(document, _SUFFIX, _text(document)) for document in documents)


def _text(document: Document) -> str:
    names = {mention.id: _name(mention) for mention in document.mentions}
    clusters = {chain.id: [names[mention] for mention in chain.mentions] for chain in document.chains}
    if len(clusters) < len(document.chains):
        raise InputError(f"document {shown(document.id)} has two chains of one name, which SCORCH's JSON cannot hold")
    content: dict[str, Any] = {"type": "clusters", "clusters": clusters}
    return msgspec.json.encode(content).decode() + "\n"


def _name(mention: Mention) -> Name:
    place = mention.attributes.get("place")
    if place and place == mention.attributes.get(AS_WRITTEN) and _WHOLE.fullmatch(place):
        return int(place)
    return place or "+".join(f"{start}-{end}" for start, end in mention.spans)


def sniff(head: str) -> bool:
    """Tell whether the file begins like SCORCH's JSON.

    >>> sniff('{"name": "A", "type": "clusters", "clusters": {}}'), sniff('{"id": "d1"}')
    (True, False)
    """
    return _START.match(head.removeprefix("\ufeff")) is not None


FORMAT = Format(
    name="scorch",
    title="SCORCH's JSON: chains of named mentions",
    known_by="`type` that is clusters or graph, with `clusters` or `mentions` and `links`",
    read=read,
    sniff=sniff,
    suffixes=(_SUFFIX,),
    write=write,
    folder=True,
    keeps=everything_but("labels", "layers", "links", "unchained", "relations", "notes", "metadata", "tokens"),
    layers="chains",
)
