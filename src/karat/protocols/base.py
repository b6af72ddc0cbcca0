"""What a protocol is: a declaration from which scoring, help, documentation and signature are derived."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from karat.ledger import Entry
from karat.measures.ratios import Formula
from karat.model import Document
from karat.tally import Tally

Average = Literal["micro", "macro-unit", "macro-label"]


@dataclass(frozen=True)
class Figure:
    """One number of a protocol: a measure under a regime, averaged in one way.

    ``micro`` divides the summed counts, ``macro-unit`` averages the units in which the ratio is defined, and
    ``macro-label`` averages the labels.
    """

    measure: str
    regime: str
    average: Average
    formula: Formula


@dataclass(frozen=True)
class Quirk:
    """A known fault or surprise of a reference program: its name, what it does, and in which profiles."""

    name: str
    text: str
    profiles: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """What a protocol wants of the readers: token columns (``None``: mentions), and options by format name."""

    columns: frozenset[str] | None = None
    options: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """One unit to judge, with everything that is needed to judge it alone."""

    unit: str
    content: Any


@dataclass(frozen=True)
class Prepared:
    """The units of an evaluation, and what was noticed while they were brought together."""

    cases: Sequence[Case]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Protocol:
    """One published evaluation.

    ``prepare`` brings gold and system together, with all that depends on the whole corpus; ``tally`` and ``ledger``
    judge one case alone and agree with each other, so that units can be resampled and spread over workers.
    ``options`` is a frozen dataclass whose fields carry ``help`` and ``choices`` as metadata: command-line flags,
    defaults and signature come from it.
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
    reading: Callable[[Any], Reading] = lambda options: Reading()
    quirks: tuple[Quirk, ...] = ()
    reference: str = ""
    docs: str = ""

    def configure(self, settings: Mapping[str, Any]) -> Any:
        """Return the options with these settings; a name or value nobody knows is an error with a suggestion."""
        from karat.settings import build

        return build(self.options, settings, f"protocol {self.name}")

    def regimes(self) -> list[str]:
        """Return the regimes in the order of the figures."""
        return list(dict.fromkeys(figure.regime for figure in self.figures))

    def shown_options(self, options: Any) -> dict[str, str]:
        """Return the options that differ from the defaults, and those marked ``always``, for the signature."""
        return {
            one.name: str(getattr(options, one.name))
            for one in fields(options)
            if one.metadata.get("always") or getattr(options, one.name) != one.default
        }
