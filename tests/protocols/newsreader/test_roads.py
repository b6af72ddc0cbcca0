"""Both roads: the protocols count as the programs do, on random lines, and on random folders of NAF.

From folders, extraction and evaluation come one after the other. As published, protocol and programs part where an
entity begins with the last token of a document, or where the gold has several references (quirks ``last-token-unread``
and ``gold-first-reference``), so there are none of these then.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.newsreader.extracted import as_printed, counts_of, printed, scored
from tests.protocols.newsreader.naf import entity, folder, naf, reference

import karat
from karat.cli import run
from karat.protocols.newsreader.drop_in.evaluate import Line
from karat.protocols.newsreader.judge import TokenLink

PROTOCOLS = {"published": "newsreader-ned", "corrected": "newsreader-ned-corrected"}
NAMES = ["Bern", "Rom", "0", "AC/DC", "http://wikidata.org/Q1"]
SPANS = st.lists(st.integers(1, 4).map(str), min_size=1, max_size=4).map("-".join)
MARKS = st.builds(TokenLink, SPANS | st.sampled_from(["t1-t2", "2-"]), st.sampled_from("AB0"))
LINES = st.lists(st.tuples(st.sampled_from("def"), MARKS), max_size=10)


@st.composite
def pairs(draw: st.DrawFn, profile: str) -> tuple[list[str], list[str]]:
    """Return NAF documents of a gold and of a system over the same sentences."""
    documents: tuple[list[str], list[str]] = ([], [])
    published = profile == "published"
    for _ in range(draw(st.integers(1, 2))):
        sentences = [" ".join("ab"[:size]) for size in draw(st.lists(st.integers(1, 2), min_size=1, max_size=9))]
        tokens = sum(len(sentence.split()) for sentence in sentences)
        for side, found in enumerate(documents):
            several = 1 if published and side == 0 else 3
            entities = []
            for number in range(draw(st.integers(0, 4)) if tokens > published else 0):
                first = draw(st.integers(1, tokens - published))
                last = draw(st.integers(first, min(tokens, first + 2)))
                names = draw(st.lists(st.sampled_from(NAMES), max_size=several, unique=True))
                confidences = draw(st.permutations(["0.2", "0.5", "0.9"]))
                references = [reference(name, confidence=sure) for name, sure in zip(names, confidences, strict=False)]
                spans = [f"t{at}" for at in range(first, last + 1)]
                entities.append(entity(f"e{number}", spans, *references))
            text = naf(sentences, *entities, prefix="w" if side else "")
            found.append(text if side else text.replace('id="t', 'id="'))
    return documents


@contextmanager
def inside(path: str) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)


def counted(profile: str, gold: str, system: str) -> dict[str, int]:
    """Return the four counts that the drop-ins print."""
    words = ("--profile", profile)
    assert run(["newsreader", "gold", gold, "g.tsv", *words]) == 0
    assert run(["newsreader", "system", system, "spot", "s.tsv", "i.tsv", *words]) == 0
    return printed(evaluated(profile))[0]


def evaluated(profile: str) -> str:
    """Return what the drop-in prints of the files that are there."""
    out = BytesIO()
    with redirect_stdout(TextIOWrapper(out, write_through=True)):
        run(["newsreader", "evaluate", "g.tsv", "s.tsv", "r.tsv", "--profile", profile])
        return out.getvalue().decode()


def judged(profile: str, gold: str, system: str) -> dict[str, int]:
    """Return the same counts as the protocol has them."""
    scores = karat.score(PROTOCOLS[profile], gold, system)
    return counts_of(PROTOCOLS[profile], scores)


@pytest.mark.parametrize("profile", PROTOCOLS)
@given(data=st.data())
def test_protocols_count_as_the_programs_do(profile: str, data: st.DataObject) -> None:
    gold, system = data.draw(pairs(profile))
    with tempfile.TemporaryDirectory() as room, inside(room):
        sides = [
            folder(Path(name), **{f"d{number}": text for number, text in enumerate(documents)})
            for name, documents in (("gold", gold), ("system", system))
        ]
        assert judged(profile, *sides) == counted(profile, *sides)


@pytest.mark.parametrize("profile", PROTOCOLS)
@given(gold=LINES, system=LINES)
def test_protocols_score_lines_as_the_program_does(profile: str, gold: list[Line], system: list[Line]) -> None:
    with tempfile.TemporaryDirectory() as room, inside(room):
        for name, lines in (("g.tsv", gold), ("s.tsv", system)):
            Path(name).write_text("".join(f"{document}\t{mark.span}\t{mark.label}\n" for document, mark in lines))
        expected, rows = printed(evaluated(profile))
    counts, values = scored(PROTOCOLS[profile], gold, system)
    assert counts == expected
    for regime, cells in zip(values, rows, strict=False):
        assert as_printed(values[regime], published=profile == "published") == cells


@pytest.mark.parametrize(
    ("targets", "names", "programs", "protocol"), [(["2"], ["Bern"], 0, 1), (["1"], ["Rom", "Bern"], 0, 1)]
)
def test_where_published_protocol_and_programs_part(
    targets: list[str], names: list[str], programs: int, protocol: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    references = [reference(name, confidence=sure) for name, sure in zip(names, ("0.2", "0.9"), strict=False)]
    gold = folder(Path("gold"), d=naf(["a b"], entity("e1", targets, *references)))
    marks = [f"t{target}" for target in targets]
    system = folder(Path("system"), d=naf(["a b"], entity("e1", marks, reference("Bern")), prefix="w"))
    assert counted("published", gold, system)["TP"] == programs
    assert judged("published", gold, system)["TP"] == protocol
