"""Scores: the rows of a result, with the counts behind each and the signature that says which number it is."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import msgspec

from karat.evaluation.f_measures import beta_of, measure_named
from karat.evaluation.tally import Counts, Group, Tallies, Tally
from karat.measures.formulas import summing
from karat.measures.ratios import value

if TYPE_CHECKING:
    from karat.display.drawing.pages import Showing
    from karat.evaluation.protocol import Bound, Figure
    from karat.evaluation.run import Run
    from karat.measures.ratios import Computation

ZeroRule = Literal["undefined", "zero", "one"]
ZERO_RULES: tuple[ZeroRule, ...] = get_args(ZeroRule)
"""What a ratio with nothing below the line is: undefined, 0 as most published programs print it, or 1."""
_MOST_KNOWN = 10_000
"""Different counts whose quotients are held."""


class Interval(msgspec.Struct, frozen=True):
    """A confidence interval, and the method it comes from.

    ``units`` are those that the number depends on, and ``undefined`` is the share of resamples in which it has no
    value; these are left out.
    """

    low: float
    high: float
    level: float = 0.95
    method: str = ""
    units: int = 0
    undefined: float = 0.0


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
        return f"{self.measure}[{','.join(f'{key}={text}' for key, text in self.parts.items() if text)}]"

    @property
    def parts(self) -> dict[str, str]:
        """What its name says beside the measure; what is empty is not said."""
        parts = {"layer": self.layer, "regime": self.regime, "avg": self.average, "slice": self.slice}
        return {**parts, "label": self.label or ""}

    def flat(self) -> dict[str, Any]:
        """Return the row as one level of names and values: bounds of the interval and counts by their names."""
        names = ("measure", "regime", "average", "layer", "slice", "label", "value")
        bounds = (None, None) if self.interval is None else (self.interval.low, self.interval.high)
        return {name: getattr(self, name) for name in names} | {"low": bounds[0], "high": bounds[1]} | self.counts

    def __hash__(self) -> int:
        return hash((self.name, self.value))


class Scores(msgspec.Struct, frozen=True):
    """The result of one system under one protocol; iterates over its rows.

    ``tallies`` are the counts by unit: whatever is asked later (another average, an interval, a comparison) comes
    from them and never from the annotations; ``run`` has them with all that is saved in a run file.
    """

    protocol: str
    system: str
    rows: tuple[Row, ...]
    signature: str
    tallies: Tallies
    notes: tuple[str, ...] = ()
    run: Run | None = None
    reread: Callable[..., Showing] | None = None
    """Reads gold and system again, with which the scores have nothing more to do: they are equal whatever it is."""

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
            wanted = (measure_named(measure), average, slice, label) == (row.measure, row.average, row.slice, row.label)
            if wanted and regime in (None, row.regime) and layer in (None, row.layer):
                return row.value
        from karat.errors import unknown

        asked = Row(measure, regime or "", average, layer or "", None, slice, label).name
        raise unknown("score", asked, {row.name for row in self.rows})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the run behind the scores to a file, which :func:`karat.load` and ``karat show`` read."""
        if self.run is None:
            raise ValueError("these scores come from no run")
        self.run.save(path)

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries and lists, ready for JSON."""
        fields = {name: getattr(self, name) for name in ("protocol", "system", "signature")}
        fields |= {"rows": list(self.rows), "notes": list(self.notes)}
        if self.run is not None:
            fields["digests"] = self.run.digests
        return msgspec.to_builtins(fields)  # type: ignore[no-any-return]

    def to_pandas(self) -> Any:
        """Return the rows as a data frame, with counts and intervals in columns (needs ``karat[frames]``)."""
        from karat.errors import needing

        with needing("Scores.to_pandas", "frames"):
            import pandas
        return pandas.DataFrame([row.flat() for row in self.rows])

    def show(self, gold: Any = None, system: Any = None, *, document: str | None = None) -> Showing:
        """Show the texts behind the scores in the reader, with the numbers beside them; or one ``document`` of them.

        Files are read again. Scores of anything else hold no documents any more: without ``gold`` and ``system``, as
        they were scored, their numbers are shown alone.
        """
        if self.reread is not None:
            return self.reread(self, gold, system, document)
        if gold is not None or system is not None or document is not None:
            from karat.errors import UsageError

            how = f"karat.show(gold, system, {self.protocol!r})"
            raise UsageError(f"these scores do not know how they were made; {how} shows the texts")
        return self._table()

    def _table(self) -> Showing:
        from karat.display.drawing.pages import Showing
        from karat.display.views.papers import scores_markup

        return Showing(f"{self.protocol}: {self.system}", scores_markup([self]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        return self._told() == other._told()

    def __repr__(self) -> str:
        return f"Scores({', '.join(f'{name}={value!r}' for name, value in self._told().items())})"

    def _told(self) -> dict[str, Any]:
        """Return what scores say, by the names of fields."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if name != "reread"}

    def __hash__(self) -> int:
        return hash((self.protocol, self.system, self.signature))

    def __str__(self) -> str:
        from karat.display.views import render

        return render("table", [self]).removesuffix("\n")

    def _repr_html_(self) -> str:
        return self._table()._repr_html_()


def rows_of(bound: Bound, tallies: Tallies, *, labels: bool = False, zero: ZeroRule = "undefined") -> tuple[Row, ...]:
    """Compute all rows of a protocol from tallies: for all labels together and, if asked, for each label."""
    return _rows(bound, tallies.total(), tallies.of, labels=labels, zero=zero, hidden=_empty_slices(bound, tallies))


def _empty_slices(bound: Bound, tallies: Tallies) -> set[str]:
    """Return the slices that are not to be shown because nothing is counted in them."""
    if not bound.protocol.hides_empty_slices:
        return set()
    counted = {group.slice for group in tallies.groups if any(map(any, tallies.of(group)))}
    return {group.slice for group in tallies.groups if group.slice} - counted


def _rows(
    bound: Bound,
    counted: Tally,
    units: Callable[[Group], Iterable[Counts]],
    *,
    labels: bool = False,
    zero: ZeroRule,
    hidden: set[str],
) -> tuple[Row, ...]:
    """Compute the rows of summed counts; ``units`` returns the counts of a group in each unit that has it."""
    total = dict.fromkeys(bound.groups, (0,) * len(bound.counts)) | counted
    members = _by_slice(total)
    labelled = {slice_: [group for group in own if group.label is not None] for slice_, own in members.items()}
    sums = _Sums(total, units, labelled, zero, bound.counts)
    figures = [(figure, _Quotients(figure, bound.counts)) for figure in bound.figures]
    rows = []
    for group in chain.from_iterable(sorted(own, key=_label_order) for own in members.values()):
        if group.slice in hidden or (group.label is not None and not labels):
            continue
        named = dict(zip(bound.counts, total[group], strict=True))
        for figure, quotients in figures:
            if figure.average in ("macro-label", "weighted-label") and group.label is not None:
                continue
            is_optional = figure.optional or (figure.optional_by_label and group.label is not None)
            counts = _counts_behind(figure, named) if is_optional or figure.average == "micro" else {}
            if is_optional and not any(counts.values()):
                continue
            rows.append(
                Row(
                    measure=figure.measure,
                    regime=figure.regime,
                    average=figure.average,
                    layer=group.layer,
                    slice=group.slice,
                    label=group.label,
                    value=sums.value(figure, quotients, group),
                    counts=counts if figure.average == "micro" else {},
                )
            )
    return tuple(rows)


def _counts_behind(figure: Figure, named: Mapping[str, float]) -> dict[str, float]:
    """Return the counts that a number comes from, by the names under which they are shown."""
    if figure.behind is None:
        return dict(named)
    return {
        shown: named[names] if isinstance(names, str) else sum(map(named.__getitem__, names))
        for shown, names in figure.behind.items()
    }


def unit_rows(bound: Bound, tallies: Tallies, *, zero: ZeroRule = "undefined") -> tuple[Row, ...]:
    """Compute the rows of each unit by itself; the slice names the unit.

    They are micro, or the mean of the queries of the unit where a regime has nothing but means.
    """
    counted = {(figure.measure, figure.regime) for figure in bound.figures if figure.average == "micro"}
    hidden = _empty_slices(bound, tallies)
    rows = []
    for index, unit in enumerate(tallies.units):
        tally = tallies.row(index)
        for row in _rows(bound, tally, partial(_alone, tally), zero=zero, hidden=hidden):
            has_micro = (row.measure, row.regime) in counted
            if row.average == "micro" or (row.average == "macro-query" and not has_micro):
                part = f"{bound.unit}={unit}" + (f" {row.slice}" if row.slice else "")
                rows.append(msgspec.structs.replace(row, slice=part))
    return tuple(rows)


def _alone(tally: Tally, group: Group) -> list[Counts]:
    """Return the counts of a group in the only unit, if it has the group."""
    return [tally[group]] if group in tally else []


def _by_slice(groups: Iterable[Group]) -> dict[tuple[str, str], list[Group]]:
    """Return the groups by their layers and slices, as first seen."""
    members: dict[tuple[str, str], list[Group]] = {}
    for group in groups:
        members.setdefault((group.layer, group.slice), []).append(group)
    return members


def _label_order(group: Group) -> tuple[bool, str]:
    """Sort all labels together first, then label by label."""
    return group.label is not None, group.label or ""


class _Known(dict[Counts, float | None]):
    """The numbers that a formula makes of counts, each computed once: most labels are rare, and so are often alike."""

    def __init__(self, divide: Computation) -> None:
        self._divide = divide

    def __missing__(self, counts: Counts) -> float | None:
        quotient = value(self._divide(counts))
        if len(self) < _MOST_KNOWN:
            self[counts] = quotient
        return quotient


class _Quotients:
    """The numbers that a figure makes of counts: of all labels together, and of a single one."""

    def __init__(self, figure: Figure, names: Sequence[str]) -> None:
        self.whole = _Known(figure.formula.over(names))
        self.label = self.whole if figure.by_label is None else _Known(figure.by_label.over(names))

    def of(self, group: Group) -> _Known:
        """Return those of a group."""
        return self.whole if group.label is None else self.label


class _Sums(NamedTuple):
    """What the numbers of all groups come from; ``units`` returns the counts of a group in each unit that has it."""

    total: dict[Group, Counts]
    units: Callable[[Group], Iterable[Counts]]
    labelled: dict[tuple[str, str], list[Group]]
    zero: ZeroRule
    names: Sequence[str]

    def value(self, figure: Figure, quotients: _Quotients, group: Group) -> float | None:
        """Return a number of a group."""
        known = quotients.of(group)
        if figure.average == "micro":
            return by_zero_rule(known[self.total[group]], self.zero)
        if figure.average == "macro-query":
            return known[self.total[group]]
        if figure.average == "macro-unit":
            return mean(map(known.__getitem__, self.units(group)))
        siblings = [self.total[sibling] for sibling in self.labelled[group.layer, group.slice]]
        values = [by_zero_rule(quotients.label[counts], self.zero) for counts in siblings]
        if figure.weight is None:
            return mean(values)
        weights = list(map(summing(figure.weight, self.names), siblings))
        return weighted_mean(values, weights) if any(weights) else by_zero_rule(known[self.total[group]], self.zero)


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


def weighted_mean(values: Iterable[float | None], weights: Iterable[float]) -> float | None:
    """Return the mean of the defined values, each as often as it weighs; without any weight it is undefined.

    >>> weighted_mean([0.5, None, 1.0], [3, 5, 1])
    0.625
    """
    defined = [(value, weight) for value, weight in zip(values, weights, strict=True) if value is not None]
    whole = sum(weight for _, weight in defined)
    return math.fsum(value * weight for value, weight in defined) / whole if whole else None


_PARTS = re.compile(r",(?=(?:layer|regime|avg|slice|label)=)")


def name_parts(name: str) -> tuple[str, dict[str, str]]:
    """Return the measure that a name of a number begins with, and what stands between its brackets.

    >>> name_parts("f1[regime=strict,slice=length=2,label=a,b]")
    ('f1', {'regime': 'strict', 'slice': 'length=2', 'label': 'a,b'})
    """
    measure, _, inside = name.strip().partition("[")
    given = (part.partition("=") for part in _PARTS.split(inside.removesuffix("]")) if part)
    return measure_named(measure), {key: text for key, _, text in given}


def f_measures_in(names: Iterable[str]) -> list[str]:
    """Return the F-measures of which numbers are named.

    >>> f_measures_in(["f2[regime=strict]", "fbeta=0.5", "recall"])
    ['f2', 'f0.5']
    """
    measures = (name_parts(name)[0] for name in names)
    return [measure for measure in dict.fromkeys(measures) if beta_of(measure) is not None]


def row_named(rows: Iterable[Row], name: str) -> Row:
    """Return the row of a name, as ``f1[regime=strict,label=PER]``; what it does not say is the first, or everything.

    >>> rows = [Row("f1", "strict", "micro", "", 0.5), Row("f1", "strict", "micro", "", 0.4, label="PER")]
    >>> row_named(rows, "f1").value, row_named(rows, "f1[label=PER]").value
    (0.5, 0.4)
    """
    known = list(rows)
    measure, given = name_parts(name)
    asked = {"slice": "", "label": ""} | given
    for row in known:
        if row.name == name or (row.measure == measure and asked.items() <= row.parts.items()):
            return row
    from karat.errors import unknown

    same = [row.parts for row in known if row.measure == measure]
    for kind, text in given.items():
        values = {parts[kind] for parts in same if kind in parts} - {""}
        if same and text not in values:
            raise unknown(f"{kind} in {name!r}:", text, values)
    raise unknown("number", name, {row.name for row in known})
