"""What a protocol is: a declaration from which scoring, help, documentation and signature are derived.

The road of an evaluation: *facts* are gathered of every document of both sides, and add up; documents are paired; of
each pair *sheets* are drafted, one for each unit; a sheet is judged alone, and booked as a tally and as a ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, get_args
from typing import Protocol as Interface

import msgspec

from karat.errors import UsageError, unknown
from karat.evaluation.ledger import Entry
from karat.evaluation.pairing import TakeNote, by_id
from karat.evaluation.quirks import Quirk
from karat.evaluation.tally import Group, Tally
from karat.measures.ratios import Formula
from karat.model import Document
from karat.settings import build, check_declared

if TYPE_CHECKING:
    from karat.evaluation.scores import Row

T = TypeVar("T")

SYSTEM_FILE = "\0system\0"
"""Stands in notes for the system file, whose name a protocol does not know."""

Average = Literal["micro", "macro-query", "macro-unit", "macro-label", "weighted-label"]
OVER_LABELS: tuple[Average, ...] = ("macro-label", "weighted-label")
"""The averages over labels, which a single label does not have."""
Task = Literal["entities", "linking", "coreference", "relations", "triples", "slots"]
Side = Literal["gold", "system"]


class Lack(str):
    """A remark of a protocol that a side has nothing of what it judges: which is an error if that is asked for.

    >>> from copy import copy
    >>> Lack("gold", "triples"), copy(Lack("gold", "triples")).side
    ('the gold has no triples', 'gold')
    """

    __slots__ = ("side",)
    side: str

    def __new__(cls, side: str, what: str) -> Lack:
        """Return the sentence, marked by the side."""
        lack = super().__new__(cls, f"the {side} has no {what}")
        lack.side = side
        return lack

    def __reduce__(self) -> tuple[type[Lack], tuple[str, str]]:
        return Lack, (self.side, self.removeprefix(f"the {self.side} has no "))


Facts = Counter[Hashable]
"""What must be known of the whole corpus before a pair can be judged: how often something occurs. Facts add up."""

Pair = tuple[Document, Document]
Pairs = Callable[[Iterable[Document], Iterable[Document], Any, Any, TakeNote], Iterator[Pair]]
"""Brings documents together: takes both sides, what is known, the options, and what to call with a note."""


Meeting = Literal["by id", "in order", "together"]
"""How documents find their partners: by their ids, the first with the first and so on, or in a way that looks at all
of them."""


class Figure(msgspec.Struct, frozen=True):
    """One number of a protocol: a measure under a regime, averaged in one way.

    ``micro`` divides the summed counts, ``macro-unit`` averages the units in which the ratio is defined, and
    ``macro-label`` averages the labels; ``weighted-label`` does, too, but each counts by the ``weight`` of its counts,
    such as its gold items. ``macro-query`` averages queries of which a unit may hold several: it divides
    summed counts, too, which are the sum of the values of queries and the number of those.

    ``behind`` says which counts of the protocol stand behind the number, and under which names they are shown with it:
    one of them, or the sum of several; by default all of them under their own. An ``optional`` number is left out where
    all of these are 0: nobody asked for it. ``where`` names a count that must be there, or must not, for a number to be
    shown: of several kinds of numbers one was asked for. A label of which nothing is counted does not have it.
    """

    measure: str
    regime: str
    average: Average
    formula: Formula
    behind: Mapping[str, str | tuple[str, ...]] | None = None
    optional: bool = False
    weight: Callable[[Sequence[Any]], Any] | None = None
    where: tuple[str, bool] | None = None


class Main(msgspec.Struct, frozen=True):
    """The figures that are shown when nothing else is asked for."""

    regimes: tuple[str, ...]
    averages: tuple[Average, ...]

    def includes(self, row: Row) -> bool:
        """Say whether a number is one of them."""
        return row.regime in self.regimes and row.average in self.averages


class Demands(msgspec.Struct, frozen=True):
    """What a protocol wants of the readers: token columns (``None``: mentions), and options by format name.

    ``system`` are options for the files of the system alone, beside the others. ``lines`` says whether it may have to
    point at a line of a file, and ``empty`` is the format of an empty file, where the program scores one. Facts of a
    document in one of the formats ``facts_in_cells`` are told from its cells, without tokens and mentions. ``beside``
    are the columns that are looked at beside mentions, if it is known which (``None``: maybe all).
    """

    columns: frozenset[str] | None = None
    lines: bool = True
    options: Mapping[str, Mapping[str, str]] = {}
    system: Mapping[str, Mapping[str, str]] = {}
    empty: str = ""
    facts_in_cells: tuple[str, ...] = ()
    beside: frozenset[str] | None = None

    def of(self, side: Side, format: str) -> dict[str, str]:  # noqa: A002 - the word users know
        """Return the options for the files of a side that have a format."""
        own = self.system.get(format, {}) if side == "system" else {}
        return {**self.options.get(format, {}), **own}


def regardless(answer: T) -> Callable[..., T]:
    """Return what gives the same answer, whatever it is asked; workers can be sent it.

    >>> regardless("by id")({}, None)
    'by id'
    """
    return partial(_answered, answer)


def _answered(answer: T, *asked: Any) -> T:
    del asked
    return answer


everything: Callable[[Any], Demands] = regardless(Demands())
"""What a protocol wants that looks at mentions, chains and relations, whatever its options."""


class Sheet(msgspec.Struct, frozen=True):
    """One unit with everything that is needed to judge it alone.

    ``notes`` is what was noticed while it was drafted, or how often each thing was; notes of all sheets are counted,
    and worded by the protocol. ``title`` is what people call the unit, if that is not its name.
    """

    unit: str
    content: Any
    notes: Sequence[Hashable] | Mapping[Hashable, int] = ()
    title: str = ""


class Book(Interface):
    """How a sheet is judged and booked: as counts that add up, from which figures are computed, and item by item.

    A :class:`~karat.evaluation.casebook.Casebook` does both from one judgement.
    """

    @property
    def counts(self) -> tuple[str, ...]:
        """The names of the counts of a tally."""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The numbers that are computed from the counts."""

    def tally(self, sheet: Sheet) -> Tally:
        """Return the counts of a unit."""

    def ledger(self, sheet: Sheet) -> list[Entry]:
        """Return every item of a unit with its verdict."""


def no_facts(document: Document, side: Side, options: Any) -> Iterable[Hashable]:
    """Return what must be known of a document in advance by a protocol that looks at one pair at a time: nothing.

    A protocol is asked whether it has this very function, which is still itself where it was sent.
    """
    del document, side, options
    return ()


by_their_ids: Callable[[Any, Any], Meeting] = regardless("by id")
"""Says that documents meet by their ids."""
one_pair_suffices: Callable[[Any, Any], str] = regardless("")
"""Why a protocol must see all pairs at once: it need not."""


def layers_of(document: Document, side: Side, options: Any) -> set[tuple[Side, str]]:
    """Return the layers of a document with their side."""
    del options
    return {(side, mention.layer) for mention in document.mentions}


def judged_layers(facts: Facts, options: Any) -> list[str]:
    """Return the layers that are judged apart: those of the data if both sides name some, else the nameless one."""
    del options
    layers = cast("Iterable[tuple[Side, str]]", facts)
    named = {side for side, layer in layers if layer}
    return sorted({layer for _, layer in layers}) if len(named) == 2 else [""]


def as_counted(facts: Facts, options: Any) -> Any:
    """Return the facts as they are."""
    del options
    return facts


def in_words(notes: Counter[Hashable], facts: Any, options: Any) -> Iterable[str]:
    """Return notes that are sentences, each once."""
    del facts, options
    return map(str, notes)


class Protocol(msgspec.Struct, frozen=True):
    """One published evaluation.

    ``facts`` yields what must be known of a document before any pair can be judged, or counts it by itself in a
    Counter; ``settle`` makes of the counted facts of all documents what ``pairs`` and ``draft`` are told. ``draft``
    takes a gold and a system document, what is known, and the options, and yields sheets. A protocol that cannot go
    pair by pair says why in ``whole``, and has ``draft_all``, which takes all pairs. ``meets`` says of ``pairs`` of its
    own how documents meet there, so that those that do can be read apart from others. ``remarks`` words the notes.

    ``options`` is a frozen dataclass whose fields are made with :func:`karat.settings.option` or, for options that many
    protocols have, such as ``missing``, with ``shared_option``: flags, defaults and signature come from it. ``groups``
    are those that an evaluation has even if nothing is counted; with ``hides_empty_slices`` a slice in
    which nothing is counted, in no layer, is not shown. ``corrected_regimes`` says with which regime of the profile
    ``corrected`` a regime of a published one is compared, if it has another name there.
    """

    name: str
    title: str
    task: Task
    summary: str
    unit: str
    book: Book
    draft: Callable[[Document, Document, Any, Any], Iterable[Sheet]]
    options: type[Any]
    main: Main
    facts: Callable[[Document, Side, Any], Iterable[Hashable]] = no_facts
    settle: Callable[[Facts, Any], Any] = as_counted
    pairs: Pairs = by_id
    meets: Callable[[Any, Any], Meeting] | None = None
    whole: Callable[[Any, Any], str] = one_pair_suffices
    draft_all: Callable[[Sequence[Pair], Any, Any], Iterable[Sheet]] | None = None
    remarks: Callable[[Counter[Hashable], Any, Any], Iterable[str]] = in_words
    demands: Callable[[Any], Demands] = everything
    quirks: Sequence[Quirk] = ()
    groups: tuple[Group, ...] = ()
    hides_empty_slices: bool = False
    corrected_regimes: Mapping[str, str] = {}
    reference: str = ""
    docs: str = ""

    def __post_init__(self) -> None:
        check_declared("protocol", self.name, self.options)
        if self.task not in get_args(Task):
            raise UsageError(f"protocol {self.name}: {unknown('task', self.task, get_args(Task))}")

    @property
    def counts(self) -> tuple[str, ...]:
        """The names of the counts of a tally."""
        return self.book.counts

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The numbers that are computed from the counts."""
        return self.book.figures

    def configure(self, settings: Mapping[str, Any]) -> Any:
        """Return the options with these settings; a name or value nobody knows is an error with a suggestion."""
        return build(self.options, settings, f"protocol {self.name}")

    def meeting(self, known: Any, options: Any) -> Meeting:
        """Return how documents find their partners, as far as it is known without looking at all of them."""
        if self.meets is not None:
            return self.meets(known, options)
        return "by id" if self.pairs is by_id else "together"

    def regimes(self) -> list[str]:
        """Return the regimes in the order of the figures."""
        return list(dict.fromkeys(figure.regime for figure in self.figures))
