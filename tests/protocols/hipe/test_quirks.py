"""Every known quirk of the HIPE scorer: the published value and, where Karat offers it, the corrected one beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from tests.protocols.hipe.sheets import COARSE, LINKING, document, write

import karat
from karat.cli import run
from karat.errors import InputError
from karat.evaluation.quirks import quirks_of
from karat.model import Document, Mention

Test = TypeVar("Test", bound=Callable[..., None])
SHOWN: dict[str, str] = {}
PROFILES = ("current", "2022", "2020", "corrected")


def shows(name: str) -> Callable[[Test], Test]:
    """Mark the test that shows a quirk."""

    def note(test: Test) -> Test:
        SHOWN[name] = test.__name__
        return test

    return note


def evaluate(gold: str, system: str, folder: Path, *words: str, task: str = "nerc_coarse") -> int:
    """Run the drop-in; results go to the folder ``out``."""
    (folder / "out").mkdir(exist_ok=True)
    start = ["hipe", "evaluate", "-r", gold, "-p", system, "-t", task, "-o", str(folder / "out"), "--skip-check"]
    return run([*start, *words])


def published(folder: Path) -> list[str]:
    return ["-e", "hipe-2022", "-l", str(folder / "log")]


@shows("edition-and-log-mandatory")
def test_edition_and_log_mandatory(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    gold = write(tmp_path / "gold.tsv", "Bern B-loc Q70 _")
    for words, missing in (([], "--hipe_edition"), (["-e", "hipe-2022"], "--log")):
        assert evaluate(gold, gold, tmp_path, *words) == 3
        assert f"the published program fails without {missing}" in capfd.readouterr().err
    assert evaluate(gold, gold, tmp_path, "--profile", "corrected") == 0
    both = write(tmp_path / "both.tsv", "Bern B-loc O _", header="TOKEN NE-COARSE-LIT NE-COARSE-METO MISC")
    assert evaluate(both, both, tmp_path, "--profile", "2020") == 0


@shows("failure-exits-zero")
@pytest.mark.parametrize("profile", PROFILES)
def test_failure_exits_zero(profile: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    gold = write(tmp_path / "gold.tsv", "Bern B-loc Q70 _")
    short = write(tmp_path / "short.tsv", "Bern B-loc Q70 _", "Genf O _ _")
    bare = write(tmp_path / "bare.tsv", "Bern _", header="TOKEN MISC")
    for system in (short, bare):
        assert evaluate(gold, system, tmp_path, *published(tmp_path), "--profile", profile) == 3
        assert capfd.readouterr().err.startswith("karat: ")
        assert list((tmp_path / "out").iterdir()) == []


@shows("hash-tokens-dropped")
def test_hash_tokens_dropped() -> None:
    gold = document("B-loc B-org", words="Bern C#x")
    system = document("B-loc O", words="Bern C#x")
    recalls = [karat.score(COARSE, [gold], [system], profile=one).value("recall") for one in PROFILES]
    assert recalls == [1.0, 0.5, 0.5, 0.5]


@shows("surface-in-strict")
def test_surface_in_strict() -> None:
    gold, system = document("B-loc O", words="Bern ."), document("B-loc O", words="Bcrn .")
    scores = [karat.score(COARSE, [gold], [system], profile=one) for one in PROFILES]
    assert [one.value(regime="strict") for one in scores] == [0.0, 0.0, 1.0, 1.0]
    assert [one.value(regime="fuzzy") for one in scores] == [1.0, 1.0, 1.0, 1.0]


@shows("first-overlap-wins")
def test_first_overlap_wins() -> None:
    gold, system = document("B-loc B-pers"), document("B-pers I-pers")
    assert karat.score(COARSE, [gold], [system]).value("precision", regime="fuzzy") == 0.0
    assert karat.score(COARSE, [gold], [system], overlap="best").value("precision", regime="fuzzy") == 1.0


@shows("errors-charged-to-gold-type")
def test_errors_charged_to_gold_type() -> None:
    gold, system = document("B-loc B-pers"), document("B-pers B-pers")

    def persons(charge: str) -> float | None:
        return karat.score(COARSE, [gold], [system], by="label", charge=charge).value("precision", label="PERS")

    assert (persons("gold"), persons("both")) == (1.0, 0.5)


@shows("wrong-type-ignores-use")
def test_wrong_type_ignores_use() -> None:
    """A column holds no two mentions of one span; where a format does, each gold mention is paired once."""
    spans = [(0, 4), (5, 9), (10, 14)]
    gold = [Mention(f"T{n}", (span,), (label,)) for n, (span, label) in enumerate(zip(spans, "ABC", strict=True))]
    system = [Mention("T1", ((0, 4),), ("B",)), Mention("T2", ((0, 4),), ("C",))]
    entries = karat.explain(COARSE, [Document("d", "Bern Genf Chur", gold)], [Document("d", "Bern Genf Chur", system)])
    assert [entry.case for entry in entries] == ["wrong-label", "spurious", "missed", "missed"]


@shows("integer-zero")
def test_integer_zero(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "Bern B-loc Q70 _", "Genf O _ _")
    silent = write(tmp_path / "silent.tsv", "Bern O _ _", "Genf O _ _")
    assert evaluate(gold, silent, tmp_path, *published(tmp_path)) == 0
    row = (tmp_path / "out" / "silent_nerc_coarse.tsv").read_text().splitlines()[1].split("\t")
    assert row[3:6] == ["0", "0.0", "0"]
    scores = karat.score(COARSE, gold, silent)
    assert (scores.value("precision"), scores.value("recall")) == (None, 0.0)


@shows("macro-drops-documents")
def test_macro_drops_documents() -> None:
    gold = [document("B-loc O", id="1"), document("B-loc O", id="2"), document("O O", id="3")]
    system = [document("B-loc O", id="1"), document("O O", id="2"), document("B-loc O", id="3")]
    scores = karat.score(COARSE, gold, system)
    averages = {name: scores.value(name, average="macro-unit") for name in ("precision", "recall", "f1")}
    assert averages == {"precision": 0.5, "recall": 0.5, "f1": 1.0}
    units = karat.score(COARSE, gold, system, by="unit", zero="zero")
    assert [units.value("f1", slice=f"document={one}") for one in "123"] == [1.0, 0.0, 0.0]


@shows("tags-behind-last-hyphen")
def test_tags_behind_last_hyphen() -> None:
    gold = document("B-x-loc O", "Q1-2 _")
    assert [karat.score(COARSE, [gold], [gold], profile=one).value() for one in PROFILES] == [None, None, None, 1.0]
    assert [karat.score(LINKING, [gold], [gold], profile=one).value() for one in PROFILES] == [None, None, None, 1.0]


@shows("odd-cells-are-entities")
def test_odd_cells_are_entities(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "Bern B- _ _", "Genf O _ _", "Chur B-loc _ _")
    system = write(tmp_path / "system.tsv", "Bern O _ _", "Genf O _ _", "Chur B-loc _ _")
    for profile in PROFILES[:3]:
        assert karat.score(COARSE, gold, system, profile=profile, by="label").value("recall", label="") == 0.0
    with pytest.raises(InputError, match=r"gold\.tsv:2: column NE-COARSE-LIT: 'B-' is not a tag; expected O"):
        karat.score(COARSE, gold, system, profile="corrected")


@shows("empty-links-count")
def test_empty_links_count(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "Bern O '' _", "Genf O _ _")
    system = write(tmp_path / "system.tsv", "Bern O _ _", "Genf O _ _")
    assert karat.score(LINKING, gold, system).value("recall") == 0.0
    assert karat.score(LINKING, gold, system, profile="2020").value("recall") == 0.0
    assert karat.score(LINKING, gold, system, profile="corrected").value("recall") is None
    with pytest.raises(InputError, match="the 2022 scorer takes no empty"):
        karat.score(LINKING, gold, system, profile="2022")


@shows("lower-case-s-e")
def test_lower_case_s_e(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "Bern S-loc _ _", "Genf S-loc _ _", "Chur O _ _")
    system = write(tmp_path / "system.tsv", "Bern s-loc _ _", "Genf s-loc _ _", "Chur O _ _")
    for profile in ("current", "2022", "corrected"):
        scores = karat.score(COARSE, gold, system, profile=profile)
        assert (scores.value(regime="strict"), scores.value("precision", regime="fuzzy")) == (0.0, 1.0)


@shows("s-e-not-converted")
def test_s_e_not_converted(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "In O _ _", "Bern B-loc _ _", "Genf B-loc _ _")
    system = write(tmp_path / "system.tsv", "In O _ _", "Bern S-loc _ _", "Genf S-loc _ _")
    scores = [karat.score(COARSE, gold, system, profile=one) for one in PROFILES]
    assert [one.value("recall") for one in scores] == [1.0, 1.0, 0.0, 1.0]
    assert [one.value("recall", regime="fuzzy") for one in scores] == [1.0, 1.0, 0.5, 1.0]


@shows("whole-document-entity-lost")
def test_whole_document_entity_lost() -> None:
    gold = [document("B-loc I-loc", "Q1 Q1", id="1"), document("B-loc O", "Q1 _", id="2")]
    system = [document("B-loc I-loc", "Q1 Q1", id="1"), document("O O", "_ _", id="2")]
    assert [karat.score(COARSE, gold, system, profile=one).value("recall") for one in PROFILES] == [0.5, 0.5, 0.0, 0.5]
    assert [karat.score(LINKING, gold, system, profile=one).value("recall") for one in PROFILES] == [0.5, 0.5, 0.0, 0.5]


@shows("other-tokens-refused")
def test_other_tokens_refused() -> None:
    gold = [document("B-loc O", words="Bern .", id="1"), document("O O", words="in Genf", id="2")]
    system = [document("B-loc O O O", words="Bern . in Genef")]
    for profile in ("current", "2022", "corrected"):
        assert karat.score(COARSE, gold, system, profile=profile).value(regime="fuzzy") == 1.0
    with pytest.raises(InputError, match="tokens that differ from the gold"):
        karat.score(COARSE, gold, system, profile="2020")


@shows("marks-of-2022-unknown")
def test_marks_of_2022_unknown(tmp_path: Path) -> None:
    mark = "# hipe2022:document_id = {}".format
    gold = write(tmp_path / "gold.tsv", mark(1), "Bern B-loc _ _", "in O _ _", mark(2), "Genf B-loc _ _", "in O _ _")
    scores = [karat.score(COARSE, gold, gold, profile=one) for one in PROFILES]
    assert [len(one.tallies.units) for one in scores] == [2, 2, 1, 2]
    assert any("1 repair while reading" in note for note in scores[2].notes)


@shows("unknown-types-vanish")
def test_unknown_types_vanish() -> None:
    gold, system = document("B-loc O"), document("B-loc B-org")
    for profile in PROFILES:
        assert karat.score(COARSE, [gold], [system], profile=profile).value("precision") == 1.0
    assert karat.score(COARSE, [gold], [system], tagset=("ORG",)).value("precision") == 0.5


@shows("tagset-adds-only")
def test_tagset_adds_only() -> None:
    gold, system = document("B-loc B-pers", "Q1 Q2"), document("O B-pers", "_ Q2")
    assert karat.score(COARSE, [gold], [system], tagset=("PERS",)).value("recall") == 0.5
    assert karat.score(LINKING, [gold], [system], tagset=("Q2",)).value("recall") == 0.5


@shows("one-token-links")
def test_one_token_links() -> None:
    gold = document("O O O", "Q1 Q1 _")
    exact = [karat.score(LINKING, [gold], [gold], profile=one).rows[0].counts["exact"] for one in PROFILES]
    assert exact == [2, 2, 1, 1]


@shows("first-token-decides-link")
def test_first_token_decides_link() -> None:
    gold = document("B-loc I-loc O", "_ Q1 _")
    scores = [karat.score(LINKING, [gold], [gold], profile=one) for one in PROFILES]
    assert [one.value("recall") for one in scores] == [None, None, 1.0, 1.0]
    assert [one.value("precision") for one in scores] == [0.0, 0.0, 1.0, 1.0]


@shows("spurious-on-every-tag")
@pytest.mark.parametrize("profile", PROFILES)
def test_spurious_on_every_tag(profile: str) -> None:
    gold, system = document("B-loc B-loc O", "Q1 Q2 _"), document("B-loc B-loc O", "Q1 Q2 _|Q1")
    scores = karat.score(LINKING, [gold], [system], n_best="2", by="label", profile=profile)
    spurious = {row.label: row.counts["spurious"] for row in scores if row.average == "micro"}
    expected = {None: 1, "_": 1, "Q1": 0, "Q2": 0} if profile == "corrected" else {None: 1, "Q1": 1, "Q2": 1}
    assert spurious == expected


@shows("gold-alternatives-ignored")
@pytest.mark.parametrize("profile", PROFILES)
def test_gold_alternatives_ignored(profile: str) -> None:
    gold, system = document("B-loc O", "Q1|Q2 _"), document("B-loc O", "Q2 _")
    assert karat.score(LINKING, [gold], [system], profile=profile).value() == 0.0
    assert karat.score(LINKING, [system], [gold], profile=profile, n_best="2").value() == 1.0


@shows("segmentation-rebuilt-from-first-segment")
@pytest.mark.parametrize("profile", PROFILES)
def test_segmentation_rebuilt_from_first_segment(profile: str, tmp_path: Path) -> None:
    first, second, third = (("in O _ _", f"{town} B-loc _ _") for town in ("Bern", "Genf", "Chur"))
    gold = write(tmp_path / "gold.tsv", "# document_id = a", *first, "# document_id = b", *second)
    surplus = write(tmp_path / "surplus.tsv", *first, *second, *third)
    assert karat.score(COARSE, gold, surplus, profile=profile).value("precision") == 1.0
    cut = write(tmp_path / "cut.tsv", *first, "# segment_iiif_link = _", *second)
    with pytest.raises(InputError, match="its first segment ends after 0 of 2 tokens"):
        karat.score(COARSE, gold, cut, profile=profile)
    other = write(tmp_path / "other.tsv", "# document_id = x", *second, "# document_id = y", *third)
    assert karat.score(COARSE, gold, other, profile=profile).value(regime="fuzzy") == 1.0


@shows("date-inheritance")
@pytest.mark.parametrize("profile", PROFILES)
def test_date_inheritance(profile: str, tmp_path: Path) -> None:
    dates = ["# date = 1798-01-20", "# document_type = x", "# date = unknown"]
    lines = [line for one in dates for line in (f"# document_id = {one}", one, "Bern B-loc _ _", "Genf O _ _")]
    gold = write(tmp_path / "gold.tsv", *lines)
    periods = "1798/01/01-1798/06/30,2022/01/01-2022/12/31,1798/06/30-1798/12/31"
    scores = karat.score(COARSE, gold, gold, time_period=periods, profile=profile)
    found = {row.slice: sum(row.counts.values()) for row in scores if row.average == "micro"}
    assert found == {"": 3, "TIME-1798-1798-LED-ALL": 0, "TIME-2022-2022-LED-ALL": 1}


@shows("noise-filter-glues-neighbours")
@pytest.mark.parametrize("profile", PROFILES)
def test_noise_filter_glues_neighbours(profile: str, tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "Bern B-loc _ LED0.0", "; O _ LED0.9", "Genf I-loc _ _", "Chur O _ _")
    scores = karat.score(COARSE, gold, gold, noise_level="0-0.5", profile=profile)
    found = {row.slice: row.counts["exact"] for row in scores if row.average == "micro"}
    assert found == {"": 2, "TIME-ALL-LED-0.0-0.5": 1}


@shows("output-name")
def test_output_name(tmp_path: Path) -> None:
    gold = write(tmp_path / "run.txt", "Bern B-loc Q70 _")
    assert evaluate(gold, gold, tmp_path, *published(tmp_path)) == 0
    (only,) = (tmp_path / "out").iterdir()
    assert only.name == "run.txt"
    assert "NE-COARSE-LIT" in json.loads(only.read_text())
    only.unlink()
    assert evaluate(gold, gold, tmp_path, "--profile", "corrected") == 0
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["run.txt_nerc_coarse.json", "run.txt_nerc_coarse.tsv"]


@shows("warnings-once-or-twice")
def test_warnings_once_or_twice() -> None:
    gold = document("B-loc I-loc O", "Q1 Q2 _")
    notes = karat.score(LINKING, [gold], [gold]).notes
    assert [("GOLD STANDARD" in note, "Q1 != Q2" in note) for note in notes] == [(True, True)] + 2 * [(False, True)]
    assert karat.score(LINKING, [gold], [gold], profile="corrected").notes == ()


@shows("partial-block-first")
def test_partial_block_first(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.tsv", "Bern B-loc Q70 _")
    assert evaluate(gold, gold, tmp_path, *published(tmp_path)) == 0
    report = json.loads((tmp_path / "out" / "gold_nerc_coarse.json").read_text())
    assert next(iter(report["NE-COARSE-LIT"]["TIME-ALL"]["LED-ALL"]["ALL"])) == "partial"
    assert karat.score(COARSE, gold, gold).rows[0].regime == "strict"


@shows("warnings-per-slice")
@pytest.mark.parametrize("profile", PROFILES)
def test_warnings_per_slice(profile: str) -> None:
    gold, system = document("B-loc O"), document("B-loc B-org")
    scores = karat.score(COARSE, [gold], [system], noise_level="0-0.1,0.1-1", profile=profile)
    assert sum("Spurious entity label 'ORG'" in note for note in scores.notes) == 3


@shows("empty-last-segment-loses-document")
def test_empty_last_segment_loses_document(tmp_path: Path) -> None:
    lines = ["# document_id = a", "Bern B-loc _ _", "# document_id = b", "Genf B-loc _ _"]
    gold = write(tmp_path / "gold.tsv", *lines, "# segment_iiif_link = _")
    counted = [len(karat.score(COARSE, gold, gold, profile=one).tallies.units) for one in PROFILES]
    assert counted == [1, 1, 1, 2]


@shows("normalisation-damage")
def test_normalisation_damage(tmp_path: Path) -> None:
    source = write(tmp_path / "in.tsv", "# date", "NA B-time Q7 _")
    target = tmp_path / "out.tsv"
    expected = {"current": ["# date\t\t\t", "\tB-time\tNIL\t_"], "corrected": ["# date", "NA\tB-time\tNIL\t_"]}
    for profile, lines in expected.items():
        words = ["-i", source, "-o", str(target), "--norm-time", "-e", "hipe-2022", "--profile", profile]
        assert run(["hipe", "normalize-linking", *words]) == 0
        assert target.read_text().splitlines()[1:] == lines


def test_no_quirk_is_forgotten() -> None:
    quirks = quirks_of("karat.protocols.hipe")
    assert list(SHOWN) == [quirk.name for quirk in quirks]
    assert len(quirks) == 32
