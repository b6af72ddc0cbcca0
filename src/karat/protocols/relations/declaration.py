"""Relations between mentions, under all definitions of a correct relation that are in use, side by side.

Mirrors no single program: which published F1 corresponds to which regime is said in the documentation.
"""

from __future__ import annotations

from operator import attrgetter

from karat.protocols.base import Main, Protocol
from karat.protocols.casebook import RegimeBook
from karat.protocols.invented import counting_invented, with_invented
from karat.protocols.relations.draft import draft, remarks
from karat.protocols.relations.judge import CASES, REGIMES, beside, judge
from karat.protocols.relations.options import RelationOptions
from karat.protocols.relations.reasons import item, on_shown_label, place, reason

COLUMNS = {regime: ("gold", "system", regime) for regime in REGIMES} | {
    "entity": ("gold-facts", "system-facts", "entity")
}
"""The counts of each regime: all but the last one count the same relations."""

PROTOCOLS = (
    with_invented(
        Protocol(
            name="relations",
            title="Relations and events, five definitions side by side",
            task="relations",
            summary="Strict, boundaries, last token, relaxed and entity level; labels, roles and direction as options.",
            unit="document",
            book=RegimeBook(
                **counting_invented(CASES, judge, item=item, reason=reason, is_invented=attrgetter("is_invented")),
                columns=COLUMNS,
                charge=on_shown_label,
                averages=("micro", "macro-unit", "macro-label"),
                order=place,
                beside=beside,
                shows_all=True,
            ),
            draft=draft,
            remarks=remarks,
            options=RelationOptions,
            main=Main(regimes=REGIMES, averages=("micro",)),
            docs="relations",
        )
    ),
)
