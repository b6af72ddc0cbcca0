"""Answers of language models: one answer per document, in whatever shape it is written.

The text of a document comes from its record, from a file of texts, or from the gold that it is scored against. Mentions
given as strings get the first free occurrence in the order of the answer: with equal spelling, or else ignoring
case, white space, or equivalent characters of Unicode. Reading never stops: repairs and mentions that are not found
are reported and counted. An unparseable answer is left out; in scoring it counts as an empty document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from karat.annotations.faults import shown
from karat.annotations.location import Haystack, first_free
from karat.errors import InputError, many
from karat.formats.base import UNREAD, Format, Problems, Want
from karat.formats.llm.answers import understood
from karat.formats.llm.json import Value
from karat.formats.llm.markup import Tagged
from karat.formats.llm.records import Record, records_in, records_of
from karat.formats.llm.shapes import MENTIONS, Shapes
from karat.formats.parts.heads import first_object, objects
from karat.formats.parts.json_items import texts_of
from karat.formats.parts.unread_names import Unread
from karat.formats.tools.base import Records, ToolOptions, lacks_text, report_bare
from karat.formats.tools.draft import Origin, ToolDraft
from karat.model import Document
from karat.settings import option

_ENVELOPE_IDS = frozenset(("custom_id", "recordId", "key"))
"""Keys for the id of a request in the batches of providers."""
_RESPONSES = {
    "messages": {"role"},
    "choices": {"message", "text"},
    "candidates": {"content"},
    "generations": {"text"},
    "outputs": {"text"},
}
"""Keys of a response that list what was said, and what is in each."""
_HANDED_OUT = frozenset(("model", "done"))
"""Keys of a response of a local server."""
_PRODIGY = ("accept", "reject", "ignore")


@dataclass(frozen=True)
class LlmOptions(ToolOptions):
    """The source of texts that the answers lack, if it is not the gold."""

    texts: str = option("", "a file of documents, in any format, with the texts that the answers lack", metavar="FILE")


def read(path: str, *, problems: Problems, want: Want, options: LlmOptions) -> Iterator[Document]:
    """Yield the documents of a file, and report answers that cannot be parsed."""
    yield from _Reading(path, problems, want, options).documents(records_in(path, problems))


def read_objects(
    answers: Iterable[Any] | Mapping[Any, Any], *, problems: Problems, want: Want, options: LlmOptions
) -> Iterator[Document]:
    """Yield the documents for answers in Python: a list or a generator of them, or answers by id."""
    yield from _Reading("objects", problems, want, options).documents(records_of(answers, problems))


class _Reading:
    """Reads the records of one file or Python object."""

    def __init__(self, path: str, problems: Problems, want: Want, options: LlmOptions) -> None:
        self.path, self.problems = path, problems
        self.is_scored = want.ground is not None
        self.texts = TextsById(options.records, options.texts, want.ground)
        self.unread = Unread()
        self.first_failure: InputError | None = None
        self.failures = 0

    def documents(self, records: Iterable[Record]) -> Iterator[Document]:
        """Yield a document for each parseable record; a source without any record is an error."""
        seen: set[str] = set()
        bare = 0
        for position, record in enumerate(records, start=1):
            origin = Origin(self.path, record.line, self.problems)
            name = self.texts.name(record.name, record.text, position)
            if name in seen:
                origin.repair(f"document {shown(name)} is there already; this one is left out")
                continue
            document = self._document(name, record, origin)
            if document is None:
                continue
            seen.add(name)
            document.source = "" if record.line is None else self.path
            bare += lacks_text(document)
            yield document
        self.texts.check_order()
        if bare:
            report_bare(self.path, self.problems, bare)
        self.unread.report(self.path, self.problems)
        if not seen:
            raise self._nothing()

    def _nothing(self) -> InputError:
        if self.first_failure is None:
            return InputError("no answer could be parsed; expected JSON with answers", path=self.path)
        more = f"; so are {self.failures - 1} more" if self.failures > 1 else ""
        return InputError(f"{self.first_failure.message}{more}", path=self.path, line=self.first_failure.line)

    def _document(self, name: str, record: Record, origin: Origin) -> Document | None:
        """Return the document of a record; for an unparseable one an empty document in scoring, else None."""
        text = None
        try:
            text = self.texts.text(name, record.text)
            return self._drafted(name, text, record, origin)
        except InputError as error:
            why = f"{error.message} ({record.said.cut})" if record.said.cut else error.message
            message = f"document {shown(name)} has no answer that can be read: {why}"
        self.failures += 1
        self.first_failure = self.first_failure or InputError(message, line=record.line)
        self.problems.count("answer not readable (counted as empty)")
        origin.repair(f"{message}; it {'counts as empty' if self.is_scored else 'is left out'}")
        if not self.is_scored:
            return None
        raw = texts_of({UNREAD: record.said.content}).get(UNREAD, "") or record.said.failure
        return Document(name, text or "", metadata={UNREAD: raw})

    def _drafted(self, name: str, text: str | None, record: Record, origin: Origin) -> Document:
        said = record.said
        if said.failure:
            raise InputError(said.failure)
        draft = ToolDraft(name, text, origin, rule=first_free)
        names = Haystack(text or "")
        is_raw = isinstance(said.content, str)
        answer = understood(said.content, text, names) if is_raw else Value(said.content)
        for mend in answer.mended:
            origin.repair(f"document {shown(name)}: {mend}")
            self.problems.count("answer mended")
        shapes = Shapes(draft, names)
        if isinstance(answer.content, Tagged):
            _add_tags(draft, answer.content)
        else:
            shapes.add(answer.content)
        self._report_cut(name, said.cut, shapes.read, origin, is_cut=answer.is_cut)
        if said.others:
            origin.repair(f"document {shown(name)}: {many(said.others, 'further choice')} of the response not read")
        self.unread.look(dict(record.others), frozenset())
        document = draft.document()
        document.metadata = texts_of(dict(record.others))
        self.problems.has("llm", ["relations"] if document.relations else ())
        return document

    def _report_cut(self, name: str, why: str, kept: int, origin: Origin, *, is_cut: bool) -> None:
        if is_cut or why:
            told = f" ({why})" if why else ""
            whole = f"{many(kept, 'whole item')} {'is' if kept == 1 else 'are'} kept"
            origin.repair(f"document {shown(name)}: the answer was cut off{told}; {whole}")
            self.problems.count("answer cut off")


def _add_tags(draft: ToolDraft, tagged: Tagged) -> None:
    for tag in tagged.tags:
        if tagged.is_exact:
            draft.at(tag.span, (tag.label,), given=tag.given, attributes=tag.attributes)
        else:
            draft.named(tag.given, (tag.label,), attributes=tag.attributes)


class TextsById:
    """Texts by id; the file of documents and the gold are read only when a text is requested."""

    def __init__(self, records: str, path: str, ground: Callable[[], Iterable[Document]] | None) -> None:
        self._records, self._path, self._ground = Records(records), path, ground
        self._known: dict[str, str] | None = None
        self._ids: dict[str, list[str]] = {}
        """The ids of documents by their text, the first of them last."""
        self._order: list[str] = []
        self._unnamed = 0

    def name(self, name: str | None, text: str | None, position: int) -> str:
        """Return the id of a document: its own, that of the known document with its text, or that at its position."""
        if name is not None:
            return name
        known = self._texts()
        if not known:
            return str(position)
        if text is not None and self._ids.get(text):
            return self._ids[text].pop()
        self._unnamed += 1
        self._order = self._order or list(known)
        return self._order[position - 1] if position <= len(self._order) else str(position)

    def check_order(self) -> None:
        """Raise an error if answers without ids are not as many as the documents, so that their order tells nothing."""
        if self._unnamed and self._unnamed != len(self._order):
            answers, documents = many(self._unnamed, "answer"), many(len(self._order), "document")
            message = f"there {'is' if self._unnamed == 1 else 'are'} {answers} without an id for {documents}"
            raise InputError(f"{message}; give each answer the id of its document")

    def text(self, name: str, given: str | None) -> str | None:
        """Return the text of a document, if known: its own, that of the records, of the file, or of the gold."""
        recorded = self._records.text(name, given)
        if recorded is not None:
            return recorded
        return self._texts().get(name)

    def _texts(self) -> dict[str, str]:
        if self._known is None:
            self._known = {document.id: document.text for document in self._documents()}
            for name, text in reversed(self._known.items()):
                self._ids.setdefault(text, []).append(name)
        return self._known

    def _documents(self) -> Iterable[Document]:
        if self._path:
            from karat.formats import read

            return read(self._path)
        return self._ground() if self._ground is not None else ()


def sniff(head: str) -> bool:
    """Tell whether a file begins with a record of answers: a raw answer, a batch line, or mentions without offsets."""
    first = first_object(head)
    answer = first.get("answer")
    if isinstance(answer, str | list | dict) and answer not in _PRODIGY:
        return "_input_hash" not in first and "_task_hash" not in first
    if _ENVELOPE_IDS & first.keys() and isinstance(_result(first), dict):
        return True
    if any(objects(first.get(key)) and first[key][0].keys() & inside for key, inside in _RESPONSES.items()):
        return True
    if isinstance(first.get("generated_text"), str) or first.keys() >= _HANDED_OUT:
        return True
    mentions = [items for key in MENTIONS[:3] if (items := objects(first.get(key)))]
    return bool({"text", "id"} & first.keys()) and bool(mentions) and all(_is_named(item) for item in mentions[0])


def _result(record: dict[str, Any]) -> Any:
    """Return the result in a line of a batch; a failed request has an error instead."""
    keys = ("response", "result", "modelOutput", "error")
    return next((record[key] for key in keys if isinstance(record.get(key), dict)), None)


def _is_named(item: dict[str, Any]) -> bool:
    """Tell whether a mention is an object of its text and type, without offsets."""
    return isinstance(item.get("text"), str) and set(item) <= {"text", "type", "label", "category"}


FORMAT = Format(
    name="llm",
    title="language models: answers in JSON, tags, tables or lists, one for each document",
    known_by=(
        "`answer`, `custom_id`, `recordId` or `key` with the `response` of a provider, `messages`, `choices`, "
        "`candidates`, `outputs` or `generated_text`, or `text` with `entities` that have a text and a `type` and no "
        "offsets"
    ),
    read=read,
    read_objects=read_objects,
    sniff=sniff,
    options=LlmOptions,
    layers="mentions, links, relations",
    takes_texts=True,
)
