"""Documents cut as a whole: they are read as row by row, and what is in any doubt is left to that."""

from __future__ import annotations

import re
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat import formats
from karat.formats.base import Problems, Want
from karat.formats.conll2012 import official, strict
from karat.formats.conll2012.cells import official_marks, strict_marks
from karat.formats.conll2012.declaration import document
from karat.formats.conll2012.rows import LastCells, grid_of

BODY = (
    "d\t0\t0\tAda\tNNP\t(1|(2\nd\t0\t1\tB\tNNP\t2)\n\n\n"
    "d\t0\t0\tit\tPRP\t(3)|1)\nd\t0\t1\tis\tVBZ\t-\n\n"
    "d\t0\t0\t!\t.\t-\n\n"
)
PLAIN = {"none": ("", ""), "a letter": ("Ada", "Zoë"), "another part": ("d\t0\t1\tB", "d\t1\t1\tB")}
DOUBTFUL = {
    "a blank in a cell": ("\tAda\t", "\tAda Byron\t"),
    "a carriage return": ("\t2)\n", "\t2)\r\n"),
    "an empty cell": ("\tAda\t", "\t\t"),
    "an empty last cell": ("\t2)\n", "\t\n"),
    "another document in the first column": ("d\t0\t1\tB", "e\t0\t1\tB"),
    "a row without the first column": ("d\t0\t1\tB", "0\t1\tB"),
    "a row that begins with a tab behind one that ends with a tab": ("2)\n\n\nd\t0\t0\t", "2)\t\n\t0\t"),
    "a cell that moved to the row before": ("(1|(2\nd\t0\t1\tB", "x\t(1|(2\nd\t0\tB"),
    "a cell with a letter": ("(3)|1)", "(3)|1)x\n"),
    "a comment": ("d\t0\t1\tis", "# so\nd\t0\t1\tis"),
    "a blank line of other white space": ("\t-\n\nd", "\t-\n\v\nd"),
    "a mention with two antecedents": ("(3)", "(3+4)"),
    "few columns": (BODY, "0\tAda\t(1)\n1\tBo\t-\n"),
    "no line": (BODY, ""),
}


CELLS = st.sampled_from(["-"] * 6 + ["(1)", "(1", "1)", "(2|(1", "2)|1)", "(3)|(3)", "_", "*", "(12)|1)"])
WORDS = st.sampled_from(["Ada", "it", "Zoë", "!", "#", "-", "(1)", "\u3000"])
ROWS = st.builds("d\t0\t{}\t{}\t{}{}".format, st.integers(0, 3), WORDS, CELLS, st.sampled_from(["\n"] * 5 + ["\n\n"]))
DAMAGE = st.sampled_from(
    ["", "\t", "\n", "-", " ", "x", "(1", "\t\t", "\r", "\n# so\n", "\ne\t0\t0\tB\t-\n", "\n#end document\n"]
)


def read(path: Path, rules: str) -> tuple[object, ...]:
    problems = Problems(collect=True)
    documents = list(formats.read(path, format="conll2012", problems=problems, options={"rules": rules}))
    return documents, problems.found, problems.counted


@pytest.mark.parametrize("rules", ["strict", "official"])
@pytest.mark.parametrize("change", [*PLAIN.values(), *DOUBTFUL.values()], ids=[*PLAIN, *DOUBTFUL])
def test_a_document_is_read_as_row_by_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: tuple[str, str], rules: str
) -> None:
    path = tmp_path / "file.conll"
    body = BODY.replace(*change, 1)
    path.write_bytes(f"#begin document (d); part 000\n{body}#end document\n".encode())
    as_a_whole = read(path, rules)
    for module in (strict, official):
        monkeypatch.setattr(module, "grid_of", lambda *arguments: None)
    assert as_a_whole == read(path, rules)


@settings(max_examples=150, deadline=None)
@given(rows=st.lists(ROWS, max_size=12), damage=DAMAGE, data=st.data())
def test_a_damaged_document_is_read_as_row_by_row(rows: list[str], damage: str, data: st.DataObject) -> None:
    body = "".join(rows)
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(body))] * 2), label="what is replaced"))
    text = f"#begin document (d); part 000\n{body[:first]}{damage}{body[last:]}#end document\n"

    def both(blocks: list[str]) -> tuple[object, ...]:
        problems = Problems(collect=True)
        drafts = strict.drafts_in(blocks, "d", problems)
        return [document(draft, "d", Want()) for draft in drafts], problems.found

    as_a_whole = both([text])
    cut = data.draw(st.integers(0, text.count("\n")), label="lines of the first block")
    lines = re.split(r"(?<=\n)", text)
    assert both(["".join(lines[:cut]), "".join(lines[cut:])]) == as_a_whole
    with patch.object(strict, "grid_of", lambda *arguments: None):
        assert both([text]) == as_a_whole


@pytest.mark.parametrize("change", DOUBTFUL.values(), ids=DOUBTFUL)
def test_what_is_in_doubt_is_not_cut_as_a_whole(change: tuple[str, str]) -> None:
    assert grid_of("d", BODY, 2, LastCells(strict_marks)) is not None
    assert grid_of("d", BODY.replace(*change, 1), 2, LastCells(strict_marks)) is None


def test_sentences_and_lines_of_a_document_cut_as_a_whole() -> None:
    grid = grid_of("d", BODY, 2, LastCells(official_marks))
    assert grid is not None
    assert (grid.draft.size, grid.draft.segments, grid.draft.lines) == (5, [0, 2, 4], [(0, 2), (2, 6), (4, 9)])
    assert [token for token, marks in grid.marked if any(marks)] == [0, 1, 2]


def test_cells_that_are_remembered_are_few_and_short() -> None:
    known = LastCells(strict_marks)
    long = "|".join(["(1)"] * 40)
    for number in range(70_000):
        assert known[f"({number})\n"][1] == 1
    assert known[long][0].singles == ("1",) * 40
    assert 0 < len(known) <= 65_536
    assert long not in known


@pytest.mark.parametrize("body", [BODY, BODY.replace("\t", " ")], ids=["as a whole", "row by row"])
def test_columns_beside_the_mentions_are_left_out_if_nobody_looks_at_them(tmp_path: Path, body: str) -> None:
    path = tmp_path / "file.conll"
    path.write_text(f"#begin document (d); part 000\n{body}#end document\n")
    (whole,) = formats.read(path, format="conll2012", problems=Problems())
    (lean,) = formats.read(path, format="conll2012", problems=Problems(), want=Want(beside=frozenset(["POS"])))
    assert whole.table is not None
    assert lean.table is not None
    assert list(whole.table.columns) == ["DOC", "PART", "NUMBER", "POS"]
    assert lean.table.columns == {"POS": whole.table.columns["POS"]}
    assert (lean.mentions, lean.chains, lean.text) == (whole.mentions, whole.chains, whole.text)
