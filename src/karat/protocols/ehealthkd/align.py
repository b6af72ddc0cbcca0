"""Which sentence of the system is compared with which of the gold."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from karat.protocols.ehealthkd.rules import Rules


class Alignment(NamedTuple):
    """For each system sentence the gold sentence it is compared with, if any; and remarks.

    ``dropped`` are the gold sentences that do not count at all. The remarks are warnings in the words of the
    published programs.
    """

    partners: list[int | None]
    dropped: frozenset[int]
    remarks: list[str]


def align(gold: Sequence[str], system: Sequence[str], rules: Rules) -> Alignment:
    """Pair the sentences of two versions of a text.

    Published since 2020: sentences agree if their letters and digits do; a gold sentence that does not agree with the
    next system sentence stands alone. In 2019 the texts at equal positions have to be equal, other pairs are dropped.
    Corrected: the first gold sentence of some letters and digits meets the first system sentence that has them, the
    second the second, wherever they stand.

    >>> align(["El asma.", "Un tipo."], ["un TIPO", "Otra."], Rules()).partners
    [1, None]
    """
    if rules.by_position:
        return _by_position(gold, system)
    if gold == system:
        return Alignment(list(range(len(gold))), frozenset(), [])
    return (_by_occurrence if rules.mends("surplus-sentence-shifts") else _by_turns)(gold, system)


def normal_form(text: str) -> str:
    """Return the letters and digits of a text, each in lower case by itself.

    >>> normal_form("HCoV-229E.")
    'hcov229e'
    """
    return "".join([character.lower() for character in text if character.isalnum()])


def _by_turns(gold: Sequence[str], system: Sequence[str]) -> Alignment:
    partners: list[int | None] = []
    remarks = []
    waiting_form = lru_cache(maxsize=1)(normal_form)  # gold sentences may pass one system sentence by
    for number, text in enumerate(gold):
        if len(partners) == len(system):
            remarks.append(f"Match not found for gold sentence (submission ended): {text!r}")
        elif text == system[len(partners)] or normal_form(text) == waiting_form(system[len(partners)]):
            partners.append(number)
        else:
            remarks.append(f"Match not found for gold sentence: {text!r}")
    left = system[len(partners) :]
    remarks += [f"Spurious submission sentence not considered (gold ended): {text!r}" for text in left]
    return Alignment(partners + [None] * len(left), frozenset(), remarks)


def _by_position(gold: Sequence[str], system: Sequence[str]) -> Alignment:
    partners: list[int | None] = [None] * len(system)
    remarks = []
    for number, (gold_text, system_text) in enumerate(zip(gold, system, strict=False)):
        if gold_text == system_text:
            partners[number] = number
        else:
            remarks.append(f"Wrong sentence: gold='{gold_text}' vs submit='{system_text}'")
    return Alignment(partners, frozenset(range(len(gold))).difference(partners), remarks)


def _by_occurrence(gold: Sequence[str], system: Sequence[str]) -> Alignment:
    waiting: dict[str, deque[int]] = {}
    for number, text in enumerate(gold):
        waiting.setdefault(normal_form(text), deque()).append(number)
    partners: list[int | None] = []
    remarks = []
    for text in system:
        places = waiting.get(normal_form(text))
        partners.append(places.popleft() if places else None)
        if partners[-1] is None:
            remarks.append(f"no gold sentence agrees with the system sentence {text!r}")
    left = sorted(number for places in waiting.values() for number in places)
    remarks += [f"no system sentence agrees with the gold sentence {gold[number]!r}" for number in left]
    return Alignment(partners, frozenset(), remarks)
