"""What a protocol is: a declaration from which scoring, help, documentation and signature are derived.

The road of an evaluation: *facts* are gathered of every document of both sides, and add up; documents are paired; of
each pair *sheets* are drafted, one for each unit; a sheet is judged alone, and booked as a tally and as a ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast, get_args
from typing import Protocol as Interface

import msgspec

from karat.errors import UsageError, unknown
from karat.evaluation.f_measures import asked_measures, with_measures
from karat.evaluation.ledger import Entry
from karat.evaluation.pairing import TakeNote, by_id
from karat.evaluation.quirks import Quirk
from karat.evaluation.tally import Group, Tally
from karat.measures.formulas import Formula
from karat.model import Document
from karat.settings import build, check_declared

if TYPE_CHECKING:
    from karat.evaluation.scores import Row

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
Pairs = Callable[[Iterable[Document], Iterable[Document], Any, TakeNote], Iterator[Pair]]
"""Brings documents together: takes both sides, what is known, and what to call with a note."""


@dataclass(frozen=True)
class NoOptions:
    """The options of a protocol that has none."""


class Figure(msgspec.Struct, frozen=True):
    """One number of a protocol: a measure under a regime, averaged in one way.

    Args:
        formula: How it follows from summed counts, such as ``Quotient(above={"correct": 1}, below={"gold": 1})``.
        average: ``micro`` divides the summed counts, ``macro-unit`` averages the units in which the ratio is defined,
            and ``macro-label`` averages the labels; ``weighted-label`` does, too, but each counts by its ``weight``.
            ``macro-query`` averages queries of which a unit may hold several: it divides summed counts, too, which are
            the sum of the values of queries and the number of those.
        behind: Which counts of the protocol stand behind the number, and under which names they are shown with it: one
            of them, or the sum of several; by default all of them under their own.
        optional: Leave it out where all counts behind it are 0: nobody asked for it.
        weight: How often each count is taken in the weight of a label, such as its gold items.
        optional_by_label: Leave it out of the rows of labels for which all counts behind it are 0.
        by_label: The formula for a single label, if it is another one.

    """

    measure: str
    regime: str
    average: Average
    formula: Formula
    behind: Mapping[str, str | tuple[str, ...]] | None = None
    optional: bool = False
    weight: Mapping[str, float] | None = None
    optional_by_label: bool = False
    by_label: Formula | None = None

    def __post_init__(self) -> None:
        if self.average not in get_args(Average):
            raise unknown("average", self.average, get_args(Average))

    def formula_of(self, label: str | None) -> Formula:
        """Return the formula for all labels together (``None``) or for a single one."""
        return self.formula if label is None or self.by_label is None else self.by_label


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


def no_facts(document: Document, side: Side) -> Iterable[Hashable]:
    """Return the facts of a protocol that judges one pair at a time: none.

    A bound protocol is asked whether its ``facts`` are this very function.
    """
    del document, side
    return ()


def layers_of(document: Document, side: Side) -> set[tuple[Side, str]]:
    """Return the layers of a document with their side."""
    return {(side, mention.layer) for mention in document.mentions}


def judged_layers(facts: Facts) -> list[str]:
    """Return the layers that are judged apart: those of the data if both sides name some, else the nameless one."""
    layers = cast("Iterable[tuple[Side, str]]", facts)
    named = {side for side, layer in layers if layer}
    return sorted({layer for _, layer in layers}) if len(named) == 2 else [""]


def as_counted(facts: Facts) -> Any:
    """Return the facts as they are."""
    return facts


def one_pair_suffices(known: Any) -> str:
    """Return why a protocol must see all pairs at once: an empty text, because it need not."""
    del known
    return ""


def in_words(notes: Counter[Hashable], known: Any) -> Iterable[str]:
    """Return notes that are sentences, each once."""
    del known
    return map(str, notes)


class Rules(msgspec.Struct, frozen=True):
    """What a protocol does once its options are known: what ``bind`` of a :class:`Protocol` returns.

    Args:
        book: Judges a sheet, and counts its verdicts; it has the counts and the figures.
        draft: Takes a gold document, a system document and what is known, and yields sheets.
        facts: Takes a document and its side, and yields what must be known of it before any pair can be judged, or
            counts it in a Counter.
        settle: Makes of the counted facts of all documents what ``pairs``, ``draft`` and ``remarks`` are told as known.
        pairs: Takes both sides, what is known, and a function for notes, and yields pairs of documents. By default
            documents are paired by id, and the option ``missing`` says what happens to those that one side lacks.
        whole: Says why all pairs must be seen at once; an empty text if they need not. Then ``draft_all`` takes them.
        draft_all: Takes all pairs and what is known, and yields sheets.
        remarks: Takes the counted notes of all sheets and what is known, and yields sentences.
        demands: What is wanted of the readers.
        main: The figures that are shown when nothing else is asked for; by default the micro averages of all regimes.

    """

    book: Book
    draft: Callable[[Document, Document, Any], Iterable[Sheet]]
    facts: Callable[[Document, Side], Iterable[Hashable]] = no_facts
    settle: Callable[[Facts], Any] = as_counted
    pairs: Pairs | None = None
    whole: Callable[[Any], str] = one_pair_suffices
    draft_all: Callable[[Sequence[Pair], Any], Iterable[Sheet]] | None = None
    remarks: Callable[[Counter[Hashable], Any], Iterable[str]] = in_words
    demands: Demands = Demands()
    main: Main | None = None


class Protocol(msgspec.Struct, frozen=True):
    """One published evaluation: what it is called, which options it has, and the rules that follow from them.

    Args:
        bind: Takes the options, an instance of ``options``, and returns :class:`Rules`.
        options: A frozen dataclass whose fields are made with :func:`karat.settings.option` or, for options that many
            protocols have, such as ``missing``, with ``shared_option``: flags, defaults and signature come from it.
        groups: Groups that an evaluation has even if nothing is counted.
        hides_empty_slices: Leave out a slice in which nothing is counted, in no layer.
        corrected_regimes: With which regime of the profile ``corrected`` a regime of a published one is compared, if it
            has another name there.

    """

    name: str
    title: str
    task: Task
    summary: str
    unit: str
    bind: Callable[[Any], Rules]
    options: type[Any] = NoOptions
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

    def with_options(self, settings: Mapping[str, Any] | None = None, /, **more: Any) -> Bound:
        """Return the protocol with these options; a name or value nobody knows is an error with a suggestion.

        >>> from karat.evaluation.registry import protocol
        >>> protocol("conll2003").with_options(missing="empty").options.missing
        'empty'
        """
        return self.bound_to(build(self.options, {**(settings or {}), **more}, f"protocol {self.name}"))

    def bound_to(self, options: Any) -> Bound:
        """Return the protocol with options that are built already."""
        return Bound(self, options, self.bind(options))


class Bound:
    """A protocol with its options: everything that scoring, analysis and views ask of it.

    It is sent to other processes as its name, or as the protocol if it is not registered, with the options.
    """

    def __init__(self, protocol: Protocol, options: Any, rules: Rules, measures: tuple[str, ...] = ()) -> None:
        self.protocol, self.options, self.rules, self.measures = protocol, options, rules, measures
        self.name, self.task, self.unit, self.quirks = protocol.name, protocol.task, protocol.unit, protocol.quirks
        self.groups, self.book = protocol.groups, rules.book
        self.counts, self.figures = rules.book.counts, with_measures(rules.book.figures, measures)
        self.facts, self.settle, self.draft, self.draft_all = rules.facts, rules.settle, rules.draft, rules.draft_all
        self.whole, self.remarks, self.demands = rules.whole, rules.remarks, rules.demands
        self.pairs: Pairs = rules.pairs or partial(by_id, missing=getattr(options, "missing", "error"))
        self.main = rules.main or Main(tuple(self.regimes()), ("micro",))

    def regimes(self) -> list[str]:
        """Return the regimes in the order of the figures."""
        return list(dict.fromkeys(figure.regime for figure in self.figures))

    def with_rules(self, **rules: Any) -> Bound:
        """Return the same protocol and options with some of the rules replaced."""
        return Bound(self.protocol, self.options, msgspec.structs.replace(self.rules, **rules), self.measures)

    def asking(self, measures: Iterable[str]) -> Bound:
        """Return the same with more measures, such as ``f2``; one that the protocol cannot have is an error.

        >>> from karat.evaluation.registry import protocol
        >>> [figure.measure for figure in protocol("conll2003").with_options().asking(["f2"]).figures[:4]]
        ['precision', 'recall', 'f1', 'f2']
        """
        named = [measures] if isinstance(measures, str) else measures
        asked = asked_measures([*self.measures, *named], self.rules.book.figures, self.name)
        return self if asked == self.measures else Bound(self.protocol, self.options, self.rules, asked)

    def __repr__(self) -> str:
        return f"Bound({self.name!r}, {self.options!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        from karat.evaluation.registry import find

        is_known = find(self.name) is self.protocol
        return _bound, (self.name if is_known else self.protocol, self.options, self.measures)


def _bound(protocol: str | Protocol, options: Any, measures: tuple[str, ...]) -> Bound:
    if isinstance(protocol, str):
        from karat.evaluation.registry import protocol as named

        protocol = named(protocol)
    return protocol.bound_to(options).asking(measures)
