"""Clusters of coreference systems: JSON lines with ``doc_key``, ``clusters`` and optionally tokens or text.

A cluster is a list of mentions, a mention a pair of offsets; it becomes a chain. The unit of offsets, and whether the
second one is inclusive, differs between systems and is not stated in the file: see
:class:`~karat.formats.jsonlines.ground.JsonlinesOptions`. A line without tokens and text is a document without
text, whose spans count the units themselves. Chains are ``c1``, ``c2`` …, their mentions ``m1``, ``m2`` …, in the
order of the file; a repeated span is two mentions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from karat.annotations.faults import shown
from karat.annotations.tokens import AS_WRITTEN
from karat.errors import InputError
from karat.formats.base import Format, Problems, Want, everything_but
from karat.formats.jsonlines.ground import ID, KNOWN_KEYS, MAX_OFFSET, Ground, JsonlinesOptions, ground_of, misread
from karat.formats.jsonlines.write import write
from karat.formats.parts.assembly import Surfaces
from karat.formats.parts.heads import first_object
from karat.io import lines
from karat.model import Chain, Document, Mention

__all__ = ["FORMAT", "JsonlinesOptions", "read", "sniff", "write"]

_BOM = "\ufeff"
_MORE_THAN_CLUSTERS = tuple(prefix + layer for prefix in ("", "predicted_") for layer in ("ner", "relations", "events"))
"""Keys of lines that hold more than clusters: they are those of the format scierc, which reads all of it."""
_CUT_LINE = re.compile(r'(?<!\\)"(?:doc_key|' + "|".join(KNOWN_KEYS) + r')"\s*:')
_CUT_OTHER = re.compile(r'(?<!\\)"(?:' + "|".join(_MORE_THAN_CLUSTERS) + r')"\s*:')


def read(path: str, *, problems: Problems, want: Want, options: JsonlinesOptions) -> Iterator[Document]:
    """Yield the documents of a file; a faulty line is reported and left out."""
    del want
    first_lines: dict[str, int] = {}
    for line_number, line in enumerate(lines(path), start=1):
        content = line.removeprefix(_BOM).strip(" \t")
        if not content:
            continue
        if content[0] == "[" and not first_lines:
            problems.error(
                path,
                line_number,
                "this is a JSON array; expected an object with clusters on each line. The segments that ASP writes "
                "number words in their own way: convert them to clusters of the document first",
            )
            return
        try:
            document, repairs = _document(content, len(first_lines) + 1, options)
        except InputError as error:
            problems.error(path, line_number, error.message)
            continue
        first_line = first_lines.setdefault(document.id, line_number)
        if first_line != line_number:
            message = f"document {shown(document.id)} is there twice, first on line {first_line}; remove one"
            problems.error(path, line_number, message)
            continue
        for repair in repairs:
            problems.repair(path, line_number, repair)
        document.source = path
        problems.has("jsonlines", ["tokens or texts"] if document.text else ())
        yield document


def sniff(head: str) -> bool:
    """Tell whether the first line has clusters, or, if it is cut off, begins like one that does.

    >>> sniff('{"doc_key": "nw/1_0", "clusters": [[[0, 0], [7, 8]]]}'), sniff('{"id": "d1", "text": "Zürich"}')
    (True, False)
    """
    line = head.removeprefix(_BOM).lstrip().partition("\n")[0]
    if line.startswith("["):
        begins = re.match(r'\[\s*\{\s*"doc_key"\s*:', line) is not None
        return begins and first_object(head).keys().isdisjoint(_MORE_THAN_CLUSTERS)
    if not line.startswith("{"):
        return False
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return _CUT_LINE.search(line) is not None and _CUT_OTHER.search(line) is None
    if not isinstance(value, dict) or not value.keys().isdisjoint(_MORE_THAN_CLUSTERS):
        return False
    return any(isinstance(value.get(key), list) for key in KNOWN_KEYS)


def _document(content: str, line_number: int, options: JsonlinesOptions) -> tuple[Document, list[str]]:
    """Return the document of a line and its repairs; an error has no location yet."""
    try:
        line = msgspec.json.decode(content)
    except msgspec.DecodeError as error:
        raise InputError(f"not a JSON object: {error}; write one whole document on each line") from error
    except RecursionError as error:
        raise InputError("the JSON is nested too deeply; clusters have three levels") from error
    if not isinstance(line, dict):
        raise InputError("not a JSON object; expected one with clusters on each line")
    ground = ground_of(line, options)
    key = options.key_in(line, ground.unit)
    document = Document(_id(line, line_number, options), ground.text, table=ground.table)
    doubt = misread(line, ground, options)
    try:
        repairs = _add_chains(document, line[key], ground, options.is_inclusive(ground.unit, key), options.rules)
    except InputError as error:
        raise InputError(f"{error.message}; {doubt}" if doubt else error.message) from None
    return document, [doubt, *repairs] if doubt else repairs


def _id(line: dict[str, Any], line_number: int, options: JsonlinesOptions) -> str:
    """Return the id of a document; without one it is numbered, unless the options name a key of ids."""
    name = line.get(options.id)
    if type(name) is int or (isinstance(name, str) and name):
        return str(name)
    if options.id in line or options.id != ID:
        raise InputError(f"there is no id under the key {shown(options.id)}; expected a text or a number")
    return str(line_number)


def _add_chains(document: Document, clusters: Any, ground: Ground, inclusive: bool, rules: str) -> list[str]:
    """Add the mentions and chains of a line to its document, and return the repairs."""
    if not isinstance(clusters, list):
        raise InputError("the clusters are not a list; expected [[[start, end], …], …]")
    surfaces, mentions, repairs = Surfaces(document.text), document.mentions, list[str]()
    size, behind, counts_itself = ground.size, 0 if inclusive else 1, ground.counts_itself
    for position, cluster in enumerate(clusters, 1):
        if type(cluster) is not list:
            raise InputError(f"cluster {position} is {_brief(cluster)}; expected a list of mentions [start, end]")
        members: list[str] = []
        for mention in cluster:
            name = f"m{len(mentions) + 1}"
            members.append(name)
            attributes: dict[str, str] = {}
            if _is_pair(mention):
                start, end = mention
            elif _is_single(mention):
                start = mention[0]
                end = start + behind
                attributes[AS_WRITTEN] = str(start)
            else:
                start = end = -1
            if 0 <= start <= end - behind < size:
                if attributes:
                    read_as = f"has no end; read as {_brief([start, end])}"
                    repairs.append(f"cluster {position}: the mention {_brief(mention)} {read_as}")
                spans = ((start, end - behind + 1) if counts_itself else ground.span(start, end - behind),)
                if spans[0][0] != spans[0][1]:
                    mentions.append(Mention(name, spans, (), surfaces.at(spans), attributes=attributes))
                    continue
                fault = f"the mention {_brief(mention)} covers nothing but empty words"
            else:
                fault = _fault(mention, start, end, ground, behind)
            mentions.append(_as_written(name, mention, behind, rules, f"cluster {position}: {fault}"))
            repairs.append(f"cluster {position}: {fault}; it is compared as it is written")
        document.chains.append(Chain(f"c{position}", tuple(members)))
    return repairs


def _as_written(name: str, mention: Any, behind: int, rules: str, fault: str) -> Mention:
    """Return a mention whose offsets are outside of the document, which a program that compares numbers accepts."""
    if rules == "strict" or type(mention) is not list or any(type(offset) is not int for offset in mention):
        raise InputError(fault)
    offsets = [mention[0], mention[1] - behind] if len(mention) == 2 else mention
    return Mention(name, (), attributes={"place": repr(offsets)})


def _is_pair(mention: Any) -> bool:
    return type(mention) is list and len(mention) == 2 and type(mention[0]) is int and type(mention[1]) is int


def _is_single(mention: Any) -> bool:
    return type(mention) is list and len(mention) == 1 and type(mention[0]) is int


def _fault(mention: Any, start: int, end: int, ground: Ground, behind: int) -> str:
    if not _is_pair(mention) and not _is_single(mention):
        return f"the mention {_brief(mention)} is not a pair [start, end] of integers"
    if start < 0:
        return f"the mention {_brief(mention)} starts below 0"
    if start > end - behind:
        hint = "; if the end is part of the mention, add --read end=inclusive" if behind and start == end else ""
        return f"the mention {_brief(mention)} starts behind its end{hint}"
    if ground.size == MAX_OFFSET:
        return f"the mention {_brief(mention)} has an offset of {MAX_OFFSET:,} or more"
    noun = {"word": "words", "subtoken": "subtokens", "char": "characters"}[ground.unit]
    return f"the mention {_brief(mention)} ends outside of the document, which has {ground.size} {noun}"


def _brief(value: Any) -> str:
    """Return a piece of JSON for a message, cut off if it is long."""
    written = msgspec.json.encode(value).decode()
    return written if len(written) <= 60 else f"{written[:60]}…"


FORMAT = Format(
    name="jsonlines",
    title="JSON lines with clusters, as coreference systems write them",
    known_by="`clusters` and the like in a line with `doc_key`, `sentences` or `tokens`",
    read=read,
    sniff=sniff,
    suffixes=(".jsonlines",),
    write=write,
    options=JsonlinesOptions,
    keeps=everything_but(
        "labels", "layers", "links", "scores", "fragments", "unchained", "relations", "notes", "metadata"
    ),
    layers="chains of mentions with one span, tokens, sentences",
)
