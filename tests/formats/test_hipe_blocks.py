"""Blocks are cut alike by their text and by their bytes."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from karat.annotations.cells import CutLater
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.hipe.blocks import Cutter
from karat.formats.hipe.declaration import HipeFileOptions

HEADER = ("TOKEN", "NE-COARSE-LIT", "NEL-LIT", "MISC")
FORM = st.text("aé東#\u2028\x00", min_size=1, max_size=3).filter(lambda form: not form.startswith("#"))
REGULAR = st.tuples(
    FORM, st.sampled_from(["O", "B-loc", "I-loc", "o", "é"]), st.sampled_from(["_", "Q1", "-", ""]), st.just("_")
).map("\t".join)
ODD = st.sampled_from(
    [
        "",
        "\tO\t_\t_",
        "# segment",
        "# document_id = é",
        "# x\ty",
        "# x\tO\t_\t_",
        "a\tx\tO\t_\t_",
        "a\tS-loc\t_\t_",
        "a\tO",
        "a\tO\t_\t",
        "a\tO\t_\t_\tx",
    ]
)
BLOCK = st.tuples(
    st.lists(st.one_of(REGULAR, REGULAR, REGULAR, ODD), min_size=1, max_size=8).map("\n".join),
    st.sampled_from(["\n", ""]),
).map("".join)


def cut(block: str, options: HipeFileOptions, *, vectorised: bool) -> tuple[object, ...]:
    problems = Problems(collect=True)
    cutter = Cutter("x.tsv", problems, options, HEADER, HEADER[1:], vectorised=vectorised)
    try:
        found = cutter.cut(block, 2)
    except InputError as error:
        return (str(error),)
    columns = {name: list(cells) for name, cells in found.columns.items()}
    return list(found.forms), columns, found.others, problems.found, cutter.converted


@given(BLOCK, st.sampled_from(["pad", "full"]), st.sampled_from(["keep", "drop"]))
def test_text_and_bytes_agree(block: str, rows: str, hash_tokens: str) -> None:
    options = HipeFileOptions(rows=rows, hash_tokens=hash_tokens)
    assert cut(block, options, vectorised=True) == cut(block, options, vectorised=False)


def test_a_regular_block_is_cut_by_its_bytes() -> None:
    cutter = Cutter("x.tsv", Problems(), HipeFileOptions(), HEADER, ["NE-COARSE-LIT"], vectorised=True)
    found = cutter._cut_bytes("# segment\nZürich\tB-loc\tQ72\t_\n,\tO\t_\t_\n")
    assert found is not None
    assert list(found.forms) == ["Zürich", ","]
    assert found.columns == {"NE-COARSE-LIT": ["B-loc", "O"]}
    assert found.others == [(0, 0, "# segment")]


def test_of_rows_that_say_nothing_no_cells_are_made() -> None:
    rows = "".join(f"{form}\tO\t_\t_\n" for form in "abc")
    cutter = Cutter("x.tsv", Problems(), HipeFileOptions(), HEADER, HEADER[1:], vectorised=False)
    found = cutter._rows(f"{rows}Zürich\tB-loc\tQ72\t_\n# segment\n{rows}")
    assert found is not None
    assert (found.size, found.places) == (7, [3])
    assert found.cells == ["Zürich", "B-loc", "Q72", "_"]
    assert found.others == [(4, 4, "# segment")]


def test_tokens_are_cut_when_they_are_looked_at_and_travel_as_they_are() -> None:
    cutter = Cutter("x.tsv", Problems(), HipeFileOptions(), HEADER, ["NE-COARSE-LIT"], vectorised=False)
    forms = cutter.cut("In\tO\t_\t_\nZürich\tB-loc\tQ72\t_\n.\tO\t_\t_\n", 2).forms
    assert isinstance(forms, CutLater)
    assert forms.known == {1: "Zürich"}
    assert list(forms[1:]) == ["Zürich", "."]
    assert pickle.loads(pickle.dumps(forms[:2])) == ["In", "Zürich"]  # noqa: S301 - our own bytes
