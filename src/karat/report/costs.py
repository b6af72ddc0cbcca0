"""What the quirks of a published program cost on this data: the same systems under the corrected profile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

from karat.errors import InputError, UsageError, many
from karat.protocols import find
from karat.quirks import Quirk
from karat.report.charts import Dot, limits_of, rows_chart
from karat.report.numbers import System, points, row_like, three
from karat.report.summary import Line, Table

if TYPE_CHECKING:
    from karat.protocols.base import Protocol
    from karat.scores import Row, Scores

CORRECTED = "corrected"
_SUFFIX = "-corrected"


class Costs(NamedTuple):
    """The number of each system as published and corrected, what to say of it, and the quirks that may be behind it."""

    table: Table | None
    sentences: Sequence[str]
    quirks: Sequence[Quirk]


class Corrected(NamedTuple):
    """The corrected variant of a protocol with its options, and what the published one is called."""

    protocol: Protocol
    settings: Any
    published: str


def corrected(protocol: Protocol, settings: Any) -> Corrected | None:
    """Return how the data are scored without the quirks, if that is another way than the one chosen."""
    profile = next((one for one in fields(protocol.options) if one.name == "profile"), None)
    if profile is not None and CORRECTED in profile.metadata.get("choices", ()):
        if settings.profile == CORRECTED:
            return None
        from dataclasses import replace

        return Corrected(protocol, replace(settings, profile=CORRECTED), settings.profile)
    twin = find(f"{protocol.name}{_SUFFIX}")
    if twin is None or twin is protocol:
        return None
    known = {one.name for one in fields(twin.options)}
    shared = {one.name: getattr(settings, one.name) for one in fields(protocol.options) if one.name in known}
    return Corrected(twin, twin.options(**shared), protocol.name)


def costs_of(
    systems: Sequence[System],
    wanted: Row,
    variant: Corrected,
    score: Callable[[int], tuple[Scores, int]],
) -> Costs:
    """Return what quirks cost; ``score`` gives a system's corrected scores, and how many items are judged otherwise."""
    rescored: list[tuple[Scores, int]] = []
    for number in range(len(systems)):
        try:
            rescored.append(score(number))
        except (InputError, UsageError) as error:
            return Costs(None, [f"The corrected profile does not score this data: {error}."], ())
    lines, dots, touched = [], [], 0
    for place, (system, (scores, changed)) in enumerate(zip(systems, rescored, strict=True)):
        before, after = row_like(system.scores, wanted), row_like(scores, wanted)
        values = [row.value if row else None for row in (before, after)]
        cost = None if values[0] is None or values[1] is None else values[1] - values[0]
        touched += changed or bool(cost)
        for shape, value in zip(("open", "dot"), reversed(values), strict=True):
            if value is not None:
                dots.append(Dot(place, value, shape=shape))  # type: ignore[arg-type]
        cells = [three(values[0]), three(values[1]), points(cost), str(changed)]
        lines.append(
            Line(system.letter, system.name, cells, f"{system.name}: {cells[0]} published, {cells[1]} corrected")
        )
    if not touched:
        return Costs(
            None,
            [f"Nothing touched: published ({variant.published}) and corrected give the same verdicts and numbers."],
            (),
        )
    chart = rows_chart("costs", dots, len(lines), limits=limits_of([dot.value for dot in dots])) if dots else None
    table = Table(["● Published", "○ Corrected", "Points", "Items"], lines, chart)
    items = sum(changed for _, changed in rescored)
    told = f"{many(items, 'item')} of all systems {'is' if items == 1 else 'are'} judged differently without the quirks"
    told = f"{told}; the profile shown is {variant.published}."
    return Costs(table, [told], between(systems[0].scores.protocol, variant))


def between(protocol: str, variant: Corrected) -> list[Quirk]:
    """Return the quirks that the published way has and the corrected one has not."""
    declared = find(protocol)
    quirks = declared.quirks if declared else ()
    return [quirk for quirk in quirks if variant.published in quirk.profiles and CORRECTED not in quirk.profiles]
