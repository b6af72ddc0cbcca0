"""What holds for all NewsReader drop-ins: usage, targets, and that nothing half-done is left."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from tests.protocols.newsreader.naf import entity, folder, naf, reference

from karat.cli import run

COMMANDS = {
    "gold": ["docs", "out.tsv"],
    "gold-with-redirects": ["docs", "out.tsv", ""],
    "system": ["docs", "spot", "out.tsv", "info.tsv"],
    "system-not-english": ["docs", "spot", "out.tsv", "info.tsv", ""],
    "system-with-redirects": ["docs", "out.tsv", ""],
}
every_extraction = pytest.mark.parametrize("command", COMMANDS)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mappings_sys.csv").touch()
    Path("mappings_gold.csv").touch()
    folder(Path("docs"), a=naf(["Bern"], entity("e1", ["t1"], reference("Bern")), prefix="w"))


@every_extraction
def test_too_few_arguments(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["newsreader", command, "docs"]) == 2
    assert "1 arguments were given; expected" in capfd.readouterr().err


@every_extraction
def test_surplus_arguments_are_of_no_account(command: str) -> None:
    assert run(["newsreader", command, *COMMANDS[command], "more", "-x"]) == 0
    assert run(["newsreader", command, "--", *COMMANDS[command], "--more"]) == 0


@every_extraction
@pytest.mark.parametrize("word", ["--profil", "--profil=corrected", "--profiles"])
def test_an_option_that_is_misspelt(command: str, word: str, capfd: pytest.CaptureFixture[str]) -> None:
    before = set(Path().rglob("*"))
    assert run(["newsreader", command, *COMMANDS[command], word, "corrected"]) == 2
    name = word.partition("=")[0]
    assert f"unknown option '{name}'; did you mean '--profile'?" in capfd.readouterr().err
    assert set(Path().rglob("*")) == before


@every_extraction
@pytest.mark.parametrize("profile", ["published", "corrected"])
def test_a_folder_that_is_not_there(command: str, profile: str, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["nowhere" if word == "docs" else word for word in COMMANDS[command]]
    assert run(["newsreader", command, *words, "--profile", profile]) == 3
    assert capfd.readouterr().err.startswith("karat: nowhere: is not a folder that can be read")


@every_extraction
@pytest.mark.parametrize("profile", ["published", "corrected"])
def test_nothing_is_written_after_a_fault(command: str, profile: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path("docs/b.naf").write_text("<NAF><text>")
    before = set(Path().rglob("*"))
    assert run(["newsreader", command, *COMMANDS[command], "--profile", profile]) == 3
    assert "docs/b.naf:1: is not well-formed XML" in capfd.readouterr().err
    assert set(Path().rglob("*")) == before


@every_extraction
def test_where_nothing_can_be_written(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["nowhere/out.tsv" if word == "out.tsv" else word for word in COMMANDS[command]]
    assert run(["newsreader", command, *words]) == 3
    assert "nowhere/out.tsv: cannot be written" in capfd.readouterr().err


def test_a_document_that_is_a_folder(capfd: pytest.CaptureFixture[str]) -> None:
    Path("docs/b.naf").mkdir()
    assert run(["newsreader", "gold", "docs", "out.tsv"]) == 3
    assert "docs/b.naf: cannot be read: is a directory" in capfd.readouterr().err


def test_an_input_is_never_replaced(capfd: pytest.CaptureFixture[str]) -> None:
    Path("g.tsv").write_text("d\t1\tA\n")
    assert run(["newsreader", "evaluate", "g.tsv", "g.tsv", "./g.tsv"]) == 3
    assert "the output would replace this input" in capfd.readouterr().err
    assert Path("g.tsv").read_text() == "d\t1\tA\n"


@every_extraction
@pytest.mark.parametrize("profile", ["published", "corrected"])
def test_a_document_or_table_is_never_replaced(
    command: str, profile: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = "mappings_gold.csv" if command.startswith("gold") else "mappings_sys.csv"
    read = ["docs/a.naf", "./docs/../docs/a.naf"] + ([table] if "" in COMMANDS[command] else [])
    outputs = ["out.tsv", "info.tsv"] if command == "system" or profile == "corrected" else ["out.tsv"]
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    for output in (output for output in outputs if output in COMMANDS[command]):
        for target in read:
            words = [target if word == output else word for word in COMMANDS[command]]
            assert run(["newsreader", command, *words, "--profile", profile]) == 3
            assert f"{target}: the output would replace this input" in capfd.readouterr().err
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_two_outputs_of_one_name(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["newsreader", "system", "docs", "spot", "out.tsv", "./out.tsv"]) == 3
    assert "./out.tsv: two outputs have this name" in capfd.readouterr().err
    assert not Path("out.tsv").exists()
    assert run(["newsreader", "system", "docs", "spot", "out.tsv", "/dev/null"]) == 0


@every_extraction
@pytest.mark.parametrize("profile", ["published", "corrected"])
def test_a_named_pipe_is_not_waited_for(command: str, profile: str, capfd: pytest.CaptureFixture[str]) -> None:
    os.mkfifo("docs/b.naf")
    assert run(["newsreader", command, *COMMANDS[command], "--profile", profile]) == 3
    assert "docs/b.naf: is no regular file" in capfd.readouterr().err


def test_a_folder_that_may_not_be_read(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: bytes) -> list[bytes]:
        raise PermissionError(13, "Permission denied", folder)

    monkeypatch.setattr(os, "listdir", refuse)
    assert run(["newsreader", "gold", "docs", "out.tsv"]) == 3
    assert capfd.readouterr().err == "karat: docs: cannot be read: permission denied\n"


@every_extraction
@pytest.mark.parametrize("profile", ["published", "corrected"])
def test_a_folder_without_documents_is_worth_a_warning(
    command: str, profile: str, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("docs/a.naf").unlink()
    assert run(["newsreader", command, *COMMANDS[command], "--profile", profile]) == 0
    assert "karat: warning: docs: holds no .naf" in capfd.readouterr().err
    assert Path("out.tsv").read_bytes() == b""


def test_a_document_is_read_that_is_packed_whatever_its_name() -> None:
    document = naf(["Bern is old"], entity("e1", ["1"], reference("Bern")))
    folder(Path("docs"), a=document)
    assert run(["newsreader", "gold", "docs", "plain.tsv"]) == 0
    Path("docs/a.naf").write_bytes(gzip.compress(document.encode()))
    assert run(["newsreader", "gold", "docs", "packed.tsv"]) == 0
    assert Path("packed.tsv").read_bytes() == Path("plain.tsv").read_bytes() == b"a.naf\t1\tBern\n"
