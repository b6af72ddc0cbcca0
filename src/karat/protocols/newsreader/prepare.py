"""From two corpora to sheets: for every document and layer, the gold and system links over tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from karat.annotations.tokens import covered_tokens, cut_text
from karat.errors import InputError
from karat.model import Document, Link, Mention, Span, TokenTable
from karat.pairing import paired as all_pairs
from karat.protocols.base import Case, Prepared
from karat.protocols.newsreader.dense import crowd
from karat.protocols.newsreader.judge import Mark, Sheet, place
from karat.protocols.newsreader.options import Options

NIL = "NIL"
SENTENCE_NUMBERS = "SENT"
"""The column in which NAF keeps the number of each token's sentence."""


class Grid(NamedTuple):
    """The tokens of a document, and the first of them that is not judged."""

    tokens: Sequence[Span]
    end: int


def prepare(gold: Iterable[Document], system: Iterable[Document], options: Options, *, published: bool) -> Prepared:
    """Pair the documents and lay their links over tokens."""
    paired, notes = _pairs(list(gold), list(system), options.missing)
    layers = _layers(paired)
    cases = []
    for left, right in paired:
        grids = _grids(left, right, options, published=published, warn=notes.append)
        sheets = _sheets((left, right), grids, layers, options, published=published)
        crowded = "" if published else next(filter(None, (crowd(one.gold, one.system) for one in sheets)), "")
        if crowded:
            notes.append(f"document {left.id!r}: {crowded}")
        cases.append(Case(left.id, tuple(sheets)))
    for number, side in enumerate(("gold", "system")):
        if not any((sheet.gold, sheet.system)[number] for case in cases for sheet in case.content):
            notes.append(f"the {side} has no link that counts; see --kb and --sentences")
    return Prepared(cases, notes)


def _layers(pairs: Sequence[tuple[Document, Document]]) -> list[str]:
    """Return the layers that are judged apart: those of the data if both sides name some, else the nameless one."""
    sides = [{mention.layer for pair in pairs for mention in pair[side].mentions} for side in (0, 1)]
    return sorted(sides[0] | sides[1]) if all(side - {""} for side in sides) else [""]


def _pairs(
    gold: list[Document], system: list[Document], missing: str
) -> tuple[list[tuple[Document, Document]], list[str]]:
    """Pair documents by id; with ``empty``, what one side lacks is there an empty document."""
    if missing == "error":
        return all_pairs(gold, system, "error")
    if missing == "skip":
        return all_pairs(gold, system, "skip")
    known, found = {one.id for one in gold}, {one.id for one in system}
    notes = []
    for what, side, other in (("system", gold, found), ("gold", system, known)):
        lacking = [one.id for one in side if one.id not in other]
        if lacking:
            some = ", ".join(lacking[:5]) + (", …" if len(lacking) > 5 else "")
            number = "1 document" if len(lacking) == 1 else f"{len(lacking)} documents"
            notes.append(f"the {what} lacks {number}, counted as empty there: {some}")
    gold += [Document(one.id, one.text) for one in system if one.id not in known]
    system += [Document(one.id, one.text) for one in gold if one.id not in found]
    return all_pairs(gold, system, "error").pairs, notes


def _grids(
    gold: Document, system: Document, options: Options, *, published: bool, warn: Callable[[str], None]
) -> tuple[Grid, Grid]:
    """Return the tokens of each side: the same for both if they have the same text, else each its own, by position."""
    same = gold.text == system.text
    sides = [one for one in (gold, system) if same or one.mentions] or [gold]
    tables = [one.table for one in sides if one.table is not None and one.table.starts]
    if same or len(sides) == 1:
        table = tables[0] if tables else None
        edges = (edge for one in sides for mention in one.mentions for span in mention.spans for edge in span)
        tokens = cut_text(sides[0].text, edges) if table is None else _tokens(table)
        grid = Grid(tokens, _end(table, len(tokens), options.sentences, published=published))
        return grid, grid
    if len(tables) < 2 or (not published and tables[0].forms != tables[1].forms):
        message = f"document {gold.id!r}: gold and system have different texts"
        advice = "both sides must annotate the same text, or have the same tokens"
        raise InputError(f"{message}; {advice}", path=system.source or None)
    if tables[0].forms != tables[1].forms:
        warn(f"document {gold.id!r}: the tokens differ, and are compared by their position")
    grids = [Grid(_tokens(one), _end(one, len(one.forms), options.sentences, published=published)) for one in tables]
    return grids[0], grids[1]


def _tokens(table: TokenTable) -> list[Span]:
    return [(start, start + len(form)) for start, form in zip(table.starts, table.forms, strict=True)]


def _end(table: TokenTable | None, size: int, sentences: int | None, *, published: bool) -> int:
    """Return the index behind the last judged token; as published, sentences go by their number if they have one."""
    if table is None or sentences is None:
        return size
    numbers = table.columns.get(SENTENCE_NUMBERS)
    if published and numbers:
        return next((index for index, number in enumerate(numbers) if _is_beyond(number, sentences)), size)
    return table.segments[sentences] if len(table.segments) > sentences else size


def _is_beyond(number: str, sentences: int) -> bool:
    return number.isascii() and number.isdigit() and (len(number) > 9 or int(number) > sentences)


def _sheets(
    sides: tuple[Document, Document],
    grids: tuple[Grid, Grid],
    layers: Sequence[str],
    options: Options,
    *,
    published: bool,
) -> list[Sheet]:
    """Return a sheet for each layer."""
    found: list[dict[str, list[Mark]]] = [{}, {}]
    for number, (document, grid) in enumerate(zip(sides, grids, strict=True)):
        starts, ends = [start for start, _ in grid.tokens], [end for _, end in grid.tokens]
        for mention in document.mentions:
            name = _name(mention.links, options.kb, published=published, ranked=number == 1)
            tokens = [at for span in mention.spans for at in range(*covered_tokens(span, starts, ends))]
            if name is None or not tokens or tokens[0] >= grid.end:
                continue
            mark = Mark(tuple(map(str, tokens)), name, (tokens[0], tokens[-1] + 1), _text(mention, document))
            found[number].setdefault(mention.layer if len(layers) > 1 else layers[0], []).append(mark)
    sources = (sides[0].source, sides[1].source)
    return [
        Sheet(
            layer,
            sorted(found[0].get(layer, ()), key=_place_alone if published else place),
            sorted(found[1].get(layer, ()), key=place),
            published,
            sources,
        )
        for layer in layers
    ]


def _place_alone(mark: Mark) -> list[tuple[bool, int, str]]:
    return place(mark)[0]


def _text(mention: Mention, document: Document) -> str:
    return mention.text or " ".join(document.text[start:end] for start, end in mention.spans)


def _name(links: Sequence[Link], kb: str, *, published: bool, ranked: bool) -> str | None:
    """Return the name of the entity that a mention is linked to, or ``None`` if that does not count.

    As published, a system's best link counts or none, and not if its score is not above zero; corrected, it is the
    best of those that count.
    """
    if published and ranked:
        links = [one for one in links if one.score is None or one.score > 0]
    names = (link_name(one.target, kb, published=published) for one in (links[:1] if published else links))
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
