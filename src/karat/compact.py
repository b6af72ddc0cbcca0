"""Long sequences in little memory: names that are packed together, and values of which most are alike.

A run over a hundred thousand small documents must not need more memory than one over ten thousand, so what is kept of
each document is a few bytes instead of a few objects.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Generic, TypeVar, overload

import msgspec

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

_MOST_KNOWN = 2_000
"""Different values that are compared with others; where there are more, most are not alike anyway."""
_AT_ONCE = 4096
"""Names that are sorted as texts, before they are put in order with the others."""


_TOGETHER = 256
"""Names that are packed together: the more, the smaller they become, and the longer it takes to find one."""
_WIDER = {"B": "H", "H": "I", "I": "Q"}
"""By how many bytes a whole number has, the next larger ones."""


def widened(numbers: array[int], number: int) -> array[int]:
    """Return whole numbers with one more behind them, in as many bytes as that needs.

    >>> widened(array("B", [1]), 300)
    array('H', [1, 300])
    """
    try:
        numbers.append(number)
    except OverflowError:
        return widened(array(_WIDER[numbers.typecode], numbers), number)
    return numbers


class CompactColumn(Sequence[T]):
    """A sequence that equals any other one with the same values."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def _at(self, index: int) -> T:
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        chosen = range(len(self))[index]
        return [self._at(each) for each in chosen] if isinstance(chosen, range) else self._at(chosen)

    def __iter__(self) -> Iterator[T]:
        return map(self._at, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(mine == two for mine, two in zip(self, other, strict=True))

    def __repr__(self) -> str:
        return repr(list(self))


class Names(CompactColumn[str]):
    """Names that are packed, some hundreds together: those of neighbours have much in common. The last are as they are.

    >>> names = Names(["Bern", "Zürich"])
    >>> names[1], names == ["Bern", "Zürich"], names[:1]
    ('Zürich', True, ['Bern'])
    """

    __slots__ = ("_last", "_looked_at", "_packages")

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._packages: list[bytes] = []
        self._last: list[str] = []
        self._looked_at: tuple[int, list[str]] = -1, []
        """The package that was looked at, and what is in there."""
        for name in names:
            self.append(name)

    def append(self, name: str) -> None:
        """Add a name behind the others."""
        self._last.append(name)
        if len(self._last) == _TOGETHER:
            self._packages.append(_packed(self._last))
            self._last = []

    def _at(self, index: int) -> str:
        package, own = divmod(index, _TOGETHER)
        if package == len(self._packages):
            return self._last[own]
        if package != self._looked_at[0]:
            self._looked_at = package, _unpacked(self._packages[package])
        return self._looked_at[1][own]

    def __iter__(self) -> Iterator[str]:
        return chain(chain.from_iterable(map(_unpacked, self._packages)), self._last)

    def __len__(self) -> int:
        return len(self._packages) * _TOGETHER + len(self._last)


def _packed(names: Sequence[str]) -> bytes:
    import zlib  # few need it

    return zlib.compress(msgspec.msgpack.encode([name.encode("utf-8", "surrogatepass") for name in names]))


def _unpacked(package: bytes) -> list[str]:
    import zlib

    names = msgspec.msgpack.decode(zlib.decompress(package), type=list[bytes])
    return [name.decode("utf-8", "surrogatepass") for name in names]


def sorted_names(names: Iterable[str]) -> Names:
    """Return names in their order, of which only a few are texts at the same time.

    >>> sorted_names(["b", "c", "a"])
    ['a', 'b', 'c']
    """
    from heapq import merge

    coming = iter(names)
    pieces = []
    while piece := sorted(islice(coming, _AT_ONCE)):
        pieces.append(Names(piece))
    return Names(merge(*pieces)) if len(pieces) != 1 else pieces[0]


class Packed(CompactColumn[T]):
    """Short tuples or dictionaries as bytes, one behind the other; what cannot be packed is kept as it is.

    >>> packed = Packed(tuple)
    >>> packed.append((1, 2.0))
    >>> packed[0]
    (1, 2.0)
    """

    __slots__ = ("_bytes", "_ends", "_kind", "_unpacked")

    def __init__(self, kind: Callable[[Any], T]) -> None:
        self._kind, self._bytes, self._ends = kind, bytearray(), array("q", [0])
        self._unpacked: dict[int, T] = {}

    def append(self, value: T) -> None:
        """Add a tuple or dictionary behind the others; numbers and texts come back as what they were."""
        is_plain = {*map(type, value)} <= {int, float, str}  # type: ignore[call-overload]
        try:
            packed = msgspec.msgpack.encode(value) if is_plain else b""
        except (OverflowError, UnicodeEncodeError):  # a number of twenty digits, half a surrogate pair
            packed = b""
        if not packed:
            self._unpacked[len(self)] = value
        self._bytes += packed
        self._ends.append(len(self._bytes))

    def _at(self, index: int) -> T:
        if index in self._unpacked:
            return self._unpacked[index]
        return self._kind(msgspec.msgpack.decode(self._bytes[self._ends[index] : self._ends[index + 1]]))

    def __len__(self) -> int:
        return len(self._ends) - 1


class Numbered(dict[K, int]):
    """Things that are numbered as they are first met.

    >>> numbered = Numbered()
    >>> [numbered[name] for name in ("b", "a", "b")]
    [0, 1, 0]
    """

    def __missing__(self, key: K) -> int:
        number = self[key] = len(self)
        return number


class Alike(CompactColumn[T], Generic[T]):
    """Values of which most are alike; those with the same key are one and the same, as far as there are not too many.

    >>> column = Alike[str]()
    >>> for value in ("PER", "LOC", "PER"):
    ...     column.append(value, value)
    >>> column[2], column.values
    ('PER', ['PER', 'LOC'])
    """

    __slots__ = ("_known", "_places", "values")

    def __init__(self, values: Iterable[T] = (), places: Iterable[int] = ()) -> None:
        self.values: Any = values if isinstance(values, Packed) else list(values)
        """The different values, as they were met first."""
        self._places = places if isinstance(places, array) else array("B", places)
        self._known: dict[Hashable, int] = {}

    @classmethod
    def of(cls, values: Iterable[T]) -> Alike[T]:
        """Return values that are alike if they are equal, which are all known at once."""
        different = Numbered[Any]()
        places = array("I", map(different.__getitem__, values))
        return cls(different, places)

    def __reduce__(self) -> tuple[type[Alike[T]], tuple[Iterable[T], array[int]]]:
        return type(self), (self.values, self._places)  # keys are for those who add more

    def append(self, value: T, key: Hashable) -> None:
        """Add a value behind the others, which is the same as those that had this key."""
        index = self._known.get(key)
        if index is None:
            index = len(self.values)
            self.values.append(value)
            if index < _MOST_KNOWN:
                self._known[key] = index
        try:
            self._places.append(index)
        except OverflowError:
            self._places = widened(self._places, index)

    @property
    def times(self) -> Iterator[tuple[T, int]]:
        """The different values, each with how often it is there."""
        from collections import Counter

        counted = Counter(self._places)
        return ((value, counted[index]) for index, value in enumerate(self.values))

    def _at(self, index: int) -> T:
        value: T = self.values[self._places[index]]
        return value

    def __len__(self) -> int:
        return len(self._places)


class Seen:
    """Names that have been met; while they come in their order, nothing but the last one need be looked at.

    >>> seen = Seen()
    >>> for name in ("a", "c", "b"):
    ...     seen.add(name)
    >>> "c" in seen, "d" in seen, len(seen)
    (True, False, 3)
    """

    __slots__ = ("_index", "_last", "_names")

    def __init__(self) -> None:
        self._names, self._last = Names(), ""
        self._index: set[str] | None = None

    def add(self, name: str) -> None:
        """Meet a name that has not been met."""
        if self._index is None and (name > self._last or not len(self._names)):
            self._names.append(name)
            self._last = name
        else:
            self._indexed().add(name)

    def __contains__(self, name: str) -> bool:
        if self._index is None and (name > self._last or not len(self._names)):
            return False
        return name == self._last or name in self._indexed()

    def _indexed(self) -> set[str]:
        if self._index is None:
            self._index = set(self._names)
            self._names = Names()
        return self._index

    def __len__(self) -> int:
        return len(self._names) if self._index is None else len(self._index)
