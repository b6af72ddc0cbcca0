"""BLINK: its input mentions, one per line, with its file of ranked titles beside them, or recorded CSV files.

A line has a mention with the text before and after it in its sentence; the file of predictions has for each line a
list of titles by each encoder, best first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools import recorded
from karat.formats.tools.base import (
    IDS,
    DocumentNames,
    Records,
    ToolOptions,
    ToolReader,
    checked,
    companion,
    json_file,
    json_objects,
)
from karat.formats.tools.draft import Origin, ToolDraft
from karat.formats.tools.links import Titles, titles
from karat.formats.typed_tables import TypedTable, read_table
from karat.model import Document, Link
from karat.settings import choice, option

_KEYS = {"cross": "crossencoder", "bi": "biencoder"}
_SENTENCE = "original_sentence"
_BESIDE = "predictions.json"


@dataclass(frozen=True)
class BlinkOptions(ToolOptions):
    """Options for the output of BLINK."""

    encoder: str = choice(("cross", "bi"), "whose titles are read")
    predictions: str = option(
        "", f"the file of ranked titles; unless given, {_BESIDE} beside the mentions", metavar="FILE"
    )
    titles: str = titles()


class _Line(msgspec.Struct):
    context_left: str
    mention: str
    context_right: str
    start_pos: int | None = None
    end_pos: int | None = None
    sent_idx: int = 0


class _Mention(NamedTuple):
    """A mention in its sentence, the titles it is linked to, and its line."""

    given: _Line
    titles: Sequence[str]
    line: int


def _native(path: str, problems: Problems, options: BlinkOptions) -> Iterator[Document]:
    names, records, known = DocumentNames(path, problems), Records(options.records), Titles(options.titles)
    ranked = _ranked(path, options)
    gathered: dict[str, list[_Mention]] = {}
    used = 0
    for line, record in json_objects(path, problems):
        try:
            given = checked(record, _Line, "the mention")
            if used >= len(ranked):
                raise InputError(f"there are only {len(ranked)} lists of titles; expected one for each mention")  # noqa: TRY301
        except InputError as error:
            problems.error(path, line, error.message)
        else:
            gathered.setdefault(names.of(record, line), []).append(_Mention(given, ranked[used], line))
        used += 1
    if used < len(ranked):
        message = f"there are {len(ranked)} lists of titles for {used} mentions; expected one for each"
        problems.error(path, None, message)
    for name, mentions in gathered.items():
        with problems.catching(path, mentions[0].line):
            yield _document(name, mentions, records, known, Origin(path, mentions[0].line, problems))


def _ranked(path: str, options: BlinkOptions) -> list[list[str]]:
    """Return the titles for each mention, best first."""
    beside = companion(path, options.predictions, _BESIDE, "name the titles with --read predictions=FILE")
    content = json_file(beside)
    key = _KEYS[options.encoder]
    if not isinstance(content, dict) or key not in content:
        raise InputError(f"there are no titles of the {key}; expected {{{key!r}: [[title, …], …]}}", path=beside)
    ranked: list[list[str]] = checked(content[key], list[list[str]], f"the titles of the {key}", path=beside)
    return ranked


def _document(name: str, mentions: Sequence[_Mention], records: Records, known: Titles, origin: Origin) -> Document:
    sentences: dict[int, str] = {}
    for given, _, line in mentions:
        sentence = given.context_left + given.mention + given.context_right
        if sentences.setdefault(given.sent_idx, sentence) != sentence:
            message = f"document {shown(name)}: sentence {given.sent_idx} has another text than in a line before"
            raise InputError(message, path=origin.path, line=line)
    text, starts = _joined(sentences, records.text(name))
    draft = ToolDraft(name, text, origin)
    for given, ranked, line in mentions:
        start = starts[given.sent_idx]
        begin = len(given.context_left) if given.start_pos is None else given.start_pos
        if begin != len(given.context_left) or given.end_pos not in (None, begin + len(given.mention)):
            fault = f"document {shown(name)}: {shown(given.mention)} is not where start_pos and end_pos say"
            raise InputError(f"{fault}; expected them to count the text before it", path=origin.path, line=line)
        links = tuple(link for title in ranked for link in known.links(title))
        if ranked and not links:
            draft.repair(f"the title {shown(ranked[0])} has no identifier in {known.path}")
        span = None if start is None else (start + begin, start + begin + len(given.mention))
        if span is None:
            draft.repair(f"the sentence of {shown(given.mention)} is not in the text")
        draft.at(span, given=given.mention, links=links, attributes={"title": ranked[0]} if ranked else {})
    return draft.document()


def _joined(sentences: dict[int, str], text: str | None) -> tuple[str, dict[int, int | None]]:
    """Return the text of a document, the record's or its joined sentences, and the offset of each sentence."""
    starts: dict[int, int | None] = {}
    offset = 0
    if text is None:
        ordered = sorted(sentences.items())
        for index, sentence in ordered:
            starts[index] = offset
            offset += len(sentence) + 1
        return " ".join(sentence for _, sentence in ordered), starts
    lowered = text.lower() if len(text.lower()) == len(text) else text
    for index, sentence in sorted(sentences.items()):
        start = lowered.find(sentence.lower().rstrip(), offset)
        starts[index] = start if start >= 0 else None
        offset = max(start, offset)
    return text, starts


def _recorded(path: str, problems: Problems, options: BlinkOptions) -> Iterator[Document]:
    """Yield the recorded rows as documents; their sentences form the text, unless the records are given."""
    table = read_table(path)
    records = Records(options.records)
    targets = table.column(f"{options.encoder}_qid")
    titled = f"{options.encoder}_pred_entity"
    for name, rows in recorded.by_document(table, IDS, problems):
        origin = Origin(path, table.places[rows[0]], problems)
        draft = ToolDraft(name, records.text(name) or _sentences(table, rows), origin)
        for row in rows:
            phrase, target = table.column("mentions")[row], targets[row]
            if phrase is None:
                continue
            title = table.column(titled)[row] if titled in table else None
            attributes = {"row": str(row + 1)} | ({} if title is None else {"title": str(title)})
            draft.named(str(phrase), links=() if target is None else (Link(str(target)),), attributes=attributes)
        yield draft.document()


def _sentences(table: TypedTable, rows: Sequence[int]) -> str | None:
    if _SENTENCE not in table:
        return None
    cells = table.column(_SENTENCE)
    return " ".join(dict.fromkeys(str(cells[row]) for row in rows if cells[row] is not None))


BLINK = ToolReader(_native, BlinkOptions, recorded=_recorded)
