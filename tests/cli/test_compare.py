"""``karat compare``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import GOOD, Command

EXAMPLES = Path(__file__).parents[2] / "examples"
WORDS = ("compare", "hipe2022-nerc-coarse", "gold.tsv")


def test_systems_and_runs_say_the_same(karat: Command) -> None:
    karat("score", *WORDS[1:], "good.tsv", "bad.tsv", "--save", "runs/")
    scored = karat(*WORDS, "good.tsv", "bad.tsv", "--view", "json")
    loaded = karat("compare", "runs/good.tsv.karat", "runs/bad.tsv.karat", "--view", "json")
    assert (scored.status, scored.err) == (0, "")
    content = json.loads(scored.out)
    items = content.pop("items")
    assert content == json.loads(loaded.out)
    assert content["systems"] == ["good", "bad"]
    assert [item["cases"] for item in items["items"]] == [["exact", "missed"], ["exact", "wrong-label"]]


def test_items_by_what_is_asked_for_add_up(karat: Command) -> None:
    asked = ("label", "document", "document-length", "length", "frequency", "ambiguity", "nesting", "seen=gold.tsv")
    by = [word for name in asked for word in ("--by", name)]
    shown = karat(*WORDS, "good.tsv", "bad.tsv", *by, "--view", "table").out
    assert "the systems differ on 2 items; good is better on 2." in " ".join(shown.split())
    totals = [line.split() for line in shown.splitlines() if line.startswith("all ")]
    assert totals == [["all", "2", "2", "0"]] * (1 + len(asked))


def test_the_parts_of_one_system(karat: Command) -> None:
    shown = karat(*WORDS, "good.tsv", "--by", "label", "--view", "table")
    assert shown.status == 0
    assert "label=LOC" in shown.out


@pytest.mark.parametrize("view", ["table", "tsv", "csv", "json", "jsonl", "markdown", "latex", "html"])
def test_every_view_shows_the_difference(karat: Command, view: str) -> None:
    shown = karat(*WORDS, "good.tsv", "bad.tsv", "third=gold.tsv", "--view", view)
    assert (shown.status, shown.err) == (0, "")
    assert all(name in shown.out for name in ("good", "bad", "third"))


def test_several_runs_of_a_system(karat: Command) -> None:
    shown = karat(*WORDS, "good.tsv", "ours=bad.tsv,good.tsv", "--row", "f1", "--view", "table")
    assert "good: one run, so that how much runs vary is not known" in shown.out
    assert "test:seeds" in shown.out


def test_a_file_whose_name_looks_like_a_list_is_a_file(karat: Command) -> None:
    Path("a=b,c.tsv").write_text(GOOD, encoding="utf-8")
    assert json.loads(karat(*WORDS, "bad.tsv", "a=b,c.tsv", "--view", "json").out)["systems"] == ["bad", "a=b,c"]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("hipe2022-nerc-corse", "gold.tsv", "good.tsv"), 2, "unknown protocol 'hipe2022-nerc-corse'; did you mean"),
        (("absent.karat", "other.karat"), 3, "absent.karat"),
        (("gold.tsv", "good.tsv"), 2, "the first argument must be a protocol"),
        ((*WORDS[1:], "good.tsv"), 2, "a comparison needs two systems or more"),
        ((*WORDS[1:], "good.tsv", "./good.tsv"), 2, "two systems have the same name"),
        ((*WORDS[1:], "good.tsv", "bad.tsv", "--row", "frecall"), 2, "unknown number 'frecall'"),
        ((*WORDS[1:], "good.tsv", "bad.tsv", "--cluster-by", "author"), 2, "no document of the gold has 'author'"),
    ],
)
def test_what_is_wrong_is_said(karat: Command, words: tuple[str, ...], status: int, message: str) -> None:
    result = karat("compare", *words)
    assert result.status == status
    assert message in result.err


def test_runs_on_another_gold_are_refused(karat: Command) -> None:
    karat("score", *WORDS[1:], "good.tsv", "--save", "a.karat")
    karat("score", WORDS[1], "good.tsv", "bad.tsv", "--save", "b.karat")
    result = karat("compare", "a.karat", "b.karat")
    assert result.status == 3
    assert "unlike a, b has a gold of other content" in result.err


def test_help_shows_both_ways_and_the_options_of_a_protocol(karat: Command) -> None:
    assert "[PROTOCOL GOLD] SYSTEM…" in karat("compare", "--help").out
    assert "--n-best" in karat("compare", "hipe2022-nel", "--help").out


@pytest.mark.parametrize(
    ("protocol", "options", "sliced"),
    [("hipe2022-nel", ("--n-best", "1,3"), 0), ("hipe2022-nerc-coarse", ("--time-period", "1790-1850,1790-1950"), 10)],
)
def test_items_are_those_behind_the_number_that_is_spoken_of(
    karat: Command, protocol: str, options: tuple[str, ...], sliced: int
) -> None:
    files = [str(EXAMPLES / "hipe" / f"{name}.tsv") for name in ("gold", "system-a", "system-b")]
    whole, cut = (json.loads(karat("compare", protocol, *files, *more, "--view", "json").out) for more in ([], options))
    names = ("unit", "label", "cases", "favours")
    assert [[item[name] for name in names] for item in whole["items"]["items"]] == [
        [item[name] for name in names] for item in cut["items"]["items"]
    ]
    assert len(cut["items"]["sliced"]) == sliced


def test_the_page_counts_the_same_items(karat: Command) -> None:
    files = [
        str(EXAMPLES / "campaign" / name) for name in ("gold.tsv", "submissions/crf.tsv", "submissions/prompted.tsv")
    ]
    karat("report", *WORDS[1:2], *files, "-o", "page.html")
    told = " ".join(karat(*WORDS[:2], *files, "--view", "table").out.split())
    assert "differ on 97 items" in told
    assert "differ on <b>97 items</b>" in Path("page.html").read_text("utf-8")


@pytest.mark.parametrize("words", ["compare", "leaderboard", "report -o page.html"])
def test_files_without_documents_have_no_number_to_speak_of(karat: Command, tmp_path: Path, words: str) -> None:
    for name in ("gold", "good", "bad"):
        (tmp_path / f"{name}.tsv").write_text("TOKEN\tNE-COARSE-LIT\n", encoding="utf-8")
    command, *options = words.split()
    refused = karat(command, "hipe2022-nerc-coarse", "gold.tsv", "good.tsv", "bad.tsv", *options)
    assert refused.status == 3
    assert refused.err.endswith("no number to speak of, since nothing is scored: there are no documents\n")
    assert not (tmp_path / "page.html").exists()
