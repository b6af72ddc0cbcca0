from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.formats.base import Format
from karat.model import Document, Mention

DOCUMENT = Document("d", "Bern", [Mention("T1", ((0, 4),), ("LOC",), "Bern")])


def test_the_surface_is_small_and_all_of_it_is_there() -> None:
    assert len(karat.__all__) < 27
    assert dir(karat) == sorted(karat.__all__)
    for name in karat.__all__:
        assert getattr(karat, name) is not None
    with pytest.raises(AttributeError, match="module 'karat' has no attribute 'scoer'"):
        _ = karat.scoer


def test_a_public_name_means_the_same_whatever_was_imported_before() -> None:
    """A name that is also a sub-module would turn into the module as soon as that is imported."""
    code = (
        "import karat\n"
        "before = {name: getattr(karat, name) for name in karat.__all__}\n"
        "karat.score('hipe2022-nerc-coarse', [['O']], [['O']])\n"
        "assert {name: getattr(karat, name) for name in karat.__all__} == before\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_importing_the_package_loads_nothing_of_it() -> None:
    code = "import karat, sys; print([name for name in sys.modules if name.startswith('karat')])"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert found.strip() == "['karat._version', 'karat']"


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    karat.write([DOCUMENT], tmp_path / "a.conll", "conll", scheme="BIOES")
    assert "S-LOC" in (tmp_path / "a.conll").read_text()
    (found,) = karat.read(tmp_path / "a.conll", scheme="BIOES", repair="strict")
    assert found.mentions == DOCUMENT.mentions
    assert karat.read(tmp_path / "a.conll", format="conll") == [found]


def test_errors_share_one_class() -> None:
    with pytest.raises(karat.KaratError):
        karat.read("absent.jsonl")
    with pytest.raises(karat.KaratError):
        karat.score("no-such-protocol", [], [])
    assert issubclass(karat.InputError, karat.KaratError)


def test_a_format_of_ones_own_need_not_be_installed(tmp_path: Path) -> None:
    def read(path: str, **how: Any) -> Iterator[Document]:
        yield Document("d", Path(path).read_text())

    own = Format("own", "Own", read=read, sniff=lambda head: False)
    (tmp_path / "a.txt").write_text("Bern")
    assert [document.text for document in karat.read(tmp_path / "a.txt", own)] == ["Bern"]


def test_a_dictionary_of_systems_has_a_result_for_each() -> None:
    gold, worse = [["B-LOC", "O"]], [["O", "B-LOC"]]
    results = karat.score("conll2003", gold, {"same": gold, "worse": worse})
    assert {name: (scores.system, scores.value()) for name, scores in results.items()} == {
        "same": ("same", 1.0),
        "worse": ("worse", 0.0),
    }
    assert len(set(results.values())) == 2


def test_messages_speak_of_arguments(tmp_path: Path) -> None:
    gold = [["B-LOC"], ["O"]]
    with pytest.raises(karat.InputError, match=r'choose missing="empty" or missing="skip"$'):
        karat.score("conll2003", gold, gold[:1])
    with pytest.raises(
        karat.UsageError, match=r"how tags and spans are read is said with read=\{\"scheme\": \"IOB1\"\}$"
    ):
        karat.score("semeval2013", gold, gold, scheme="IOB1")
    assert (
        karat.score("conll2003", [["S-A", "S-A"]], [["O", "O"]])
        .notes[0]
        .endswith('profile="corrected" reads them right')
    )
    (tmp_path / "a.txt").write_text("Once")
    with pytest.raises(karat.InputError, match=r"name the format with format= \(karat formats lists them") as caught:
        karat.read(tmp_path / "a.txt")
    assert "--" not in caught.value.message
    with pytest.raises(karat.InputError, match='missing="empty"'):
        list(karat.explain("conll2003", gold, gold[:1]))
