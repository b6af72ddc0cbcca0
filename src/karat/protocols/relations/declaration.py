"""Relations between mentions, under all definitions of a correct relation that are in use, side by side.

Mirrors no single program: which published F1 corresponds to which regime is said in the documentation. With a
profile it counts as one program does: ``run_eval.py`` of princeton-nlp/PURE (commit b1e9cad), lavis-nlp/spert
(a53f468), dwadden/dygiepp (b55dec4), or ``run_re.py`` of thunlp/PL-Marker (dd19a85).
"""

from __future__ import annotations

from operator import attrgetter

from karat.protocols.base import Main, Protocol
from karat.protocols.invented import with_invented
from karat.protocols.relations.book import RelationsBook
from karat.protocols.relations.counted import ALL_CASES, PROGRAM_REGIMES, REL, REL_PLUS
from karat.protocols.relations.draft import draft, remarks
from karat.protocols.relations.judge import REGIMES
from karat.protocols.relations.options import RelationOptions
from karat.quirks import quirks_of

PROTOCOLS = (
    with_invented(
        Protocol(
            name="relations",
            title="Relations and events, five definitions side by side",
            task="relations",
            summary="Strict, boundaries, last token, relaxed and entity level; labels, roles and direction as options.",
            unit="document",
            book=RelationsBook(ALL_CASES, is_invented=attrgetter("is_invented")),
            draft=draft,
            remarks=remarks,
            options=RelationOptions,
            main=Main(regimes=(*REGIMES, *PROGRAM_REGIMES), averages=("micro",)),
            quirks=quirks_of("karat.protocols.relations"),
            corrected_regimes={REL: "boundaries", REL_PLUS: "strict"},
            docs="relations",
        )
    ),
)
