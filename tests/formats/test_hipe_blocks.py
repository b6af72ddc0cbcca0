"""Blocks of HIPE lines are cut into tokens and cells."""

from __future__ import annotations

import pickle

from karat.annotations.cells import CutLater
from karat.formats.base import Problems
from karat.formats.hipe.blocks import Cutter
from karat.formats.hipe.declaration import HipeFileOptions

HEADER = ("TOKEN", "NE-COARSE-LIT", "NEL-LIT", "MISC")


def test_of_rows_that_say_nothing_no_cells_are_made() -> None:
    rows = "".join(f"{form}\tO\t_\t_\n" for form in "abc")
    cutter = Cutter("x.tsv", Problems(), HipeFileOptions(), HEADER, HEADER[1:])
    found = cutter._rows(f"{rows}Zürich\tB-loc\tQ72\t_\n# segment\n{rows}")
    assert found is not None
    assert (found.size, found.places) == (7, [3])
    assert found.cells == ["Zürich", "B-loc", "Q72", "_"]
    assert found.others == [(4, 4, "# segment")]


def test_tokens_are_cut_when_they_are_looked_at_and_travel_as_they_are() -> None:
    cutter = Cutter("x.tsv", Problems(), HipeFileOptions(), HEADER, ["NE-COARSE-LIT"])
    forms = cutter.cut("In\tO\t_\t_\nZürich\tB-loc\tQ72\t_\n.\tO\t_\t_\n", 2).forms
    assert isinstance(forms, CutLater)
    assert forms.known == {1: "Zürich"}
    assert list(forms[1:]) == ["Zürich", "."]
    assert pickle.loads(pickle.dumps(forms[:2])) == ["In", "Zürich"]  # noqa: S301 - our own bytes
