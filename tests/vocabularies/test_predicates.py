from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import InputError, UsageError
from karat.vocabularies.normal_forms import normal_name
from karat.vocabularies.predicates import EXCLUDES, NO_TABLE, TABLES, Meaning, predicates

HEADER = "tool_relation\tcanonical\tdirection\trules\n"


@pytest.mark.parametrize("name", TABLES)
def test_own_tables_are_sound(name: str) -> None:
    table = predicates(name)
    canonical = {meaning.canonical for meaning in table.meanings.values()}
    assert set(table.rules) | set(table.excluded) <= canonical
    assert not any({"symmetric", "asymmetric"} <= rules for rules in table.rules.values())


def test_own_tables_share_their_canonical_names() -> None:
    table = predicates("wikidata,nyt,ace,scierc")
    assert table.meaning("/people/person/children") == table.meaning("P40") == Meaning("CHILD")
    assert table.meaning("PART-WHOLE") == table.meaning("part-of") == table.meaning("part of") == Meaning("PART OF")
    assert table.meaning("P1542") == Meaning("HAS CAUSE", is_inverse=True)
    assert all(table.meaning(one.canonical) for one in predicates("wikidata").meanings.values())


def test_files_come_after_own_tables(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(HEADER + "P40\tparent\tinverse\nhit\tcollides with\n", "utf-8")
    table = predicates(f"wikidata,{path}")
    assert table.meaning("p40") == Meaning("PARENT", is_inverse=True)
    assert str(table).startswith("wikidata+file/")
    assert str(table) != str(predicates("wikidata"))


def test_no_table_lets_every_name_stand_for_itself() -> None:
    assert predicates("") == predicates({}) == NO_TABLE
    assert NO_TABLE.meaning("part_of") == Meaning(normal_name("part_of"))
    assert predicates({"a": "b"}).meaning("c") is None


@pytest.mark.parametrize(
    "name",
    [
        "P828",
        "p828",
        "has cause (P828)",
        "something else (P828)",
        "wdt:P828",
        "http://www.wikidata.org/prop/direct/P828",
        "https://www.wikidata.org/entity/P828",
        "https://www.wikidata.org/wiki/Property:P828",
    ],
)
def test_properties_of_wikidata_are_known_in_every_spelling(name: str, tmp_path: Path) -> None:
    assert predicates("wikidata").meaning(name) == Meaning("HAS CAUSE")
    path = tmp_path / "own.tsv"
    path.write_text(f"{HEADER}{name}\tmy cause\n", "utf-8")
    own = predicates(str(path))
    assert own.meaning("P828") == own.meaning("wdt:P828") == own.meaning(name) == Meaning("MY CAUSE")


def test_what_only_looks_like_a_property_is_none() -> None:
    for name in ("P0", "P828x", "cause P828", "wdt:Q828", "https://example.org/entity/P828", "has cause (Q828)"):
        assert predicates("wikidata").meaning(name) is None
    assert predicates({"has cause": "because"}).meaning("has cause (P828)") == Meaning("BECAUSE")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("hit\n", r"x.tsv:2: expected a name, the canonical name"),
        ("hit\tcollides\tbackwards\n", r"x.tsv:2: the direction is 'backwards'; expected nothing, same or inverse"),
        ("hit\tcollides\t\tfunny\n", r"x.tsv:2: the rule 'funny' is not known; expected symmetric"),
        ("hit\tcollides\nHIT\tkills\n", r"x.tsv:3: 'HIT' has another meaning above"),
        ("a\tb\t\t\tc\n", r"x.tsv:2: expected a name"),
    ],
)
def test_faults_are_refused_with_their_place(row: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(HEADER + row, "utf-8")
    with pytest.raises(InputError, match=message):
        predicates(str(path))


def test_a_file_without_a_header_and_unknown_names_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("hit\tcollides with\n", "utf-8")
    with pytest.raises(InputError, match=r"x.tsv:1: the header is .*expected tool_relation"):
        predicates(str(path))
    with pytest.raises(UsageError, match="unknown table of predicates 'wikidate'; did you mean 'wikidata'"):
        predicates("wikidate")
    with pytest.raises(UsageError, match="is no table of predicates"):
        predicates(5)


def test_exclusion_holds_both_ways() -> None:
    table = predicates("wikidata")
    assert table.excluded["FATHER"] == {"MOTHER"}
    assert table.excluded["MOTHER"] == {"FATHER"}
    assert not any(rule.startswith(EXCLUDES) for rules in table.rules.values() for rule in rules)
