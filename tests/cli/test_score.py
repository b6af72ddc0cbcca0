from __future__ import annotations

import io
import json
from pathlib import Path

import msgspec
import pytest
from tests.cli.conftest import GOLD, GOOD, Command

import karat as package
from karat.cli.results import VIEWS
from karat.display.views import IDENTIFYING, render
from karat.display.views import VIEWS as KNOWN
from karat.signature import ContentDigest

PROTOCOL = "hipe2022-nerc-coarse"


def rows(text: str) -> list[dict[str, str]]:
    header, *lines = (line for line in text.splitlines() if not line.startswith("#"))
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def f1_by_system(text: str) -> dict[str, str]:
    return {
        row["system"]: row["value"]
        for row in rows(text)
        if (row["measure"], row["regime"], row["average"], row["label"]) == ("f1", "strict", "micro", "ALL")
    }


def test_several_systems_in_a_pipe(karat: Command) -> None:
    shown = karat("score", PROTOCOL, "gold.tsv", "good.tsv", "bad.tsv")
    assert (shown.status, shown.err) == (0, "")
    assert f1_by_system(shown.out) == {"good.tsv": "0.8", "bad.tsv": "0.0"}
    assert [line.split(":")[0] for line in shown.out.splitlines()[-2:]] == ["# good.tsv", "# bad.tsv"]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_shows_the_number_and_the_signature(view: str, karat: Command) -> None:
    shown = karat("score", PROTOCOL, "gold.tsv", "good.tsv", "--view", view)
    assert shown.status == 0
    assert "0.8" in shown.out or "80.0" in shown.out
    assert "protocol:hipe2022-nerc-coarse" in shown.out.replace("\\_", "_").replace("{-}", "-")
    assert shown.out.endswith("\n")


IDENTIFIED = [("--view", "json"), ("--view", "csv"), ("-o", "scores.csv"), ("--save", "run.karat")]


@pytest.mark.parametrize("asked", [(), *(("--view", view) for view in VIEWS), *IDENTIFIED])
def test_contents_are_identified_if_somebody_asks_for_them(
    asked: tuple[str, ...], karat: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    identified: list[str] = []
    monkeypatch.setattr(ContentDigest, "add", lambda digest, document: identified.append(document.id))
    assert karat("score", PROTOCOL, "gold.tsv", "good.tsv", *asked).status == 0
    assert sorted(identified) == (["a", "a", "b", "b"] if asked in IDENTIFIED else [])


@pytest.mark.usefixtures("karat")
def test_a_view_without_digests_shows_none() -> None:
    scores = package.score(PROTOCOL, "gold.tsv", "good.tsv")
    assert scores.run is not None
    bare = msgspec.structs.replace(scores, run=msgspec.structs.replace(scores.run, gold_content="", system_content=""))
    assert {view for view in VIEWS if render(view, [bare]) != render(view, [scores])} == set(IDENTIFYING)


def test_a_run_that_is_compared_with_another_is_identified(karat: Command) -> None:
    karat("score", PROTOCOL, "gold.tsv", "good.tsv", "--save", "run.karat")
    assert karat("score", PROTOCOL, "gold.tsv", "good.tsv", "--fail-if-worse", "run.karat").err == ""


def test_the_command_knows_every_view() -> None:
    assert tuple(KNOWN) == VIEWS


def test_json_is_json(karat: Command) -> None:
    content = json.loads(karat("score", PROTOCOL, "gold.tsv", "good.tsv", "--view", "json", "--all").out)
    text = json.dumps(content)
    assert {regime for regime in ("strict", "fuzzy", "partial", "exact") if f'"{regime}"' in text} == {
        "strict",
        "fuzzy",
        "partial",
        "exact",
    }


def test_a_file_appears_whole_or_not_at_all(karat: Command, tmp_path: Path) -> None:
    assert karat("score", PROTOCOL, "gold.tsv", "good.tsv", "-o", "out.txt").out == ""
    first = (tmp_path / "out.txt").read_text()
    assert "0.8" in first
    assert karat("score", PROTOCOL, "gold.tsv", "absent.tsv", "-o", "out.txt").status == 3
    assert (tmp_path / "out.txt").read_text() == first
    assert karat("score", PROTOCOL, "gold.tsv", "good.tsv", "-o", "no/out.txt").status == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.tsv", "gold.tsv", "good.tsv", "out.txt"]


def test_by_label_and_by_unit(karat: Command) -> None:
    by_label = rows(karat("score", PROTOCOL, "gold.tsv", "good.tsv", "--by", "label").out)
    assert {row["label"] for row in by_label} == {"ALL", "LOC", "PERS"}
    by_unit = rows(karat("score", PROTOCOL, "gold.tsv", "good.tsv", "--by", "unit").out)
    assert {row["slice"] for row in by_unit} == {"ALL", "document=a", "document=b"}


@pytest.mark.parametrize(
    ("threshold", "system", "status"),
    [("0.8", "good.tsv", 0), ("0.81", "good.tsv", 1), ("0", "bad.tsv", 0)],
)
def test_a_gate(threshold: str, system: str, status: int, karat: Command) -> None:
    shown = karat("score", PROTOCOL, "gold.tsv", system, "--fail-under", threshold)
    assert shown.status == status
    assert ("below" in shown.err) == bool(status)
    assert shown.out


def test_an_undefined_score_fails_a_gate(karat: Command, tmp_path: Path) -> None:
    (tmp_path / "empty.tsv").write_text(GOLD.splitlines()[0])
    shown = karat("score", PROTOCOL, "empty.tsv", "empty.tsv", "--fail-under", "0")
    assert (shown.status, shown.err) == (1, "karat: empty.tsv: F1 is undefined, below 0.0\n")


def test_standard_input(karat: Command) -> None:
    shown = karat("score", PROTOCOL, "gold.tsv", "-", stdin=GOOD)
    assert f1_by_system(shown.out) == {"-": "0.8"}
    assert karat("score", PROTOCOL, "-", "good.tsv", stdin=GOLD).status == 0
    twice = karat("score", PROTOCOL, "-", "-", stdin=GOLD)
    assert (twice.status, twice.err.count("\n")) == (3, 1)
    assert "standard input can be read only once" in twice.err


def test_formats_are_recognised_or_named(karat: Command, tmp_path: Path) -> None:
    assert karat("convert", "good.tsv", "good.jsonl").status == 0
    assert f1_by_system(karat("score", PROTOCOL, "gold.tsv", "good.jsonl").out) == {"good.jsonl": "0.8"}
    (tmp_path / "odd.conll").write_text("Bern I-loc\nliegt O\n")
    words = ["score", PROTOCOL, "odd.conll", "odd.conll", "--from", "conll"]
    assert karat(*words, "--read", "scheme=IOB1", "--read", "repair=strict").status == 0
    assert karat(*words, "--read", "scheme=IOB2", "--read", "repair=strict").status == 3
    assert karat(*words, "--read", "scheme").status == 2
    assert karat(*words, "--read", "schme=IOB1").status == 2


def test_options_of_the_protocol_may_stand_anywhere(karat: Command) -> None:
    before = karat("score", "--profile", "2020", PROTOCOL, "gold.tsv", "good.tsv").out
    behind = karat("score", PROTOCOL, "gold.tsv", "good.tsv", "--profile", "2020").out
    assert before == behind
    assert "|profile:2020|" in behind
    assert "--profile" in karat("score", PROTOCOL, "--help").out
    assert "--profile" not in karat("score", "--help").out


def test_intervals_and_seeds(karat: Command) -> None:
    words = ["score", PROTOCOL, "gold.tsv", "good.tsv", "--ci", "--resamples", "50"]
    first, second = karat(*words, "--seed", "1"), karat(*words, "--seed", "1")
    assert first.out == second.out
    assert "|ci:studentised50/v3/seed1" in first.out
    assert {row["measure"] for row in rows(first.out) if row["low"] == "-"} == {"precision"}  # both documents have 1
    assert karat(*words, "--seed", "-1").status == 2
    assert karat(*words[:-1], "0").status == 2
    level = karat(*words, "--ci-method", "percentile", "--level", "0.9", "--cluster-by", "document")
    assert "|ci:percentile50/v3/seed42/0.9/clusters=document" in level.out
    refused = karat(*words, "--stratify-by", "author")
    assert (refused.status, refused.err) == (
        2,
        "karat: no document of the gold has 'author' in its metadata; known: document, document_id\n",
    )


def test_workers(karat: Command) -> None:
    alone = karat("score", PROTOCOL, "gold.tsv", "good.tsv", "bad.tsv").out
    assert karat("score", PROTOCOL, "gold.tsv", "good.tsv", "bad.tsv", "--workers", "2").out == alone


def test_a_table_for_people_on_a_terminal(karat: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    assert karat("score", PROTOCOL, "gold.tsv", "good.tsv").status == 0
    assert "\t" not in terminal.getvalue()
    assert "0.800" in terminal.getvalue() or "80.0" in terminal.getvalue()


def test_the_ending_of_the_output_chooses_the_view(karat: Command, tmp_path: Path) -> None:
    assert karat("score", PROTOCOL, "gold.tsv", "good.tsv", "-o", "scores.json").status == 0
    assert json.loads((tmp_path / "scores.json").read_text())["scores"][0]["system"] == "good.tsv"


def test_what_was_said_about_reading_is_signed(karat: Command) -> None:
    shown = karat("score", PROTOCOL, "gold.tsv", "good.tsv", "--from", "hipe", "--read", "bom=refuse")
    assert "|read:hipe,bom=refuse|" in shown.out


def test_reading_cannot_contradict_the_profile(karat: Command) -> None:
    shown = karat("score", PROTOCOL, "gold.tsv", "good.tsv", "--read", "hash_tokens=keep")
    assert shown.status == 2
    assert shown.err == "karat: hash_tokens=keep contradicts the protocol, which reads hash_tokens=drop\n"


def test_a_side_without_items_is_said_and_refused_with_strict(karat: Command, tmp_path: Path) -> None:
    (tmp_path / "gold.conll").write_text("Bern B-LOC\nliegt O\n")
    (tmp_path / "empty.conll").write_text("Bern O\nliegt O\n")
    told = karat("score", "conll2003", "gold.conll", "empty.conll", "--view", "table")
    assert "\nnote: the system has no mentions\n" in told.out
    shown = karat("score", "relations", "gold.conll", "gold.conll", "--strict")
    assert (shown.status, shown.out) == (3, "")
    assert shown.err == (
        "karat: gold.conll: the gold has no relations; it has 1 mention; "
        "the system has no relations; it has 1 mention; without --strict this is a note\n"
    )
