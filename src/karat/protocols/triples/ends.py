"""Which ends of gold and system triples agree: one has the words of the other, or they stand or mean the same.

For each system end the gold ends that agree with it are the bits of a number, so that heads and tails are put
together by one operation, and a document in which everything agrees with everything takes little room. Phrases are
compared only if they have a word in common, the rarest one that they could.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from karat.matching.places import Spans
from karat.matching.sweep import overlapping
from karat.protocols.triples.places import is_crowded, stretches
from karat.protocols.triples.triples import End

Words = tuple[str, ...]


def agreeing(gold: Sequence[End], system: Sequence[End]) -> list[int]:
    """Return for each system end, as bits, the gold ends that agree with it.

    >>> def end(text):
    ...     return End(text, tuple(text.split()), text)
    >>> agreeing([end("WING FUEL TANK"), end("TANK")], [end("FUEL TANK"), end("WING")])
    [3, 1]
    """
    by_words = _bits(end.words for end in gold)
    found = _containing(list(by_words), dict.fromkeys(end.words for end in system))
    rows = [0] * len(system)
    for at, end in enumerate(system):
        for words in found[end.words]:
            rows[at] |= by_words[words]
    if any(end.spans for end in gold) and any(end.spans for end in system):
        _add_places(rows, gold, system)
    return rows


def _bits(keys: Iterator[Words]) -> dict[Words, int]:
    found: dict[Words, int] = {}
    for at, key in enumerate(keys):
        found[key] = found.get(key, 0) | 1 << at
    return found


def _containing(gold: Sequence[Words], system: dict[Words, None]) -> dict[Words, list[Words]]:
    """Return for each phrase of the system those of the gold that have its words in a row, or the other way round."""
    frequency: dict[str, int] = {}
    having: dict[str, list[Words]] = {}
    for words in gold:
        for word in dict.fromkeys(words):
            frequency[word] = frequency.get(word, 0) + 1
            having.setdefault(word, []).append(words)
    anchored: dict[str, list[Words]] = {}
    for words in gold:
        if words:
            anchored.setdefault(min(words, key=frequency.__getitem__), []).append(words)
    found: dict[Words, list[Words]] = {}
    for words in system:
        inside = [one for word in dict.fromkeys(words) for one in anchored.get(word, ()) if _within(one, words)]
        rarest = min(words, key=lambda word: frequency.get(word, 0), default="")
        around = [one for one in having.get(rarest, ()) if len(one) > len(words) and _within(words, one)]
        found[words] = inside + around
    return found


def _within(part: Words, whole: Words) -> bool:
    """Say whether words stand in others in a row."""
    return part == whole or (len(part) < len(whole) and f" {' '.join(part)} " in f" {' '.join(whole)} ")


def _add_places(rows: list[int], gold: Sequence[End], system: Sequence[End]) -> None:
    """Let ends agree that are near the same entity or share a character."""
    entities: dict[Spans, int] = {}
    for at, end in enumerate(gold):
        for entity in end.near:
            entities[entity] = entities.get(entity, 0) | 1 << at
    for at, end in enumerate(system):
        for entity in end.near:
            rows[at] |= entities.get(entity, 0)
    if not is_crowded(*([end.spans for end in side] for side in (gold, system))):
        lefts, rights = (stretches(end.spans for end in side) for side in (gold, system))
        for one, others in zip(rights, overlapping(lefts, rights), strict=True):
            for at in others:
                rows[one.owner] |= 1 << lefts[at].owner
