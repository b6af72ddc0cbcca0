"""The evaluations of WNUT-17, of entities and of their surface forms: the program that is served now, and the first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from karat.annotations.tag_chunks import OUTSIDE
from karat.cli.drop_in import ProgramOutput
from karat.errors import InputError
from karat.evaluation.corpora import Reading, load
from karat.evaluation.evaluation import Evaluation
from karat.evaluation.registry import configure
from karat.io import STDIN
from karat.protocols.spans.drop_in import conlleval
from karat.protocols.spans.drop_in.conlleval import ChunkCounts, Chunks, counts_of, percent, walk
from karat.protocols.spans.drop_in.rows import (
    ENCODING,
    Cut,
    TaggedWord,
    columns,
    documents,
    in_bytes,
    raw_lines,
    sentences,
)
from karat.protocols.spans.readings import split_at_hyphen, wnut17_first_between

BLANKS = " \t\n\r\x0b\x0c"
"""The characters that the program takes for blanks: those of ASCII, since it reads bytes."""
_TYPES = "corporation|creative-work|group|location|person|product"
_TAG = re.compile(rf"O|[BIO]-(?:{_TYPES})")
_FORMS = {"gold-forms": "gold", "system-forms": "system", "correct-forms": "correct"}


FIRST = "first"
"""The profile of the first program."""

Sentence = Sequence[TaggedWord]


class FormCounts(NamedTuple):
    """The counts of entities, and of their surface forms."""

    entities: ChunkCounts
    forms: ChunkCounts


def read(files: Sequence[str], profile: str, *, boundary: str, delimiter: str | None) -> list[Sentence]:
    """Read the sentences of files, or of standard input if there are none.

    Args:
        files: The paths.
        profile: The first program cuts lines into fields in its own way.
        boundary: The word of lines between sentences; only the first program has it.
        delimiter: The text between fields instead of blanks; only the first program has it.

    """
    lines = raw_lines(files or (STDIN,))
    if profile != FIRST:
        return list(rows_of(lines, ragged=profile == "published"))
    cut = cut_as_the_first(None if delimiter is None else in_bytes(delimiter))
    return list(sentences(lines, cut, boundary=in_bytes(boundary), least=3))


def evaluate(read_sentences: Sequence[Sentence], profile: str, *, boundary: str) -> FormCounts:
    """Count entities and surface forms by the protocol, or as the first program walks through the lines."""
    if profile == FIRST:
        return count_by_the_first(read_sentences, in_bytes(boundary))
    return count(read_sentences, profile)


def printed(result: FormCounts, profile: str) -> ProgramOutput:
    """Return what the program of a profile prints."""
    return ProgramOutput((_first_text if profile == FIRST else _served_text)(result).encode(ENCODING))


def rows_of(lines: Iterable[str], *, ragged: bool) -> Iterator[list[TaggedWord]]:
    """Yield the sentences of lines with a word, a gold tag and a system tag; further fields are ignored.

    If lines may be ``ragged``, the system tag may be missing, and a line without any tag is no token.
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
    """Return the function that cuts a line into fields: at the delimiter or, if it is None, at blanks."""
    if delimiter is not None:
        return lambda line: line.rstrip("\r\n").split(delimiter) if line else []
    return lambda line: [field for field in re.split(f"[{BLANKS}]", line) if field]


def count(read_sentences: Iterable[Sentence], profile: str) -> FormCounts:
    """Count entities and surface forms by the protocol."""
    filled = [rows for rows in read_sentences if rows]
    if not any(row.system for rows in filled for row in rows):
        raise InputError("there is no line with a word, a tag of the gold and one of the system")
    bound = configure("wnut17", {"profile": profile})
    sides = load(bound, documents(filled), [Reading()] * 2, again=True)
    total = Evaluation(bound, *sides).tallies().total()
    names = [_FORMS.get(name, f"{name}-entity" if name in _FORMS.values() else name) for name in bound.counts]
    return FormCounts(counts_of(total, bound.counts), counts_of(total, names))


def _served_text(result: FormCounts) -> str:
    """Return what the program prints that is served now: a block on entities, and one on surface forms."""
    parts = ["### ENTITY F1-SCORES ###", *_block(result.entities), ""]
    return "\n".join([*parts, "### SURFACE FORM F1-SCORES ###", *_block(result.forms), ""])


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


def _first_text(result: FormCounts) -> str:
    """Return what the first program prints; it crashes if no surface form is correct, which is an error here."""
    if not result.forms.total.correct:
        raise InputError("no surface form is right, so that the first program divides by zero; see --profile published")
    return f"surface forms:     {''.join(_cells(result.forms.total))}\n" + conlleval.text(
        result.entities, in_python=True
    )


def count_by_the_first(read_sentences: Sequence[Sentence], boundary: str) -> FormCounts:
    """Count entities and surface forms as the first program walks through the lines.

    ``boundary`` is the word of lines between sentences. The protocol counts the same if every entity is closed and an
    empty line is the last.
    """
    between = lru_cache(maxsize=65_536)(wnut17_first_between)
    entities = walk(*columns(read_sentences), split_at_hyphen, between)
    correct, given = _forms(read_sentences, boundary)
    forms = ChunkCounts(Chunks(len(correct & given), len(given), len(correct)), {}, entities.tokens, 0)
    return FormCounts(entities, forms)


def _forms(read_sentences: Iterable[Sentence], boundary: str) -> tuple[set[str], set[str]]:
    """Return the surface forms of correct entities, and those of the system, with the bugs of the first program.

    The words of an entity that starts correctly and ends elsewhere are put before those of the next correct one; a
    system entity that follows another without a gap loses its first word; if the input ends within an entity, its last
    word is repeated.
    """
    right, given = set[str](), set[str]()
    right_words: list[str] = []
    found_words: list[str] = []
    is_right = is_found = False
    previous = (OUTSIDE, ""), (OUTSIDE, "")
    word = boundary
    outside = TaggedWord(boundary, OUTSIDE, OUTSIDE)
    for word, *tags in chain.from_iterable((outside, *rows) for rows in read_sentences):
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
