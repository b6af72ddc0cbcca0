from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import GOLD, Command


def test_a_sound_file(karat: Command) -> None:
    shown = karat("validate", "gold.tsv", "good.tsv")
    assert (shown.status, shown.out) == (0, "")
    assert shown.err.splitlines()[0] == "gold.tsv: hipe: 2 documents, 3 mentions, 0 errors, 0 repairs"


def test_every_problem_in_one_pass(karat: Command, tmp_path: Path) -> None:
    text = GOLD.replace("B-loc\tQ70", "I-loc\tQ70").replace("lebte\tO\t_\t_", "lebte") + "# date = 1700-99-99\n"
    (tmp_path / "odd.tsv").write_text(text)
    shown = karat("validate", "odd.tsv", "gold.tsv", "absent.tsv")
    assert shown.status == 3
    assert [line.split(": ")[:2] for line in shown.out.splitlines()] == [
        ["odd.tsv:4", "error"],
        ["odd.tsv:8", "repair"],
        ["odd.tsv:10", "error"],
        ["absent.tsv", "error"],
    ]
    assert len(shown.err.splitlines()) == 3


def test_json_lines(karat: Command) -> None:
    shown = karat("validate", "-", "--from", "jsonl", "--view", "jsonl", stdin='{"id":"d"\n{"id":"e","txt":"x"}\n')
    problems = [json.loads(line) for line in shown.out.splitlines()]
    assert [(problem["path"], problem["line"]) for problem in problems] == [("-", 1), ("-", 2)]
    assert (shown.status, shown.err) == (3, "")


def test_options_of_the_format(karat: Command, tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text("Bern I-loc\n")
    assert karat("validate", "a.conll", "--read", "scheme=IOB1").status == 0
    assert karat("validate", "a.conll", "--read", "scheme=IOB2").status == 3
    assert karat("validate", "a.conll", "--read", "scheme=IOB3").status == 2


def test_bytes_that_are_not_utf8_do_not_hide_other_problems(karat: Command, tmp_path: Path) -> None:
    text = b"TOKEN\tNE-COARSE-LIT\tMISC\nB\xffrn\tB-loc\t_\nliegt\nan\tO\t_\nd\xfer\tO\t_\n"
    (tmp_path / "bad.tsv").write_bytes(text)
    shown = karat("validate", "bad.tsv")
    assert shown.status == 3
    assert [line.split(": ")[0] for line in shown.out.splitlines()] == ["bad.tsv:2", "bad.tsv:3", "bad.tsv:5"]
    assert "is not UTF-8" in shown.out
