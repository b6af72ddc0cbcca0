"""Scores: the rows of a result, with the counts behind each and the signature that says which number it is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from karat.measures.ratios import value
from karat.tally import Counts, Group, Tallies

if TYPE_CHECKING:
    from karat.protocols.base import Figure, Protocol

ZeroRule = Literal["undefined", "zero", "one"]
ZERO_RULES: tuple[ZeroRule, ...] = get_args(ZeroRule)
"""What a ratio with nothing below the line is: undefined, 0 as most published programs print it, or 1."""


class Interval(msgspec.Struct, frozen=True):
    """A confidence interval."""

    low: float
    high: float
    level: float = 0.95


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """One number: a measure under a regime and an average, of a layer, slice and label (``None``: all labels).

    ``counts`` are the numbers behind the value; averages over units, queries or labels have none of their own.
    """

    measure: str
    regime: str
    average: str
    layer: str
    value: float | None
    slice: str = ""
    label: str | None = None
    counts: dict[str, float] = {}
    interval: Interval | None = None

    @property
    def name(self) -> str:
        """The canonical name of the number, as ``f1[layer=NE-COARSE-LIT,regime=strict,avg=micro]``."""
        parts = {"layer": self.layer, "regime": self.regime, "avg": self.average, "slice": self.slice}
        parts["label"] = self.label or ""
        return f"{self.measure}[{','.join(f'{key}={text}' for key, text in parts.items() if text)}]"


class Scores(msgspec.Struct, frozen=True):
    """The result of one system under one protocol; iterates over its rows.

    ``tallies`` are the counts by unit: whatever is asked later (another average, an interval, a comparison) comes
    from them and never from the annotations.
    """

    protocol: str
    system: str
    rows: tuple[Row, ...]
    signature: str
    tallies: Tallies
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def value(
        self,
        measure: str = "f1",
        *,
        regime: str | None = None,
        average: str = "micro",
        layer: str | None = None,
        slice: str = "",  # noqa: A002 - the word of the data model
        label: str | None = None,
    ) -> float | None:
        """Return one number; what is not named is the protocol's first (regime, layer) or everything."""
        for row in self.rows:
            wanted = (measure, average, slice, label) == (row.measure, row.average, row.slice, row.label)
            if wanted and regime in (None, row.regime) and layer in (None, row.layer):
                return row.value
        from karat.errors import unknown

        asked = Row(measure, regime or "", average, layer or "", None, slice, label).name
        raise unknown("score", asked, {row.name for row in self.rows})

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        fields = {name: getattr(self, name) for name in ("protocol", "system", "signature")}
        fields |= {"rows": list(self.rows), "notes": list(self.notes)}
        return msgspec.to_builtins(fields)  # type: ignore[no-any-return]

    def to_pandas(self) -> Any:
        """Return the rows as a data frame (needs ``karat[frames]``)."""
        from karat.errors import MissingExtraError

        try:
            import pandas
        except ImportError:
            raise MissingExtraError("Scores.to_pandas", "frames") from None
        return pandas.DataFrame(self.to_dict()["rows"])

    def __str__(self) -> str:
        from karat.views import render

        return render("table", [self]).removesuffix("\n")

    def _repr_html_(self) -> str:
        from karat.views import render

        return render("html", [self])


def rows_of(
    protocol: Protocol, tallies: Tallies, *, labels: bool = False, zero: ZeroRule = "undefined"
) -> tuple[Row, ...]:
    """Compute all rows of a protocol from tallies: for all labels together and, if asked, for each label."""
    return _rows(protocol, tallies, labels=labels, zero=zero, hidden=_empty_slices(protocol, tallies))


def _empty_slices(protocol: Protocol, tallies: Tallies) -> set[str]:
    """Return the slices that are not to be shown because nothing is counted in them."""
    if not protocol.hides_empty_slices:
        return set()
    counted = {(group.slice, any(counts)) for tally in tallies.rows for group, counts in tally.items()}
    return {part for part, _ in counted if part and (part, True) not in counted}


def _rows(
    protocol: Protocol, tallies: Tallies, *, labels: bool = False, zero: ZeroRule, hidden: set[str]
) -> tuple[Row, ...]:
    total = dict.fromkeys(protocol.groups, (0,) * len(protocol.counts)) | tallies.total()
    units = _units_by_group(tallies)
    rows = []
    for group in _in_order(total):
        if group.slice in hidden or (group.label is not None and not labels):
            continue
        for figure in protocol.figures:
            if figure.average == "macro-label" and group.label is not None:
                continue
            counts = _counts_behind(figure, protocol, total[group])
            if figure.optional and not any(counts.values()):
                continue
            rows.append(
                Row(
                    measure=figure.measure,
                    regime=figure.regime,
                    average=figure.average,
                    layer=group.layer,
                    slice=group.slice,
                    label=group.label,
                    value=_figure_value(figure, group, total, units, zero),
                    counts=counts if figure.average == "micro" else {},
                )
            )
    return tuple(rows)


def _counts_behind(figure: Figure, protocol: Protocol, counts: Counts) -> dict[str, float]:
    """Return the counts that a number comes from, by the names under which they are shown."""
    named = dict(zip(protocol.counts, counts, strict=True))
    if figure.behind is None:
        return named
    summed = ((shown, (names,) if isinstance(names, str) else names) for shown, names in figure.behind.items())
    return {shown: sum(named[name] for name in names) for shown, names in summed}


def unit_rows(protocol: Protocol, tallies: Tallies, *, zero: ZeroRule = "undefined") -> tuple[Row, ...]:
    """Compute the rows of each unit by itself; the slice names the unit.

    They are micro, or the mean of the queries of the unit where a regime has nothing but means.
    """
    counted = {(figure.measure, figure.regime) for figure in protocol.figures if figure.average == "micro"}
    hidden = _empty_slices(protocol, tallies)
    rows = []
    for unit, tally in zip(tallies.units, tallies.rows, strict=True):
        for row in _rows(protocol, Tallies([unit], [tally]), zero=zero, hidden=hidden):
            has_micro = (row.measure, row.regime) in counted
            if row.average == "micro" or (row.average == "macro-query" and not has_micro):
                part = f"{protocol.unit}={unit}" + (f" {row.slice}" if row.slice else "")
                rows.append(msgspec.structs.replace(row, slice=part))
    return tuple(rows)


def _in_order(groups: Iterable[Group]) -> list[Group]:
    """Sort by layer and slice as first seen, all labels together first, then label by label."""
    seen: dict[tuple[str, str], list[Group]] = {}
    for group in groups:
        seen.setdefault((group.layer, group.slice), []).append(group)
    return [
        group
        for members in seen.values()
        for group in sorted(members, key=lambda group: (group.label is not None, group.label or ""))
    ]


def _units_by_group(tallies: Tallies) -> dict[Group, list[Counts]]:
    units: dict[Group, list[Counts]] = {}
    for tally in tallies.rows:
        for group, counts in tally.items():
            units.setdefault(group, []).append(counts)
    return units


def _figure_value(
    figure: Figure, group: Group, total: dict[Group, Counts], units: dict[Group, list[Counts]], zero: ZeroRule
) -> float | None:
    if figure.average == "micro":
        return by_zero_rule(value(figure.formula(total[group])), zero)
    if figure.average == "macro-query":
        return value(figure.formula(total[group]))
    if figure.average == "macro-unit":
        return mean(value(figure.formula(counts)) for counts in units.get(group, ()))
    siblings = [sibling for sibling in total if sibling[:2] == group[:2] and sibling.label is not None]
    return mean(by_zero_rule(value(figure.formula(total[sibling])), zero) for sibling in siblings)


def by_zero_rule(value: float | None, zero: ZeroRule) -> float | None:
    """Return the value, or what the rule makes of an undefined one."""
    if value is not None or zero == "undefined":
        return value
    return 0.0 if zero == "zero" else 1.0


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the defined values, exact whatever their order; of none it is undefined.

    >>> mean([0.5, None, 1.0])
    0.75
    """
    defined = [value for value in values if value is not None]
    return math.fsum(defined) / len(defined) if defined else None
