"""What the evaluations of WNUT-17 read and print: the one that is served, and the first one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from karat.annotations.tag_chunks import OUTSIDE
from karat.errors import InputError
from karat.evaluation.corpora import Reading, load
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.registry import configure
from karat.protocols.spans.drop_in import conlleval
from karat.protocols.spans.drop_in.conlleval import ChunkCounts, Chunks, percent, walked
from karat.protocols.spans.drop_in.rows import Cut, TaggedWord, columns, documents
from karat.protocols.spans.readings import split_at_hyphen, wnut17_first_between

BLANKS = " \t\n\r\x0b\x0c"
"""What the program takes for blank: it knows bytes, and no letters beyond ASCII."""
_TYPES = "corporation|creative-work|group|location|person|product"
_TAG = re.compile(rf"O|[BIO]-(?:{_TYPES})")
_FORMS = {"gold-forms": "gold", "system-forms": "system", "correct-forms": "correct"}


def rows_of(lines: Iterable[str], *, ragged: bool) -> Iterator[list[TaggedWord]]:
    """Yield the sentences of lines with a word, a tag of the gold and one of the system; others are not looked at.

    If lines may be ``ragged``, some may lack the tag of the system; one without any tag is no token then.
    """
    rows: list[TaggedWord] = []
    for line_number, line in enumerate(lines, start=1):
        word, *tags = line.strip(BLANKS).split("\t")
        if not word:
            yield rows
            rows = []
            continue
        for tag in tags:
            if not _TAG.fullmatch(tag):
                raise InputError(f"{tag!r} is no tag of WNUT-17; expected O, or B- or I- and a type", line=line_number)
        if len(tags) < 2 and not ragged:
            message = f"the line has {len(tags) + 1} fields; expected a word, a tag of the gold and one of the system"
            raise InputError(f"{message}, with tabs between them", line=line_number)
        if tags:
            rows.append(TaggedWord(word, tags[0], tags[1] if len(tags) > 1 else ""))
    yield rows


def cut_as_the_first(delimiter: str | None) -> Cut:
    """Return what cuts a line into fields: at a text or, without one, at blanks."""
    if delimiter is not None:
        return lambda line: line.rstrip("\r\n").split(delimiter) if line else []
    return lambda line: [field for field in re.split(f"[{BLANKS}]", line) if field]


def counted(sentences: Iterable[Sequence[TaggedWord]], profile: str) -> tuple[ChunkCounts, ChunkCounts]:
    """Count entities and surface forms by the protocol."""
    filled = [rows for rows in sentences if rows]
    if not any(row.system for rows in filled for row in rows):
        raise InputError("there is no line with a word, a tag of the gold and one of the system")
    protocol, settings = configure("wnut17", {"profile": profile})
    sides = load(protocol, settings, documents(filled), [Reading()] * 2, again=True)
    total = Evaluation(protocol, settings, *sides).tallies().total()
    names = [_FORMS.get(name, f"{name}-entity" if name in _FORMS.values() else name) for name in protocol.counts]
    return conlleval.of_tally(total, protocol.counts), conlleval.of_tally(total, names)


def served(entities: ChunkCounts, forms: ChunkCounts) -> str:
    """Return what the program prints that is served: a block on entities, and one on surface forms."""
    parts = ["### ENTITY F1-SCORES ###", *_block(entities), "", "### SURFACE FORM F1-SCORES ###", *_block(forms)]
    return "\n".join([*parts, ""])


def _block(result: ChunkCounts) -> Iterator[str]:
    total = result.total
    yield f"processed {result.tokens} tokens with {total.gold} phrases; "
    yield from (f"found: {total.system} phrases; correct: {total.correct}.", "")
    yield f"accuracy: {percent(result.same_tags, result.tokens):6.2f}%; "
    yield from _cells(total)
    yield ""
    for name, chunks in sorted(result.types.items()):
        if chunks.gold:
            yield f"{name:>17}: "
            *cells, f1 = _cells(chunks)
            yield from (*cells, f"{f1}  {chunks.correct}", "")


def _cells(chunks: Chunks) -> Iterator[str]:
    precision, recall, f1 = (100 * share for share in chunks.shares)
    yield from (f"precision: {precision:6.2f}%; ", f"recall: {recall:6.2f}%; ", f"FB1: {f1:6.2f}")


def first(entities: ChunkCounts, forms: ChunkCounts) -> str:
    """Return what the first program prints; it ends with an error if nothing is right, or nothing was found."""
    if not forms.total.correct:
        raise InputError("no surface form is right, so that the first program divides by zero; see --profile published")
    return f"surface forms:     {''.join(_cells(forms.total))}\n" + conlleval.text(entities, in_python=True)


def counted_by_the_first(sentences: Iterable[Sequence[TaggedWord]], boundary: str) -> tuple[ChunkCounts, ChunkCounts]:
    """Count entities and surface forms as the first program goes through the lines.

    ``boundary`` is the word of lines between sentences. ``karat score`` has the same numbers where every entity ends as
    one should, and an empty line is the last.
    """
    held = list(sentences)
    between = lru_cache(maxsize=65_536)(wnut17_first_between)
    entities = walked(*columns(held), split_at_hyphen, between)
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
    previous = (OUTSIDE, ""), (OUTSIDE, "")
    word = boundary
    outside = TaggedWord(boundary, OUTSIDE, OUTSIDE)
    for word, *tags in chain.from_iterable((outside, *rows) for rows in sentences):
        here = split_at_hyphen(tags[0]), split_at_hyphen(tags[1])
        (gold_ends, gold_starts), (system_ends, system_starts) = map(wnut17_first_between, previous, here)
        if is_right and gold_ends and system_ends and previous[0][1] == previous[1][1]:
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
        previous = here
    right |= {_form([*right_words, word])} if is_right else set()
    given |= {_form([*found_words, word])} if is_found and found_words else set()
    return right, given


def _form(words: Sequence[str]) -> str:
    return " ".join(words).strip(BLANKS)
