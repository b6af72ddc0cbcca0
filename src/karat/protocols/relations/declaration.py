"""Relations between mentions, under all definitions of a correct relation that are in use, side by side.

Mirrors no single program: which published F1 corresponds to which regime is said in the documentation. With a
profile it counts as one program does, by its own arithmetic: ``run_eval.py`` of princeton-nlp/PURE (commit b1e9cad),
lavis-nlp/spert (a53f468), dwadden/dygiepp (b55dec4), or ``run_re.py`` of thunlp/PL-Marker (dd19a85).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec

from karat.evaluation.invented import counting_invented, with_invented
from karat.evaluation.protocol import Average, Figure, Protocol, Rules
from karat.evaluation.quirks import quirks_of
from karat.evaluation.regimebook import PublishedBook, RegimeBook
from karat.measures.ratios import Formula, Ratio
from karat.protocols.relations import counted, reasons
from karat.protocols.relations import judge as definitions
from karat.protocols.relations.counted import ENTITIES, PROGRAM_CASES, PROGRAM_REGIMES, REL, REL_PLUS, ProgramPage
from karat.protocols.relations.draft import draft, remarks
from karat.protocols.relations.judge import REGIMES
from karat.protocols.relations.options import RelationOptions
from karat.protocols.relations.programs import PROGRAMS

COLUMNS = {regime: ("gold", "system", regime) for regime in REGIMES} | {
    "entity": ("gold-facts", "system-facts", "entity")
}
"""The counts of the definitions: all but the last one count the same relations."""
STOPPING = "stopping"
"""How many units are counted by a program that stops where the gold has nothing; no label has it."""
_AVERAGES: tuple[Average, ...] = ("micro", "macro-unit", "macro-label")
_IS_INVENTED = attrgetter("is_invented")


class ProgramBook(PublishedBook):
    """A book that counts relations and entities as a program does, which may stop where the gold has nothing."""

    def __init__(self, *, stops_without_gold: bool, **declared: Any) -> None:
        self.stops_without_gold = stops_without_gold
        also = {STOPPING: _one} if stops_without_gold else {}
        super().__init__(empty={"precision": 0, "recall": 0, "f1": 0}, also=also, **declared)

    def _figure(self, measure: str, regime: str, average: Average, ratio: Callable[..., Ratio]) -> Figure:
        return msgspec.structs.replace(super()._figure(measure, regime, average, ratio), optional_by_label=True)

    def _published(self, formula: Formula, measure: str, regime: str, average: Average) -> Formula:
        filled = super()._published(formula, measure, regime, average)
        if regime == ENTITIES or measure == "precision" or not self.stops_without_gold:
            return filled
        gold = self.counts.index(self.columns[regime][0])
        return partial(_unless_it_stops, filled, self.counts.index(STOPPING), gold)


def _one(page: ProgramPage) -> int:
    del page
    return 1


def _unless_it_stops(filled: Formula, stopping: int, gold: int, counts: Sequence[Any]) -> Ratio:
    """Return a ratio that is filled where there is nothing below the line, unless the program stops there."""
    goes_on = 1 - (counts[stopping] > 0) * (counts[gold] == 0)
    above, below = filled(counts)
    return above * goes_on, below * goes_on


class DefinitionsBook(RegimeBook):
    """A book that counts under five definitions; each number shows the counts of all of them."""

    def _behind(self, regime: str) -> Mapping[str, str]:
        del regime
        return {name: name for name in self.counts}


def bind(options: RelationOptions) -> Rules:
    """Return the rules of the definitions or, with the profile of a program, those of the program."""
    book: RegimeBook
    if options.profile == "corrected":
        book = DefinitionsBook(
            **counting_invented(
                definitions.CASES,
                definitions.judge,
                item=reasons.item,
                reason=reasons.reason,
                is_invented=_IS_INVENTED,
            ),
            regimes=REGIMES,
            columns=COLUMNS,
            charge=reasons.on_shown_label,
            averages=_AVERAGES,
            order=reasons.place,
            beside=definitions.beside,
        )
    else:
        book = ProgramBook(
            **counting_invented(
                PROGRAM_CASES, counted.judge, item=counted.item, reason=counted.reason, is_invented=_IS_INVENTED
            ),
            stops_without_gold=PROGRAMS[options.profile].stops,
            regimes=PROGRAM_REGIMES,
            charge=reasons.on_shown_label,
            averages=_AVERAGES,
            order=counted.place,
            optional=[regime for regime in PROGRAM_REGIMES if regime != REL],
        )
    return Rules(book, partial(draft, options=options), remarks=partial(remarks, options=options))


PROTOCOLS = (
    with_invented(
        Protocol(
            name="relations",
            title="Relations and events, five definitions side by side",
            task="relations",
            summary="Strict, boundaries, last token, relaxed and entity level; labels, roles and direction as options.",
            unit="document",
            bind=bind,
            options=RelationOptions,
            quirks=quirks_of("karat.protocols.relations"),
            corrected_regimes={REL: "boundaries", REL_PLUS: "strict"},
            docs="relations",
        )
    ),
)
