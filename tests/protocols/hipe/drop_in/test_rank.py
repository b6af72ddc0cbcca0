"""Ranking tables, challenge points and whole campaigns."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.cli import run
from karat.cli.progress import Progress
from karat.errors import InputError
from karat.io.progress import watching
from karat.protocols.hipe.drop_in.rank import Campaign, evaluate, find_gold, read
from karat.protocols.hipe.drop_in.rankings import (
    CHALLENGES,
    TABLES,
    RankTable,
    ReportRow,
    averaged,
    challenge_files,
    file_name,
    participants,
    placings,
    ranking,
    ranking_text,
    tables,
)

COARSE, STRICT, FINE, _, LINKS, LINKS_ONLY, RELAXED, RELAXED_ONLY = TABLES["hipe-2022"]


def row(
    system: str, f1: str, *, key: str = "NE-COARSE-LIT-micro-fuzzy", label: str = "ALL", tp: str = "1"
) -> ReportRow:
    evaluation = f"{key}-TIME-ALL-LED-ALL" + ("-@1" if key.startswith("NEL") else "")
    figures = {"P": f1, "R": f1, "F1": f1, "F1_std": "", "P_std": "", "R_std": "", "TP": tp, "FP": "2", "FN": "3"}
    return {"System": system, "Evaluation": evaluation, "Label": label, **figures}


def ranked(rows: list[ReportRow], table: RankTable = COARSE, edition: str = "hipe-2022", **options: bool) -> list[str]:
    return [one["System"] for one in ranking(rows, table, edition, **options)]


def test_the_best_comes_first_within_its_label() -> None:
    rows = [
        row("a_bundle4_ajmc_de_1", "0.5"),
        row("b_bundle4_ajmc_de_1", "0.75"),
        row("b_bundle4_ajmc_de_1", "0.9", label="LOC"),
        row("c_bundle4_ajmc_de_1", "1.0", key="NE-COARSE-LIT-micro-strict"),
        row("c_bundle4_ajmc_de_1", "1.0", key="NE-COARSE-LIT-macro_doc-fuzzy"),
        row("c_bundle3_ajmc_de_1", "1.0", key="NE-FINE-LIT-micro-fuzzy"),
    ]
    assert ranked(rows) == ["b_bundle4_ajmc_de_1", "a_bundle4_ajmc_de_1", "b_bundle4_ajmc_de_1"]
    assert ranked(rows, STRICT) == ["c_bundle4_ajmc_de_1"]
    assert ranked(rows, FINE) == ["c_bundle3_ajmc_de_1"]


def test_equal_figures_leave_one_row_unless_corrected() -> None:
    rows = [row("b_bundle4_ajmc_de_1", "0.5"), row("a_bundle4_ajmc_de_1", "0.5")]
    assert ranked(rows) == ["a_bundle4_ajmc_de_1"]
    assert ranked(rows, corrected=True) == ["a_bundle4_ajmc_de_1", "b_bundle4_ajmc_de_1"]


def test_end_to_end_and_given_mentions_are_ranked_apart_and_so_is_relaxed() -> None:
    rows = [
        row("a_bundle1_ajmc_de_1", "0.5", key="NEL-LIT-micro-fuzzy"),
        row("a_bundle1_ajmc_de_2", "0.6", key="NEL-LIT-micro-fuzzy-relaxed"),
        row("b_bundle5_ajmc_de_1", "0.7", key="NEL-LIT-micro-fuzzy"),
        row("b_bundle5_ajmc_de_2", "0.8", key="NEL-LIT-micro-fuzzy-relaxed"),
    ]
    found = [ranked(rows, table) for table in (LINKS, RELAXED, LINKS_ONLY, RELAXED_ONLY)]
    assert found == [[one["System"]] for one in rows]


def test_2020_ranks_aggregates_by_evaluation_and_keeps_equals() -> None:
    table = TABLES["hipe-2020"][0]
    rows = [
        row("b_bundle4_de_1", "0.5"),
        row("a_bundle4_de_1", "0.5"),
        row("c_bundle4_de_1", "0.9", key="NE-COARSE-METO-micro-fuzzy"),
        row("c_bundle4_de_1", "0.9", label="LOC"),
    ]
    assert ranked(rows, table, "hipe-2020") == ["a_bundle4_de_1", "b_bundle4_de_1", "c_bundle4_de_1"]
    text = ranking_text(ranking(rows[:1], table, "hipe-2020"), table, "hipe-2020")
    assert text.split("\r\n")[1] == "b_bundle4_de_1\tNE-COARSE-LIT-micro-fuzzy\tALL\t0.5\t0.5\t0.5\t\t\t\t1\t2\t3"


def test_tables_have_the_official_names_columns_and_line_ends() -> None:
    assert file_name(RELAXED_ONLY, "sonar", "de") == "ranking-sonar-de-nel-only-micro-fuzzy-relaxed-all.tsv"
    assert "fine-micro-fuzzy-all" not in [table.name for table in tables("hipe-2022", "hipe2020", "en")]
    header = "System\tEvaluation\tLabel\tP\tR\tF1\tTP\tFP\tFN"
    assert ranking_text([], COARSE, "hipe-2022") == header + "\r\n"
    assert ranking_text([], LINKS, "hipe-2022") == header + "\n"


scores = st.lists(
    st.tuples(st.sampled_from("abcd"), st.integers(0, 1000)), min_size=1, unique_by=lambda one: one[0]
).map(lambda pairs: [row(f"{team}_bundle4_ajmc_de_1", repr(f1 / 1000), tp=team) for team, f1 in pairs])


@given(scores, st.randoms())
def test_the_order_of_evaluation_does_not_matter(rows: list[ReportRow], random: object) -> None:
    shuffled = rows.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert ranking(rows, COARSE, "hipe-2022") == ranking(shuffled, COARSE, "hipe-2022")


@given(scores)
def test_points_fall_by_ten_from_fifty(rows: list[ReportRow]) -> None:
    part = CHALLENGES[0].parts[2]
    found = placings(ranking(rows, COARSE, "hipe-2022"), part, teams={"a", "b", "c", "d"})
    assert [one.points for one in found] == [50, 40, 30, 20][: len(rows)]
    assert [float(one.f1) for one in found] == sorted((float(one.f1) for one in found), reverse=True)


def test_only_the_best_run_of_a_competing_team_counts() -> None:
    rows = [
        row("base_bundle3_ajmc_de_1", "0.9"),
        row("a_bundle4_ajmc_de_2", "0.8"),
        row("a_bundle4_ajmc_de_1", "0.7"),
        row("b_bundle5_ajmc_de_1", "0.65"),
        row("b_bundle2_ajmc_de_1", "0.6"),
    ]
    found = placings(rows, CHALLENGES[1].parts[2], teams={"a", "b"})
    assert [(one.rank, one.points, one.system, one.f1) for one in found] == [
        (1, 50, "a_bundle4_ajmc_de_2", "0.800"),
        (2, 40, "b_bundle2_ajmc_de_1", "0.600"),
    ]


def test_fine_and_nested_are_averaged_and_sorted_again() -> None:
    keys = ("NE-FINE-LIT-micro-fuzzy", "NE-NESTED-micro-fuzzy")
    rows = [row("a", "0.8", key=keys[0]), row("b", "0.7", key=keys[0]), row("a", "0.4", key=keys[1])]
    assert [(one["System"], float(one["F1"])) for one in averaged(rows)] == [("b", 0.7), ("a", pytest.approx(0.6))]


def test_a_team_takes_part_where_it_has_runs_of_every_kind() -> None:
    systems = ["a_bundle4_ajmc_de_1", "b_bundle4_ajmc_fr_1", "b_bundle4_sonar_de_1", "n_bundle3_sonar_de_1"]
    assert [participants(systems, challenge, ["n"]) for challenge in CHALLENGES] == [{"b"}, {"a", "b"}, {"b"}]


def test_challenges_add_up_and_equals_share_a_rank_in_the_end() -> None:
    coarse = [row("a_bundle4_sonar_de_1", "0.9"), row("b_bundle4_sonar_de_1", "0.8")]
    links = [row("b_bundle5_sonar_de_1", "0.9"), row("a_bundle5_sonar_de_1", "0.8")]
    rankings = {("sonar", "de", COARSE.name): coarse, ("sonar", "de", RELAXED_ONLY.name): links}
    systems = ["a_bundle4_sonar_de_1", "b_bundle4_sonar_de_1"]
    files = challenge_files(rankings, systems)
    header = "CHALLENGE\tRANK\tPOINTS\tTEAM\n"
    name = "mnc-challenge-nerc-coarse-fuzzy-challenge-team-ranking.tsv"
    assert files[name] == header + "MNC:NERC-COARSE\t1\t50\ta\nMNC:NERC-COARSE\t2\t40\tb\n"
    assert files["mnc-challenge-team-ranking.tsv"] == header + "MNC\t1\t90\tb\nMNC\t1\t90\ta\n"
    assert files["mcc-challenge-team-ranking.tsv"] == header
    name = "mnc-challenge-nel-only-relaxed-dataset-team-ranking.tsv"
    assert "MCC:EL-ONLY\t1\t50\tb\tsonar\tde\t0.900\tb_bundle5_sonar_de_1\n" in files[name]
    assert "MNC:EL-ONLY\t1\t50" in challenge_files(rankings, systems, corrected=True)[name]


@pytest.mark.parametrize(
    "name",
    [
        "HIPE-2022-v2.1-ajmc-test-de.tsv.gz",
        "ajmc_test_de.tsv",
        "gold-AJMC-v3-test-unmasked-de.tsv",
    ],
)
def test_gold_files_are_found_by_name(name: str) -> None:
    others = ["x-ajmc-test-de_histonorm.tsv", "x-ajmc-test-masked-de.tsv", "x-ajmc-test-fr.tsv", "x-ajmc-dev-de.tsv"]
    assert find_gold([Path(one) for one in (*others, name)], "ajmc", "de", folder="gold") == name


def test_missing_and_ambiguous_gold_files_are_named() -> None:
    with pytest.raises(InputError, match=r"gold: holds no gold file of the form \*ajmc\*test\*de\.tsv"):
        find_gold([], "ajmc", "de", folder="gold")
    with pytest.raises(InputError, match=r"2 gold files \(a-ajmc-test-de\.tsv, b-ajmc-test-de\.tsv\)"):
        find_gold([Path("a-ajmc-test-de.tsv"), Path("b-ajmc-test-de.tsv")], "ajmc", "de", folder="gold")


HEADER = "TOKEN\tNE-COARSE-LIT\tNE-COARSE-METO\tNE-FINE-LIT\tNE-NESTED\tNEL-LIT\tNEL-METO\tMISC\n"


def document(*links: str) -> str:
    lines = [f"w{number}\tB-loc\tO\tB-loc.adm\tO\t{link}\t_\t_\n" for number, link in enumerate(links)]
    return HEADER + "# hipe2022:document_id = d1\n" + "".join(lines)


class TestCampaign:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        for name in ("runs", "gold", "out"):
            (tmp_path / name).mkdir()
        with gzip.open(tmp_path / "gold" / "HIPE-2022-v2.1-sonar-test-de.tsv.gz", "wt") as stream:
            stream.write(document("Q183", "Q39"))
        (tmp_path / "runs" / "a_bundle1_sonar_de_1.tsv").write_text(document("Q7318", "Q39"))
        (tmp_path / "runs" / "b_bundle5_sonar_de_1.tsv").write_text(document("Q1", "Q39"))
        (tmp_path / "runs" / "notes.txt").write_text("not a run")
        (tmp_path / "map.tsv").write_text("Main\tA\nQ183\tQ7318\n")
        return tmp_path

    def rank(self, folder: Path, *options: str) -> int:
        return run(["hipe", "rank", str(folder / "runs"), str(folder / "gold"), "-o", str(folder / "out"), *options])

    def rows(self, folder: Path, name: str) -> list[list[str]]:
        return [line.split("\t") for line in (folder / "out" / name).read_text().splitlines()[1:]]

    def test_every_task_of_the_bundle_is_planned(self, folder: Path) -> None:
        campaign = Campaign(maps={"": str(folder / "map.tsv")})
        asked = read(str(folder / "runs"), str(folder / "gold"), campaign)
        assert [str(job) for job in asked.jobs] == [
            "a_bundle1_sonar_de_1 nerc_coarse",
            "a_bundle1_sonar_de_1 nerc_fine",
            "a_bundle1_sonar_de_1 nel",
            "a_bundle1_sonar_de_1 nel relaxed",
            "b_bundle5_sonar_de_1 nel",
            "b_bundle5_sonar_de_1 nel relaxed",
        ]

    def test_relaxed_linking_accepts_what_the_map_joins(self, folder: Path) -> None:
        assert self.rank(folder, "-m", str(folder / "map.tsv")) == 0
        strict = self.rows(folder, "ranking-sonar-de-nel-micro-fuzzy-all.tsv")
        relaxed = self.rows(folder, "ranking-sonar-de-nel-micro-fuzzy-relaxed-all.tsv")
        assert [line[5] for line in strict + relaxed] == ["0.5", "1.0"]
        points = self.rows(folder, "mnc-challenge-team-ranking.tsv")
        assert points == [["MNC", "1", "100", "a"], ["MNC", "2", "50", "b"]]

    def test_without_a_map_there_is_nothing_relaxed(self, folder: Path) -> None:
        assert self.rank(folder) == 0
        made = {path.name for path in (folder / "out").iterdir()}
        assert len(made) == 4
        assert not any("relaxed" in name or "challenge" in name for name in made)

    def test_published_results_map_the_gold_with_the_general_map(self, folder: Path) -> None:
        (folder / "own.tsv").write_text("Main\tA\nQ5\tQ7318\nQ5\tQ183\n")
        options = ("-m", str(folder / "map.tsv"), "-m", f"sonar={folder / 'own.tsv'}")
        f1 = {}
        for profile in ("2022", "corrected"):
            assert self.rank(folder, *options, "--profile", profile) == 0
            f1[profile] = self.rows(folder, "ranking-sonar-de-nel-micro-fuzzy-relaxed-all.tsv")[0][5]
        assert f1 == {"2022": "0.5", "corrected": "1.0"}

    def test_a_map_for_another_data_set_only_is_not_enough(self, folder: Path) -> None:
        assert self.rank(folder, "-m", f"ajmc={folder / 'map.tsv'}") == 3

    def test_all_failures_are_told_and_nothing_is_written(
        self, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "runs" / "c_bundle4_sonar_de_1.tsv").write_text(document("_"))
        (folder / "runs" / "d_bundle4_sonar_de_1.tsv").write_text("nothing")
        assert self.rank(folder) == 3
        told = capsys.readouterr().err
        assert "c_bundle4_sonar_de_1 nerc_coarse: " in told
        assert "2 of 6 evaluations failed" in told
        assert list((folder / "out").iterdir()) == []

    def test_progress_is_reported(self, folder: Path) -> None:
        asked = read(str(folder / "runs"), str(folder / "gold"), Campaign())
        watcher = Progress("rank")
        with watching(watcher):
            result = evaluate(asked)
        assert result.rows
        assert not result.failures
        assert "[3/4] b_bundle5_sonar_de_1 nel" in watcher.line()

    @pytest.mark.parametrize("name", ["c_bundle4_sonar_1.tsv", "c_bundle9_sonar_de_1.tsv"])
    def test_misnamed_submissions_are_refused(self, folder: Path, name: str) -> None:
        (folder / "runs" / name).write_text(document("_"))
        assert self.rank(folder) == 3

    def test_folders_must_exist_and_hold_submissions(self, folder: Path) -> None:
        assert run(["hipe", "rank", str(folder / "gold"), str(folder / "gold"), "-o", str(folder)]) == 3
        assert run(["hipe", "rank", str(folder / "none"), str(folder / "gold"), "-o", str(folder)]) == 3
        assert run(["hipe", "rank", str(folder / "runs"), str(folder / "gold"), "-o", str(folder / "none")]) == 3

    def test_2020_normalises_times_even_in_the_standard_evaluation(self, folder: Path) -> None:
        header = HEADER.replace("NE-FINE-LIT", "NE-FINE-LIT\tNE-FINE-METO\tNE-FINE-COMP")
        line = "in\tO\tO\tO\tO\tO\tO\t_\t_\t_\nw\tB-time\tO\tO\tO\tO\tO\t{}\t_\t_\n"
        for path in (folder / "runs").glob("*.tsv"):
            path.unlink()
        (folder / "runs" / "a_bundle5_de_1.tsv").write_text(header + "# document_id = d\n" + line.format("Q7"))
        (folder / "gold" / "HIPE-data-v1.3-test-de.tsv").write_text(
            header + "# document_id = d\n" + line.format("NIL").replace("NIL\t_", "NIL\tNIL")
        )
        (folder / "gold" / "HIPE-2022-v2.1-sonar-test-de.tsv.gz").unlink()
        assert self.rank(folder, "-e", "hipe-2020") == 0
        found = self.rows(folder, "ranking-de-nel-only-micro-fuzzy.tsv")
        assert found[0][1:6] == ["NEL-LIT-micro-fuzzy-@1", "ALL", "1.0", "1.0", "1.0"]
