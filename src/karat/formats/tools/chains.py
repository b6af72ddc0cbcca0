"""Coreference tools: s2e-coref, ASP and neuralcoref; or recorded CSV files.

s2e-coref writes two JSON lines: the chains of subtokens by document, and the word of each subtoken. ASP logs an
evaluation, four lines per document (key, subtokens, predicted chains, gold); chains are tuples of pairs of words,
counted from 1. A token file has the words for the numbers.

neuralcoref prints chains as ``Doc._.coref_clusters``, one document per line, as texts: ``[MAIN: [MENTION, MENTION],
…]``. Each mention is located after the previous one of its chain, in the text or among the words of the token file. A
mention may contain a comma: the main mention shows it, and a mention that is not found is retried together with the
next one; if two may be one, that is reported. For a live ``Doc``, which has offsets, see
:mod:`karat.formats.tools.live`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from karat.annotations.faults import shown
from karat.annotations.location import Haystack, SpanMap, align_words
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.omin_tokens import read_tokens
from karat.formats.parts.literals import NotALiteralError, parse_list
from karat.formats.tools.base import ToolReader, checked, conversion, json_objects, plain_key
from karat.formats.tools.draft import Origin, ToolDraft, WordSpans, chain_document, words_in
from karat.formats.tools.recorded import PrintedDocuments
from karat.io import lines
from karat.model import Document, Span
from karat.settings import option

WordRange = tuple[int, int]
"""The first and the last word of a mention, counted from 0."""


@dataclass(frozen=True)
class ChainOptions:
    """Options for the output of a coreference tool."""

    tokens: str = option("", "the token file whose words the tool counts, as faa.conll", metavar="FILE")


class TokenFile:
    """The words of each document from the token file, if one is given."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._words = read_tokens(path) if path else {}

    def words(self, name: str, own: Sequence[str] | None = None, segments: Sequence[int] = ()) -> WordSpans | None:
        """Return the words of a document from the token file, else those that the tool states, or None."""
        if not self.path:
            return None if own is None else words_in(own, segments=segments)
        if name not in self._words:
            raise InputError(f"document {shown(name)} is not in the token file {self.path}; name the one of these data")
        forms = self._words[name]
        if own is not None and len(own) != len(forms):
            fault = f"document {shown(name)} has {len(own)} words, but {len(forms)} in {self.path}"
            raise InputError(f"{fault}; name the token file of these data")
        return words_in(forms, segments=segments)


_EXPECTED_LINES = "expected two lines, document keys with chains and document keys with the word of each sub-token"


def _s2e(path: str, problems: Problems, options: ChainOptions) -> Iterator[Document]:
    tokens = TokenFile(options.tokens)
    objects = list(json_objects(path, problems))
    if len(objects) != 2:
        problems.error(path, None, f"there are {len(objects)} lines; {_EXPECTED_LINES}")
        return
    (line, chains_of), (_, words_of) = objects
    for key, given in chains_of.items():
        name = plain_key(key)
        with problems.catching(path, line):
            chains = checked(given, list[list[WordRange]], f"the chains of {shown(key)}")
            words = checked(words_of.get(key), list[int], f"the words of {shown(key)}")
            pairs = [[_word_pair(mention, words, name) for mention in chain] for chain in chains]
            yield chain_document(name, pairs, tokens.words(name), Origin(path, line, problems))


def _word_pair(mention: WordRange, words: Sequence[int], name: str) -> WordRange:
    """Return the first and the last word of a mention that is given by subtokens."""
    first, last = mention
    if not 0 <= first <= last < len(words):
        message = f"document {shown(name)}: there are no sub-tokens {first} to {last}"
        raise InputError(f"{message}; it has {len(words)}, counted from 0")
    return words[first], words[last]


def _has_chains(head: str) -> bool:
    """Tell whether the first line is a JSON object of chains only."""
    key, _, value = head.removeprefix("\ufeff").lstrip()[:200].partition(":")
    return key.startswith('{"') and "/" in key and value.lstrip().startswith("[")


S2E = ToolReader(_s2e, ChainOptions, _has_chains)


_RUNNER = re.compile(r".{0,40} - INFO - util\.runner - (.*)")
_KEY = re.compile(r"[^\s\[\](),']+/[^\s\[\](),']+_[0-9]+")
_LINES = 4


def _asp(path: str, problems: Problems, options: ChainOptions) -> Iterator[Document]:
    tokens = TokenFile(options.tokens)
    for line, (key, _, chains, _) in _blocks(path):
        name = plain_key(key)
        with problems.catching(path, line):
            yield chain_document(name, _pairs(chains), tokens.words(name), Origin(path, line, problems))


def _blocks(path: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the log messages of each document with the line number of its chains."""
    block: list[str] = []
    for line_number, line in enumerate(lines(path), start=1):
        match = _RUNNER.fullmatch(line)
        if match is None or (not block and not _KEY.fullmatch(match[1])):
            continue
        if block and _KEY.fullmatch(match[1]):
            message = f"the document {block[0][:60]!r} has {len(block)} lines; expected key, pieces, chains and gold"
            raise InputError(message, path=path, line=line_number)
        block.append(match[1])
        if len(block) == _LINES:
            yield line_number - 1, block
            block = []
    if block:
        message = f"the log ends within the document {block[0][:60]!r}; expected {_LINES} lines for each"
        raise InputError(message, path=path)


def _pairs(chains: str) -> list[list[WordRange]]:
    """Return chains of words counted from 0.

    >>> _pairs("[((7, 10), (17, 17))]")
    [[(6, 9), (16, 16)]]
    """
    try:
        pairs: list[list[WordRange]] = checked(parse_list(chains), list[list[WordRange]], "the chains")
    except NotALiteralError as error:
        raise InputError(f"the chains cannot be read: {error}; expected [((7, 10), (17, 17))]") from error
    return [[(first - 1, last - 1) for first, last in chain] for chain in pairs]


ASP = ToolReader(_asp, ChainOptions, lambda head: " - INFO - util.runner - " in head)


MAX_PUBLISHED = 4
"""Chains that the published conversion reads."""
_CLOSED = re.compile(r"\](?:, |$)")


@dataclass(frozen=True)
class NeuralcorefOptions(ChainOptions):
    """Options for the output of neuralcoref."""

    records: str = option("", "a CSV file with the ids and texts of the records", metavar="FILE")
    conversion: str = conversion("chains")


def parse_clusters(text: str) -> list[list[str]]:
    """Return the texts of the mentions of each chain, split at commas.

    >>> parse_clusters("[ACFT: [ACFT, IT], PILOT: [THE PILOT, HE]]")
    [['ACFT', 'IT'], ['THE PILOT', 'HE']]
    """
    inner = text.strip()
    if not (inner.startswith("[") and inner.endswith("]")):
        raise InputError(f"the chains {shown(text)} have no brackets; expected [MAIN: [MENTION, MENTION]]")
    inner = inner[1:-1]
    chains: list[list[str]] = []
    start = 0
    while start < len(inner):
        begin = inner.find(": [", start)
        end = _CLOSED.search(inner, begin + 3) if begin >= 0 else None
        if end is None:
            raise InputError(f"the chain {shown(inner[start:])} is not closed; expected MAIN: [MENTION, MENTION]")
        chains.append(_mentions(inner[begin + 3 : end.start()], inner[start:begin]))
        start = end.end()
    return chains


def _mentions(listed: str, main: str) -> list[str]:
    """Return the mentions of a chain, split at commas except where the main mention contains commas."""
    pieces, together = listed.split(", "), main.split(", ")
    mentions: list[str] = []
    first = 0
    while first < len(pieces):
        size = len(together) if pieces[first : first + len(together)] == together else 1
        mentions.append(", ".join(pieces[first : first + size]))
        first += size
    return mentions


class _Places:
    """Locates the mentions of a chain one after the other: in the text, or among the words without a text.

    If both are known, a span of the text is converted to words.
    """

    def __init__(self, words: WordSpans | None, text: str | None) -> None:
        self.haystack = Haystack(words.text if words and text is None else text or "")
        self._among_words: SpanMap | None = None
        if words is not None and text is not None:
            self._among_words = SpanMap(zip(align_words(words.forms, text), words.spans, strict=True))

    def moved(self, span: Span | None) -> Span | None:
        """Return the words of a span of the text, or None if it cuts a word."""
        return span if span is None or self._among_words is None else self._among_words.of(span)

    def of_chain(self, mentions: Sequence[str]) -> list[tuple[str, Span | None]]:
        """Return the mentions of a chain with their spans; parts that are found only together are joined."""
        placed: list[tuple[str, Span | None]] = []
        end = 0
        first = 0
        while first < len(mentions):
            given, span = mentions[first], self._behind(mentions[first], end)
            used = 1
            while span is None and first + used < len(mentions) and used < 8:
                used += 1
                span = self._behind(", ".join(mentions[first : first + used]), end)
            if span is None:
                used = 1
            else:
                given, end = ", ".join(mentions[first : first + used]), span[1]
            placed.append((given, span))
            first += used
        return placed

    def _behind(self, mention: str, end: int) -> Span | None:
        spans, _ = self.haystack.find(mention)
        return next((span for span in spans if span[0] >= end), None)


class _Neuralcoref(PrintedDocuments):
    """Builds documents from printed chains."""

    def __init__(self, options: NeuralcorefOptions) -> None:
        self.tokens = TokenFile(options.tokens)
        super().__init__(options)

    def document(self, name: str, printed: str, text: str | None, origin: Origin) -> Document:
        """Return the document for printed output."""
        words = self.tokens.words(name)
        known = self.records.text(name, text)
        if words is None and known is None:
            message = f"document {shown(name)} has chains as texts, but its text is unknown"
            advice = "name the token file with --read tokens=FILE, or the records with records=FILE"
            raise InputError(f"{message}; {advice}")
        places = _Places(words, None if self.published and words else known)
        draft = words.draft(name, origin) if words else ToolDraft(name, known, origin)
        chains = parse_clusters(printed)
        if self.published and len(chains) > MAX_PUBLISHED:
            draft.repair(f"{len(chains)} chains; the published conversion reads {MAX_PUBLISHED}")
            chains = chains[:MAX_PUBLISHED]
        for chain in chains:
            placed = places.of_chain(chain)
            for (first, first_span), (second, second_span) in pairwise(placed):
                if first_span and second_span and places.haystack.text[first_span[1] : second_span[0]].strip() == ",":
                    draft.repair(f"{shown(first)} and {shown(second)} may be one mention with a comma; read as two")
            draft.chain([_add(draft, mention, places.moved(span)) for mention, span in placed])
        return draft.document()


def _add(draft: ToolDraft, mention: str, span: Span | None) -> str:
    """Add a mention; one that was not found gets the span that the published conversion gives it."""
    if span is None:
        draft.repair(f"{shown(mention)} is not found behind the mention before it")
        return draft.at(None, given=mention, attributes={"place": "[-1, -1]"})
    surface = (draft.text or "")[slice(*span)]
    return draft.at(span, attributes={} if surface == mention else {"given": mention})


NEURALCOREF = ToolReader(_Neuralcoref, NeuralcorefOptions)
