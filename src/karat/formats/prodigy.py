"""Prodigy's ``db-out``: JSON lines of tasks, each a text with spans, an answer, and optionally tokens and relations.

Offsets count characters and are half-open; ``token_end`` is the last token. Head and child of a relation are tokens;
``head_span`` and ``child_span`` tell which spans are meant, by default the span that covers the token. The document id
is ``id``, or else ``_input_hash``; tasks that were rejected or ignored are skipped, and counted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, Literal

import msgspec

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.formats.base import Format, Problems, Want
from karat.formats.parts.annotators import Annotators, annotator_option
from karat.formats.parts.assembly import Assembly
from karat.formats.parts.capacity import AllBut, Capacity, plain_id, values_of
from karat.formats.parts.heads import first_object, objects
from karat.formats.parts.json_items import JsonItem, documents_of, fields_of, texts_of
from karat.formats.parts.offset_units import Offsets, check_stated
from karat.formats.parts.unread_names import Unread
from karat.model import Document, Mention, Span, TokenTable
from karat.settings import choice, option

_ANSWERS = {"accept": "accepted", "reject": "rejected", "ignore": "ignored"}


@dataclass(frozen=True)
class ProdigyOptions:
    """Which tasks are read, and of which annotators."""

    answers: Literal["accept", "reject", "ignore"] = option(
        "accept", "which tasks are read, by their answer", choices=tuple(_ANSWERS)
    )
    annotator: str = annotator_option()
    merge: Literal["no", "yes"] = choice(
        ("no", "yes"), "whether tasks with one text are joined, as binary sessions leave them"
    )


class _Token(msgspec.Struct):
    text: str
    start: int
    end: int


class _Span(msgspec.Struct):
    start: int
    end: int
    label: str | None = None
    token_start: int | None = None
    token_end: int | None = None
    text: str | None = None


class _Relation(msgspec.Struct):
    head: int
    child: int
    label: str
    head_span: _Span | None = None
    child_span: _Span | None = None


class _Task(msgspec.Struct):
    text: str
    tokens: list[_Token] = []
    spans: list[_Span] = []
    relations: list[_Relation] = []
    answer: str | None = None
    meta: dict[str, Any] = {}
    id: str | int | None = None
    hash: str | int | None = msgspec.field(default=None, name="_input_hash")
    annotator: str | int | None = msgspec.field(default=None, name="_annotator_id")
    session: str | int | None = msgspec.field(default=None, name="_session_id")


_SHOWN = frozenset(("options", "config", "html", "image"))
"""Keys about how a task was shown, which are not read."""
_KEYS = fields_of(_Task) - {"_annotator_id", "_session_id"} | _SHOWN
_LISTS = frozenset(("accept",))
_SPAN_KEYS = fields_of(_Span) | {"type", "color"}
_RELATION_KEYS = fields_of(_Relation) | {"color"}
_INNER_KEYS = _SPAN_KEYS | _RELATION_KEYS | fields_of(_Token)
_CAPACITY = Capacity(
    "prodigy",
    relations=True,
    metadata=AllBut(_KEYS),
    attributes=AllBut(_SPAN_KEYS),
    relation_attributes=AllBut(_RELATION_KEYS),
)


def read(path: str, *, problems: Problems, want: Want, options: ProdigyOptions) -> Iterator[Document]:
    """Yield a document for each accepted task; the others are counted as repairs."""
    del want
    unread, annotators = Unread(_INNER_KEYS, ("spans",), ("meta", *_SHOWN)), Annotators(options.annotator)
    left_out: Counter[str] = Counter()
    merged = _Merged()

    def build(item: JsonItem) -> Iterator[Document]:
        task = item.read(_Task)
        unread.look(item.value, _KEYS | _LISTS)
        answer = task.answer or "accept"
        if answer not in _ANSWERS:
            raise InputError(f"the answer is {shown(answer)}; expected {', '.join(_ANSWERS)}")
        name = item.named(task.hash if task.id is None else task.id)
        annotator = str(task.annotator or task.session or "")
        if not annotators.admit(annotator):
            return
        if answer != options.answers:
            left_out[answer] += 1
            return
        document = _document(annotators.name(name, annotator), task, item)
        if options.merge == "no" or not merged.takes(document):
            yield document

    advice = "remove one, or join the tasks of a binary session with --read merge=yes"
    documents = documents_of(path, problems, build, unread, advice=advice)
    yield from list(documents) if options.merge == "yes" else documents
    annotators.report(path, problems)
    for answer, participle in _ANSWERS.items():
        if left_out[answer]:
            verb = "was" if left_out[answer] == 1 else "were"
            message = f"{many(left_out[answer], 'document')} {verb} {participle} and left out"
            advice = f"{message}; read them with --read answers={answer}"
            problems.drop(path, None, f"tasks that were {participle}", advice, left_out[answer])


def _document(name: str, task: _Task, item: JsonItem) -> Document:
    table = _table(task)
    metadata = texts_of(item.value, _KEYS)
    metadata |= texts_of({key if key not in metadata else f"meta.{key}": task.meta[key] for key in task.meta})
    if task.answer not in (None, "accept"):
        metadata["answer"] = str(task.answer)
    assembly = Assembly(name, task.text, table, metadata)
    ends = _Ends(assembly, task)
    for span, given in zip(task.spans, item.value.get("spans", []), strict=True):
        ends.add(span, texts_of(given, _SPAN_KEYS))
    for relation, given in zip(task.relations, item.value.get("relations", []), strict=True):
        head, tail = ends.find(relation.head, relation.head_span), ends.find(relation.child, relation.child_span)
        assembly.relation(relation.label, head, tail, attributes=texts_of(given, _RELATION_KEYS))
    return assembly.document


class _Ends:
    """The mentions of a task as relations name them: by a token and optionally the intended span."""

    def __init__(self, assembly: Assembly, task: _Task) -> None:
        self.assembly, self.task = assembly, task
        self._offsets = Offsets(task.text)
        self._mentions: dict[tuple[int, int, str], str] = {}
        self._over: dict[int, str] | None = None

    def add(self, span: _Span, attributes: dict[str, str] | None = None) -> str:
        """Add a mention and return its id."""
        place, label = _place(span, self.task, self._offsets), span.label or ""
        mention = self.assembly.mention([place], (label,), attributes=attributes)
        self._mentions.setdefault((*place, label), mention)
        return mention

    def find(self, token: int, span: _Span | None) -> str:
        """Return the mention at an end of a relation; a token outside of all spans becomes a mention without label."""
        tokens = self.task.tokens
        if not 0 <= token < len(tokens):
            raise InputError(f"a relation names the token {token} (from 0), but the task has {len(tokens)} of them")
        if span is None:
            if self._over is None:
                self._over = _covering(tokens, self.assembly.document.mentions)
            span = _Span(tokens[token].start, tokens[token].end)
            key = (span.start, span.end, "")
            return self._over.get(token) or self._mentions.get(key) or self.add(span)
        key = (*_place(span, self.task, self._offsets), span.label or "")
        return self._mentions.get(key) or self.add(span)


def _covering(tokens: list[_Token], mentions: list[Mention]) -> dict[int, str]:
    """Return by token the first mention in the list that covers it."""
    waiting = sorted(range(len(mentions)), key=lambda index: mentions[index].start, reverse=True)
    begun: list[int] = []
    over: dict[int, str] = {}
    for token_index, token in enumerate(tokens):
        while waiting and mentions[waiting[-1]].start <= token.start:
            heappush(begun, waiting.pop())
        while begun and mentions[begun[0]].end < token.end:
            heappop(begun)
        if begun:
            over[token_index] = mentions[begun[0]].id
    return over


def _table(task: _Task) -> TokenTable | None:
    """Return the tokens of a task, after checking that the text has them at their offsets."""
    previous = 0
    for index, token in enumerate(task.tokens):
        if not previous <= token.start <= token.end <= len(task.text):
            raise InputError(f"token {index} at [{token.start}, {token.end}] is out of order or outside of the text")
        if (standing := task.text[token.start : token.end]) != token.text:
            raise InputError(f"token {index} is {shown(token.text)}, but at its place stands {shown(standing)}")
        previous = token.end
    forms, starts = [token.text for token in task.tokens], [token.start for token in task.tokens]
    return TokenTable(forms, segments=[0], starts=starts, dialect="prodigy") if forms else None


def _place(span: _Span, task: _Task, offsets: Offsets) -> Span:
    """Return the span of an annotation; its offsets, tokens and text must agree, as far as they are given."""
    place = offsets.span(span.start, span.end)
    if task.tokens and span.token_start is not None and span.token_end is not None:
        first, last, size = span.token_start, span.token_end, len(task.tokens)
        if not 0 <= first <= last < size:
            raise InputError(f"the tokens {first} to {last} of a span are outside of the task, which has {size} tokens")
        if place != (of_tokens := (task.tokens[first].start, task.tokens[last].end)):
            raise InputError(
                f"a span has the characters {list(place)}, but token_start {first} and token_end {last} "
                f"(the last token) are {list(of_tokens)}"
            )
    check_stated(task.text, place, span.text)
    return place


class _Merged:
    """Merges tasks with the same text, as binary sessions produce them: one span each."""

    def __init__(self) -> None:
        self._assemblies: dict[str, Assembly] = {}
        self._spans: dict[str, set[Any]] = {}

    def takes(self, task: Document) -> bool:
        """Add the mentions of a task to the first task with its id, without duplicates; tell whether there was one."""
        assembly = self._assemblies.setdefault(task.id, Assembly.of(task))
        document, known = assembly.document, self._spans.setdefault(task.id, set())
        if document.text != task.text or (document is not task and task.relations):
            raise InputError(f"document {shown(task.id)} cannot be merged: its texts differ, or it has relations")
        for mention in task.mentions:
            key = mention.spans, mention.labels
            if key not in known and document is not task:
                assembly.mention(mention.spans, mention.labels, attributes=mention.attributes)
            known.add(key)
        return document is not task


def _task(document: Document) -> dict[str, Any]:
    """Return the task of a document; relations need tokens."""
    starts = list(document.table.starts) if document.table is not None else []
    if document.relations and not starts:
        _CAPACITY.refuse(document, "its relations need tokens with places in the text")
    forms = list(document.table.forms) if starts and document.table is not None else []
    tokens = [
        {"text": form, "start": start, "end": start + len(form), "id": index}
        for index, (form, start) in enumerate(zip(forms, starts, strict=True))
    ]
    spans: dict[str, dict[str, Any]] = {
        mention.id: {"start": mention.start, "end": mention.end, "label": next(iter(mention.labels), None)}
        for mention in document.mentions
    }
    task: dict[str, Any] = {"id": plain_id(document.id), "text": document.text}
    task |= {"tokens": tokens} if tokens else {}
    task["spans"] = [spans[mention.id] | values_of(mention.attributes) for mention in document.mentions]
    if document.relations:
        task["relations"] = []
    for relation in document.relations:
        ends = _CAPACITY.ends(document, relation, spans)
        head, child = (max(bisect_left(starts, spans[end]["end"]) - 1, 0) for end in ends)  # their last tokens
        of_spans = {"head_span": spans[ends[0]], "child_span": spans[ends[1]], "label": relation.label}
        task["relations"].append(values_of(relation.attributes) | {"head": head, "child": child} | of_spans)
    task["answer"] = "accept"
    metadata = values_of(document.metadata)
    task |= {key: value for key, value in metadata.items() if key.startswith("_")}
    task["meta"] = {key: value for key, value in metadata.items() if not key.startswith("_")}
    again = _document(document.id, _CAPACITY.reread(document, task, _Task), JsonItem("", None, 1, task, Problems()))
    _CAPACITY.compare(document, again, "relations end at spans that begin with a token and stand there once")
    return task


def sniff(head: str) -> bool:
    """Tell whether the first object is a task: it has a text, and hashes, an answer, or spans.

    >>> sniff('{"text": "Bern", "spans": [{"start": 0, "end": 4, "label": "LOC"}]}'), sniff('{"text": "Bern"}')
    (True, False)
    """
    first = first_object(head)
    if not isinstance(first.get("text"), str) or "ents" in first:
        return False
    answered = isinstance(first.get("answer"), str) and first["answer"] in _ANSWERS
    spans = objects(first.get("spans"))
    hashed = "_input_hash" in first or "_task_hash" in first
    return hashed or answered or bool(spans and spans[0].keys() >= {"start", "end"})


FORMAT = Format(
    name="prodigy",
    title="Prodigy's db-out: JSON lines of tasks with spans, relations and answers",
    known_by=(
        "`text` with `_input_hash`, `_task_hash`, an `answer` that is accept, reject or ignore, or with "
        "`spans` in a list"
    ),
    read=read,
    sniff=sniff,
    write=_CAPACITY.lines(_task),
    keeps=_CAPACITY.keeps,
    options=ProdigyOptions,
    layers="mentions with one span and at most one label, relations, attributes, tokens, metadata",
)
