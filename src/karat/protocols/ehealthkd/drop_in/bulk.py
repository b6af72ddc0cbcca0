"""Large BRAT files of the usual form, from arrays: entities in sentences, and relations between these.

What is read here is read entry by entry in exactly the same way, but there a line takes 3 µs instead of 1; only to load
NumPy takes as long as 15,000 lines. Whatever is unusual, such as an id that comes twice or a relation that leaves its
sentence, is a :class:`ValueError`, and left to who reads the entries.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from karat.formats.brat.arrays import read_arrays, texts_of
from karat.protocols.ehealthkd.annotations import Builder

if TYPE_CHECKING:
    from karat.formats.brat.arrays import Arrays, Numbers
    from karat.protocols.ehealthkd.sentences import Sentences

NOBODY = -1
_SPREAD = 16
"""How many times larger than their count the numbers of entities may be."""


class Connections:
    """In which sentence each entity of a file is, and which of them its relations and attributes belong to."""

    def __init__(self, arrays: Arrays, ends: Numbers) -> None:
        entities, relations, attributes = arrays
        self.first = np.cumsum(entities.sizes) - entities.sizes
        """The first fragment of each entity."""
        self.sentences = np.searchsorted(ends, entities.starts[self.first], "right")
        if not len(entities.ids) or self.sentences.max() == len(ends):
            raise ValueError
        if entities.ids.max() > _SPREAD * len(entities.ids):
            raise ValueError
        self._index = np.full(entities.ids.max() + 1, NOBODY)
        self._index[entities.ids] = np.arange(len(entities.ids))
        if (self._index[entities.ids] != np.arange(len(entities.ids))).any():
            raise ValueError
        self.sources, self.targets = self._indices(relations.sources), self._indices(relations.targets)
        self.owners = self._indices(attributes.targets)
        if (self.sentences[self.sources] != self.sentences[self.targets]).any():
            raise ValueError

    def _indices(self, ids: Numbers) -> Numbers:
        """Return the places of entities that are referred to."""
        indices = self._index[np.minimum(ids, len(self._index) - 1)]
        if len(ids) and (ids.max() >= len(self._index) or (indices == NOBODY).any()):
            raise ValueError
        return indices


def read_bulk(blocks: Iterable[bytes], sentences: Sentences) -> Builder:
    """Read the annotations of a text from a file."""
    arrays = read_arrays(blocks)
    entities, relations, attributes = arrays
    connections = Connections(arrays, np.array(sentences.ends))
    if sentences.rules.corrected and entities.ends.max() > len(sentences.text):
        raise ValueError
    builder = Builder()
    builder.ids, builder.distinct = entities.ids.tolist(), True
    builder.labels = texts_of(entities.labels)
    fragments = list(zip(entities.starts.tolist(), entities.ends.tolist(), strict=True))
    for first, last in pairwise([*connections.first.tolist(), len(fragments)]):
        place = sentences.place(fragments[first:last])
        assert place is not None  # noqa: S101 - all are in sentences
        builder.places.append(place)
    ends = connections.sources.tolist(), connections.targets.tolist()
    builder.relations = list(zip(texts_of(relations.labels), *ends, strict=True))
    for name, owner in zip(texts_of(attributes.labels), connections.owners.tolist(), strict=True):
        builder.attributes[owner] = (*builder.attributes.get(owner, ()), name)
    return builder
