"""Many lists of tags at once: different tags are few, and so are different runs of tags with ``O`` around them.

Every tag becomes a byte, and each different run is read once, by the rules that read a list alone. What it says is
written to all places where the run stands, so that the chunks of millions of tokens are columns of numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from karat.annotations.tagging import OUTSIDE, Shape, TagRun, read_run
from karat.compact import Numbered

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.annotations.tag_chunks import Chunks

ReadRun = Callable[[bool, TagRun], "Chunks | None"]
"""Returns the chunks of a run, given whether a list begins with it; nothing if they depend on what is around it."""


def read_as_formats_do(begins_list: bool, run: TagRun) -> Chunks:
    """Return the chunks of a run that every format finds if nothing is said of the scheme."""
    del begins_list
    return [chunk[:] for chunk in read_run(run)[0]]


class ChunkColumns(NamedTuple):
    """The chunks of all lists, in their order: the list, first and last token, and label of each, as numbers.

    Tokens are numbered through all lists; ``ends`` has the token behind the last one of a chunk.
    """

    lists: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    labels: NDArray[np.int64]

    def ranks(self) -> NDArray[np.int64]:
        """Return the number of each chunk within its list, from 1."""
        return np.arange(1, len(self.lists) + 1) - np.searchsorted(self.lists, self.lists)


class _Runs(NamedTuple):
    """The different runs, each with whether a list begins with it; and for all runs the first token and which it is."""

    different: list[tuple[bool, TagRun]]
    firsts: NDArray[np.int64]
    kinds: NDArray[np.int64]


class TagLists:
    """Lists of tags as columns: ``cells`` has a byte for each token, the place of its tag among the different ``tags``.

    The tokens of a list are those from its edge to the next one. More different tags than a byte has values are a
    ``ValueError``.

    >>> lists = TagLists([["O", "B-loc", "I-loc"], [], ["B-loc"]])
    >>> lists.cells, lists.tags, lists.edges.tolist(), lists[0]
    (b'\\x00\\x01\\x02\\x01', ['O', 'B-loc', 'I-loc'], [0, 3, 3, 4], ['O', 'B-loc', 'I-loc'])
    >>> lists.mentions.starts.tolist(), lists.mentions.ends.tolist(), list(lists.labels)
    ([1, 3], [3, 4], ['loc'])
    """

    def __init__(self, lists: Sequence[Sequence[str]]) -> None:
        tags = Numbered[str]({OUTSIDE: 0})
        self.cells = bytes([*map(tags.__getitem__, chain.from_iterable(lists))])
        self.tags = list(tags)
        self.edges: NDArray[np.int64] = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        self.labels = Numbered[str]()
        """The labels of mentions, with their numbers."""

    def __len__(self) -> int:
        return len(self.edges) - 1

    def __getitem__(self, index: int) -> list[str]:
        start, end = self.edges[index : index + 2].tolist()
        return [self.tags[cell] for cell in self.cells[start:end]]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of tags of each list."""
        return np.diff(self.edges)

    @property
    def numbers(self) -> NDArray[np.uint8]:
        """The cells as an array."""
        return np.frombuffer(self.cells, np.uint8)

    def lists_of(self, tokens: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the lists in which tokens stand."""
        lists: NDArray[np.int64] = np.searchsorted(self.edges, tokens, "right") - 1
        return lists

    @cached_property
    def _runs(self) -> _Runs:
        inside = self.numbers != 0
        opens, closes = inside.copy(), inside.copy()
        opens[1:] &= ~inside[:-1]
        closes[:-1] &= ~inside[1:]
        first_tokens, last_tokens = self.edges[self.edges < len(inside)], self.edges[self.edges > 0] - 1
        opens[first_tokens], closes[last_tokens] = inside[first_tokens], inside[last_tokens]
        firsts, lasts = np.flatnonzero(opens), np.flatnonzero(closes)
        begins_list = self.edges[self.lists_of(firsts)] == firsts
        different = Numbered[bytes]()
        heads = firsts - ~begins_list  # with the O that stands before a run, unless a list begins with it
        pieces = [self.cells[head:past] for head, past in zip(heads.tolist(), (lasts + 1).tolist(), strict=True)]
        kinds = np.fromiter(map(different.__getitem__, pieces), np.int64, len(pieces))
        return _Runs([self._run(piece) for piece in different], firsts, kinds)

    def _run(self, piece: bytes) -> tuple[bool, TagRun]:
        return piece[0] != 0, tuple(self.tags[cell] for cell in piece if cell)

    def chunks(self, read: ReadRun, labels: Numbered[str]) -> ChunkColumns | None:
        """Return the chunks that a reading finds, and number their labels; nothing if one depends on more than its run.

        Chunks of a run come in the order in which they are read.
        """
        different, firsts, kinds = self._runs
        rows: list[tuple[int, int, int]] = []
        offsets = [0]
        for begins_list, run in different:
            known = read(begins_list, run)
            if known is None:
                return None
            rows += [(start, end, labels[label]) for start, end, label in known]
            offsets.append(len(rows))
        columns, bounds = np.array(rows, np.int64).reshape(-1, 3), np.array(offsets, np.int64)
        sizes = np.diff(bounds)[kinds]
        runs = np.repeat(np.arange(len(kinds)), sizes)
        places = np.arange(len(runs)) + np.repeat(bounds[kinds] - (np.cumsum(sizes) - sizes), sizes)
        starts, ends = (firsts[runs] + columns[places, side] for side in (0, 1))
        return ChunkColumns(self.lists_of(starts), starts, ends, columns[places, 2])

    @cached_property
    def mentions(self) -> ChunkColumns:
        """The mentions, whose labels have numbers of their own."""
        mentions = self.chunks(read_as_formats_do, self.labels)
        assert mentions is not None  # noqa: S101 - they depend on their run alone
        return mentions

    @property
    def forms(self) -> Counter[Shape | None]:
        """How often a chunk has which shape, and (``None``) how many tags say nothing in any scheme."""
        times: list[Any] = np.bincount(self._runs.kinds).tolist()
        forms: Counter[Shape | None] = Counter()
        for (_, run), occurrences in zip(self._runs.different, times, strict=True):
            for form in read_run(run)[1]:
                forms[form] += occurrences
        return forms
