"""A signature in words."""

from __future__ import annotations

from dataclasses import fields

import pytest

from karat.analysis.verification import signature_in_words
from karat.analysis.verification.signatures import bootstrap_from
from karat.cli import run
from karat.errors import UsageError, plural
from karat.evaluation.registry import protocols


def meanings(line: str) -> dict[str, str]:
    return {f"{part.key}:{part.value}": part.meaning for part in signature_in_words(line)}


def test_every_part_has_a_meaning() -> None:
    said = meanings(
        "karat:0.0.1|protocol:hipe2022-nel|profile:2020|n_best:1,3|zero:one|documents:3|read:hipe|gold:a|system:b"
        "|ci:percentile1000/v3/seed7/0.9/clusters=source"
    )
    assert said["karat:0.0.1"].startswith("the version that scored; this is ")
    assert said["protocol:hipe2022-nel"].startswith("HIPE-2022 entity linking, end to end")
    assert said["n_best:1,3"] == "cutoffs of the ranked links"
    assert said["profile:2020"].endswith("(default: current)")
    assert said["zero:one"].endswith("denominator is 0: 1")
    assert said["documents:3"].startswith("the number of documents")
    assert said["ci:percentile1000/v3/seed7/0.9/clusters=source"] == (
        "percentile intervals of level 0.9, 1000 resamples with seed 7, drawn in clusters by source"
    )
    assert any(key.startswith("quirk:") for key in said)


def test_a_signature_may_be_pasted_with_what_a_view_puts_before_it() -> None:
    line = "karat:0.1.0|protocol:coref|zero:two"
    assert meanings(f"# crf.tsv: {line}") == meanings(line)
    assert meanings(line)["zero:two"].endswith("unknown to this version")


def test_what_is_not_known_is_said() -> None:
    assert "drawn by v1" in meanings("karat:9|ci:bootstrap1000/seed42")["ci:bootstrap1000/seed42"]
    said = meanings("karat:9|protocol:theirs|odd:1|ci:bootstrap1000/v2/seed42")
    assert said["protocol:theirs"] == "a protocol that is not installed here"
    assert said["odd:1"] == "unknown to this version"
    assert "drawn by v2" in said["ci:bootstrap1000/v2/seed42"]


@pytest.mark.parametrize("text", ["linearised", "wilson/0.9", "bca2000/v3/seed1/strata=year"])
def test_intervals_come_back(text: str) -> None:
    assert str(bootstrap_from(text)) == text


@pytest.mark.parametrize("text", ["", "f1=0.9", "karat:1|odd"])
def test_what_is_no_signature_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="is no signature"):
        signature_in_words(text)
    assert run(["signature", text]) == 2
    assert "is no signature" in capsys.readouterr().err


@pytest.mark.parametrize("name", protocols())
def test_no_option_has_the_name_of_another_part(name: str) -> None:
    """The option of triples for gold documents did, and was lost behind their number."""
    protocol = protocols()[name]
    parts = {"karat", "protocol", "zero", "read", "gold", "system", "ci", plural(protocol.unit)}
    assert parts.isdisjoint(option.metadata["signed"] or option.name for option in fields(protocol.options))


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("gold:0a", "the content of the gold"),
        ("systems:1+2", "those of several runs of one are joined by +"),
        ("ci:studentised2000/v3/seed42", "studentised bootstrap intervals of level 0.95, 2000 resamples with seed 42"),
        ("ci:seeds+percentile9/v3/seed1", "over units and runs where a system has several; else percentile intervals"),
        ("difference:widened", "of differences: percentile intervals, wider where units are few"),
        ("test:randomisation9999/seed42", "swapping units between systems, 9999 draws with seed 42"),
        ("test:randomisation/all", "swapping units between systems, in all ways there are"),
        ("test:t", "Student's distribution"),
        ("test:seeds", "over units and runs"),
        ("test:odd", "unknown to this version"),
        ("adjusted:holm", "Holm's method"),
    ],
)
def test_the_signature_of_a_comparison_is_told_too(part: str, words: str) -> None:
    assert words in meanings(f"karat:0.1.0|protocol:seqeval|documents:9|systems:1+2|{part}")[part]
