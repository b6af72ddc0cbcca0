"""``karat conll2012``: its arguments, its exit statuses and the bytes it prints."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Command

FILE = "#begin document (d); part 000\nd\t0\t0\tBern\t(0)\nd\t0\t1\tit\t(0)\n#end document\n"


@pytest.fixture
def files(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(FILE)
    (tmp_path / "response").write_text(FILE.replace("it\t(0)", "it\t(1)"))
    (tmp_path / "broken").write_text(FILE.replace("it\t(0)", "it\t0)"))


@pytest.mark.usefixtures("files")
def test_totals(karat: Command) -> None:
    shown = karat("conll2012", "BCUB", "key", "response", "none")
    assert (shown.status, shown.err) == (0, "")
    rule = "-" * 74
    assert shown.out == (
        "version: 8.01 karat/lib/CorScorer.pm\n\n====== TOTALS =======\n"
        f"Identification of Mentions: Recall: (2 / 2) 100%\tPrecision: (2 / 2) 100%\tF1: 100%\n{rule}\n"
        f"Coreference: Recall: (1 / 2) 50%\tPrecision: (2 / 2) 100%\tF1: 66.66%\n{rule}\n"
    )


@pytest.mark.usefixtures("files")
def test_a_document_by_name_with_words_to_spare(karat: Command) -> None:
    shown = karat("conll2012", "muc", "key", "response", "(d); part 000", "surplus")
    assert shown.status == 0
    assert shown.out.split("\n")[1] == "(d); part 000:"


@pytest.mark.usefixtures("files")
def test_where_the_program_fails_one_sentence_and_what_was_printed(karat: Command) -> None:
    shown = karat("conll2012", "muc", "key", "broken")
    assert shown.status == 3
    assert shown.out.endswith("Entity 0: (0,0) (1,1)\n====> (d); part 000:\n")
    assert shown.err.startswith("karat: broken:3: Detected the end of a mention [0](0) without begin (?,1)")
    assert len(shown.err.splitlines()) == 1


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "words", [(), ("muc", "key"), ("lea", "key", "key"), ("mucx", "key", "key"), ("ALL", "key", "key")]
)
def test_wrong_arguments(words: tuple[str, ...], karat: Command) -> None:
    shown = karat("conll2012", *words)
    assert shown.status == 2
    assert shown.out == ""
    assert shown.err


@pytest.mark.usefixtures("files")
def test_corrected_says_what_is_missing(karat: Command, tmp_path: Path) -> None:
    (tmp_path / "other").write_text(FILE.replace("(d)", "(e)"))
    shown = karat("conll2012", "all", "key", "other", "none", "--profile", "corrected")
    assert shown.status == 0
    assert shown.err.splitlines() == [
        "karat: other: lacks document '(d); part 000'; it is empty",
        "karat: key: lacks document '(e); part 000'; it is left out",
    ]
