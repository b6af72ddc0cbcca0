"""How each program prepares the chains of a document before it counts."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import chain
from typing import TYPE_CHECKING

from karat.measures.links import are_countable
from karat.measures.official import cleaned
from karat.protocols.coreference.clusterings import ChainPage, Clustering

if TYPE_CHECKING:
    from karat.protocols.coreference.declaration import CorefOptions, CovalOptions, ScorchOptions


def as_they_are(gold: Clustering, system: Clustering, options: object) -> ChainPage:
    """Return both sides unchanged."""
    del options
    return ChainPage(gold, system, {})


def for_coref(gold: Clustering, system: Clustering, options: CorefOptions) -> ChainPage:
    """Keep the first occurrence of each mention, then leave out singletons if that is asked for."""
    kept = {"gold": first_occurrences(gold).only(bool), "system": first_occurrences(system).only(bool)}
    dropped = {
        f"repeated {side} mention": clustering.size - kept[side].size
        for side, clustering in (("gold", gold), ("system", system))
    }
    page = for_singletons(kept["gold"], kept["system"], options.singletons)
    return page._replace(dropped={**dropped, **page.dropped})


def for_conll2012(gold: Clustering, system: Clustering, options: object) -> ChainPage:
    """Remove repeated system mentions as far as the official scorer does, and chains without mentions."""
    del options
    gold, system = gold.only(bool), system.only(bool)
    after = cleaned(gold.chains, system.chains)
    scored = system._replace(chains=after.chains, names=[system.names[chain] for chain in after.kept])
    dropped = {"repeated system mention": len(after.removed)}
    return ChainPage(gold, scored, dropped, links=are_countable(gold.chains, scored.chains))


def for_corefeval(gold: Clustering, system: Clustering, options: object) -> ChainPage:
    """Remove chains without mentions, at which the published program stops."""
    del options
    kept = gold.only(bool), system.only(bool)
    dropped = [len(before.chains) - len(after.chains) for before, after in zip((gold, system), kept, strict=True)]
    return ChainPage(*kept, {"empty gold chain": dropped[0], "empty system chain": dropped[1]})


def for_coval(gold: Clustering, system: Clustering, options: CovalOptions) -> ChainPage:
    """Apply the options of CoVal in its order: remove singletons, verb phrases, nested mentions; use minimum spans."""
    page = for_singletons(gold, system, options.singletons)
    if (options.nested, options.np_only, options.min_spans) == ("keep", "no", "no"):
        return page
    from karat.protocols.coreference.coval import rearranged

    dropped = dict(page.dropped)
    golds = rearranged(page.gold, gold.document, options, "gold", dropped)
    return ChainPage(golds, rearranged(page.system, gold.document, options, "system", dropped), dropped)


def for_scorch(gold: Clustering, system: Clustering, options: ScorchOptions) -> ChainPage:
    """Remove repeated mentions of a chain; on request, add mentions that only the system has to the gold."""
    gold, system = _as_sets(gold), _as_sets(system)
    if options.twinless == "add":
        known = set(chain.from_iterable(gold.chains))
        added = [[key] for key in dict.fromkeys(chain.from_iterable(system.chains)) if key not in known]
        names = [f"added-{number}" for number in range(1, len(added) + 1)]
        gold = gold._replace(chains=[*gold.chains, *added], names=gold.names + names)
    return ChainPage(gold, system, {})


def for_singletons(gold: Clustering, system: Clustering, singletons: str) -> ChainPage:
    """Leave out the chains of one mention on both sides if that is asked for."""
    if singletons == "keep":
        return ChainPage(gold, system, {})
    kept = gold.only(lambda members: len(members) != 1), system.only(lambda members: len(members) != 1)
    dropped = [len(before.chains) - len(after.chains) for before, after in zip((gold, system), kept, strict=True)]
    return ChainPage(*kept, {"gold singleton": dropped[0], "system singleton": dropped[1]})


def _as_sets(clustering: Clustering) -> Clustering:
    return clustering._replace(chains=[list(dict.fromkeys(members)) for members in clustering.chains])


def first_occurrences(clustering: Clustering) -> Clustering:
    """Keep the first occurrence of each mention only."""
    if len(set(chain.from_iterable(clustering.chains))) == clustering.size:
        return clustering
    seen: set[Hashable] = set()
    chains = []
    for members in clustering.chains:
        kept = []
        for key in members:
            if key not in seen:
                seen.add(key)
                kept.append(key)
        chains.append(kept)
    return clustering._replace(chains=chains)
