"""Declares what a format is: a name, a lazy reader and, for most, a lossless writer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import msgspec

from karat.annotations.selection import KINDS
from karat.errors import InputError, UsageError, unknown
from karat.model import Document
from karat.settings import check_declared

if TYPE_CHECKING:
    from karat.annotations.tag_schemes import ColumnForm

Severity = Literal["error", "repair"]

UNREAD = "unread answer"
"""The key of the metadata of an empty document under which the answer stands that could not be read."""


class Problem(msgspec.Struct, frozen=True):
    """An error that a reader found, or a repair that it made by a declared policy.

    ``once`` identifies a repair that concerns the whole file, so that parts of a file report it only once.
    """

    path: str
    line: int | None
    message: str
    severity: Severity = "error"
    once: str | msgspec.UnsetType = msgspec.UNSET  # who reads JSON lines has no use for it


class Problems:
    """Collects the problems that readers report.

    By default the first error is raised; with ``collect=True`` all are kept in :attr:`found` and reading continues,
    so that a file is validated in one pass. Repairs never stop a reader; they are counted.
    """

    def __init__(self, *, collect: bool = False) -> None:
        self.collect = collect
        self.found: list[Problem] = []
        self.counted: Counter[str] = Counter()
        """What was met on the way and how often, where a reader says so, such as "answer cut off"."""
        self.dropped: Counter[str] = Counter()
        """The keys, elements and layers that were met and not read, in words, and how often."""
        self.parts: set[tuple[str, str]] = set()
        """The parts that files of a format may have or lack, such as layers, of those that are there."""
        self.tags: Counter[ColumnForm] = Counter()
        """How tags are formed, of a reader that is not asked for lines: how many break a scheme is told from that."""

    def error(self, path: object, line: int | None, message: str) -> None:
        """Report an error; returns only if errors are collected, and then the reader skips the faulty item."""
        if not self.collect:
            raise InputError(message, path=path, line=line)
        self.found.append(Problem(str(path), line, message))

    @contextmanager
    def catching(self, path: object, line: int | None = None, of: str = "") -> Iterator[None]:
        """Within this context, report an ``InputError`` as an error at its own location, or else at this one.

        ``of`` precedes the message and names the faulty item, such as a document.
        """
        try:
            yield
        except InputError as error:
            self.error(error.path or path, error.line if error.path else error.line or line, f"{of}{error.message}")

    def repair(self, path: object, line: int | None, message: str, *, once: str = "") -> None:
        """Report that something was read differently from how it is written; ``once`` names a file-wide repair."""
        self.found.append(Problem(str(path), line, message, "repair", once or msgspec.UNSET))

    def drop(self, path: object, line: int | None, what: str, message: str, times: int = 1) -> None:
        """Report that something is not read (a key, an element, a layer), which is noted beside scores."""
        self.dropped[what] += times
        self.repair(path, line, message)

    def count(self, what: str) -> None:
        """Count something that is noted when the documents are scored, whether it is a repair or not."""
        self.counted[what] += 1

    def has(self, format: str, parts: Iterable[str]) -> None:  # noqa: A002 - the word users know
        """Record optional parts that a file has, so that gold and system can be compared in this."""
        self.parts.add((format, ""))
        self.parts.update((format, part) for part in parts)

    @property
    def repairs(self) -> int:
        """The number of reported repairs."""
        return sum(problem.severity == "repair" for problem in self.found)


class Want(msgspec.Struct, frozen=True):
    """What the caller needs, so that a reader can skip everything else.

    Attributes:
        mentions: False asks for token cells only.
        columns: the only columns that are needed; None asks for all.
        beside: the only columns that are needed besides mentions; None asks for all.
        forms: False for tables whose tokens are not needed.
        lines: False for tables whose line numbers are not needed.
        texts: asks for the text even where only cells are wanted.
        ground: returns the gold documents, for a reader that takes texts from them.

    """

    mentions: bool = True
    lines: bool = True
    columns: frozenset[str] | None = None
    beside: frozenset[str] | None = None
    texts: bool = False
    forms: bool = True
    ground: Callable[[], Iterable[Document]] | None = None


EVERYTHING = Want()


class Reader(Protocol):
    """Reads the documents of one file or folder lazily."""

    def __call__(self, path: str, *, problems: Problems, want: Want, options: Any) -> Iterator[Document]:
        """Yield the documents in file order; ``options`` is an instance of the format's options class."""


@dataclass(frozen=True)
class NoOptions:
    """The options of a format without options."""


class File(NamedTuple):
    """A file for one document, named after the document's id with this extension."""

    document: Document
    suffix: str
    content: str


def everything_but(*kinds: str) -> frozenset[str]:
    """Return all kinds of annotation except these and ``chain-ends``, for the ``keeps`` of a format."""
    return frozenset(KINDS) - {"chain-ends", *kinds}


def by_ending_alone(head: str | bytes) -> bool:
    """Return False: the content of a file does not identify the format, only its extension or the user does."""
    del head
    return False


class Format(msgspec.Struct, frozen=True):
    """An annotation format.

    ``sniff`` tells from the first characters of a file whether it is certainly this format, ``sniff_bytes`` from the
    first bytes of a binary file. ``folder`` tells that a path is a folder of files, as for BRAT; ``write`` then yields
    a :class:`File` for each file, whose path is made elsewhere. Other formats yield the text of their single file in
    pieces. ``write`` raises :class:`~karat.errors.InputError` for everything that the format cannot hold, so that
    writing is lossless or refused; ``keeps`` has the kinds of annotation that need not be removed beforehand. A
    complete example is on the page "Protocols and formats of your own".
    """

    name: str
    title: str
    read: Reader
    sniff: Callable[[str], bool] = by_ending_alone
    sniff_bytes: Callable[[bytes], bool] = by_ending_alone
    known_by: str = ""
    """What a file of this format is recognised by, in words; names of keys, elements and columns stand in backticks, so
    that a file which has some of them can be called near."""
    suffixes: tuple[str, ...] = ()
    write: Callable[[Iterable[Document], Any], Iterable[str] | Iterable[File]] | None = None
    folder: bool = False
    options: type[Any] = NoOptions
    keeps: frozenset[str] = everything_but()
    """Which of the kinds of :mod:`karat.annotations.selection` the format has room for. Documents with others are
    refused, or written without them if that is allowed."""
    cells_are_hints: bool = False
    """Whether raw cells of this format count only as far as the annotations of a document agree with them."""
    may_be_empty: bool = False
    """Whether a file without content and with an ending of this format is one."""
    layers: str = "mentions"
    """What the format can carry, in words for `karat formats`."""
    takes_texts: bool = False
    """Whether documents may lack their text, which the reader then takes from the gold."""
    read_objects: Callable[..., Iterator[Document]] | None = None
    """Reads what a file of this format holds from Python objects, with the same arguments as a reader."""

    def __post_init__(self) -> None:
        check_declared("format", self.name, self.options)
        for kind in self.keeps:
            if kind not in KINDS:
                raise UsageError(f"format {self.name}: in keeps, {unknown('kind', kind, KINDS)}")
        if self.write is not None and self.keeps.isdisjoint(("unchained", "chains")):
            advice = "add 'unchained', for mentions in no chain, or 'chains'"
            raise UsageError(f"format {self.name}: keeps has no room for mentions; {advice}")
        if isinstance(self.suffixes, str) or not all(suffix.startswith(".") for suffix in self.suffixes):
            raise UsageError(f"format {self.name}: suffixes is {self.suffixes!r}; expected a tuple such as ('.tsv',)")
