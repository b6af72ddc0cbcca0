"""Facts that were seen in training: the names of two entities and their relation, wherever they stand."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator
from itertools import product
from typing import Any

import msgspec

from karat.errors import InputError
from karat.io import read_whole

MAX_BYTES = 1 << 31
"""The largest file that is read; the distant data of DocRED have 0.9 GB."""

Triple = tuple[str, str, str]
"""The name of the head, that of the tail, and the relation."""


class _Vertex(msgspec.Struct):
    name: str


class _Label(msgspec.Struct):
    r: str
    h: int
    t: int


class _Record(msgspec.Struct):
    vertexSet: list[list[_Vertex]]  # noqa: N815 - the key of the format
    labels: list[_Label] = []


class TrainingFacts(msgspec.Struct, frozen=True):
    """The facts of a training file; nothing where none is given."""

    triples: frozenset[Triple] = frozenset()
    source: str = ""
    digest: str = ""

    def __bool__(self) -> bool:
        return bool(self.source)

    def __str__(self) -> str:
        return self.digest

    def have(self, label: str, heads: Collection[str], tails: Collection[str]) -> bool:
        """Return whether some name of the head and some name of the tail are a fact with that label."""
        return not self.triples.isdisjoint(product(heads, tails, (label,)))


NO_FACTS = TrainingFacts()


def training_facts(source: Any) -> TrainingFacts:
    """Read the facts of a DocRED file, or of the list of facts that the published program keeps beside the gold."""
    if isinstance(source, TrainingFacts):
        return source
    if not source:
        return NO_FACTS
    path = str(source)
    content = read_whole(path, MAX_BYTES)
    try:
        triples = frozenset(_kept(content) if _is_kept(content) else _stated(content, path))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        what = "a DocRED file with training documents, or a list of facts [name, name, relation]"
        raise InputError(f"expected {what}, but {error}", path=path) from error
    return TrainingFacts(triples, path, hashlib.sha256(content).hexdigest()[:8])


def _is_kept(content: bytes) -> bool:
    """Return whether a file is a list of lists."""
    return content.lstrip(b"\xef\xbb\xbf \t\r\n")[1:].lstrip().startswith(b"[")


def _kept(content: bytes) -> Iterator[Triple]:
    return iter(msgspec.json.decode(content, type=list[Triple]))


def _stated(content: bytes, path: str) -> Iterator[Triple]:
    """Yield a fact for every pair of names of two entities in a relation."""
    for position, record in enumerate(msgspec.json.decode(content, type=list[_Record]), start=1):
        names = [[vertex.name for vertex in entity] for entity in record.vertexSet]
        size = len(names)
        for label in record.labels:
            if not (0 <= label.h < size and 0 <= label.t < size):
                what = f"item {position}: a relation is between entities {label.h} and {label.t} (from 0)"
                raise InputError(f"{what}, but 'vertexSet' has {size}", path=path)
            yield from product(names[label.h], names[label.t], (label.r,))
