"""Whatever a file holds, a program ends with a status and a reason, and writes whole files or none."""

from __future__ import annotations

import tempfile
from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import given
from tests.protocols.coldstart.kb_files import KB_TEXT, QUERIES_TEXT
from tests.strategies import damaged_files
from tests.work import growth, steps

from karat.cli import run

RUN_TEXT = "CSSF15_ENG_0123456789\tper:children\trun1\td1:0-12\tBob\tPER\td1:10-12\t0.8\n"
FILES = {"kb.tac": KB_TEXT, "queries.xml": QUERIES_TEXT, "run": RUN_TEXT, "docs": "d1\t100\n"}
COMMANDS = [
    ["validate-kb", "-docs", "docs", "-output", "tac", "-output_file", "out", "-error_file", "log", "kb.tac"],
    ["validate-kb", "-multiple", "MANY", "-output", "edl", "-output_file", "out", "-stats_file", "figures", "kb.tac"],
    ["resolve-queries", "-error_file", "log", "queries.xml", "kb.tac", "out"],
    ["resolve-queries", "-profile", "corrected", "queries.xml", "kb.tac", "out"],
    ["generate-queries", "-profile", "2015.11", "queries.xml", "out"],
    ["generate-queries", "-error_file", "log", "queries.xml", "out", "run"],
]
SPLICES = [
    *(b"\xff", b"\x00", b"\r", b"\xed\xa0\x80", b"\t", b"\n", b"#", b'"', b"\\", b":", b",", b"-", b"9" * 5000, b"%s"),
    *(b"<", b">", b"</", b"</query>", b"<query ", b'<query id="', b'">', b"&", b"\xd9\xa3", b"\x1f", b"1.0", b"_"),
]
BOMB = '<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx"><!ENTITY y "&x;&x;&x;&x;"><!ENTITY z SYSTEM "file:///etc/passwd">]>'


def survives(folder: Path) -> None:
    for words in COMMANDS:
        before = set(folder.iterdir())
        status = run(["coldstart", *words])
        assert status in (0, 3, 255), words
        made = set(folder.iterdir()) - before
        assert status != 3 or not made
        for name in made:
            name.unlink()
    assert run(["validate", "kb.tac"]) in (0, 3)


@given(damaged_files(FILES, SPLICES))
def test_damaged_files(files):
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name, content in files.items():
            Path(name).write_bytes(content)
        survives(Path(folder))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_entities_of_a_query_file_are_never_expanded(folder):
    (folder / "queries.xml").write_text(
        QUERIES_TEXT.replace("<query_set>", BOMB + "<query_set>").replace("Ada", "&y;&z;")
    )
    assert run(["coldstart", "generate-queries", "queries.xml", "out"]) == 0
    assert "<name>&y;&z;</name>" in (folder / "out").read_text()
    survives(folder)


@pytest.mark.parametrize("piece", ["<query id=", "<", '<query id="a"><', "</query><query ", "<a>" * 3])
def test_reading_queries_takes_work_that_grows_with_their_length_only(piece, folder):
    (folder / "queries.xml").write_text(piece * 200_000)
    assert steps(lambda: run(["coldstart", "generate-queries", "queries.xml", "out"])) < 20 * 200_000
    assert (folder / "out").exists()


@pytest.mark.parametrize(
    "line",
    [
        ':B\tper:age\t"{}"\td1:10-20\t0.9',
        ":A\tper:children\t:B\td1:0-{}\t0.8",
        ':B\tper:age\t"4"\td1:{}-200\t0.9',
        '"' + "\\" * 50 + "\t{}",
        ':A\tmention\t"x"\td1:0-2\t1.0\t{}',
    ],
)
@pytest.mark.parametrize("multiple", ["ONE", "MANY"])
def test_no_step_is_quadratic(line, multiple, folder):
    def work(size):
        lines = (line.format(number % 100) if "{}-200" in line else line.format(number) for number in range(size))
        (folder / "kb.tac").write_text(KB_TEXT + "\n".join(lines) + "\n")
        (folder / "log").unlink(missing_ok=True)
        return validate

    def validate():
        assert run(["coldstart", "validate-kb", "-multiple", multiple, "-error_file", "log", "kb.tac"]) in (0, 255)

    assert growth(work, 2_000) < 2.3


def test_bytes_that_are_not_utf_8_are_named(folder, capfd):
    (folder / "kb.tac").write_bytes(KB_TEXT.encode() + b':A\tmention\t"\xff"\td1:0-2\n')
    assert run(["coldstart", "validate-kb", "-output_file", "out", "kb.tac"]) == 3
    assert capfd.readouterr().err == "karat: kb.tac:11: byte 0xff is not UTF-8; convert the file to UTF-8 first\n"
    assert not (folder / "out").exists()
