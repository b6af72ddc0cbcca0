from __future__ import annotations

import pytest

from karat.vocabularies.coldstart.problems import Stop
from karat.vocabularies.coldstart.schema import ENTITY_TYPES, Schema


def test_every_inverse_is_the_inverse_of_its_inverse():
    schema = Schema()
    for predicate in schema.predicates():
        if predicate.takes_entity:
            backs = schema.lookup(predicate.inverse, predicate.range, predicate.domain)
            assert any(back.inverse == predicate.name for back in backs), predicate


def test_only_parents_is_ambiguous():
    schema = Schema()
    names = {predicate.name for predicate in schema.predicates()}
    ambiguous = {name for name in names if schema.resolve(name, None).predicate is None}
    assert ambiguous == {"parents"}
    assert schema.resolve("parents", "org").predicate == schema.knows_slot("org:parents")


@pytest.mark.parametrize(
    ("verb", "known", "problem"),
    [
        ("per:age", "org", ("SUBJECT_PREDICATE_MISMATCH", "org", "per")),
        ("Foo:age", None, ("ILLEGAL_PREDICATE_TYPE", "foo")),
        ("per:Age", None, ("ILLEGAL_PREDICATE", "Age")),
        ("member_of", "per", ("PREDICATE_ALIAS", "deprecated", "member_of", "employee_or_member_of")),
    ],
)
def test_what_can_be_wrong_with_a_predicate(verb, known, problem):
    assert Schema().resolve(verb, known).problems[0] == problem


def test_types_are_compared_in_lower_case_only_before_the_colon():
    assert Schema().resolve("PER:age", None).predicate == Schema().resolve("age", "per").predicate
    assert set(ENTITY_TYPES) == {"per", "org", "gpe", "fac", "loc"}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("dog barks string none", "Illegal domain type: dog"),
        ("per drives fac drivers", "Illegal range type: fac"),
        ("per age string none", "Attempt to redefine quantity of predicate per:age from single to list"),
        ("per children per kids", "Attempt to redefine inverse of predicate per:children from parents to kids"),
    ],
)
def test_predicates_that_contradict_the_schema(lines, message, tmp_path):
    path = tmp_path / "my.predicates.txt"
    path.write_text(lines)
    with pytest.raises(Stop, match=message):
        Schema().load(str(path))


def test_further_predicates_have_a_label(tmp_path):
    path = tmp_path / "zoo.predicates.txt"
    path.write_text("# animals\nPER keeps* ORG kept_by\n")
    schema = Schema()
    schema.load(str(path))
    found = schema.knows_slot("org:kept_by")
    assert (found.label, found.single, found.inverse) == ("ZOO", False, "keeps")
    assert schema.knows_slot("per:keeps").single


def test_the_name_of_the_file_gives_the_label(tmp_path):
    with pytest.raises(Stop, match="Filename for predicates files"):
        Schema().load(str(tmp_path / "predicates.txt"))
