"""Documents from Python objects: Documents, dictionaries, tags, spans, columns, and objects of NLP libraries.

A dictionary has the shape of the format jsonl or plain; a list of texts has the tags of a document, a list of
dictionaries its spans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, Literal

import msgspec

from karat.annotations.columns import TAG
from karat.annotations.faults import faults
from karat.annotations.tag_schemes import Scheme, guess_scheme
from karat.annotations.type_checks import of_the_model
from karat.errors import InputError, many
from karat.formats.base import EVERYTHING, Problems
from karat.formats.catalogue import format_named, likely_formats
from karat.formats.parts.json_items import JsonItem
from karat.formats.plain import PlainOptions, chunks_of, document_of, is_plain, place_of
from karat.formats.tag_documents import tag_document
from karat.model import Document, Mention, TokenTable

Side = Literal["gold", "system"]
_LISTS = (list, tuple)
_IDS = frozenset(("id", "target", "trigger"))


def documents_from(
    objects: Any,
    *,
    side: Side = "gold",
    options: PlainOptions | None = None,
    problems: Problems | None = None,
    ground: Callable[[], Iterable[Document]] | None = None,
) -> Sequence[Document]:
    """Return the documents that objects stand for.

    Objects are a list, a generator, a NumPy or pandas column, a ``DocBin`` of spaCy, a ``Dataset`` of Hugging Face,
    or a single document. A list of tags is a document whose tokens have no text; its mentions are in the default layer.
    A spaCy Doc or Example, flair Sentence, stanza Document or nltk Tree is recognised by its attributes; an Example is
    the gold document in its reference, and the system's in its prediction.

    Args:
        objects: the objects.
        side: whether they are gold or system.
        options: how tags and spans are read.
        problems: collects what is wrong.
        ground: the gold documents, from which lists of a system take their text.

    >>> documents_from([["B-LOC", "I-LOC", "O"]])[0].mentions[0].labels
    ('LOC',)
    >>> documents_from([[{"label": "LOC", "start": 0, "end": 4}]])[0].mentions[0].spans
    ((0, 4),)

    """
    problems = problems or Problems()
    if name := _format_of(objects):
        declared: Any = format_named(name)
        return list(declared.read_objects(objects, problems=problems, want=EVERYTHING, options=declared.options()))
    reading = _Reading(side, options or PlainOptions(), problems)
    listed = [objects] if isinstance(objects, Document | dict) or _is_live(objects) else _listed(objects)
    if listed and all(isinstance(item, str) for item in listed):
        raise InputError(
            "a list of texts is not a list of documents; put the tags of one document into a list of their own, "
            "or say --from labels if each is the label of an item"
        )
    reading.look_at(listed)
    documents = [reading.document(item, position) for position, item in enumerate(listed, 1)]
    if ground is None or not reading.textless:
        return documents
    for position, gold in enumerate(islice(ground(), len(documents)), 1):
        if position in reading.textless:
            documents[position - 1] = grounded(documents[position - 1], gold)
    return documents


def _format_of(objects: Any) -> str:
    """Return the format of objects that contain many documents, such as a DocBin, or ``""``."""
    if all(hasattr(objects, name) for name in ("get_docs", "to_bytes", "spaces")):
        return "docbin"
    sets = list(objects.values()) if isinstance(objects, dict) and objects else [objects]
    is_dataset = all(
        hasattr(data_set, name) for data_set in sets for name in ("features", "column_names", "with_format")
    )
    return "hf" if is_dataset else ""


def held(objects: Any) -> Any:
    """Return objects that can be iterated repeatedly: a generator, a table or a column becomes a list."""
    if isinstance(objects, Document | dict | list | tuple) or _format_of(objects) or _is_live(objects):
        return objects
    return _listed(objects)


def _listed(objects: Any) -> list[Any]:
    """Return the items of an iterable: values of a column, rows of a table, items of a generator or list."""
    if isinstance(objects, str | bytes) or not isinstance(objects, Iterable):
        kind = type(objects).__name__
        raise InputError(f"{kind} is not something to score; expected a path, a Document, or a list of documents")
    if hasattr(objects, "to_dict") and hasattr(objects, "columns"):
        rows = objects.to_dict("records")
        return [{key: value for key, value in row.items() if not _is_missing(value)} for row in rows]
    return _plain(objects) if hasattr(objects, "tolist") else list(objects)


def _is_missing(value: Any) -> bool:
    """Tell whether a table cell is NaN, the value of empty cells."""
    return isinstance(value, float) and value != value


def _plain(item: Any) -> Any:
    """Return an array or a column as a list, anything else unchanged."""
    return item.tolist() if hasattr(item, "tolist") else item


def _bare(value: Any) -> Any:
    """Return a value with NumPy numbers and texts anywhere in it replaced by those of Python."""
    if isinstance(value, dict):
        return {key: _bare(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return value if set(map(type, value)) == {str} else [_bare(inner) for inner in value]
    return _plain(value)


def _is_span(item: Any) -> bool:
    """Tell whether an item is a start, an end and a label."""
    return isinstance(item, list | tuple) and len(item) == 3 and isinstance(item[2], str)


class _Reading:
    """Makes documents of the items of one side."""

    def __init__(self, side: Side, options: PlainOptions, problems: Problems) -> None:
        self.side, self.options, self.problems = side, options, problems
        self.guessed: Scheme = "IOB2"
        """The scheme that the tags of all documents break least often, where that makes a difference."""
        self.textless: set[int] = set()
        """The numbers of documents that were lists of tags or of spans."""

    def look_at(self, items: Iterable[Any]) -> None:
        """Guess the scheme of all lists of tags."""
        if self.options.scheme == "auto" and not self.options.takes_tags_as_they_come:
            lists = (item for item in map(_plain, items) if isinstance(item, list | tuple))
            self.guessed = guess_scheme([tags for tags in lists if all(isinstance(tag, str) for tag in tags)])

    def document(self, item: Any, position: int) -> Document:
        """Return the document of an item; without an id it is named by its number."""
        if isinstance(item, Document):
            return of_the_model(item)
        if type(item) in _LISTS and item and set(map(type, item)) == {str}:  # as most documents from Python are
            return self._from_tags(item, position)
        if _is_live(item):
            from karat.formats.tools.live import document_from

            if hasattr(item, "predicted"):
                item = item.reference if self.side == "gold" else item.predicted
            return document_from(item, position)
        if isinstance(item, dict):
            return self._from_dictionary(item, position)
        if _is_pair(item):
            return self._from_dictionary({"text": item[0], **item[1]}, position)
        listed = _plain(item)
        if isinstance(listed, list | tuple):
            if all(isinstance(tag, str) for tag in listed):
                return self._from_tags(list(map(str.__str__, listed)), position)  # also where they are NumPy's
            if all(isinstance(span, dict) or _is_span(span) for span in listed):
                return self._from_spans([_bare(span) for span in listed], position)
            if all(isinstance(tag, int) for tag in listed):
                advice = "tags are texts; look the numbers up among the names of the classes"
                raise InputError(f"document {position} is a list of numbers; {advice}")
        expected = "expected a Document, a dictionary, a list of tags or of spans, or an object of a tool"
        raise InputError(f"document {position} is a {type(item).__name__}; {expected}")

    def _from_dictionary(self, content: dict[str, Any], position: int) -> Document:
        content = _bare(content)
        if not is_plain(content):
            return _of_our_own(content, position)
        try:
            return document_of(JsonItem("objects", None, position, content, self.problems), self.options)
        except InputError as error:
            raise InputError(f"document {position}: {error.message}") from None

    def _from_tags(self, tags: Sequence[str], position: int) -> Document:
        self.textless.add(position)
        row = tuple(tags)

        def tell(message: str) -> None:
            self.problems.repair("objects", None, f"document {position}, {message}")

        try:
            return tag_document(row, position, chunks_of(row, self.options, tell, self.guessed))
        except InputError as error:
            raise InputError(f"document {position}, {error.message}") from None

    def _from_spans(self, spans: Sequence[Any], position: int) -> Document:
        """Return the document of spans without a text, as nervaluate takes them and pipelines give them."""
        self.textless.add(position)
        behind = self.options.behind
        mentions = []
        for index, span in enumerate(spans, 1):
            where = f"document {position}, span {index}"
            try:
                start, end, label = place_of(span)
            except InputError as error:
                raise InputError(f"{where} {error.message}") from None
            if start >= end + behind:
                hint = "; if the end is a part of the span, say --read end=inclusive" if start == end else ""
                raise InputError(f"{where}: [{start}, {end}] is empty or reversed{hint}")
            mentions.append(Mention(f"T{index}", ((start, end + behind),), (label,)))
        return Document(str(position), mentions=mentions)


def _is_live(item: Any) -> bool:
    """Tell whether an item is an object of an NLP library, or an Example with two of them."""
    if type(item) in _LISTS:
        return False
    from karat.formats.tools.live import is_live

    return is_live(item) or (hasattr(item, "reference") and hasattr(item, "predicted"))


def _is_pair(item: Any) -> bool:
    """Tell whether an item is a text with its annotations, the training format of spaCy 2."""
    return isinstance(item, list | tuple) and [*map(type, item)] == [str, dict] and "entities" in item[1]


def _of_our_own(content: dict[str, Any], position: int) -> Document:
    """Return the document of a dictionary in the shape of the format jsonl."""
    from karat.formats.jsonl import refuse_unknown_keys, without_place

    named = {"id": str(position)} | _with_text_ids({key: value for key, value in content.items() if key != "source"})
    try:
        refuse_unknown_keys(named, Document, "$")
        document = msgspec.convert(named, Document)
        document.mentions = list(map(without_place, document.mentions))
    except InputError as error:
        raise InputError(f"document {position}: {error.message}{_near(content)}") from None
    except msgspec.ValidationError as error:
        raise InputError(f"document {position}: {error}; see the schema of the format 'jsonl'") from error
    for fault in faults(document):
        raise InputError(f"document {document.id!r}: {fault}")
    return document


def _with_text_ids(value: Any, key: str = "") -> Any:
    """Return a dictionary with integer ids, and references to them, as texts."""
    if isinstance(value, dict):
        return {name: _with_text_ids(inner, name) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        inner = "id" if key == "mentions" and not any(isinstance(item, dict) for item in value) else ""
        return [_with_text_ids(item, inner) for item in value]
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_number and key in _IDS else value


def _near(content: dict[str, Any]) -> str:
    """Return advice on a dictionary that is one of several, but whose format is recognised only in whole lists."""
    try:
        head = msgspec.json.encode(content, enc_hook=str).decode()
    except (TypeError, ValueError, RecursionError):
        return ""
    known = next((declared for declared in next(likely_formats(head)) if declared.sniff(head)), None)
    return "" if known is None else f"; this is a document of {known.name}: give documents of one format in one list"


def grounded(document: Document, gold: Document) -> Document:
    """Return a system document that is only a list, with the id and the text of its gold document.

    >>> spans = Document("1", mentions=[Mention("T1", ((0, 4),), ("LOC",))])
    >>> grounded(spans, Document("a", "Bern is old")).text
    'Bern is old'
    """
    if gold.text in ("", document.text):
        document.id = gold.id
        return document
    answer = Document(gold.id, gold.text, document.mentions)
    if document.table is not None:
        answer.table, answer.mentions = _on_tokens(document, document.table, gold)
    for fault in faults(answer):
        raise InputError(f"document {gold.id!r}: {fault}")
    return answer


def _on_tokens(document: Document, tags: TokenTable, gold: Document) -> tuple[TokenTable, list[Mention]]:
    """Return the table of a list of tags, and its mentions, on the tokens of the gold."""
    if gold.table is None:
        message = f"document {gold.id!r} has tags, but the gold has no tokens"
        raise InputError(f"{message}; give spans, or texts with entities")
    forms, starts = gold.table.forms, gold.table.starts
    if len(forms) != len(tags.forms):
        raise InputError(f"document {gold.id!r} has {many(len(forms), 'token')}, but {many(len(tags.forms), 'tag')}")
    begins = {start: token for token, start in enumerate(tags.starts)}
    ends = {start + len(form): token for token, (start, form) in enumerate(zip(tags.starts, tags.forms, strict=True))}
    mentions = []
    for mention in document.mentions:
        ((start, end),) = mention.spans
        last = ends[end]
        spans = ((starts[begins[start]], starts[last] + len(forms[last])),)
        mentions.append(Mention(mention.id, spans, mention.labels))
    columns = {TAG: tags.columns[TAG]}
    return TokenTable(forms, columns, list(gold.table.segments), list(starts)), mentions
