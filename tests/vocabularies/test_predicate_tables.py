"""The tables of predicates that come with Karat agree with themselves, with each other and with their inventories."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from importlib.resources import files

import pytest

from karat.vocabularies.normal_forms import normal_name
from karat.vocabularies.predicates import EXCLUDES, RULES, TABLES, Meaning, predicates

PROPERTY = re.compile(r"P[1-9][0-9]*")

OWN = {
    "nyt": set[str](),
    "ace": {"near", "personal relation", "business relation", "general affiliation"},
    "scierc": {"compared with", "conjunction", "evaluates"},
}
"""The canonical names for which Wikidata has no property that comes near."""

NYT24 = [
    "/business/company/advisors",
    "/business/company/founders",
    "/business/company/industry",
    "/business/company/major_shareholders",
    "/business/company/place_founded",
    "/business/company_shareholder/major_shareholder_of",
    "/business/person/company",
    "/location/administrative_division/country",
    "/location/country/administrative_divisions",
    "/location/country/capital",
    "/location/location/contains",
    "/location/neighborhood/neighborhood_of",
    "/people/deceased_person/place_of_death",
    "/people/ethnicity/geographic_distribution",
    "/people/ethnicity/people",
    "/people/person/children",
    "/people/person/ethnicity",
    "/people/person/nationality",
    "/people/person/place_lived",
    "/people/person/place_of_birth",
    "/people/person/profession",
    "/people/person/religion",
    "/sports/sports_team/location",
    "/sports/sports_team_location/teams",
]

ACE2005 = {
    "PHYS": "Located Near",
    "PART-WHOLE": "Artifact Geographical Subsidiary",
    "PER-SOC": "Business Family Lasting-Personal",
    "ORG-AFF": ("Employment Founder Investor-Shareholder Membership Ownership Sports-Affiliation Student-Alum"),
    "ART": "User-Owner-Inventor-Manufacturer",
    "GEN-AFF": "Citizen-Resident-Religion-Ethnicity Org-Location",
}

SCIERC = ["USED-FOR", "FEATURE-OF", "HYPONYM-OF", "PART-OF", "COMPARE", "CONJUNCTION", "EVALUATE-FOR"]


def table(name: str) -> list[list[str]]:
    """Return the rows of a shipped file, without the header, as four cells each."""
    text = files("karat.vocabularies").joinpath("predicate_tables", f"{name}.tsv").read_text("utf-8")
    header, *rows = text.removesuffix("\n").split("\n")
    assert header.split("\t") == ["tool_relation", "canonical", "direction", "rules"]
    return [[*row.split("\t"), "", ""][:4] for row in rows]


def properties() -> dict[str, dict[str, list[str]]]:
    """Return for each canonical name of Wikidata the identifiers of each direction."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: {"": [], "inverse": []})
    for name, canonical, direction, _ in table("wikidata"):
        identifiers = found[canonical][direction]
        if PROPERTY.fullmatch(name):
            identifiers.append(name)
    return found


@pytest.mark.parametrize("name", TABLES)
def test_rows_are_well_formed(name: str) -> None:
    for cells in table(name):
        assert all(cell == " ".join(cell.split()) for cell in cells)
        assert all(cells[:2])
        assert cells[2] in ("", "inverse")
        assert all(rule in RULES or rule.startswith(EXCLUDES) for rule in cells[3].split(", ") if rule)


@pytest.mark.parametrize("name", TABLES)
def test_no_name_stands_twice(name: str) -> None:
    counts = Counter(normal_name(row[0]) for row in table(name))
    assert [one for one, times in counts.items() if times > 1] == []


def test_identifiers_look_like_identifiers() -> None:
    alike = [row[0] for row in table("wikidata") if re.fullmatch(r"[PpQq]\s*[0-9]+", row[0])]
    assert len(alike) > 1000
    assert [one for one in alike if not PROPERTY.fullmatch(one)] == []


def test_a_canonical_name_is_one_property_and_at_most_one_inverse() -> None:
    for canonical, found in properties().items():
        assert len(found[""]) == 1, canonical
        assert len(found["inverse"]) <= 1, canonical


def test_properties_stand_in_order_each_with_its_inverse_behind() -> None:
    numbers = [int(row[0][1:]) for row in table("wikidata") if PROPERTY.fullmatch(row[0]) and not row[2]]
    assert numbers == sorted(numbers)
    blocks = [row[1] for row in table("wikidata")]
    assert len(properties()) == sum(here != before for here, before in zip(blocks, ["", *blocks], strict=False))


def test_a_canonical_name_means_itself_and_an_inverse_is_never_canonical() -> None:
    wikidata = predicates("wikidata")
    for canonical in properties():
        assert wikidata.meaning(canonical) == Meaning(normal_name(canonical))


def test_inverses_are_mutual() -> None:
    wikidata = predicates("wikidata")
    pairs = [(found[""][0], found["inverse"][0]) for found in properties().values() if found["inverse"]]
    assert len(pairs) > 50
    for one, other in pairs:
        straight, exchanged = wikidata.meanings[one], wikidata.meanings[other]
        assert straight.canonical == exchanged.canonical
        assert (straight.is_inverse, exchanged.is_inverse) == (False, True)


def test_what_is_symmetric_has_no_inverse() -> None:
    together = predicates(",".join(TABLES))
    exchanged = {one.canonical for one in together.meanings.values() if one.is_inverse}
    symmetric = {canonical for canonical in together.rules if together.has(canonical, "symmetric")}
    assert {"SPOUSE", "SIBLING", "RELATIVE", "NEAR", "COMPARED WITH"} <= symmetric
    assert not symmetric & exchanged
    assert not any(together.has(canonical, "asymmetric") for canonical in symmetric)


def test_rules_stand_with_the_property_and_exclude_what_there_is() -> None:
    for name, _, direction, rules in table("wikidata"):
        if rules:
            assert PROPERTY.fullmatch(name)
            assert not direction
        for rule in rules.split(", "):
            if rule.startswith(EXCLUDES):
                assert rule.removeprefix(EXCLUDES) in properties()


@pytest.mark.parametrize("name", sorted(OWN))
def test_other_tables_use_the_canonical_names_of_wikidata(name: str) -> None:
    """In the very words, so that a look at one file tells what to look for in the other."""
    targets = {row[1] for row in table(name)}
    assert targets - set(properties()) == OWN[name]


@pytest.mark.parametrize("name", sorted(OWN))
def test_own_canonical_names_do_not_mean_something_else_in_wikidata(name: str) -> None:
    wikidata = predicates("wikidata")
    assert [one for one in OWN[name] if wikidata.meaning(one)] == []


def test_tables_give_a_shared_name_one_meaning() -> None:
    """So that the order of the tables makes no difference."""
    wikidata = predicates("wikidata")
    for name in OWN:
        for one, meaning in predicates(name).meanings.items():
            assert wikidata.meanings.get(one, meaning) == meaning
    assert predicates(",".join(TABLES)).digest == predicates(",".join(reversed(TABLES))).digest


def test_relations_of_nyt_are_known_by_the_last_part_of_their_path() -> None:
    """As some tools print them; apart from those that mean several things, there or in Wikidata."""
    nyt, wikidata = predicates("nyt"), predicates("wikidata")
    meanings: dict[str, set[Meaning]] = defaultdict(set)
    for name, *_ in table("nyt"):
        if name.startswith("/"):
            meaning = nyt.meaning(name)
            assert meaning
            meanings[normal_name(name.rpartition("/")[2])].add(meaning)
    contested = set()
    for name, several in meanings.items():
        if len(several) == 1 and wikidata.meanings.get(name) in {None, *several}:
            assert nyt.meaning(name) in several
        else:
            assert nyt.meaning(name) is None
            contested.add(name)
    assert contested == {"CONTAINS", "LOCATION"}


def test_inventories_are_whole() -> None:
    assert len(NYT24) == 24
    assert set(NYT24) <= {row[0] for row in table("nyt")}
    ace = {row[0] for row in table("ace")}
    assert set(ACE2005) | {f"{kind}:{one}" for kind, some in ACE2005.items() for one in some.split()} <= ace
    assert {row[0] for row in table("scierc")} == set(SCIERC)


@pytest.mark.parametrize(
    ("names", "meaning"),
    [
        ("P22|father", Meaning("FATHER")),
        ("P8810|parent", Meaning("CHILD", is_inverse=True)),
        ("P150|contains administrative territorial entity|/location/location/contains",
         Meaning("LOCATED IN THE ADMINISTRATIVE TERRITORIAL ENTITY", is_inverse=True)),
        ("P355|subsidiary|child organization or unit", Meaning("PARENT ORGANIZATION OR UNIT", is_inverse=True)),
        ("P749|parent organization|PART-WHOLE:Subsidiary", Meaning("PARENT ORGANIZATION OR UNIT")),
        ("P1830|owner of|ORG-AFF:Ownership|/business/company_shareholder/major_shareholder_of",
         Meaning("OWNED BY", is_inverse=True)),
        ("P54|member of sports team|ORG-AFF:Sports-Affiliation", Meaning("MEMBER OF SPORTS TEAM")),
        ("P1038|relative|PER-SOC:Family", Meaning("RELATIVE")),
        ("/business/person/company|company", Meaning("EMPLOYER")),
        ("/people/person/place_lived|place lived|P551", Meaning("RESIDENCE")),
        ("P119|place of burial|/people/deceased_person/place_of_burial", Meaning("PLACE OF BURIAL")),
        ("P1552|has characteristic", Meaning("HAS CHARACTERISTIC")),
        ("P13044|characteristic of|FEATURE-OF", Meaning("HAS CHARACTERISTIC", is_inverse=True)),
        ("P366|use|used for|USED-FOR", Meaning("HAS USE")),
        ("P140|religion|religion or worldview|/people/person/religion", Meaning("RELIGION OR WORLDVIEW")),
    ],
)  # fmt: skip
def test_names_of_then_and_now_mean_the_same(names: str, meaning: Meaning) -> None:
    together = predicates(",".join(TABLES))
    assert [together.meaning(name) for name in names.split("|")] == [meaning] * len(names.split("|"))
