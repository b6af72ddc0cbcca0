"""Whatever runs, pools and queries hold, a program ends with a status and a reason, in a time that grows with them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import given
from tests.protocols.coldstart.slot_files import POOL, QUERIES, RUN, Q, answer, judged
from tests.strategies import damaged_files
from tests.work import growth

from karat.cli import run as karat

FILES = {
    "q.xml": QUERIES,
    "run.tab.txt": "\n".join(RUN) + "\n",
    "pool.fqec": "\n".join(POOL) + "\n",
    "docs": "d1\t100\nd2\t100\n",
    "index": f"{Q}\tCS15_ENG_0001\n",
    "scores": f"QID/EC\tRun ID\tHop\tGT\tRight\tWrong\tDup\tPrec\tRecall\tF1\n{Q}\tr\t0\t1\t1\t0\t0\t1\t1\t1\n",
}
COMMANDS = [
    ["coldstart", "validate-sf", "-docs", "docs", "-output_file", "out", "-error_file", "log", "q.xml", "run.tab.txt"],
    ["coldstart", "validate-sf", "-profile", "corrected", "-output_file", "out", "q.xml", "run.tab.txt"],
    ["coldstart", "correct-query-ids", "-output_file", "out", "q.xml", "run.tab.txt"],
    ["coldstart", "correct-query-ids", "-profile", "corrected", "-output_file", "out", "q.xml", "run.tab.txt"],
    ["coldstart", "score", "-output_file", "out", "q.xml", "run.tab.txt", "pool.fqec"],
    ["coldstart", "score", "-profile", "corrected", "-discipline", "STRING_CASE", "q.xml", "pool.fqec", "run.tab.txt"],
    ["coldstart", "score", "-expand", "X", "-combo", "MACRO", "q.xml", "pool.fqec", "run.tab.txt"],
    [
        "coldstart",
        "score",
        "-profile",
        "corrected",
        "-expand",
        "X",
        "-combo",
        "UNION",
        "q.xml",
        "pool.fqec",
        "run.tab.txt",
    ],
    ["coldstart", "project-scores", "-score", "MEAN", "-output_file", "out", "index", "scores"],
    ["score", "tac2015-sf", "q.xml", "pool.fqec", "run.tab.txt", "--from", "coldstart", "-o", "out"],
    ["score", "tac2015-sf", "q.xml", "pool.fqec", "run.tab.txt", "--from", "coldstart", "--index", "index"],
    [
        "score",
        "tac2015-sf",
        "q.xml",
        "pool.fqec",
        "run.tab.txt",
        "--from",
        "coldstart",
        "--profile",
        "corrected",
        "-o",
        "out",
    ],
]
SPLICES = [
    *(b"\xff", b"\x00", b"\r", b"\xed\xa0\x80", b"\t", b"\n", b"#", b'"', b"\\", b":", b",", b"-", b"9" * 5000, b"%s"),
    *(
        b"<",
        b">",
        b"</query>",
        b'<query id="',
        b"\xd9\xa3",
        b"\x1f",
        b"_",
        b"0",
        b"C",
        b"W",
        b":1:1:1:1:1",
        b"\xce\xa3",
    ),
]


@given(damaged_files(FILES, SPLICES))
def test_damaged_files(files):
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name, content in files.items():
            Path(name).write_bytes(content)
        for words in COMMANDS:
            before = set(Path().iterdir())
            status = karat(words)
            assert status in (0, 3, 255), words
            made = set(Path().iterdir()) - before
            assert status != 3 or not made
            for one in made:
                one.unlink()


def _lines(number: int) -> dict[str, list[str]]:
    return {
        "the same answer": [RUN[0]] * number,
        "many values": [answer(Q, f"v{one}", f"d1:{one}-{one}") for one in range(number)],
        "one value": [answer(Q, "v", f"d1:{one}-{one}") for one in range(number)],
    }


@pytest.mark.parametrize("discipline", ["ASSESSED", "STRING_CASE"])
@pytest.mark.parametrize("kind", _lines(0))
def test_no_step_is_quadratic(kind, discipline, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("q.xml").write_text(QUERIES)

    def work(size: int) -> Callable[[], object]:
        Path("run.tab.txt").write_text("\n".join(_lines(size)[kind]) + "\n")
        pool = [judged(Q, f"v{one}", f"d1:{one}-{one}", "C", str(one + 1)) for one in range(size)]
        Path("pool.fqec").write_text("\n".join(pool) + "\n")
        return score

    def score() -> None:
        for profile in ("2015", "corrected"):
            words = ["-profile", profile, "-discipline", discipline, "-output_file", "out"]
            assert karat(["coldstart", "score", *words, "q.xml", "run.tab.txt", "pool.fqec"]) == 0

    assert growth(work, 250) < 2.3


def test_bytes_that_are_not_utf_8_are_named(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("q.xml").write_text(QUERIES)
    Path("run").write_bytes(RUN[0].encode() + b"\n\xff\n")
    assert karat(["coldstart", "validate-sf", "-output_file", "out", "q.xml", "run"]) == 3
    assert capfd.readouterr().err == "karat: run:2: byte 0xff is not UTF-8; convert the file to UTF-8 first\n"
    assert not Path("out").exists()
