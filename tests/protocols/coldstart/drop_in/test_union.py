"""Entry points taken together: which classes are the same, and what the same answers count."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.coldstart.slot_files import rows

from karat.vocabularies.coldstart.query_ids import entry_point_digits, follow_up_digits

CORRECTED = ("-profile", "corrected")


def test_union_takes_entry_points_together(tmp_path):
    points = "".join(f"<name>A</name><docid>d{n}</docid><beg>0</beg><end>2</end>" for n in (1, 2))
    slot = "<slot0>per:children</slot0>"
    queries = f'<query_set><query id="CS15_ENG_0001">{points}<enttype>per</enttype>{slot}</query></query_set>'
    one, two = ("X_" + entry_point_digits(f"d{n}", "0", "2", ["per:children"]) for n in (1, 2))
    run = [
        f"{name}\tper:children\trun1\td1:0-9\t{value}\tPER\td1:0-2\t1.0"
        for name, value in ((one, "Bob"), (two, "Bob"), (two, "Cy"), (one, "Dan"))
    ]
    pool = [
        f"a\t{name}:per:children\td1:0-9\t{value}\td1:0-2\tC\tC\t{name}:{ec}"
        for name in (one, two)
        for value, ec in (("Bob", 1), ("Cy", 2))
    ]
    switches = ("-expand", "X", "-combo", "UNION")
    assert rows(tmp_path, run, pool, *switches, queries=queries)["ALL-Micro ALL"][:4] == ["4", "3", "1", "0"]
    found = rows(tmp_path, run, pool, *switches, *CORRECTED, queries=queries)
    assert found["CS15_ENG_0001 0"][:4] == ["2", "2", "1", "0"]


def _entry_points() -> tuple[str, str, str]:
    """Return a query with two entry points, and the ids of these."""
    points = "".join(f"<name>A</name><docid>d{n}</docid><beg>0</beg><end>2</end>" for n in (1, 2))
    slots = ["per:children", "per:age"]
    asked = "".join(f"<slot{n}>{slot}</slot{n}>" for n, slot in enumerate(slots))
    queries = f'<query_set><query id="CS15_ENG_0001">{points}<enttype>per</enttype>{asked}</query></query_set>'
    one, two = sorted("X_" + entry_point_digits(f"d{n}", "0", "2", slots) for n in (1, 2))
    return queries, one, two


def _fill(query: str, value: str, *, slot: str = "per:children") -> str:
    return f"{query}\t{slot}\trun1\td1:0-9\t{value}\tPER\td1:0-2\t1.0"


def _pooled(query: str, value: str, ec: str, *, slot: str = "per:children") -> str:
    return f"a\t{query}:{slot}\td1:0-9\t{value}\td1:0-2\tC\tC\t{ec}"


UNION = ("-expand", "X", "-combo", "UNION", *CORRECTED)


def test_classes_of_entry_points_are_the_same_by_their_answers(tmp_path):
    queries, one, two = _entry_points()
    run = [_fill(one, "Bob"), _fill(two, "Bob"), _fill(two, "Cy")]
    pool = [_pooled(one, "Bob", f"{one}:1"), _pooled(two, "Bob", f"{two}:2"), _pooled(two, "Cy", f"{two}:1")]
    found = rows(tmp_path, run, pool, *UNION, queries=queries)
    assert found["CS15_ENG_0001 0"] == ["2", "2", "0", "0", "1.0000"]


def test_classes_of_the_same_number_need_not_be_the_same(tmp_path):
    queries, one, two = _entry_points()
    pool = [_pooled(one, "Bob", f"{one}:1"), _pooled(two, "Cy", f"{two}:1")]
    assert rows(tmp_path, [_fill(one, "Bob")], pool, *UNION, queries=queries)["CS15_ENG_0001 0"][:2] == ["2", "1"]


def test_values_make_classes_the_same_where_they_are_enough(tmp_path):
    queries, one, two = _entry_points()
    elsewhere = _pooled(two, "bob", f"{two}:3").replace("d1:0-2", "d7:0-2")
    pool, run = [_pooled(one, "Bob", f"{one}:1"), elsewhere], [_fill(one, "Bob")]
    for discipline, classes in (("ASSESSED", "2"), ("STRING_EXACT", "2"), ("STRING_CASE", "1")):
        found = rows(tmp_path, run, pool, *UNION, "-discipline", discipline, queries=queries)
        assert found["CS15_ENG_0001 0"][0] == classes


def test_what_follows_from_the_same_answer_of_two_entry_points(tmp_path):
    queries, one, two = _entry_points()
    below = [f"{name}_{follow_up_digits(name, 'Bob', 'd1:0-2')}" for name in (one, two)]
    pool = [_pooled(one, "Bob", f"{one}:1"), _pooled(two, "Cy", f"{two}:1"), _pooled(two, "Bob", f"{two}:2")]
    pool += [_pooled(below[0], "4", f"{one}:1:1", slot="per:age"), _pooled(below[1], "4", f"{two}:2:7", slot="per:age")]
    bobs = [_fill(one, "Bob"), _fill(two, "Bob")]
    for run in (
        [*bobs, _fill(below[1], "4", slot="per:age")],
        [bobs[1], *(_fill(name, "4", slot="per:age") for name in below)],
    ):
        found = rows(tmp_path, run, pool, *UNION, queries=queries)
        assert found["CS15_ENG_0001:1 1"] == ["1", "1", "0", "0", "1.0000"]
        assert "CS15_ENG_0001:2 1" not in found


def test_the_id_of_an_expanded_query_stands_for_its_entry_points(tmp_path, capfd):
    queries, one, two = _entry_points()
    run, pool = [_fill(one, "Bob")], [_pooled(one, "Bob", f"{one}:1"), _pooled(two, "Cy", f"{two}:1")]
    (tmp_path / "ids").write_text("CS15_ENG_0001\n")
    wanted = ("-expand", "X", "-queries", str(tmp_path / "ids"))
    assert rows(tmp_path, run, pool, *wanted, queries=queries) == {}
    assert capfd.readouterr().err == "WARNING: Unknown query:  (CS15_ENG_0001)\n"
    found = rows(tmp_path, run, pool, *wanted, *CORRECTED, queries=queries)
    assert found.keys() >= {f"{one} 0", f"{two} 0"}
    found = rows(tmp_path, run, pool, *wanted, *CORRECTED, "-combo", "UNION", queries=queries)
    assert found["CS15_ENG_0001 0"][:2] == ["2", "1"]
    assert capfd.readouterr().err == ""


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_the_numbers_of_classes_and_the_order_of_lines_mean_nothing(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("union")
    queries, *points = _entry_points()
    values = "abcde"
    classes = {(point, value): data.draw(st.integers(1, 4)) for point in points for value in values}
    run = [_fill(*data.draw(st.tuples(st.sampled_from(points), st.sampled_from(values)))) for _ in range(6)]
    pool = [_pooled(point, value, f"{point}:{number}") for (point, value), number in classes.items()]
    found = rows(folder, run, pool, *UNION, queries=queries)
    numbers = {point: data.draw(st.permutations(range(1, 5))) for point in points}
    renumbered = [
        _pooled(point, value, f"{point}:{numbers[point][number - 1]}") for (point, value), number in classes.items()
    ]
    shuffled = [data.draw(st.permutations(lines)) for lines in (run, renumbered)]
    assert rows(folder, *shuffled, *UNION, queries=queries) == found
    assert int(found["CS15_ENG_0001 0"][0]) == _components(classes)


def _components(classes: dict[tuple[str, str], int]) -> int:
    """Return how many classes there are if those with a common value are one, by merging until nothing changes."""
    groups: list[set[str]] = []
    for point, number in {(point, number) for (point, _), number in classes.items()}:
        values = {value for (one, value), other in classes.items() if (one, other) == (point, number)}
        touched = [group for group in groups if group & values]
        groups = [group for group in groups if not group & values] + [values.union(*touched)]
    return len(groups)
