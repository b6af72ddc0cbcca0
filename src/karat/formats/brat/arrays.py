"""BRAT ``.ann`` files of the usual form as arrays of NumPy: no object is made of a line, which pays for large files.

Usual are entities with plain ids and their text, attributes without a value, and relations, or chains of two, between
entities; each has as many tabs and blanks as it needs, numbers have at most eight digits, and labels at most sixteen
bytes. What is read here is read line by line in exactly the same way, by the strict rules and by the loose ones, but a
line takes 1 to 2 µs there instead of 0.25; whatever departs from the usual form is left to those.
"""

from __future__ import annotations

from collections.abc import Iterable
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from karat.garbage import keep_freed_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    Words = NDArray[np.uint64]

_WORD = 8
"""Bytes that are looked at together."""
_PADDING = b"\0" * 2 * _WORD
"""What stands around a block, so that a word can begin or end at each of its bytes."""
_FIRST_BYTES = np.array([(1 << 8 * count) - 1 for count in range(_WORD + 1)], np.uint64)
_LAST_BYTES = ~_FIRST_BYTES[::-1]
"""By how many bytes of a word are looked at, what keeps only these."""
_ZEROS = np.uint64(int.from_bytes(b"0" * _WORD, "little"))
_FIRST, _SECOND = (np.uint64(int.from_bytes(name, "little")) for name in (b"Arg1:T", b"Arg2:T"))
_ARGUMENT = len(b"Arg1:T")
_IS_USUAL = np.zeros(256, np.bool_)
_IS_USUAL[list(b"TRA*")] = True
"""By its first byte, whether a line is of a kind that is read."""


class EntityArrays(NamedTuple):
    """Entities in the order of the file: numbers, labels as words of bytes, how many fragments each has, and these."""

    ids: Numbers
    labels: Words
    sizes: Numbers
    starts: Numbers
    ends: Numbers


class RelationArrays(NamedTuple):
    """Relations, and chains of two: labels as words of bytes, and the numbers of the entities at both ends."""

    labels: Words
    sources: Numbers
    targets: Numbers


class AttributeArrays(NamedTuple):
    """Attributes: names as words of bytes, and the numbers of their entities."""

    labels: Words
    targets: Numbers


class Arrays(NamedTuple):
    """What a file says."""

    entities: EntityArrays
    relations: RelationArrays
    attributes: AttributeArrays


def read_arrays(blocks: Iterable[bytes]) -> Arrays:
    """Return the annotations of a file; a :class:`ValueError` says that it does not have the usual form."""
    keep_freed_memory()
    read = (_Block(block if block.endswith(b"\n") else b"%b\n" % block) for block in blocks)
    kinds = zip(*((block.entities(), block.relations(), block.attributes()) for block in read), strict=True)
    entities, relations, attributes = (map(np.concatenate, zip(*parts, strict=True)) for parts in kinds)
    return Arrays(EntityArrays(*entities), RelationArrays(*relations), AttributeArrays(*attributes))


def texts_of(labels: Words) -> list[str]:
    """Return labels that are words of bytes as texts; a :class:`ValueError` says that one is not plain.

    >>> texts_of(np.frombuffer(b"Concept\\0\\0\\0\\0\\0\\0\\0\\0\\0", "<u8").reshape(1, 2))
    ['Concept']
    """
    written = labels.astype("<u8").view(f"S{2 * _WORD}").ravel().tolist()
    texts = {label: intern(label.decode("ascii")) for label in set(written)}
    if not all(text.isprintable() and text and " " not in text for text in texts.values()):
        raise ValueError
    return [texts[label] for label in written]


class _Block:
    """Some lines: what begins and ends each, where its field is, which is what stands between tabs, and its blanks.

    All are places in the list of those bytes that separate something.
    """

    def __init__(self, lines: bytes) -> None:
        lines.decode()  # or they have not the usual form
        padded = b"".join((_PADDING, lines, _PADDING))
        self.bytes = np.frombuffer(padded, np.uint8)
        self.words = np.ndarray((len(padded) - _WORD + 1,), "<u8", padded, strides=(1,))
        body = self.bytes[len(_PADDING) : -len(_PADDING)]
        is_mark = body <= ord(" ")
        is_mark |= body == ord(";")
        self.places = np.flatnonzero(is_mark)
        self.places += len(_PADDING)
        marks = self.bytes[self.places]
        line_ends, tabs = np.flatnonzero(marks == ord("\n")), np.flatnonzero(marks == ord("\t"))
        if len(line_ends) + len(tabs) + np.count_nonzero(marks == ord(" ")) + np.count_nonzero(marks == ord(";")) < len(
            marks
        ):
            raise ValueError
        self.ends = self.places[line_ends]
        self.begins = np.concatenate(([len(_PADDING)], self.ends[:-1] + 1))
        self.kinds = self.bytes[self.begins]
        sizes = np.where(self.kinds == ord("T"), 2, 1)
        last = np.cumsum(sizes) - 1
        if len(tabs) != last[-1] + 1:
            raise ValueError
        first_tabs, last_tabs = tabs[last - sizes + 1], tabs[last]
        if (first_tabs[1:] < line_ends[:-1]).any() or (last_tabs > line_ends).any():
            raise ValueError
        self.low, self.high = first_tabs + 1, np.where(sizes == 2, last_tabs, line_ends)
        self.tabs = self.places[first_tabs]

    def entities(self) -> EntityArrays:
        """Return lines such as ``T1 Concept 3 7;8 12 text``."""
        lines = np.flatnonzero(self.kinds == ord("T"))
        low, tabs = self.low[lines], self.tabs[lines]
        blanks = self.high[lines] - low
        if (blanks < 2).any() or (blanks & 1).any():
            raise ValueError
        sizes = blanks // 2
        owners = np.repeat(np.arange(len(lines)), sizes)
        ranks = np.arange(len(owners)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        separator = low[owners] + 2 * ranks
        begins, middles, ends = self.places[separator], self.places[separator + 1], self.places[separator + 2]
        self._expect(begins, np.where(ranks, ord(";"), ord(" ")))
        self._expect(middles, ord(" "))
        return EntityArrays(
            self._numbers(self.begins[lines] + 1, tabs),
            self._labels(tabs + 1, self.places[low]),
            sizes,
            self._numbers(begins + 1, middles),
            self._numbers(middles + 1, ends),
        )

    def relations(self) -> RelationArrays:
        """Return lines such as ``R1 target Arg1:T1 Arg2:T2``, and ``* same-as T1 T2``."""
        lines = np.flatnonzero((self.kinds == ord("R")) | (self.kinds == ord("*")))
        is_chain = self.kinds[lines] == ord("*")
        low, ends, tabs = self.low[lines], self.ends[lines], self.tabs[lines]
        if (self.high[lines] - low != 2).any():
            raise ValueError
        first, second = self.places[low], self.places[low + 1]
        self._expect(first, ord(" "))
        self._expect(second, ord(" "))
        self._check_ids(self.begins[lines] + 1, tabs, is_chain)
        for blank, name in ((first, _FIRST), (second, _SECOND)):
            self._expect(blank[is_chain] + 1, ord("T"))
            if (self.words[blank[~is_chain] + 1] & _FIRST_BYTES[_ARGUMENT] != name).any():
                raise ValueError
        skipped = np.where(is_chain, 2, 1 + _ARGUMENT)
        sources, targets = self._numbers(first + skipped, second), self._numbers(second + skipped, ends)
        return RelationArrays(self._labels(tabs + 1, first), sources, targets)

    def attributes(self) -> AttributeArrays:
        """Return lines such as ``A1 Negated T1``; there are no others than all these."""
        is_attribute = self.kinds == ord("A")
        if not _IS_USUAL[self.kinds].all():
            raise ValueError
        lines = np.flatnonzero(is_attribute)
        low, ends, tabs = self.low[lines], self.ends[lines], self.tabs[lines]
        if (self.high[lines] - low != 1).any():
            raise ValueError
        blanks = self.places[low]
        self._expect(blanks, ord(" "))
        self._expect(blanks + 1, ord("T"))
        self._check_ids(self.begins[lines] + 1, tabs, np.zeros(len(lines), np.bool_))
        return AttributeArrays(self._labels(tabs + 1, blanks), self._numbers(blanks + 2, ends))

    def _expect(self, places: Numbers, characters: Numbers | int) -> None:
        if (self.bytes[places] != characters).any():
            raise ValueError

    def _check_ids(self, begins: Numbers, ends: Numbers, is_without: Flags) -> None:
        """See that ids that nobody refers to are digits, or nothing, and nothing where they are to be without."""
        has_some = ends > begins
        if (has_some & is_without).any():
            raise ValueError
        self._digits(begins[has_some], ends[has_some])

    def _labels(self, begins: Numbers, ends: Numbers) -> Words:
        """Return what stands between places as two words, or rather their bytes."""
        sizes = ends - begins
        if (sizes > 2 * _WORD).any():
            raise ValueError
        first = self.words[begins] & _FIRST_BYTES[np.minimum(sizes, _WORD)]
        second = self.words[begins + _WORD] & _FIRST_BYTES[np.maximum(sizes - _WORD, 0)]
        return np.stack((first, second), axis=1)

    def _digits(self, begins: Numbers, ends: Numbers) -> Words:
        """Return numbers between places as words of eight digits, those before them being zeros."""
        sizes = ends - begins
        if ((sizes < 1) | (sizes > _WORD)).any():
            raise ValueError
        digits: Words = (self.words[ends - _WORD] ^ _ZEROS) & _LAST_BYTES[sizes]
        # A byte is a digit if its upper half is empty, and stays so when 6 is added.
        halves = digits | (digits + np.uint64(0x0606060606060606))
        if (halves & np.uint64(0xF0F0F0F0F0F0F0F0)).any():
            raise ValueError
        return digits

    def _numbers(self, begins: Numbers, ends: Numbers) -> Numbers:
        """Return the numbers between places: digits are brought together in pairs, these in pairs, and once more."""
        if ((self.bytes[begins] == ord("0")) & (ends - begins > 1)).any():
            raise ValueError
        pairs = (self._digits(begins, ends) * np.uint64((10 << 8) + 1)) >> np.uint64(8)
        fours = ((pairs & np.uint64(0x00FF00FF00FF00FF)) * np.uint64((100 << 16) + 1)) >> np.uint64(16)
        eights = ((fours & np.uint64(0x0000FFFF0000FFFF)) * np.uint64((10_000 << 32) + 1)) >> np.uint64(32)
        return eights.astype(np.int64)
