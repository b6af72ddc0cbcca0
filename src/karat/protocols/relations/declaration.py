"""Relations between mentions, under all definitions of a correct relation that are in use, side by side.

Mirrors no single program: which published F1 corresponds to which regime is said in the documentation. With a
profile it counts as one program does, by its own arithmetic: ``run_eval.py`` of princeton-nlp/PURE (commit b1e9cad),
lavis-nlp/spert (a53f468), dwadden/dygiepp (b55dec4), or ``run_re.py`` of thunlp/PL-Marker (dd19a85).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import attrgetter

from msgspec.structs import replace

from karat.evaluation.casebook import Casebook, RegimeCounts, prf
from karat.evaluation.counting import Counting
from karat.evaluation.invented import counting_invented, with_invented
from karat.evaluation.protocol import OVER_LABELS, Average, Figure, Protocol, Rules
from karat.evaluation.quirks import quirks_of
from karat.measures.formulas import FMeasure, Formula
from karat.protocols.relations import counted, reasons
from karat.protocols.relations import judge as definitions
from karat.protocols.relations.counted import ENTITIES, PROGRAM_CASES, PROGRAM_REGIMES, REL, REL_PLUS
from karat.protocols.relations.draft import draft, remarks
from karat.protocols.relations.judge import REGIMES
from karat.protocols.relations.options import RelationOptions
from karat.protocols.relations.programs import PROGRAMS

COLUMNS = {regime: ("gold", "system", regime) for regime in REGIMES} | {
    "entity": ("gold-facts", "system-facts", "entity")
}
"""The counts of the definitions: all but the last one count the same relations."""
_AVERAGES: tuple[Average, ...] = ("micro", "macro-unit", "macro-label")
_IS_INVENTED = attrgetter("is_invented")


def _program_figures(counting: Counting, *, stops: bool) -> Iterator[Figure]:
    """Yield the figures of a program, which prints 0 where there is nothing to divide by.

    One that ``stops`` where the gold has no relation has neither recall nor F1 then; its numbers by label are others'.
    """
    for figure in prf(counting, averages=_AVERAGES, empty={"precision": 0, "recall": 0, "f1": 0}):
        filled = figure.formula
        own: Formula = filled
        if stops and figure.regime != ENTITIES and figure.average not in OVER_LABELS:
            if figure.measure == "recall":
                own = replace(filled, empty=None)
            elif isinstance(filled, FMeasure):
                own = replace(filled, empty=None, sides="gold")
        yield replace(figure, formula=own, by_label=None if own is filled else filled, optional_by_label=True)


def bind(options: RelationOptions) -> Rules:
    """Return the rules of the definitions or, with the profile of a program, those of the program."""
    if options.profile == "corrected":
        book = Casebook(
            **counting_invented(definitions.CASES, definitions.judge, reason=reasons.reason, is_invented=_IS_INVENTED),
            item=reasons.item,
            counting=partial(RegimeCounts, columns=COLUMNS, shows_all=True),
            figures=partial(prf, averages=_AVERAGES),
            regimes=REGIMES,
            charge=reasons.on_shown_label,
            order=reasons.place,
            beside=definitions.beside,
        )
    else:
        book = Casebook(
            **counting_invented(PROGRAM_CASES, counted.judge, reason=counted.reason, is_invented=_IS_INVENTED),
            item=counted.item,
            counting=partial(RegimeCounts, optional=[regime for regime in PROGRAM_REGIMES if regime != REL]),
            figures=partial(_program_figures, stops=PROGRAMS[options.profile].stops),
            regimes=PROGRAM_REGIMES,
            charge=reasons.on_shown_label,
            order=counted.place,
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
