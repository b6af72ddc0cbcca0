"""The ledger of coreference: the mentions and chains of a document as its protocol compares and counts them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import msgspec

from karat.ledger import Entry, Item
from karat.measures.coreference import contingency
from karat.protocols.base import Case
from karat.protocols.coreference.book import Book, Pairing, Side
from karat.protocols.coreference.clusterings import Clustering
from karat.protocols.coreference.places import named, shown
from karat.protocols.coreference.prepare import Sheet
from karat.protocols.coreference.verdicts import rules_of


def ledger(case: Case) -> list[Entry]:
    """Return the entries of a document: its mentions in the order of the text, then its chains."""
    sheet: Sheet = case.content
    rules = rules_of(sheet.counting)
    if rules.sets:
        sheet = sheet._replace(gold=_as_sets(sheet.gold), system=_as_sets(sheet.system))
    items = _items(sheet.gold), _items(sheet.system)
    gold = _side(sheet.gold, {**items[1], **items[0]}, frozenset(items[1].keys() - items[0].keys()))
    system = _side(sheet.system, items[1])
    with named(case):
        table = contingency(gold.chains, system.chains)
    pairing = Pairing({key: key for key in gold.chain_of if key in system.chain_of}, names={})
    return Book(case.unit, (gold, system), table, pairing, rules=rules, describe=_describe).entries()


def _describe(key: Hashable, right: bool, company: str) -> tuple[str, str]:
    del key
    return ("right-chain" if right else "wrong-chain"), company


def _as_sets(clustering: Clustering) -> Clustering:
    return clustering._replace(chains=[list(dict.fromkeys(chain)) for chain in clustering.chains])


def _items(clustering: Clustering) -> dict[Hashable, Item]:
    """Return how the mentions of a document are shown, by their keys."""
    document, keys = clustering.document, clustering.keys
    return {keys[mention.id]: shown(mention, document) for mention in document.mentions}


def _side(clustering: Clustering, items: Mapping[Hashable, Item], added: frozenset[Hashable] = frozenset()) -> Side:
    """Return a side with its mentions labelled by their chains."""
    labelled = [
        [msgspec.structs.replace(items[key], label=name) for key in chain]
        for chain, name in zip(clustering.chains, clustering.names, strict=True)
    ]
    return Side(clustering.chains, labelled, clustering.names, added)
