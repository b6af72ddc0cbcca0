"""Hypothesis strategies for sound documents and damaged files, shared by the property tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from karat.annotations.tokens import cut_text
from karat.model import Argument, Chain, Document, Link, Mention, Note, Relation, Span, TokenTable

CHARACTERS = "abcXYZ019 .,;:'\"\\{}<>&\t\n\r\u00a0\u2028éßñ中\U0001f600"
LABELS = st.sampled_from(["LOC", "pers.ind", "Org-2", "é", "a:b"])
ROLES = st.sampled_from(["Arg1", "Arg2", "Theme", "Cause"])
TARGETS = st.sampled_from(["Q42", "NIL", "Wikidata:Q42", "KB:x", "http://x.org/y", ":odd", "Wikipedia:Bern"])
free_text = st.text(CHARACTERS, max_size=8)
one_line = st.text(CHARACTERS, min_size=1, max_size=8).map(lambda text: "_".join(text.split()) or "_")


@st.composite
def damaged_files(draw: st.DrawFn, files: Mapping[str, str], splices: Sequence[bytes]) -> dict[str, bytes]:
    """Draw files of which one is damaged: in some places something is put in, or stands for what is cut out."""
    made = {name: text.encode() for name, text in files.items()}
    name = draw(st.sampled_from(sorted(files)))
    changes = st.tuples(st.floats(0, 1), st.sampled_from(splices), st.integers(0, 30))
    for share, splice, cut in draw(st.lists(changes, min_size=1, max_size=4)):
        start = int(share * len(made[name]))
        made[name] = made[name][:start] + splice + made[name][start + cut :]
    return made


@st.composite
def documents(draw: st.DrawFn, *, brat: bool = False, min_mentions: int = 0) -> Document:
    """Draw a sound document; with ``brat=True`` one that BRAT files can hold too.

    Ids are those that BRAT gives (T1, R1, E2, *1, #1), and every mention knows its text.
    """
    text = draw(st.text(CHARACTERS, min_size=2 * min_mentions, max_size=60))
    mentions = draw(st.lists(_mentions(text, brat=brat), min_size=min_mentions, max_size=5)) if text else []
    if brat:
        mentions = [mention for mention in mentions if not {"\n", "\r"} & set(mention.text)]
    mentions = [_renamed(mention, f"T{number}") for number, mention in enumerate(mentions, start=1)]
    ids = [mention.id for mention in mentions]
    relations = draw(_relation_lists(ids, brat=brat)) if ids else []
    annotated = ids + [relation.id for relation in relations]
    return Document(
        id=draw(st.sampled_from(["d1", "1798/01 a", "x.y"])),
        text=text,
        mentions=mentions,
        chains=draw(_chain_lists(ids)) if ids else [],
        relations=relations,
        notes=draw(_note_lists(annotated)) if annotated else [],
        metadata={} if brat else draw(st.dictionaries(free_text, free_text, max_size=2)),
        table=None if brat else draw(st.none() | st.just(_table(text))),
    )


@st.composite
def _mentions(draw: st.DrawFn, text: str, *, brat: bool) -> Mention:
    spans = draw(_spans(len(text)))
    scores = st.none() if brat else st.none() | st.floats(allow_nan=False, allow_infinity=False)
    labels = st.tuples(LABELS) if brat else st.lists(LABELS | free_text, max_size=2).map(tuple)
    return Mention(
        id="",
        spans=spans,
        labels=draw(labels),
        text=" ".join(text[start:end] for start, end in spans),
        layer=draw(st.sampled_from(["", "NE-COARSE-LIT", "two words"])),
        links=tuple(draw(st.lists(st.builds(Link, TARGETS, scores), max_size=3))),
        attributes=draw(_attributes(brat=brat)),
    )


@st.composite
def _spans(draw: st.DrawFn, length: int) -> tuple[Span, ...]:
    """Draw one to three fragments, ascending and disjoint; neighbours may touch."""
    cuts = sorted(draw(st.sets(st.integers(0, length), min_size=2, max_size=6)))
    if draw(st.booleans()):
        return tuple(pairwise(cuts))[:3]
    return tuple(zip(cuts[0::2], cuts[1::2], strict=False))


@st.composite
def _relation_lists(draw: st.DrawFn, ids: list[str], *, brat: bool) -> list[Relation]:
    events = draw(st.lists(st.booleans(), max_size=3))
    names = [f"{'E' if event else 'R'}{number}" for number, event in enumerate(events, start=1)]
    ends = st.builds(Argument, ROLES, st.sampled_from(ids + names))
    relations = []
    for name, event in zip(names, events, strict=True):
        size = (2, 2) if brat and not event else (0, 3)
        arguments = draw(st.lists(ends, min_size=size[0], max_size=size[1]))
        trigger = draw(st.sampled_from(ids)) if event else None
        relations.append(Relation(name, draw(LABELS), tuple(arguments), trigger, draw(_attributes(brat=brat))))
    return relations


@st.composite
def _chain_lists(draw: st.DrawFn, ids: list[str]) -> list[Chain]:
    """Draw chains that share no mention."""
    order = draw(st.permutations(ids))
    size = draw(st.integers(1, len(ids)))
    labels = st.sampled_from(["", "same-as"])
    parts = [order[:size], order[size:]]
    return [Chain(f"*{n}", tuple(part), draw(labels)) for n, part in enumerate(parts, start=1) if part]


@st.composite
def _note_lists(draw: st.DrawFn, ids: list[str]) -> list[Note]:
    texts = st.text(CHARACTERS.replace("\n", "").replace("\r", ""), max_size=8)
    drawn = draw(st.lists(st.tuples(st.sampled_from(ids), texts, st.sampled_from(["", "Doubt"])), max_size=2))
    return [Note(f"#{number}", *parts) for number, parts in enumerate(drawn, start=1)]


def _attributes(*, brat: bool) -> st.SearchStrategy[dict[str, str]]:
    names, values = (one_line, st.just("") | one_line) if brat else (free_text, free_text)
    return st.dictionaries(names, values, max_size=2)


def _table(text: str) -> TokenTable:
    tokens = cut_text(text)
    forms = [text[start:end] for start, end in tokens]
    cells: dict[str, Any] = {"NE": ["O"] * len(forms)}
    return TokenTable(forms, cells, [0] if forms else [], [start for start, _ in tokens])


def _renamed(mention: Mention, name: str) -> Mention:
    return Mention(name, mention.spans, mention.labels, mention.text, mention.layer, mention.links, mention.attributes)
