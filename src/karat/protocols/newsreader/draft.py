"""Drafts the sheet of a document pair: for every layer, the gold and system links over tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple, cast

from karat.annotations.tokens import covered_tokens, cut_text
from karat.errors import InputError
from karat.evaluation.pairing import TakeNote, pair
from karat.evaluation.protocol import Lack, Sheet, Side
from karat.evaluation.tally import Group
from karat.model import Document, Link, Span, TokenTable
from karat.protocols.newsreader.corrected import rule_for_crowd
from karat.protocols.newsreader.judge import FALSE, Page, TokenLink, place
from karat.protocols.newsreader.options import CorrectedOptions, Options, PublishedOptions
from karat.protocols.newsreader.spans import Runs, is_run, place_of, runs_of, scattered_pairs
from karat.vocabularies import NIL

SENTENCE_NUMBERS = "SENT"
"""The column in which NAF keeps the number of each token's sentence."""
SENTENCES = "sentence-six"
"""The rule that says how many sentences are judged."""


class JudgedTokens(NamedTuple):
    """The tokens of a document, and the first of them that is not judged."""

    tokens: Sequence[Span]
    end: int


class HasLink(NamedTuple):
    """A note on a sheet: this side has a link that counts."""

    side: Side


def pairs(
    gold: Iterable[Document], system: Iterable[Document], layers: Sequence[str], note: TakeNote, *, options: Options
) -> Iterator[tuple[Document, Document]]:
    """Pair documents by id; with ``missing=empty``, what one side lacks is there an empty document."""
    del layers
    missing = options.missing
    return pair(gold, system, missing, surplus="empty" if missing == "empty" else None, note=note)


def draft(gold: Document, system: Document, layers: Sequence[str], options: Options) -> Iterator[Sheet]:
    """Yield the sheet of a document: its links over tokens, a page for each layer."""
    notes: list[Hashable] = []
    grids = _grids(gold, system, options, notes.append)
    pages = _pages((gold, system), grids, layers, options)
    if isinstance(options, CorrectedOptions):
        rule = next(filter(None, (rule_for_crowd(page) for page in pages)), "")
        notes += [f"document {gold.id!r}: {rule}"] if rule else []
    notes += [HasLink("gold")] if any(page.gold for page in pages) else []
    notes += [HasLink("system")] if any(page.system for page in pages) else []
    yield Sheet(gold.id, pages, notes)


def remarks(notes: Counter[Hashable], layers: Sequence[str]) -> Iterator[str]:
    """Yield remarks on documents, and on a side without any counted link."""
    del layers
    yield from (note for note in notes if isinstance(note, str))
    sides: tuple[Side, ...] = ("gold", "system")
    for side in sides:
        if HasLink(side) not in notes:
            yield Lack(side, "link that counts; see --kb and --sentences")


def _grids(
    gold: Document, system: Document, options: Options, warn: Callable[[str], None]
) -> tuple[JudgedTokens, JudgedTokens]:
    """Return the tokens of each side: the same for both if they have the same text, else each its own, by position."""
    same = gold.text == system.text
    sides = [document for document in (gold, system) if same or document.mentions] or [gold]
    tables = [side.table for side in sides if side.table is not None and side.table.starts]
    if same or len(sides) == 1:
        table = tables[0] if tables else None
        edges = (edge for side in sides for mention in side.mentions for span in mention.spans for edge in span)
        tokens = cut_text(sides[0].text, edges) if table is None else _tokens(table)
        grid = JudgedTokens(tokens, _end(table, len(tokens), options))
        return grid, grid
    differ = len(tables) == 2 and tables[0].forms != tables[1].forms
    if len(tables) < 2 or (differ and isinstance(options, CorrectedOptions)):
        message = f"document {gold.id!r}: gold and system have different texts"
        advice = "both sides must annotate the same text, or have the same tokens"
        raise InputError(f"{message}; {advice}", path=system.source or None)
    if differ:
        warn(f"document {gold.id!r}: the tokens differ, and are compared by their position")
    ends = [_end(table, len(table.forms), options) for table in tables]
    return JudgedTokens(_tokens(tables[0]), ends[0]), JudgedTokens(_tokens(tables[1]), ends[1])


def _tokens(table: TokenTable) -> list[Span]:
    return [(start, start + len(form)) for start, form in zip(table.starts, table.forms, strict=True)]


def _end(table: TokenTable | None, size: int, options: Options) -> int:
    """Return the index after the last judged token; as published, the number of a sentence decides if it has one.

    Corrected by itself, the limit of the published protocol is that of its documentation.
    """
    sentences = options.sentences
    if table is None or sentences is None:
        return size
    mends = options.mends(SENTENCES)
    if mends and isinstance(options, PublishedOptions) and sentences == PublishedOptions.sentences:
        sentences = CorrectedOptions.sentences or sentences
    sentence_numbers = table.columns.get(SENTENCE_NUMBERS)
    if not mends and sentence_numbers:
        return next((index for index, number in enumerate(sentence_numbers) if _is_beyond(number, sentences)), size)
    return table.segments[sentences] if len(table.segments) > sentences else size


def _is_beyond(number: str, sentences: int) -> bool:
    return number.isascii() and number.isdigit() and (len(number) > 9 or int(number) > sentences)


def _pages(
    sides: tuple[Document, Document],
    grids: tuple[JudgedTokens, JudgedTokens],
    layers: Sequence[str],
    options: Options,
) -> list[Page]:
    """Return a page for each layer."""
    marks: dict[Side, dict[str, list[TokenLink]]] = {"gold": {}, "system": {}}
    for side, document, grid in zip(marks, sides, grids, strict=True):
        starts, ends = [start for start, _ in grid.tokens], [end for _, end in grid.tokens]
        for mention in document.mentions:
            name = _name(mention.links, options, ranked=side == "system")
            runs = runs_of(covered_tokens(span, starts, ends) for span in mention.spans)
            if name is None or not runs or runs[0][0] >= grid.end:
                continue
            text = mention.text or " ".join(document.text[start:end] for start, end in mention.spans)
            mark = TokenLink(runs, name, (runs[0][0], runs[-1][1]), text, mention.spans)
            marks[side].setdefault(mention.layer if len(layers) > 1 else layers[0], []).append(mark)
    sources = sides[0].source, sides[1].source
    published = isinstance(options, PublishedOptions)
    pages = []
    for layer in layers:
        gold = sorted(marks["gold"].get(layer, ()), key=_span_alone if published else place)
        system = sorted(marks["system"].get(layer, ()), key=place)
        pages.append(Page(Group(layer), gold, system, sources=sources))
    if isinstance(options, PublishedOptions):
        nameless = () if options.mends("zero-is-false") else FALSE
        return [replace(_with_meetings(page, options.max_meetings, sides[0].id), nameless=nameless) for page in pages]
    return pages


def _with_meetings(page: Page, most: int, document: str) -> Page:
    """Return the pages with their meetings: pairs with a discontinuous link are listed, others are found by range."""
    golds = {index: cast("Runs", span) for span, index in page.last.items()}
    systems = {index: cast("Runs", mark.span) for index, mark in enumerate(page.system)}
    pairs = set(islice(scattered_pairs(golds, systems), most + 1))
    if len(pairs) > most:
        message = f"document {document!r}: more than {most:,} pairs of links, one of them discontinuous, might meet"
        raise InputError(f"{message}; allow more with --max-meetings")
    rows: dict[int, list[int]] = {}
    for index, partner in sorted(pairs):
        if is_run(systems[index], golds[partner]) or is_run(golds[partner], systems[index]):
            rows.setdefault(index, []).append(partner)
    ranged = [[index for index, runs in side.items() if len(runs) == 1] for side in (golds, systems)]
    return replace(page, rows=rows, ranged=(sorted(ranged[0]), ranged[1]))


def _span_alone(mark: TokenLink) -> Any:
    """Keep the order of gold links over the same tokens: the last of them counts."""
    return place_of(mark.span)


def _name(links: Sequence[Link], options: Options, *, ranked: bool) -> str | None:
    """Return the name of the entity that a mention is linked to, or None if the link does not count.

    As published, a system's best link counts or none, and not if its score is not above zero; corrected, it is the
    best of those that count.
    """
    if ranked and not options.mends("positive-confidence-only"):
        links = [link for link in links if link.score is None or link.score > 0]
    published = not options.mends("name-behind-last-slash")
    tried = links if options.mends("no-second-best") else links[:1]
    names = (link_name(link.target, options.kb, published=published) for link in tried)
    return next((name for name in names if name is not None), None)


def link_name(target: str, kb: str, *, published: bool) -> str | None:
    """Return the name of the entity in a link; ``None`` for ``NIL`` and addresses of other knowledge bases.

    Corrected, an address that ends with ``/resource/`` names no entity.

    >>> link_name("http://dbpedia.org/resource/AC/DC", "dbpedia", published=True)
    'DC'
    >>> link_name("http://dbpedia.org/resource/AC/DC", "dbpedia", published=False)
    'AC/DC'
    """
    if target == NIL:
        return None
    if "://" not in target:
        return target
    if kb not in target:
        return None
    _, resource, name = target.partition("/resource/")
    if published or not resource:
        return target.rpartition("/")[2]
    return name or None
