"""The cost of the quirks of a published program: scores under the published and the corrected profile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, NamedTuple

from karat.errors import InputError, UsageError, many
from karat.evaluation.quirks import Quirk
from karat.evaluation.registry import find
from karat.protocols.corrections import CORRECTED, PUBLISHED, CorrectableOptions
from karat.report.charts import Dot, Shape, limits_of, rows_chart
from karat.report.numbers import ShownSystem, points, row_like, three
from karat.report.summary import ChartLine, ChartTable

if TYPE_CHECKING:
    from karat.analysis.differences import Difference
    from karat.evaluation.protocol import Bound
    from karat.evaluation.scores import Row, Scores

_MISSING = "missing"
"""The option that is not a quirk: the corrected variant keeps its value."""
_SUFFIX = "-corrected"
_SHAPES: tuple[Shape, Shape] = ("dot", "open")
MOST_SINGLY = 50_000
"""The largest number of items for which the cost of each rule is computed, since each needs scoring again."""
MOST_WORDS = 3
"""The number of affected items that are shown as examples."""


class Cost(NamedTuple):
    """The cost of the quirks of a rule for a system: points, number of items judged differently, and examples."""

    letter: str
    points: str
    items: int
    words: Sequence[str]


class RuleCost(NamedTuple):
    """The quirks of one rule and their cost; ``fault`` says why the cost could not be computed."""

    quirks: Sequence[Quirk]
    costs: Sequence[Cost]
    fault: str = ""

    @property
    def says(self) -> bool:
        """Whether it has a cost or a fault to show."""
        return bool(self.costs or self.fault)


class Costs(NamedTuple):
    """The number of each system as published and corrected, with sentences and the quirks behind the difference.

    ``singles`` are the costs of rules that were corrected one at a time; ``quirks`` are those that the corrected
    profile can change only together.
    """

    table: ChartTable | None
    sentences: Sequence[str]
    quirks: Sequence[Quirk] = ()
    singles: Sequence[RuleCost] = ()


class Rescored(NamedTuple):
    """The scores of a system under another profile, and the items that are judged differently."""

    scores: Scores
    changed: Sequence[Difference]


Rescore = Callable[["Bound", int], Rescored]
"""Scores a system, by its index, with other options of the protocol or with its corrected variant."""


class Corrected(NamedTuple):
    """The corrected variant of a protocol with its options, and the name of the published profile."""

    bound: Bound
    published: str

    def regime(self, published: str) -> str:
        """Return the name of a regime in the corrected variant."""
        return self.bound.protocol.corrected_regimes.get(published, published)


def is_correctable(bound: Bound, variant: Corrected) -> bool:
    """Return whether single rules of the shown profile can be corrected."""
    return isinstance(bound.options, CorrectableOptions) and variant.published in bound.options.singly


def corrected(bound: Bound) -> Corrected | None:
    """Return the corrected variant of a protocol, or None if there is none or it was chosen."""
    options = bound.options
    profile = next((field for field in fields(options) if field.name == "profile"), None)
    if profile is not None and CORRECTED in profile.metadata.get("choices", ()):
        if options.profile == CORRECTED:
            return None
        return Corrected(bound.protocol.bound_to(replace(options, profile=CORRECTED)), options.profile)
    twin = find(f"{bound.name}{_SUFFIX}")
    if twin is None or twin is bound.protocol:
        return None
    own = {field.name: field.default for field in fields(options)}
    shared = {field.name for field in fields(twin.options)} & {*own}
    told = {name: getattr(options, name) for name in shared}
    asked = {name: value for name, value in told.items() if value != own[name] or name == _MISSING}
    return Corrected(twin.bound_to(twin.options(**asked)), PUBLISHED)


def costs_of(
    systems: Sequence[ShownSystem],
    wanted: Row,
    variant: Corrected,
    rescore: Rescore,
    published: Bound | None = None,
) -> Costs:
    """Return the costs of all quirks together and, if the options of the protocol allow it, rule by rule.

    Args:
        systems: the systems with their published scores.
        wanted: the number that the costs are about.
        variant: the corrected variant.
        rescore: scores a system in another way.
        published: the published protocol; None if costs of single rules are not wanted.

    """
    try:
        rescored = [rescore(variant.bound, index) for index in range(len(systems))]
    except (InputError, UsageError) as error:
        return Costs(None, [f"The corrected profile does not score this data: {error}."])
    table = _table(systems, wanted, rescored, variant.regime(wanted.regime))
    touched = [index for index, line in enumerate(table.lines) if line.cells[-2:] != ["0", "0"]]
    if not touched:
        same = f"No effect: published ({variant.published}) and corrected give the same verdicts and numbers."
        return Costs(None, [same])
    items = sum(len(changed) for _, changed in rescored)
    told = f"{many(items, 'item')} of all systems {'is' if items == 1 else 'are'} judged differently without the quirks"
    told = f"{told}; the profile shown is {variant.published}."
    quirks = between(systems[0].scores.protocol, variant)
    singles = list(_singles(published, quirks, wanted, [(systems[index], index) for index in touched], rescore))
    if not singles:
        together = ["The corrected profile changes these together:"] if len(quirks) > 1 else []
        return Costs(table, [told, *together], quirks)
    idle = [quirk.name for single in singles if not single.says for quirk in single.quirks]
    rest = [f"These have no effect alone: {', '.join(idle)}."] if idle else []
    bound = [quirk.name for quirk in quirks if not quirk.rule]
    rest += [f"These can be corrected only together with all others: {', '.join(bound)}."] if bound else []
    said = [single for single in singles if single.says]
    singly = ["One rule at a time, the others as published:"] if said else []
    return Costs(table, [told, *rest, *singly], (), said)


def _table(systems: Sequence[ShownSystem], wanted: Row, rescored: Sequence[Rescored], regime: str) -> ChartTable:
    lines, dots = [], []
    for line_index, (system, (scores, changed)) in enumerate(zip(systems, rescored, strict=True)):
        before, after = row_like(system.scores, wanted), row_like(scores, wanted, regime=regime)
        values = [row.value if row else None for row in (before, after)]
        shown = zip(_SHAPES, dict.fromkeys(values), strict=False)
        dots += [Dot(line_index, value, shape=shape) for shape, value in shown if value is not None]
        cells = [three(values[0]), three(values[1]), points(_cost(before, after)), str(len(changed))]
        alt = f"{system.name}: {cells[0]} published, {cells[1]} corrected"
        lines.append(ChartLine(system.letter, system.name, cells, alt))
    chart = rows_chart("costs", dots, len(lines), limits=limits_of([dot.value for dot in dots])) if dots else None
    return ChartTable(["● Published", "○ Corrected", "Points", "Items"], lines, chart)


def _singles(
    published: Bound | None,
    quirks: Iterable[Quirk],
    wanted: Row,
    touched: Sequence[tuple[ShownSystem, int]],
    rescore: Rescore,
) -> Iterator[RuleCost]:
    """Yield the cost of each rule alone, for the systems that quirks affect."""
    if published is None:
        return
    rules: dict[str, list[Quirk]] = {}
    for quirk in quirks:
        if quirk.rule:
            rules.setdefault(quirk.rule, []).append(quirk)
    for rule, own in rules.items():
        mended = published.protocol.bound_to(published.options.mending(rule))
        try:
            costs = [_single(system, wanted, rescore(mended, index)) for system, index in touched]
        except (InputError, UsageError) as error:
            yield RuleCost(own, (), f"corrected, it does not score this data: {error}")
        else:
            yield RuleCost(own, [cost for cost in costs if cost.items or cost.points != "0"])


def _single(system: ShownSystem, wanted: Row, rescored: Rescored) -> Cost:
    cost = _cost(row_like(system.scores, wanted), row_like(rescored.scores, wanted))
    items = [entry.gold or entry.system for change in rescored.changed for entry in change.entries[:1]]
    words = list(dict.fromkeys(item.text for item in items if item is not None and item.text))
    return Cost(system.letter, points(cost), len(rescored.changed), words[:MOST_WORDS])


def _cost(before: Row | None, after: Row | None) -> float | None:
    if before is None or after is None or before.value is None or after.value is None:
        return None
    return after.value - before.value


def between(protocol: str, variant: Corrected) -> list[Quirk]:
    """Return the quirks of the published profile that the corrected one does not have."""
    declared = find(protocol)
    quirks = declared.quirks if declared else ()
    return [
        quirk
        for quirk in quirks
        if variant.published in quirk.profiles and CORRECTED not in quirk.profiles and not quirk.drop_in
    ]
