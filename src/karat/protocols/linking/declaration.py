"""Entity linking on any format with links: as TAC's entity discovery and linking counts, and as GERBIL does.

``tac-edl`` follows the definitions of neleval (wikilinks/neleval), the official scorer of TAC from 2014 on;
``gerbil-a2kb`` and ``gerbil-d2kb`` follow those of GERBIL (dice-group/gerbil) for its experiments of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from karat.evaluation.casebook import Casebook, RegimeCounts, prf
from karat.evaluation.counting import Counting
from karat.evaluation.invented import counting_invented, with_invented
from karat.evaluation.prf import items_of
from karat.evaluation.protocol import Average, Figure, Main, Protocol, Rules
from karat.evaluation.quirks import quirks_of
from karat.protocols.likeness import Where, with_likeness
from karat.protocols.linking import cases, gerbil, tac
from karat.protocols.linking.draft import draft, draft_all, facts, remarks, settle, why_whole
from karat.protocols.linking.items import Rule
from karat.protocols.linking.judge import beside, judge
from karat.protocols.linking.options import A2kbOptions, D2kbOptions, LinkingOptions, TacOptions
from karat.protocols.spans.cases import order

_ALL = ("",)


def _gerbil_figures(counting: Counting, averages: Sequence[Average]) -> Iterator[Figure]:
    """Yield precision, recall and F1; where documents are averaged, one without anything to find is perfect."""
    for figure in prf(counting, averages=averages):
        if figure.average == "macro-unit":
            items = items_of(counting, figure.regime)
            yield replace(figure, formula=replace(figure.formula, empty=0, perfect=items))
        else:
            yield figure


def _protocol(
    name: str,
    regimes: Sequence[str],
    rules: Callable[[Any], tuple[Rule, ...]],
    likeness: dict[str, Where],
    *,
    slices: Sequence[str] = _ALL,
    averages: Sequence[Average],
    figures: Callable[..., Iterator[Figure]] = prf,
    main: Main,
    **declared: Any,
) -> Protocol:
    book = Casebook(
        **counting_invented(cases.CASES, judge, reason=cases.reason),
        item=cases.item,
        counting=partial(RegimeCounts, same_label=True),
        figures=partial(figures, averages=averages),
        regimes=regimes,
        order=order,
        beside=beside,
    )

    def bind(options: LinkingOptions) -> Rules:
        drafting: dict[str, Any] = {"options": options, "rules": rules(options), "slices": slices}
        return Rules(
            book,
            partial(draft, **drafting),
            facts=facts,
            settle=partial(settle, options=options),
            whole=partial(why_whole, options=options),
            draft_all=partial(draft_all, **drafting),
            remarks=partial(remarks, options=options),
            main=main,
        )

    protocol = Protocol(
        name=name,
        task="linking",
        unit="document",
        bind=bind,
        hides_empty_slices=True,
        quirks=quirks_of("karat.protocols.linking", name),
        docs="linking",
        **declared,
    )
    return with_likeness(with_invented(protocol), likeness, cases.links)


PROTOCOLS = (
    _protocol(
        "tac-edl",
        tac.NAMES,
        lambda options: tac.RULES,
        {"strong-link-match": "same", "weak-link-match": "any"},
        averages=("micro", "macro-unit", "macro-label"),
        title="TAC entity discovery and linking",
        summary="Mentions, links and NILs that match in place, type and identifier, and clusters of NILs by CEAF.",
        options=TacOptions,
        main=Main(regimes=tac.SHOWN, averages=("micro",)),
        reference="wikilinks/neleval",
    ),
    _protocol(
        "gerbil-a2kb",
        gerbil.A2KB,
        gerbil.a2kb,
        {"strong": "same", "weak": "any"},
        slices=("", gerbil.IN_KB, gerbil.EMERGING),
        averages=("micro", "macro-unit"),
        figures=_gerbil_figures,
        title="GERBIL A2KB: finding and linking mentions",
        summary="Links with the place of a gold link, or overlapping it; all, in the knowledge base, and emerging.",
        options=A2kbOptions,
        main=Main(regimes=gerbil.A2KB, averages=("micro", "macro-unit")),
        reference="dice-group/gerbil",
    ),
    _protocol(
        "gerbil-d2kb",
        gerbil.D2KB,
        lambda options: (gerbil.STRONG,),
        {"strong": "same"},
        slices=("", gerbil.IN_KB, gerbil.EMERGING, gerbil.GOLD_IN_KB),
        averages=("micro", "macro-unit"),
        figures=_gerbil_figures,
        title="GERBIL D2KB: linking given mentions",
        summary="Links of the gold mentions; all, in the knowledge base, and emerging.",
        options=D2kbOptions,
        main=Main(regimes=gerbil.D2KB, averages=("micro", "macro-unit")),
        reference="dice-group/gerbil",
    ),
)
