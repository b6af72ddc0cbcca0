"""Relations between mentions, under all definitions of a correct relation that are in use, side by side.

Mirrors no single program: which published F1 corresponds to which regime is said in the documentation. With a
profile it counts as one program does, by its own arithmetic: ``run_eval.py`` of princeton-nlp/PURE (commit b1e9cad),
lavis-nlp/spert (a53f468), dwadden/dygiepp (b55dec4), or ``run_re.py`` of thunlp/PL-Marker (dd19a85).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec

from karat.evaluation.invented import counting_invented, with_invented
from karat.evaluation.protocol import Average, Figure, Main, Protocol
from karat.evaluation.quirks import quirks_of
from karat.evaluation.regimebook import PUBLISHED, PublishedBook
from karat.measures.ratios import Formula, Ratio
from karat.protocols.relations import counted, reasons
from karat.protocols.relations import judge as definitions
from karat.protocols.relations.counted import ALL_CASES, ENTITIES, PROGRAM_REGIMES, REL, REL_PLUS, ProgramPage
from karat.protocols.relations.draft import draft, remarks
from karat.protocols.relations.judge import REGIMES
from karat.protocols.relations.options import RelationOptions

STOPPING = "stopping"
"""How many units are counted by a program that stops where the gold has nothing."""
COLUMNS = {regime: ("gold", "system", regime) for regime in REGIMES} | {
    "entity": ("gold-facts", "system-facts", "entity")
}
"""The counts of the definitions: all but the last one count the same relations."""
_OF_DEFINITIONS = tuple(dict.fromkeys(name for regime in REGIMES for name in COLUMNS[regime]))


def _either(of_program: Callable[..., Any], of_definitions: Callable[..., Any], page: Any, *more: Any) -> Any:
    """Ask about a page what a program says, or what the definitions say, whichever it is for."""
    return (of_program if isinstance(page, ProgramPage) else of_definitions)(page, *more)


def _unchanged(page: ProgramPage) -> ProgramPage:
    return page


def _stops(page: Any) -> int:
    return int(isinstance(page, ProgramPage) and page.stops)


class RelationsBook(PublishedBook):
    """A book that counts under five definitions or, on pages of a program, what that counts."""

    def _figure(self, measure: str, regime: str, average: Average, ratio: Callable[..., Ratio]) -> Figure:
        figure = super()._figure(measure, regime, average, ratio)
        if regime in PROGRAM_REGIMES:
            return msgspec.structs.replace(figure, where=(PUBLISHED, True))
        behind = {name: name for name in _OF_DEFINITIONS}
        return msgspec.structs.replace(figure, behind=behind, where=(PUBLISHED, False))

    def _published(self, formula: Formula, measure: str, regime: str, average: Average) -> Formula:
        filled = super()._published(formula, measure, regime, average)
        if regime == ENTITIES or measure == "precision":
            return filled
        gold = self.counts.index(self.columns[regime][0])
        return partial(_unless_it_stops, filled, self.counts.index(STOPPING), gold)


def _unless_it_stops(filled: Formula, stopping: int, gold: int, counts: Sequence[Any]) -> Ratio:
    """Return a ratio that is filled where there is nothing below the line, unless the program stops there."""
    goes_on = 1 - (counts[stopping] > 0) * (counts[gold] == 0)
    above, below = filled(counts)
    return above * goes_on, below * goes_on


BOOK = RelationsBook(
    **counting_invented(
        ALL_CASES,
        partial(_either, counted.judge, definitions.judge),
        item=partial(_either, counted.item, reasons.item),
        reason=partial(_either, counted.reason, reasons.reason),
        is_invented=attrgetter("is_invented"),
    ),
    regimes=(*REGIMES, *PROGRAM_REGIMES),
    columns=COLUMNS,
    empty={"precision": 0, "recall": 0, "f1": 0},
    charge=reasons.on_shown_label,
    averages=("micro", "macro-unit", "macro-label"),
    order=partial(_either, counted.place, reasons.place),
    beside=partial(_either, _unchanged, definitions.beside),
    optional=[regime for regime in PROGRAM_REGIMES if regime != REL],
    also={STOPPING: _stops},
)

PROTOCOLS = (
    with_invented(
        Protocol(
            name="relations",
            title="Relations and events, five definitions side by side",
            task="relations",
            summary="Strict, boundaries, last token, relaxed and entity level; labels, roles and direction as options.",
            unit="document",
            book=BOOK,
            draft=draft,
            remarks=remarks,
            options=RelationOptions,
            main=Main(regimes=BOOK.regimes, averages=("micro",)),
            quirks=quirks_of("karat.protocols.relations"),
            corrected_regimes={REL: "boundaries", REL_PLUS: "strict"},
            docs="relations",
        )
    ),
)
