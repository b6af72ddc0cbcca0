"""Columns of cells that are mostly alike, and tokens that are cut out of their text only when looked at.

A corpus of millions of tokens has few labels. A reader that is asked for cells only keeps those few with their
places, and leaves the tokens in the text of the file.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, islice
from operator import eq
from typing import overload

_OUTSIDE = "O"


class _Cells(Sequence[str]):
    """A sequence of cells that equals any other one with the same cells."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))


class SparseColumn(_Cells):
    """A column of cells, nearly all of which are ``plain``; the others are kept with their places.

    >>> column = SparseColumn("O")
    >>> column += ["O", "B-loc", "O"]
    >>> list(column), list(column.marked)
    (['O', 'B-loc', 'O'], [(1, 'B-loc')])
    """

    __slots__ = ("indices", "length", "plain", "values")

    def __init__(
        self, plain: str, length: int = 0, indices: list[int] | None = None, values: list[str] | None = None
    ) -> None:
        self.plain = plain
        self.length = length
        self.indices = [] if indices is None else indices
        self.values = [] if values is None else values

    @property
    def marked(self) -> Iterator[tuple[int, str]]:
        """The cells that are not plain, with their places."""
        return zip(self.indices, self.values, strict=True)

    def __iadd__(self, cells: Sequence[str]) -> SparseColumn:
        if not isinstance(cells, SparseColumn):
            cells = list(cells)
            places = list(compress(range(len(cells)), map(self.plain.__ne__, cells)))
            cells = SparseColumn(self.plain, len(cells), places, [cells[index] for index in places])
        offset = self.length
        self.indices += [offset + index for index in cells.indices] if offset else cells.indices
        self.values += cells.values
        self.length += cells.length
        return self

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> SparseColumn: ...
    def __getitem__(self, index: int | slice) -> str | SparseColumn:
        if isinstance(index, slice):
            start, stop, _ = index.indices(self.length)
            first, last = bisect_left(self.indices, start), bisect_left(self.indices, stop)
            shifted = [marked - start for marked in self.indices[first:last]]
            return SparseColumn(self.plain, max(stop - start, 0), shifted, self.values[first:last])
        row = range(self.length)[index]
        position = bisect_left(self.indices, row)
        return self.values[position] if position < len(self.indices) and self.indices[position] == row else self.plain

    def __iter__(self) -> Iterator[str]:
        cells = [self.plain] * self.length
        for index, cell in self.marked:
            cells[index] = cell
        return iter(cells)


class TagRow(tuple[str, ...]):
    """The tags of a list, which do not change, so that the runs of those that are not ``O`` are looked for once.

    ``runs`` has them, each with the place of its first tag.

    >>> row = TagRow(["O", "B-loc", "I-loc"])
    >>> row.runs, row == ["O", "B-loc", "I-loc"]
    ([(1, ('B-loc', 'I-loc'))], True)
    """

    def __init__(self, cells: Iterable[str]) -> None:
        del cells  # the tuple has them already
        self.runs: list[tuple[int, tuple[str, ...]]] = []
        runs = self.runs
        first = past = 0
        for index in compress(range(len(self)), map(_OUTSIDE.__ne__, self)):
            if index != past:
                if past > first:
                    runs.append((first, self[first:past]))
                first = index
            past = index + 1
        if past > first:
            runs.append((first, self[first:past]))

    def __eq__(self, other: object) -> bool:
        return super().__eq__(tuple(other) if isinstance(other, list | _Cells) else other)

    __hash__ = tuple.__hash__


def marked(cells: Sequence[str], plain: str) -> Iterable[tuple[int, str]]:
    """Return the cells that are not plain, with their places.

    >>> list(marked(["O", "B-loc"], "O"))
    [(1, 'B-loc')]
    """
    if isinstance(cells, SparseColumn) and cells.plain == plain:
        return cells.marked
    return [(index, cell) for index, cell in enumerate(cells) if cell != plain]


def kept(cells: Sequence[str]) -> int:
    """Return how many cells of a column are in memory.

    >>> kept(["O", "O"]), kept(SparseColumn("O", 2))
    (2, 0)
    """
    return len(cells.indices) if isinstance(cells, SparseColumn) else len(cells)


def counted_beside(cells: Sequence[str], blanks: Collection[str]) -> int:
    """Return how many cells are none of the blanks.

    >>> counted_beside(["O", "B-loc", "O"], {"O"}), counted_beside(SparseColumn("O", 3, [1], ["B-loc"]), {"O"})
    (1, 1)
    """
    if isinstance(cells, SparseColumn):
        plain = 0 if cells.plain in blanks else cells.length - len(cells.indices)
        return plain + counted_beside(cells.values, blanks)
    if not cells:
        return 0
    times = Counter(cells)
    return len(cells) - sum(times[blank] for blank in blanks)


def distinct(cells: Iterable[str]) -> set[str]:
    """Return the different cells of a column."""
    if type(cells) is SparseColumn:
        return {*cells.values, *([cells.plain] if len(cells.indices) < cells.length else [])}
    return set(cells)


def first_places(cells: Sequence[str]) -> dict[str, int]:
    """Return the different cells of a column, each with its first place.

    >>> sorted(first_places(["O", "B-loc", "O"]).items())
    [('B-loc', 1), ('O', 0)]
    """
    if not isinstance(cells, SparseColumn):
        return dict(zip(reversed(cells), range(len(cells) - 1, -1, -1), strict=True))
    places = dict(zip(reversed(cells.values), reversed(cells.indices), strict=True))
    plain = next((position for position, index in enumerate(cells.indices) if position != index), len(cells.indices))
    return places if plain == cells.length else {cells.plain: plain, **places}


class CutLater(_Cells):
    """The tokens of some rows of a block, which are cut all at once when one is looked at that is not yet known.

    ``known`` has tokens by their rows, and ``cut`` returns those of all rows of the block, which it remembers: the
    documents of a block share it.

    >>> forms = CutLater(1, 2, {1: "Zürich"}, lambda: ["In", "Zürich", "."])
    >>> forms.at([0]), forms[1], len(forms)
    (['Zürich'], '.', 2)
    """

    __slots__ = ("cut", "first", "known", "length")

    def __init__(self, first: int, length: int, known: Mapping[int, str], cut: Callable[[], Sequence[str]]) -> None:
        self.first, self.length, self.known, self.cut = first, length, known, cut

    def __reduce__(self) -> tuple[type[list[str]], tuple[list[str]]]:
        return list, (list(self),)  # what cuts does not travel

    def at(self, indices: Sequence[int]) -> list[str]:
        """Return the tokens of these indices."""
        first, known = self.first, self.known
        try:
            return [known[first + index] for index in indices]
        except KeyError:
            tokens = self.cut()
            return [tokens[first + index] for index in indices]

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> CutLater: ...
    def __getitem__(self, index: int | slice) -> str | CutLater:
        if isinstance(index, slice):
            start, stop, _ = index.indices(self.length)
            return CutLater(self.first + start, max(stop - start, 0), self.known, self.cut)
        return self.at([range(self.length)[index]])[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self.at(range(self.length)))


class TokenPieces(_Cells):
    """The tokens of a document in pieces: lists, and what is cut when it is looked at.

    >>> forms = TokenPieces()
    >>> forms += ["Zürich", ","]
    >>> forms += ["1798"]
    >>> forms.at([0, 2]), forms[1:]
    (['Zürich', '1798'], [',', '1798'])
    """

    __slots__ = ("ends", "pieces")

    def __init__(self) -> None:
        self.pieces: list[Sequence[str]] = []
        self.ends: list[int] = []

    def __iadd__(self, piece: Sequence[str]) -> TokenPieces:
        if len(piece):
            self.pieces.append(piece)
            self.ends.append(len(self) + len(piece))
        return self

    def at(self, indices: Sequence[int]) -> list[str]:
        """Return the tokens of these indices, which are sorted."""
        forms: list[str] = []
        begin = position = 0
        for piece, end in zip(self.pieces, self.ends, strict=True):
            stop = bisect_left(indices, end, lo=position)
            if stop > position:
                inside = [index - begin for index in indices[position:stop]] if begin else indices[position:stop]
                forms += piece.at(inside) if isinstance(piece, CutLater) else [piece[index] for index in inside]
            begin, position = end, stop
        return forms

    def __len__(self) -> int:
        return self.ends[-1] if self.ends else 0

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        indices = range(len(self))[index]
        if isinstance(indices, range):
            return self.at(indices)
        piece = bisect_right(self.ends, indices)
        return self.pieces[piece][indices - (self.ends[piece - 1] if piece else 0)]

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self.pieces)


def texts_of(forms: Sequence[str], spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return for each span of tokens their texts, joined without blanks; in pieces, spans are disjoint and sorted.

    >>> texts_of(["New", "York", "is", "big"], [(0, 2), (3, 4)])
    ['NewYork', 'big']
    """
    if not isinstance(forms, TokenPieces):
        return ["".join(forms[start:end]) for start, end in spans]
    tokens = iter(forms.at([index for start, end in spans for index in range(start, end)]))
    return ["".join(islice(tokens, end - start)) for start, end in spans]
