"""What the property tests need to know about OMIn: pairs without its quirks, and how its ledgers add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from karat.evaluation.ledger import Entry
from karat.evaluation.tally import Group, Tally
from karat.model import Document, Mention

Pair = tuple[list[Document], list[Document]]


def without_quirks(pair: Pair) -> Pair:
    """Return the pair without mentions that share a text or a place with others: nothing is used up in OMIn."""
    gold = [_apart(document) for document in pair[0]]
    system = [_meeting_once(_apart(document), other) for document, other in zip(pair[1], gold, strict=True)]
    return gold, system


def _apart(document: Document) -> Document:
    kept: list[Mention] = []
    for mention in sorted(document.mentions, key=lambda one: one.spans):
        texts = (one.text.upper() for one in kept)
        text = mention.text.upper()
        if not any(one in text or text in one for one in texts) and not any(_meet(text, mention) for text in kept):
            kept.append(mention)
    return msgspec.structs.replace(document, mentions=kept)


def _meeting_once(document: Document, gold: Document) -> Document:
    kept: list[Mention] = []
    taken: set[str] = set()
    for mention in document.mentions:
        met = {one.id for one in gold.mentions if _meet(one, mention)}
        if len(met) < 2 and not met & taken:
            kept.append(mention)
            taken |= met
    return msgspec.structs.replace(document, mentions=kept)


def _meet(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end


def _of_links(wrong_is_missed: bool, entries: Iterable[Entry], counts: Sequence[str]) -> Tally:
    names = {"correct": ("right",), "missed": ("missed",)}
    names["incorrect"] = ("wrong", "missed") if wrong_is_missed else ("wrong",)
    counted: dict[Group, Counter[str]] = {}
    for entry in entries:
        for label in (None, entry.label):
            for regime, outcome in entry.verdicts.items():
                numbers = counted.setdefault(Group(entry.layer, entry.slice, label), Counter())
                numbers.update(f"{regime}-{name}" for name in names[outcome])
    return {group: tuple(numbers[name] for name in counts) for group, numbers in counted.items()}


def published_links(entries: Iterable[Entry], counts: Sequence[str]) -> Tally:
    """Return the tally of a ledger of links as published."""
    return _of_links(False, entries, counts)


def described_links(entries: Iterable[Entry], counts: Sequence[str]) -> Tally:
    """Return the tally of a ledger of links as first described, where a wrong link is a missed one too."""
    return _of_links(True, entries, counts)


LINK_SUMMARIES = {"omin-head-nel": published_links, "omin-seed-nel": described_links}
