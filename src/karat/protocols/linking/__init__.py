"""Entity linking on any format with links: as TAC's entity discovery and linking counts, and as GERBIL does.

``tac-edl`` follows the definitions of neleval (wikilinks/neleval), the official scorer of TAC from 2014 on;
``gerbil-a2kb`` and ``gerbil-d2kb`` follow those of GERBIL (dice-group/gerbil) for its experiments of that name.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from karat.protocols.base import Main, Protocol, old_protocol
from karat.protocols.likeness import Where, with_likeness
from karat.protocols.linking import gerbil, tac
from karat.protocols.linking.counting import EMERGING, GOLD_IN_KB, IN_KB, counts_of, figures, tally
from karat.protocols.linking.ledger import judged, ledger
from karat.protocols.linking.options import A2kbOptions, D2kbOptions, LinkingOptions, TacOptions
from karat.protocols.linking.prepare import prepare
from karat.protocols.linking.quirks import A2KB_QUIRKS, D2KB_QUIRKS, TAC_QUIRKS


def _given(options: TacOptions) -> bool:
    return options.mentions == "gold"


def _always(options: LinkingOptions) -> bool:
    del options
    return True


def _never(options: LinkingOptions) -> bool:
    del options
    return False


def _protocol(name: str, rules: tuple[str, ...], likeness: dict[str, Where], **declared: Any) -> Protocol:
    protocol = old_protocol(
        name=name,
        task="linking",
        unit="document",
        counts=counts_of(rules),
        tally=tally,
        ledger=ledger,
        docs="linking",
        **declared,
    )
    return with_likeness(protocol, likeness, judged)


PROTOCOLS = (
    _protocol(
        "tac-edl",
        tac.NAMES,
        {"strong-link-match": "same", "weak-link-match": "any"},
        title="TAC entity discovery and linking",
        summary="Mentions, links and NILs that match in place, type and identifier, and clusters of NILs by CEAF.",
        figures=figures(tac.NAMES, ("micro", "macro-unit", "macro-label")),
        prepare=partial(prepare, rules=tac.rules, given=_given),
        options=TacOptions,
        main=Main(regimes=tac.SHOWN, averages=("micro",)),
        quirks=TAC_QUIRKS,
        reference="wikilinks/neleval",
    ),
    _protocol(
        "gerbil-a2kb",
        gerbil.A2KB,
        {"strong": "same", "weak": "any"},
        title="GERBIL A2KB: finding and linking mentions",
        summary="Links with the place of a gold link, or overlapping it; all, in the knowledge base, and emerging.",
        figures=figures(gerbil.A2KB, ("micro", "macro-unit"), macro=True),
        prepare=partial(prepare, rules=gerbil.a2kb, slices=("", IN_KB, EMERGING), given=_never),
        options=A2kbOptions,
        main=Main(regimes=gerbil.A2KB, averages=("micro", "macro-unit")),
        quirks=A2KB_QUIRKS,
        reference="dice-group/gerbil",
    ),
    _protocol(
        "gerbil-d2kb",
        gerbil.D2KB,
        {"strong": "same"},
        title="GERBIL D2KB: linking given mentions",
        summary="Links of the gold mentions; all, in the knowledge base, and emerging.",
        figures=figures(gerbil.D2KB, ("micro", "macro-unit"), macro=True),
        prepare=partial(prepare, rules=gerbil.d2kb, slices=("", IN_KB, EMERGING, GOLD_IN_KB), given=_always),
        options=D2kbOptions,
        main=Main(regimes=gerbil.D2KB, averages=("micro", "macro-unit")),
        quirks=D2KB_QUIRKS,
        reference="dice-group/gerbil",
    ),
)
