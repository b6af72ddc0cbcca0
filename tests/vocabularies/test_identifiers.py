"""Identifiers are read by declared rules, alike whichever side they stand on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.errors import InputError, UsageError
from karat.settings import build, shown
from karat.vocabularies import identifier_maps
from karat.vocabularies.identifiers import IdentifierOptions, Normalizer

names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"), min_size=1, max_size=12)
few_names = st.sampled_from([f"Q{number}" for number in range(9)] + list("abc"))


def options(**settings: Any) -> IdentifierOptions:
    return build(IdentifierOptions, settings, "test")


def reader(**settings: Any) -> Normalizer:
    return Normalizer(options(**settings))


@pytest.fixture
def table(tmp_path: Path) -> Any:
    def write(*rows: str, encoding: str = "utf-8") -> str:
        path = tmp_path / "map.tsv"
        path.write_bytes("".join(f"{row}\n" for row in rows).encode(encoding))
        return str(path)

    return write


# Forms


@pytest.mark.parametrize(
    "written",
    [
        "Q70",
        "q70",
        " Q70 ",
        "wd:Q70",
        "Wikidata:Q70",
        "http://www.wikidata.org/entity/Q70",
        "https://www.wikidata.org/wiki/Q70",
        "https://m.wikidata.org/wiki/Q70#sitelinks",
        "https://www.wikidata.org/wiki/Special:EntityData/Q70.json",
        "<http://www.wikidata.org/entity/Q70>",
    ],
)
def test_forms_of_a_wikidata_item(written: str) -> None:
    assert reader(forms="wikidata")(written).name == "Q70"
    assert reader(forms="titles")(written).name == "Q70"
    assert reader()(written).name == written


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Ada Lovelace", "en:Ada_Lovelace"),
        ("Ada_Lovelace", "en:Ada_Lovelace"),
        ("ada__lovelace_", "en:Ada_lovelace"),
        ("en:Ada Lovelace", "en:Ada_Lovelace"),
        ("https://en.wikipedia.org/wiki/Ada_Lovelace", "en:Ada_Lovelace"),
        ("http://en.m.wikipedia.org/wiki/Ada%20Lovelace#Work", "en:Ada_Lovelace"),
        ("https://en.wikipedia.org/w/index.php?oldid=1&title=Ada_Lovelace&x=y", "en:Ada_Lovelace"),
        ("https://www.wikipedia.org/wiki/Ada_Lovelace", "en:Ada_Lovelace"),
        ("http://dbpedia.org/resource/Ada_Lovelace", "en:Ada_Lovelace"),
        ("<http://dbpedia.org/page/Ada_Lovelace>", "en:Ada_Lovelace"),
        ("dbr:Ada_Lovelace", "en:Ada_Lovelace"),
        ("http://de.dbpedia.org/resource/Z%C3%BCrich", "de:Zürich"),
        ("https://de.wikipedia.org/wiki/Zu%CC%88rich", "de:Zürich"),
        ("https://en.wikipedia.org/wiki/What%3F", "en:What?"),
        ("AC/DC", "en:AC/DC"),
        ("http://example.org/Ada", "http://example.org/Ada"),
        ("https://en.wikipedia.org/wiki/%20", "https://en.wikipedia.org/wiki/%20"),
    ],
)
def test_forms_of_a_page(written: str, name: str) -> None:
    assert reader(forms="titles")(written).name == name


def test_titles_have_a_language() -> None:
    read = reader(forms="titles", language="de")
    assert read("Bern").name == read("https://de.wikipedia.org/wiki/Bern").name == "de:Bern"
    assert read("http://dbpedia.org/resource/Bern").name == "en:Bern"
    with pytest.raises(UsageError, match="language is 'German'; expected the code of a Wikipedia"):
        options(language="German")


@given(names, st.sampled_from(["wikidata", "titles"]))
def test_a_form_is_its_own_form(written: str, forms: str) -> None:
    name = reader(forms=forms)(written).name
    if "%" not in name:
        assert reader(forms=forms)(name).name == name


def test_a_huge_identifier_is_left_alone() -> None:
    huge = "https://en.wikipedia.org/w/index.php?" + "&title" * 200_000
    assert reader(forms="titles")(huge).name == huge


# NIL


@pytest.mark.parametrize(
    ("written", "name"), [("", "NIL"), ("O", "NIL"), ("NIL", "NIL"), ("NIL0007", "NIL0007"), ("NILE", "NILE")]
)
def test_words_for_nil(written: str, name: str) -> None:
    for forms in ("literal", "titles"):
        found = reader(forms=forms)(written)
        assert (found.name, found.is_nil) == (name, True)


def test_other_words_for_nil() -> None:
    read = reader(nil="NIL,--NME--,http://x.org/notInWiki/*")
    found = {word: read(word)[:2] for word in ("NIL", "--NME--", "http://x.org/notInWiki/a", "NIL7", "O", "")}
    assert found == {
        "NIL": ("NIL", True),
        "--NME--": ("NIL", True),
        "http://x.org/notInWiki/a": ("NIL:http://x.org/notInWiki/a", True),
        "NIL7": ("NIL7", False),
        "O": ("O", False),
        "": ("NIL", True),
    }


# Redirects


def test_redirects_lead_on(table: Any) -> None:
    read = reader(redirects=table("Q1\tQ2", "Q2\tQ3", "Q9\tNIL", "", "Q3\tQ3"))
    assert [read(name).name for name in ("Q1", "Q2", "Q3", "Q4")] == ["Q3", "Q3", "Q3", "Q4"]
    assert read("Q1").ways == ("redirect",)
    assert read("Q9")[:2] == ("NIL", True)
    assert read.notes == []


def test_redirects_in_a_circle_are_one_and_reported(table: Any) -> None:
    read = reader(redirects=table("Q9\tQ20", "Q20\tQ5", "Q5\tQ9", "Q1\tQ20"))
    assert {read(name).name for name in ("Q1", "Q20", "Q9", "Q5")} == {"Q5"}
    assert read.notes == ["the redirects of map.tsv run in a circle, read as Q5: Q5 → Q9 → Q20 → Q5"]


def test_redirects_may_be_in_any_form(table: Any) -> None:
    read = reader(forms="titles", redirects=table("https://en.wikipedia.org/wiki/Augusta_Byron\tAda Lovelace"))
    assert read("Augusta Byron").name == "en:Ada_Lovelace"


def test_a_long_chain_takes_no_longer_than_a_short_one() -> None:
    chain = {f"Q{number}": f"Q{number + 1}" for number in range(100_000)}
    read = reader(redirects=chain)
    assert {read(name).name for name in chain} == {"Q100000"}


@given(st.dictionaries(few_names, few_names, max_size=12))
def test_redirects_do_not_depend_on_who_asks_first(rows: dict[str, str]) -> None:
    forward, backward = reader(redirects=rows), reader(redirects=rows)
    ends = {name: forward(name).name for name in sorted(rows)}
    assert ends == {name: backward(name).name for name in sorted(rows, reverse=True)}
    for name, target in rows.items():
        assert ends[name] == forward(target).name
        assert forward(ends[name]).name == ends[name]


# Identifiers that mean the same


def test_the_main_one_of_those_that_mean_the_same(table: Any) -> None:
    read = reader(same_as=table("dbr:Bern\tQ70", "Q70\tQ100\tfr:Berne", "b\ta"))
    assert {read(name).name for name in ("dbr:Bern", "Q70", "Q100", "fr:Berne")} == {"Q70"}
    assert (read("b").name, read("b").ways) == ("a", ("same as",))


@given(st.lists(st.lists(few_names, min_size=2, max_size=3), max_size=8), st.randoms())
def test_classes_do_not_depend_on_the_order_of_lines(rows: list[list[str]], random: Any) -> None:
    shuffled = [random.sample(row, len(row)) for row in random.sample(rows, len(rows))]
    readers = [
        Normalizer(IdentifierOptions(same_as=identifier_maps.IdMap(tuple(map(tuple, one))))) for one in (rows, shuffled)
    ]
    for row in rows:
        assert len({read(name).name for name in row for read in readers}) == 1


def test_redirects_come_before_classes(table: Any) -> None:
    read = reader(redirects={"Q9": "dbr:Bern"}, same_as={"dbr:Bern": "Q70"})
    assert (read("Q9").name, read("Q9").ways) == ("Q70", ("redirect", "same as"))


# The signature


def test_rules_are_part_of_the_signature(table: Any) -> None:
    assert shown(options()) == {}
    chosen = options(redirects=table("Q1\tQ2"), nil="NIL*,-", forms="wikidata")
    assert shown(chosen) == {"forms": "wikidata", "redirects": chosen.redirects.digest, "nil": "NIL*,-"}
    assert len(chosen.redirects.digest) == 12
    assert options(redirects=table("Q1\tQ3")).redirects.digest != chosen.redirects.digest


# Hostile files


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["Q1"], "map.tsv:1: only one column; expected identifiers in two columns with a tab between them"),
        (["Q1\tQ2", "Q1\t"], "map.tsv:2: an empty column; expected"),
        (["Q1\tQ2", "Q1\tQ3"], "map.tsv:2: 'Q1' leads to 'Q3' here and to 'Q2' above; keep one of them"),
        (["Q1\tQ2\tQ3"], "map.tsv:1: 3 columns; expected two, an identifier and the one it leads to"),
        (["a\t" * 2_000_000 + "b"], "map.tsv:1: more than 1000 columns; expected"),
    ],
)
def test_a_file_that_is_no_table_of_redirects(table: Any, rows: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        reader(redirects=table(*rows))
    assert message in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_file_in_another_encoding(table: Any) -> None:
    with pytest.raises(InputError, match=r"map\.tsv:2: byte 0xfc is not UTF-8"):
        options(redirects=table("Q1\tQ2", "Zürich\tQ72", encoding="latin-1"))


def test_a_byte_order_mark_is_no_part_of_an_identifier(table: Any) -> None:
    assert reader(redirects=table("Q1\tQ2", encoding="utf-8-sig"))("Q1").name == "Q2"


def test_a_huge_file_is_refused(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identifier_maps, "MAX_ROWS", 3)
    with pytest.raises(InputError, match=r"map\.tsv:4: has more than 3 lines"):
        options(same_as=table("a\tb", "c\td", "e\tf", "g\th"))
    monkeypatch.setattr(identifier_maps, "MAX_SIZE", 5)
    with pytest.raises(InputError, match="or 5 characters; keep the identifiers that occur in the data"):
        options(same_as=table("a\tb", "c\td"))


def test_what_is_no_map() -> None:
    with pytest.raises(UsageError, match="is no map of identifiers; expected a path, or a dictionary of strings"):
        options(redirects={"Q1": 2})
    with pytest.raises(InputError, match=r"no-such-file\.tsv: cannot be read"):
        options(redirects="no-such-file.tsv")


def test_a_title_may_begin_with_a_slash() -> None:
    assert reader(forms="titles")("/").name == reader(forms="titles")("en:/").name == "en:/"
