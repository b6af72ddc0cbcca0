"""What a protocol is: a declaration from which scoring, help, documentation and signature are derived."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from karat.ledger import Entry
from karat.measures.ratios import Formula
from karat.model import Document
from karat.settings import build
from karat.tally import Group, Tally

SYSTEM_FILE = "\0system\0"
"""Stands in notes for the system file, whose name a protocol does not know."""

Average = Literal["micro", "macro-query", "macro-unit", "macro-label"]


class Figure(msgspec.Struct, frozen=True):
    """One number of a protocol: a measure under a regime, averaged in one way.

    ``micro`` divides the summed counts, ``macro-unit`` averages the units in which the ratio is defined, and
    ``macro-label`` averages the labels. ``macro-query`` averages queries of which a unit may hold several: it divides
    summed counts, too, which are the sum of the values of queries and the number of those.

    ``behind`` says which counts of the protocol stand behind the number, and under which names they are shown with it;
    by default all of them under their own. An ``optional`` number is left out where all of these are 0: nobody asked
    for it.
    """

    measure: str
    regime: str
    average: Average
    formula: Formula
    behind: Mapping[str, str] | None = None
    optional: bool = False


class Main(msgspec.Struct, frozen=True):
    """The figures that are shown when nothing else is asked for."""

    regimes: tuple[str, ...]
    averages: tuple[Average, ...]


class Quirk(msgspec.Struct, frozen=True):
    """A known fault or surprise of a reference program: its name, what it does, and in which profiles."""

    name: str
    text: str
    profiles: tuple[str, ...] = ()


class Reading(msgspec.Struct, frozen=True):
    """What a protocol wants of the readers: token columns (``None``: mentions), and options by format name.

    ``lines`` says whether it may have to point at a line of a file.
    """

    columns: frozenset[str] | None = None
    lines: bool = True
    options: Mapping[str, Mapping[str, str]] = {}


def everything(options: Any) -> Reading:
    """Return what a protocol wants that looks at mentions, chains and relations, whatever its options."""
    del options
    return Reading()


class Case(msgspec.Struct, frozen=True):
    """One unit to judge, with everything that is needed to judge it alone."""

    unit: str
    content: Any


class Prepared(msgspec.Struct, frozen=True):
    """The units of an evaluation, and what was noticed while they were brought together."""

    cases: Sequence[Case]
    notes: Sequence[str] = ()


class Protocol(msgspec.Struct, frozen=True):
    """One published evaluation.

    ``prepare`` brings gold and system together, with all that depends on the whole corpus; ``tally`` and ``ledger``
    judge one case alone and agree with each other, so that units can be resampled and spread over workers.
    ``options`` is a frozen dataclass whose fields carry ``help`` and ``choices`` as metadata: command-line flags,
    defaults and signature come from it. ``groups`` are those that an evaluation has even if nothing is counted.
    """

    name: str
    title: str
    task: str
    summary: str
    unit: str
    counts: tuple[str, ...]
    figures: tuple[Figure, ...]
    prepare: Callable[[Iterable[Document], Iterable[Document], Any], Prepared]
    tally: Callable[[Case], Tally]
    ledger: Callable[[Case], list[Entry]]
    options: type[Any]
    main: Main
    reading: Callable[[Any], Reading] = everything
    quirks: tuple[Quirk, ...] = ()
    groups: tuple[Group, ...] = ()
    reference: str = ""
    docs: str = ""

    def configure(self, settings: Mapping[str, Any]) -> Any:
        """Return the options with these settings; a name or value nobody knows is an error with a suggestion."""
        return build(self.options, settings, f"protocol {self.name}")

    def regimes(self) -> list[str]:
        """Return the regimes in the order of the figures."""
        return list(dict.fromkeys(figure.regime for figure in self.figures))
