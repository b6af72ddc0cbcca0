"""What the first evaluation of WNUT-17 counts as it goes through the lines: entities, and the words of their forms.

``karat score`` has the same numbers where every entity ends as one should, and an empty line is the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from karat.annotations.tag_chunks import OUTSIDE
from karat.protocols.spans.drop_in.conlleval import ChunkCounts, Chunks, walked
from karat.protocols.spans.drop_in.rows import TaggedWord, columns
from karat.protocols.spans.drop_in.wnut17 import BLANKS
from karat.protocols.spans.readings import wnut17_first_between, wnut17_first_split


def counted_by_the_first(sentences: Iterable[Sequence[TaggedWord]], boundary: str) -> tuple[ChunkCounts, ChunkCounts]:
    """Count entities and surface forms; ``boundary`` is the word of lines between sentences."""
    held = list(sentences)
    between = lru_cache(maxsize=65_536)(wnut17_first_between)
    entities = walked(*columns(held), wnut17_first_split, between)
    right, given = _forms(held, boundary)
    return entities, ChunkCounts(Chunks(len(right & given), len(given), len(right)), {}, entities.tokens, 0)


def _forms(sentences: Iterable[Sequence[TaggedWord]], boundary: str) -> tuple[set[str], set[str]]:
    """Return the forms of entities that are right, and those of the system.

    Words of an entity that began as it should and ended elsewhere stand before those of the next one that is right; the
    system's word is lost where an entity starts at once behind another; the last word stands twice where lines end
    within an entity.
    """
    right, given = set[str](), set[str]()
    right_words: list[str] = []
    found_words: list[str] = []
    is_right = is_found = False
    before = (OUTSIDE, ""), (OUTSIDE, "")
    word = boundary
    for word, *tags in _rows(sentences, boundary):
        here = wnut17_first_split(tags[0]), wnut17_first_split(tags[1])
        (gold_ends, gold_starts), (system_ends, system_starts) = map(wnut17_first_between, before, here)
        if is_right and gold_ends and system_ends and before[0][1] == before[1][1]:
            right.add(_form(right_words))
            right_words.clear()
            is_right = False
        elif gold_ends != system_ends or here[0][1] != here[1][1]:
            is_right = False
        is_right = is_right or (gold_starts and system_starts and here[0][1] == here[1][1])
        is_found = is_found or system_starts
        if system_ends and found_words:
            given.add(_form(found_words))
            found_words.clear()
            is_found = False
        found_words += [word] if is_found else []
        right_words += [word] if is_right else []
        before = here
    right |= {_form([*right_words, word])} if is_right else set()
    given |= {_form([*found_words, word])} if is_found and found_words else set()
    return right, given


def _form(words: Sequence[str]) -> str:
    return " ".join(words).strip(BLANKS)


def _rows(sentences: Iterable[Sequence[TaggedWord]], boundary: str) -> Iterator[TaggedWord]:
    """Yield the words of sentences, with a boundary before each, as before the first word nothing has begun."""
    return chain.from_iterable((TaggedWord(boundary, OUTSIDE, OUTSIDE), *rows) for rows in sentences)
