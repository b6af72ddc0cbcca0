from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from karat.formats.coldstart.kb.columns import (
    MULTIPLE,
    OBJECT,
    OMITTED,
    SUBJECT,
    TYPE_NUMBER,
    TYPEDEF,
    UNKNOWN,
    Fills,
    KbEntities,
)

steps = st.lists(st.tuples(st.sampled_from("ab"), st.booleans(), st.integers(0, 30)), max_size=60)


@given(steps)
def test_the_contradicting_value_is_the_first_one(steps):
    """A scan over all values and the marks that only move forward agree, whatever is omitted in between."""
    fills = Fills()
    objects: list[str] = []
    flags = bytearray()
    for value, is_new, which in steps:
        naive = next((row for row in fills.rows if not flags[row] and objects[row] != value), None)
        assert fills.contradicting(value, objects, flags) == naive
        if is_new:
            fills.rows.append(len(objects))
            objects.append(value)
            flags.append(0)
        elif flags:
            flags[which % len(flags)] = OMITTED


def test_the_best_place_is_the_type_line_then_the_earliest():
    entities = KbEntities()
    one = entities.add(":A")
    assert entities.best_use(one) is None
    entities.use(one, UNKNOWN, OBJECT, 2)
    entities.use(one, UNKNOWN, SUBJECT, 9)
    entities.use(one, UNKNOWN, SUBJECT, 5)
    assert entities.best_use(one) == 5
    entities.use(one, UNKNOWN, TYPEDEF, 7)
    assert entities.best_use(one) == 7


def test_a_second_type_makes_an_entity_one_of_several():
    entities = KbEntities()
    one = entities.add(":A")
    entities.use(one, TYPE_NUMBER["per"], SUBJECT, 3)
    entities.use(one, TYPE_NUMBER["per"], TYPEDEF, 4)
    assert entities.stated(one, TYPE_NUMBER["per"])
    entities.use(one, TYPE_NUMBER["gpe"], OBJECT, 5)
    assert entities.kinds[one] == MULTIPLE
    assert list(entities.types(one)) == [(TYPE_NUMBER["gpe"], 5), (TYPE_NUMBER["per"], 4)]
