"""A text cut into sentences, how an annotation finds its place there, and which sentences of two texts are compared."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import add, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from karat.errors import InputError
from karat.protocols.ehealthkd.rules import Rules
from karat.settings import MORE, limit

if TYPE_CHECKING:
    from karat.model import Span

EntityPlace = tuple[int, ...]
"""Where an entity is, as one flat tuple: the number of its sentence, the starts of all its fragments, then their ends,
counted from the beginning of the sentence. Entities are compared and sorted by it. An entity that the text does not
have has a sentence, in which it counts, but no fragments: it equals and touches nothing."""


_WORD = re.compile(r"\S+")
MOST_WORDS = limit(5_000_000)
"""How many words the entities of a text may cover together: many that all cover much take more room than any file."""


class Sentences:
    r"""The sentences of a text: one for each line.

    As published, empty lines are dropped, blanks around a sentence are stripped, and offsets count the characters of
    what is left, with one between two sentences; in 2019 empty lines are kept. Corrected, offsets count the
    characters of the text as it is. ``begins`` and ``ends`` are the offsets of the sentences.

    >>> sentences = Sentences("El asma.\n\n  Un tipo de cáncer.", Rules())
    >>> sentences.texts, sentences.begins
    (['El asma.', 'Un tipo de cáncer.'], [0, 9])
    >>> sentences.place([(12, 26)])
    (1, 3, 8, 11, 7, 10, 17)
    """

    def __init__(self, text: str, rules: Rules) -> None:
        self.text, self.rules = text, rules
        self.texts, self.begins = self._kept() if rules.mends("stripped-text-offsets") else self._stripped()
        self.ends = list(map(add, self.begins, map(len, self.texts)))
        self._by_words = rules.mends("fragments-compared")
        self._covered = 0

    def _kept(self) -> tuple[list[str], list[int]]:
        """Return the sentences and their offsets in the text as it is."""
        texts, begins, begin = [], [], 0
        for line in self.text.splitlines(keepends=True):
            stripped = line.strip()
            if stripped:
                texts.append(stripped)
                begins.append(begin + len(line) - len(line.lstrip()))
            begin += len(line)
        return texts, begins

    def _stripped(self) -> tuple[list[str], list[int]]:
        """Return the sentences and their offsets as published."""
        if self.rules.by_position:
            lines = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            lines = lines if lines[-1] else lines[:-1]
        else:
            lines = [line for line in self.text.splitlines() if line]
        texts = [line.strip() for line in lines]
        return texts, list(accumulate([len(text) + 1 for text in texts[:-1]], initial=0))[: len(texts)]

    def place(self, fragments: Sequence[Span]) -> EntityPlace | None:
        """Return the place of an annotation; behind the last sentence there is none.

        The start of the first fragment decides on the sentence. As published, a single fragment is cut at each blank,
        so that it equals the fragments of its words; several fragments are left as they are, and those of the first
        sentence even in their order. Corrected, all are cut and put in order.
        """
        sentence = bisect_right(self.ends, fragments[0][0])
        if sentence == len(self.ends):
            return None
        place = self._place(sentence, fragments)
        self._covered += len(place) // 2
        if self._covered > MOST_WORDS:
            message = f"the entities of the text cover more than {MOST_WORDS:,} words, counted for each of them"
            raise InputError(f"{message}; leave out those that are repeated or cover very much, {MORE}")
        return place

    def _place(self, sentence: int, fragments: Sequence[Span]) -> EntityPlace:
        begin = self.begins[sentence]
        if self._by_words:
            return sentence, *self._words(fragments, begin)
        if len(fragments) == 1:
            start, end = fragments[0][0] - begin, fragments[0][1] - begin
            return cut(sentence, start, end, self.texts[sentence][start:end])
        moved = [(start - begin, end - begin) for start, end in fragments]
        if sentence or self.rules.mends("first-sentence-order"):
            moved.sort(key=itemgetter(0))
        return sentence, *_flat(moved)

    def leaves(self, fragments: Sequence[Span]) -> bool:
        """Return whether an annotation ends behind the text."""
        return max([end for _, end in fragments]) > len(self.text)

    @cached_property
    def _counted(self) -> str:
        """The text whose characters offsets count."""
        return self.text if self.rules.mends("stripped-text-offsets") else "\n".join(self.texts)

    def _words(self, fragments: Sequence[Span], begin: int) -> tuple[int, ...]:
        """Return the fragments of all words that are covered, flat."""
        words: set[Span] = set()
        text = self._counted
        size = len(text)
        for start, end in fragments:
            bounds = min(max(start, 0), size), min(max(end, 0), size)
            words.update([match.span() for match in _WORD.finditer(text, *bounds)])
        moved = [(start - begin, end - begin) for start, end in sorted(words)]
        return _flat(moved) or (fragments[0][0] - begin,) * 2


def cut(sentence: int, start: int, end: int, covered: str) -> EntityPlace:
    """Return the place of a fragment that is cut at each blank of the text that it covers.

    >>> cut(0, 3, 17, "tipo de cáncer")
    (0, 3, 8, 11, 7, 10, 17)
    """
    if " " not in covered:
        return sentence, start, end
    blanks = [start + offset for offset, character in enumerate(covered) if character == " "]
    return (sentence, start, *[blank + 1 for blank in blanks], *blanks, end)


def fragments_of(place: EntityPlace) -> Iterator[Span]:
    """Yield the fragments of a place.

    >>> list(fragments_of((7, 0, 5, 4, 18)))
    [(0, 4), (5, 18)]
    """
    half = len(place) // 2 + 1
    return zip(place[1:half], place[half:], strict=True)


def has_fragments(place: EntityPlace) -> bool:
    """Return whether the text has the entity of a place: that it is more than a sentence."""
    return len(place) > 1


def _flat(fragments: Sequence[Span]) -> tuple[int, ...]:
    return (*[start for start, _ in fragments], *[end for _, end in fragments])


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


def scored_pairs(
    aligned: Alignment, golds: int, annotated: Collection[int], rules: Rules
) -> list[tuple[int | None, int | None]]:
    """Return the numbers of the gold and system sentences that are scored together.

    A gold sentence without a partner is paired with None. As published, gold sentences without annotation do not count,
    nor do system sentences without a partner; documented, all sentences count.

    Args:
        aligned: Which sentences are compared.
        golds: The number of gold sentences.
        annotated: The gold sentences with annotations.
        rules: Whether all sentences count.

    """
    partners = {gold: system for system, gold in enumerate(aligned.partners) if gold is not None}
    counted = (number for number in range(golds) if number not in aligned.dropped)
    pairs: list[tuple[int | None, int | None]] = [
        (number, partners.get(number)) for number in counted if rules.documented or number in annotated
    ]
    if rules.documented:
        pairs += [(None, number) for number, gold in enumerate(aligned.partners) if gold is None]
    return pairs


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
    for index, text in enumerate(gold):
        if len(partners) == len(system):
            remarks.append(f"Match not found for gold sentence (submission ended): {text!r}")
        elif text == system[len(partners)] or normal_form(text) == waiting_form(system[len(partners)]):
            partners.append(index)
        else:
            remarks.append(f"Match not found for gold sentence: {text!r}")
    left = system[len(partners) :]
    remarks += [f"Spurious submission sentence not considered (gold ended): {text!r}" for text in left]
    return Alignment(partners + [None] * len(left), frozenset(), remarks)


def _by_position(gold: Sequence[str], system: Sequence[str]) -> Alignment:
    partners: list[int | None] = [None] * len(system)
    remarks = []
    for index, (gold_text, system_text) in enumerate(zip(gold, system, strict=False)):
        if gold_text == system_text:
            partners[index] = index
        else:
            remarks.append(f"Wrong sentence: gold='{gold_text}' vs submit='{system_text}'")
    return Alignment(partners, frozenset(range(len(gold))).difference(partners), remarks)


def _by_occurrence(gold: Sequence[str], system: Sequence[str]) -> Alignment:
    waiting: dict[str, deque[int]] = {}
    for index, text in enumerate(gold):
        waiting.setdefault(normal_form(text), deque()).append(index)
    partners: list[int | None] = []
    remarks = []
    for text in system:
        places = waiting.get(normal_form(text))
        partners.append(places.popleft() if places else None)
        if partners[-1] is None:
            remarks.append(f"no gold sentence agrees with the system sentence {text!r}")
    left = sorted(index for places in waiting.values() for index in places)
    remarks += [f"no system sentence agrees with the gold sentence {gold[index]!r}" for index in left]
    return Alignment(partners, frozenset(), remarks)
