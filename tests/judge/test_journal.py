from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.postgresql import Places

from karat.errors import InputError
from karat.judge.database import open_database
from karat.judge.journal import Act, ConflictError, Journal


@pytest.fixture
def journal(places: Places) -> Iterator[Journal]:
    journal = Journal(open_database(places()))
    yield journal
    journal.database.close()


def answer(person: str, nonce: str, target: str = "t", value: float = 1, question: str = "q") -> Act:
    return Act(person, "answer", nonce, target, question, value)


def held(journal: Journal, person: str) -> dict[tuple[str, str], float | None]:
    return {(line.target, line.question): line.value for line in journal.standing(person)}


def test_an_answer_holds_until_the_next_and_comes_back_by_undo(journal: Journal) -> None:
    journal.add(answer("ann", "1", value=0))
    journal.add(answer("ann", "2", value=1))
    assert held(journal, "ann") == {("t", "q"): 1}
    journal.undo("ann", "3")
    assert held(journal, "ann") == {("t", "q"): 0}
    journal.undo("ann", "4")
    assert held(journal, "ann") == {}
    with pytest.raises(ConflictError, match="no act is left to undo"):
        journal.undo("ann", "5")
    assert [line.act for line in journal.lines()] == ["answer", "answer", "undo", "undo"]
    assert journal.check() == 4


def test_an_act_sent_twice_is_one_act(journal: Journal) -> None:
    first = journal.add(answer("ann", "1"))
    assert journal.add(answer("ann", "1")) == first
    with pytest.raises(ConflictError, match="same number"):
        journal.add(answer("ann", "1", value=0))
    taken = journal.undo("ann", "2")
    assert journal.undo("ann", "2") == taken
    assert journal.check() == 2


def test_judges_do_not_touch_each_other(journal: Journal) -> None:
    journal.add(answer("ann", "1", value=0))
    journal.add(answer("ben", "2", value=1))
    journal.undo("ann", "3")
    assert held(journal, "ben") == {("t", "q"): 1}
    assert held(journal, "ann") == {}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE journal SET value = 0 WHERE line = 2",
        "UPDATE journal SET person = 'x' WHERE line = 1",
        "DELETE FROM journal WHERE line = 2",
        "DELETE FROM journal WHERE line = 3",
        "UPDATE journal SET line = 9 WHERE line = 3",
        "DELETE FROM holds",
        "UPDATE holds SET line = 1",
        "DELETE FROM journal WHERE line = 5",
        "DELETE FROM journal_end",
        "UPDATE journal_end SET line = 4",
    ],
)
def test_whatever_is_changed_by_hand_is_noticed(journal: Journal, change: str) -> None:
    for index in range(3):
        journal.add(answer("ann", str(index), target=f"t{index}"))
    journal.add(Act("ann", "note", "taken back", "t0", "note", text="x"))
    journal.undo("ann", "undo")
    assert journal.check() == 5
    journal.database.ask(change)
    with pytest.raises(InputError, match="changed"):
        journal.check()


def test_what_follows_on_a_journal_that_was_cut_off_does_not_hide_it(journal: Journal) -> None:
    for index in range(3):
        journal.add(Act("ann", "reveal", f"reveal {index}"))
    journal.database.ask("DELETE FROM journal WHERE line = 3")
    with pytest.raises(InputError, match="its end is cut off behind line 2"):
        journal.check()
    journal.add(Act("ann", "reveal", "another"))
    with pytest.raises(InputError, match="changed: line 3"):
        journal.check()


ACTS = st.lists(
    st.tuples(st.sampled_from(["ann", "ben"]), st.sampled_from(["answer", "undo", "skip"]), st.sampled_from("tu"))
)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(acts=ACTS)
def test_what_holds_is_what_a_plain_list_would_say(places: Places, acts: list[tuple[str, str, str]]) -> None:
    journal = Journal(open_database(places()))
    done: dict[str, list[tuple[str, str]]] = {"ann": [], "ben": []}
    for number, (person, act, target) in enumerate(acts):
        if act == "undo":
            if done[person]:
                done[person].pop()
                journal.undo(person, str(number))
        else:
            journal.add(Act(person, act, str(number), target, "q"))
            done[person].append((target, act))
    for person, stack in done.items():
        assert {line.target: line.act for line in journal.standing(person)} == dict(stack)
    journal.check()
    journal.database.close()


@pytest.mark.parametrize("change", ["text = X'00ff'", "value = 'much'", "act = 'burn'", "person = X'00'"])
def test_what_is_no_line_at_all_is_noticed_too(tmp_path: Path, change: str) -> None:
    journal = Journal(open_database(str(tmp_path / "project.db")))
    for index in range(3):
        journal.add(answer("ann", str(index), target=f"t{index}"))
    journal.database.ask(f"UPDATE journal SET {change} WHERE line = 2")  # noqa: S608 - one of ours
    for read in (journal.check, journal.standing):
        with pytest.raises(InputError, match="the journal was changed: line 2 "):
            read()
