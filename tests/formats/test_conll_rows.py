"""Blocks that are cut whole hold what their lines do."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.annotations.columns import FORM, TAG
from karat.formats.base import Problem, Problems
from karat.formats.conll.layout import Layout
from karat.formats.conll.rows import RowDraft, Sorter

LAYOUTS = {
    "tabs": Layout((FORM, "2", TAG), 0, declared=False, tabbed=True),
    "blanks": Layout((FORM, "2", TAG), 0, declared=False, tabbed=False),
    "numbered": Layout(("ID", FORM, TAG), 1, declared=True, tabbed=True),
    "one": Layout((FORM,), 0, declared=True, tabbed=True),
}
ROWS = ["a{0}b{0}O", "1{0}b{0}B-x", "1-2{0}b{0}O", "{0}b{0}O", "a{0}{0}O", "a{0}b{0}", "a{0}b", "a", "-{0}-{0}O"]
OTHERS = ["", "", " ", "{0}", "\x0b{0}\x0c{0} ", "#{0}a{0}O", "# a", "# newdoc id = d", "-DOCSTART- -X- O", " a b{0}c"]
OTHERS += ["# global.columns = FORM", "# meta::key = value", "a b c", "a{0}b{0}c{0}d"]


def drafts(text: str, layout: Layout, cuts: list[int]) -> tuple[list[RowDraft], list[Problem]]:
    problems = Problems(collect=True)
    lines = [f"{line}\n" for line in text.split("\n")[:-1]]
    edges = sorted({0, *(cut for cut in cuts if cut < len(lines)), len(lines)})
    blocks = ["".join(lines[start:end]) for start, end in pairwise(edges)]
    return list(Sorter("f", layout, problems).drafts(blocks)), problems.found


@pytest.mark.parametrize("name", LAYOUTS)
@given(lines=st.lists(st.sampled_from(ROWS[:2] * 8 + ROWS + OTHERS), max_size=12), cuts=st.lists(st.integers(0, 12)))
def test_as_line_by_line(name: str, lines: list[str], cuts: list[int]) -> None:
    separator = " " if name == "blanks" else "\t"
    text = "".join(line.format(separator) + "\n" for line in lines)
    found = drafts(text, LAYOUTS[name], cuts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sorter, "_columns", lambda sorter, rows: None)
        assert drafts(text, LAYOUTS[name], [])[0] == found[0]
        assert drafts(text, LAYOUTS[name], [])[1] == found[1]


def test_regular_blocks_are_not_looked_at_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(Sorter, "_sort", lambda sorter, draft, line, number: looked.append(line))
    block = "# newdoc id = d\na\tx\tO\nb\ty\tO\n\nc\tz\tB-p\n"
    (draft,) = Sorter("f", LAYOUTS["tabs"], Problems()).drafts([block])
    assert not looked
    assert draft.columns == [["a", "b", "c"], ["x", "y", "z"], ["O", "O", "B-p"]]
    assert draft.lines == [(0, 2), (2, 5)]
