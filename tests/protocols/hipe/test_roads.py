"""Random files down both roads: the drop-in and ``karat.score`` have the same numbers, or both refuse them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from tests.protocols.hipe import roads

from karat.errors import InputError
from karat.protocols.hipe.drop_in.evaluate import ScorerRequest, evaluate, read

EDITIONS = ("hipe-2020", "hipe-2022")
TASKS = ("nerc_coarse", "nerc_fine", "nel")
HEADER = "TOKEN NE-COARSE-LIT NE-COARSE-METO NE-FINE-LIT NE-FINE-METO NE-FINE-COMP NE-NESTED NEL-LIT NEL-METO MISC"
TAGS = ("O", "O", "O", "B-loc", "I-loc", "B-pers", "I-pers", "S-loc", "B-x-org", "B-pers|loc")
LINKS = ("_", "_", "Q1", "NIL", "Q1|Q2", "_|Q1", "Q7-1", "-")
ODD = ("_", "B", "")
WORDS = ("Bern", "Genf", "C#", "NA")
NOISE = ("_", "LED0.00", "NoSpaceAfter|LED0.15")

Outline = list[list[int]]
"""For each document the lengths of its segments."""
outlines = st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=2), min_size=1, max_size=3)


@st.composite
def rows(draw: st.DrawFn, length: int) -> list[str]:
    """Draw so many token lines; some have cells that one profile or another refuses."""
    odd = ODD if draw(st.integers(0, 19)) == 0 else ()
    cells = [WORDS, *[TAGS + odd] * 6, LINKS + odd, LINKS + odd, NOISE]
    return ["\t".join(draw(st.sampled_from(choices)) for choices in cells) for _ in range(length)]


@st.composite
def marked_files(draw: st.DrawFn, outline: Outline) -> list[str]:
    """Draw a file with documents, dates and segments."""
    lines = [HEADER.replace(" ", "\t")]
    for number, segments in enumerate(outline):
        lines += [f"# document_id = d{number}", f"# date = {draw(st.sampled_from((1795, 1815)))}-05-01"]
        for length in segments:
            lines += ["# segment_iiif_link = _", *draw(rows(length))]
    return lines


@st.composite
def bare_files(draw: st.DrawFn, outline: Outline) -> list[str]:
    """Draw a file without marks, with tokens to spare."""
    length = sum(map(sum, outline)) + draw(st.integers(0, 2))
    return [HEADER.replace(" ", "\t"), *draw(rows(length))]


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """Draw the options of an evaluation."""
    words = ["-t", draw(st.sampled_from(TASKS)), "-e", draw(st.sampled_from(EDITIONS))]
    words += ["--profile", draw(st.sampled_from(("current", "2022", "2020", "corrected")))]
    for option, value, rarity in (
        ("--noise-level", "0-0.1,0.1-0.3", 2),
        ("--time-period", "1790-1810", 2),
        ("--glue", "NE-COARSE-LIT+NE-FINE-COMP", 8),
        ("-n", "1,2", 2),
    ):
        words += [option, value] if draw(st.integers(1, rarity)) == rarity else []
    return words


def report(words: Sequence[str]) -> str:
    """Return the JSON report of the drop-in."""
    given = roads.understood(words)
    names = {name: given[name] for name in roads.SETTINGS}
    request = ScorerRequest(given["ref"], given["pred"], given["task"], given["hipe_edition"], names, check_name=False)
    return next(text for name, text in evaluate(read(request)).files.items() if name.endswith(".json"))


def lay_out(folder: str, *files: list[str]) -> Iterator[str]:
    """Write the files and yield their paths."""
    for name, lines in zip(("gold.tsv", "system.tsv"), files, strict=True):
        path = Path(folder, name)
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")
        yield str(path)


@given(st.data(), outlines, command_lines())
def test_both_roads_lead_to_the_same_numbers(data: st.DataObject, outline: Outline, options: list[str]) -> None:
    gold = data.draw(marked_files(outline))
    system = data.draw(st.one_of(marked_files(outline), bare_files(outline)))
    with TemporaryDirectory() as folder:
        paths = list(lay_out(folder, gold, system))
        words = ["-r", paths[0], "-p", paths[1], *options]
        try:
            expected = report(words)
        except InputError as error:
            event("refused")
            with pytest.raises(InputError, match=re.escape(str(error))):
                roads.score(words)
        else:
            roads.compare(json.loads(expected), words)
