from __future__ import annotations

import subprocess
import sys

import pytest
from tests.display.views.results import SIGNATURE, hostile, team1, team2

from karat.display.views import VIEWS, render
from karat.errors import UsageError


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_carries_the_signature_ends_its_last_line_and_can_be_encoded(name: str) -> None:
    text = render(name, [team1(), team2()])
    assert SIGNATURE in text or name == "latex"
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert render(name, [hostile()]).encode("utf-8")


def test_an_unknown_view_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(UsageError, match="unknown view 'tabel'; did you mean 'table'"):
        render("tabel", [team1()])


def test_views_are_imported_only_when_asked_for() -> None:
    code = "import sys, karat.display.views as v; print([m for m in sys.modules if m.startswith(v.__name__ + '.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
