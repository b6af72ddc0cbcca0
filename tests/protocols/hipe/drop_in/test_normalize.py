"""Link normalisation: the published program's behaviour, damage included, and the corrected profile."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.cli import run
from karat.errors import InputError, UsageError
from karat.formats.typed_tables import MISSING
from karat.protocols.hipe.drop_in.frames import infer, read_frame, write_frame
from karat.protocols.hipe.drop_in.normalize import NormalizeSteps, interleave, normalize, parse_mapping, relink

HEADER = "TOKEN\tNE-COARSE-LIT\tNEL-LIT\tNEL-METO\tMISC\n"
MAP = "Main\tAlternatives\t\nhttps://example.org/Q183\tQ7318\tsee Q43287\nQ142\tQ71084\t#N/A\n"


def rows(*lines: str) -> str:
    return HEADER + "".join(f"{line.replace(' ', chr(9))}\n" for line in lines)


@pytest.mark.parametrize(
    ("words", "cells"),
    [
        (["1", "003", "-0", "+7", " 8 "], [1, 3, 0, 7, 8]),
        (["1", "2.0"], [1.0, 2.0]),
        (["1", ""], [1.0, None]),
        (["9007199254740993", "NA"], [9007199254740992.0, None]),
        (["18446744073709551615", "4"], [18446744073709551615, 4]),
        (["18446744073709551616", "NA"], ["18446744073709551616", None]),
        (["9223372036854775808", "NA"], ["9223372036854775808", "NA"]),
        (["9223372036854775808", "-5"], ["9223372036854775808", "-5"]),
        (["-99999999999999999999", "5"], ["-99999999999999999999", "5"]),
        (["9999999999999999999.5"], [1.0000000000000002e19]),
        (["99999999999999999999.5"], ["99999999999999999999.5"]),
        ([".5", "5.", "1e5", "-inf"], [0.5, 5.0, 100000.0, float("-inf")]),
        (["4657730281.544377e-315"], [4.657730281544377e-306]),
        (["1e400"], ["1e400"]),
        (["1e-400"], [0.0]),
        (["True", "FALSE", ""], [True, False, None]),
        (["True", "1"], ["True", "1"]),
        (["1e", "1"], ["1e", "1"]),
        (["١", "1"], ["١", "1"]),
        (["0" * 5000 + "7"], [7]),
        (["9" * 5000], ["9" * 5000]),
    ],
)
def test_columns_are_typed_as_the_library_does(words: list[str], cells: list[object]) -> None:
    assert infer(words) == cells
    assert [type(cell) for cell in infer(words)] == [type(cell) for cell in cells]


@given(st.lists(st.text(alphabet="Qxyz|_-Ä ", min_size=1), min_size=1))
def test_words_that_are_no_numbers_stay_as_they_are(words: list[str]) -> None:
    assert infer([*words, "word"]) == [None if word in MISSING else word for word in [*words, "word"]]


def test_repeated_and_missing_column_names_are_made_distinct() -> None:
    frame = read_frame(enumerate([["A", "A", "A.1", "", "A"], list("12345")], start=1))
    assert list(frame) == ["A", "A.2", "A.1", "Unnamed: 3", "A.3"]


def test_a_longer_first_row_loses_its_leading_cells() -> None:
    table = read_frame(enumerate([["A", "B"], ["1", "2", "3"], ["4", "5"]], start=1))
    assert write_frame(table) == "A\tB\n2\t3.0\n5\t\n"


def test_a_longer_later_row_is_an_error_with_its_line() -> None:
    with pytest.raises(InputError, match=r"x\.tsv:3: 6 cells where 5 are expected"):
        normalize(rows("a O _ _ _", "b O _ _ _ _"), NormalizeSteps(), path="x.tsv")


def test_nothing_to_do_still_pads_and_destroys() -> None:
    text = HEADER + "# date = 1900\nNA\tO\t_\t_\t_\n\nb\tO\n"
    padded = HEADER + "# date = 1900\t\t\t\t\n\tO\t_\t_\t_\n\t\t\t\t\nb\tO\t\t\t\n"
    assert normalize(text, NormalizeSteps()) == padded
    assert normalize(text, NormalizeSteps(), profile="corrected") == text


def test_numbers_are_rewritten_by_the_published_profile_only() -> None:
    text = "TOKEN\tMISC\n003\t1\n004\t\n"
    assert normalize(text, NormalizeSteps()) == "TOKEN\tMISC\n3\t1.0\n4\t\n"
    assert normalize(text, NormalizeSteps(), profile="corrected") == text


def test_times_become_nil_in_one_or_both_columns() -> None:
    text = rows("a B-time Q1 _ _", "b B-maritime _ _ _", "c B-TIME Q2 _ _")
    assert normalize(text, NormalizeSteps(time=True)) == rows(
        "a B-time NIL NIL _", "b B-maritime NIL NIL _", "c B-TIME Q2 _ _"
    )
    assert normalize(text, NormalizeSteps(time=True, edition="hipe-2022")) == rows(
        "a B-time NIL _ _", "b B-maritime NIL _ _", "c B-TIME Q2 _ _"
    )


def test_an_absent_link_column_is_invented_by_the_published_profile_only() -> None:
    text = "TOKEN\tNE-COARSE-LIT\na\tO\nb\tB-time\n"
    steps = NormalizeSteps(time=True, edition="hipe-2022")
    assert normalize(text, steps) == "TOKEN\tNE-COARSE-LIT\tNEL-LIT\na\tO\t\nb\tB-time\tNIL\n"
    assert normalize(text, steps, profile="corrected") == text


def test_alternatives_are_mapped_once_and_later_entries_win() -> None:
    mapping = parse_mapping("Main\tA\tB\nQ2\tQ1\t\nQ3\tQ2\tQ1\n")
    assert mapping == {"Q1": "Q3", "Q2": "Q3"}
    assert relink("Q1|Q9|Q2", {"Q1": "Q2", "Q2": "Q3"}) == "Q2|Q9|Q3"


def test_historical_variants_become_their_main_entry() -> None:
    steps = NormalizeSteps(mapping=parse_mapping(MAP))
    text = rows("a B-loc Q7318|Q39 Q43287 _", "b O _ _ _")
    expected = rows("a B-loc Q183|Q39 Q183 _", "b O _ _ _")
    assert normalize(text, steps) == expected
    assert normalize(text, steps, profile="corrected") == expected


def test_a_main_entry_without_qid_empties_the_cell_unless_corrected() -> None:
    table = "Main\tA\nnone\tQ20\nQ11\tQ10\n"
    text = rows("a B-loc Q20|Q10 _ _")
    assert normalize(text, NormalizeSteps(mapping=parse_mapping(table))) == HEADER + "a\tB-loc\t\t_\t_\n"
    corrected = NormalizeSteps(mapping=parse_mapping(table, profile="corrected"))
    assert normalize(text, corrected, profile="corrected") == rows("a B-loc Q20|Q11 _ _")


def test_an_unlinked_partner_is_interleaved_unless_corrected() -> None:
    text = rows("a O Q1|Q2 Q3 _", "b O Q1 _ _", "c O _ Q3 _")
    assert normalize(text, NormalizeSteps(union=True)) == rows(
        "a O Q1|Q3|Q2|EMPTY Q3|Q1|EMPTY|Q2 _", "b O Q1|_ _ _", "c O _ Q3|_ _"
    )
    assert normalize(text, NormalizeSteps(union=True), profile="corrected") == rows(
        "a O Q1|Q3|Q2|EMPTY Q3|Q1|EMPTY|Q2 _", "b O Q1 _ _", "c O _ Q3 _"
    )


def test_union_without_a_metonymic_column_leaves_a_helper_column() -> None:
    text = "TOKEN\tNEL-LIT\na\tQ1|Q2\n"
    assert normalize(text, NormalizeSteps(union=True)) == "TOKEN\tNEL-LIT\tNEL-LIT-LIST\na\tQ1|Q2\t['Q1', 'Q2']\n"
    assert normalize(text, NormalizeSteps(union=True), profile="corrected") == text


link = st.lists(st.sampled_from(["Q1", "Q2", "NIL"]), min_size=1, max_size=4).map("|".join)


@given(link, link)
def test_interleaving_keeps_the_links_of_both_sides_in_order(own: str, partner: str) -> None:
    mixed = interleave(own, partner).split("|")
    assert [one for one in mixed[::2] if one != "EMPTY"] == own.split("|")
    assert [one for one in mixed[1::2] if one != "EMPTY"] == partner.split("|")


@given(st.lists(st.lists(st.text(alphabet="aNQ19._-#é ", max_size=4), min_size=5, max_size=5)))
def test_the_corrected_profile_changes_nothing_but_links(table: list[list[str]]) -> None:
    text = HEADER + "".join("\t".join(row) + "\n" for row in table)
    assert normalize(text, NormalizeSteps(), profile="corrected") == text


@pytest.mark.parametrize(
    ("text", "steps", "message"),
    [
        ("", NormalizeSteps(), "header is missing"),
        ("\na\tb\n", NormalizeSteps(), "header is missing"),
        ("A\n1\n\n", NormalizeSteps(), "one column cannot hold an empty cell"),
        ("TOKEN\tNE-COARSE-LIT\na\t5\n", NormalizeSteps(time=True), "NE-COARSE-LIT holds numbers"),
        ("TOKEN\tNE-COARSE-LIT\n", NormalizeSteps(time=True), "no row to create it for"),
        ("TOKEN\tNEL-LIT\na\t5\n", NormalizeSteps(mapping={"Q1": "Q2"}), "NEL-LIT holds numbers"),
        ("TOKEN\tNEL-LIT\tNEL-METO\n", NormalizeSteps(union=True), "no row has links in both"),
    ],
)
def test_what_the_published_program_dies_of_is_one_sentence(text: str, steps: NormalizeSteps, message: str) -> None:
    with pytest.raises(InputError, match=message):
        normalize(text, steps)


@pytest.mark.parametrize("text", ["", "Foo\tA\nQ1\tQ2\n", "Main\nQ1\n", "Main\tA\nQ1\t\n", 'Main\tA\nQ1\t"Q2\n'])
def test_useless_mapping_files_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_mapping(text)


def test_mapping_files_may_quote_and_have_blank_lines() -> None:
    assert parse_mapping('\ufeffMain\tA\n\n  \nQ5\t"a ""b""\nQ2"\n') == {"Q2": "Q5"}


def test_an_unknown_edition_or_profile_is_named() -> None:
    with pytest.raises(UsageError, match="hipe-2021"):
        NormalizeSteps(edition="hipe-2021")
    with pytest.raises(UsageError, match="2022"):
        normalize(HEADER, NormalizeSteps(), profile="2022")


class TestCommand:
    @pytest.fixture
    def source(self, tmp_path: Path) -> Path:
        path = tmp_path / "in.tsv"
        path.write_bytes(rows("a B-time Q1 _ _").replace("\n", "\r\n").encode())
        (tmp_path / "map.tsv").write_text(MAP)
        return path

    def call(self, source: Path, *options: str) -> int:
        words = ["hipe", "normalize-linking", "-i", str(source), "-o", str(source.with_name("out.tsv")), *options]
        return run(words)

    def test_options_may_be_abbreviated(self, source: Path) -> None:
        assert self.call(source, "--norm-t", "--norm-h", "--map", str(source.with_name("map.tsv"))) == 0
        assert source.with_name("out.tsv").read_bytes() == rows("a B-time NIL NIL _").encode()

    def test_the_edition_is_case_insensitive(self, source: Path) -> None:
        assert self.call(source, "--norm-time", "-e", "HIPE-2022") == 0
        assert source.with_name("out.tsv").read_text() == rows("a B-time NIL _ _")

    @pytest.mark.parametrize("options", [["--norm-histo"], ["--map", "map.tsv"], ["--norm-time", "--norm-time"]])
    def test_usage(self, source: Path, options: list[str]) -> None:
        assert self.call(source, *options) == 2
        assert not source.with_name("out.tsv").exists()

    def test_bad_input(self, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert self.call(source, "-e", "x") == 3
        assert "unknown HIPE edition 'x'" in capsys.readouterr().err
        assert self.call(source.with_name("absent.tsv")) == 3
        assert not source.with_name("out.tsv").exists()
