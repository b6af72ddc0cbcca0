from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import InputError
from karat.judge.scheme import BUILT_IN, read_scheme

ASKS = """[[question]]
id = "good"
text = "Is it good?"
answers = [{value = 0, label = "no"}, {value = 1, label = "yes"}]
"""


@pytest.mark.parametrize("name", BUILT_IN)
def test_schemes_that_are_built_in_can_be_asked(name: str) -> None:
    scheme = read_scheme(name)
    assert scheme.question
    assert scheme.deciding is not None


def test_a_scheme_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('title = "Mine"\n' + ASKS)
    assert read_scheme(path).named("good").values == (0, 1)


@pytest.mark.parametrize(
    ("more", "line", "said"),
    [
        (ASKS, 6, "occurs twice; give each question its own id"),
        ('[[question]]\nid = "B"\ntext = "?"\n', 6, "small letters"),
        ('[[question]]\nid = "b"\ntext = " "\n', 6, "has no text"),
        ('[[question]]\nid = "b"\ntext = "?"\nanswers = [{value = 0, label = "no"}]\n', 6, "two answers"),
        ('[[question]]\nid = "b"\ntext = "?"\nright = [1]\n', 6, "none of its answers"),
        ('[[question]]\nid = "b"\ntext = "?"\nwhen = {question = "x", answers = [1]}\n', 6, "not asked before"),
        ('[[question]]\nid = "b"\ntext = "?"\nwhen = {question = "good", answers = [7]}\n', 6, "does not have"),
        ('[[question]]\nid = "b"\ntext = "?"\nsummary = "consistency"\n', 6, 'needs per = "document"'),
        ('[[ question ]]\nid = "b"\nwords = "?"\n', 8, "unknown field `words`"),
        ('[["question"]]\nid = "b"\n', 6, "missing required field `text`"),
        ('[[question]]\nid = "b"\ntext = "?"\nscale = "x"\n', 9, "Invalid enum value 'x'"),
        ('[[question]]\nid = "b"\ntext = "?"\nwhen = {question = "good", answers = [inf]}\n', 6, "does not have"),
        (
            '[[question]]\nid = "b"\ntext = "?"\nanswers = [{value = 0, label = "a"}, {value = nan, label = "b"}]\n',
            6,
            "not a finite number",
        ),
        ('[[question]]\nid = "note"\ntext = "?"\n', 6, "id of a sheet column"),
    ],
)
def test_a_scheme_that_cannot_be_asked_is_refused_with_its_line(
    tmp_path: Path, more: str, line: int, said: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('title = "Mine"\n' + ASKS + more)
    with pytest.raises(InputError, match=said) as error:
        read_scheme(path)
    assert error.value.line == line


def test_an_unknown_key_above_all_questions_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('title = "Mine"\nguide = "none"\n' + ASKS)
    with pytest.raises(InputError, match="unknown field `guide`") as error:
        read_scheme(path)
    assert error.value.line == 2


def test_no_toml_and_no_question(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("title = ")
    with pytest.raises(InputError, match="is not valid TOML"):
        read_scheme(path)
    path.write_text('title = "Mine"\nquestion = []\n')
    with pytest.raises(InputError, match="has no questions"):
        read_scheme(path)
