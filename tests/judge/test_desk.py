"""What lies before each judge."""

from __future__ import annotations

import gc
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from karat.errors import InputError, KaratError
from karat.judge.desk import MAX_TEXT, Desk, Standing
from karat.judge.journal import Act, Line
from karat.judge.pool import make_pool, write_pool
from karat.judge.project import begin, resume

from .test_results import SYSTEMS

pytestmark = pytest.mark.usefixtures("everywhere")


def desk(folder: Path, scheme: str = "correct", overlap: float = 0.0) -> Desk:
    write_pool(make_pool(SYSTEMS, "relation", overlap=overlap), folder / "pool.jsonl")
    return Desk(begin(folder / "pool.jsonl", scheme))


def holding(desk: Desk) -> dict:
    """Return all that holds, of each judge."""
    return {person: state.held for person, state in desk.states.items()}


class Judge:
    """Someone who answers what lies before them."""

    def __init__(self, desk: Desk, name: str) -> None:
        self.desk, self.name, self.number = desk, name, 0

    def say(self, act: str, target: str, question: str = "", value: float | None = None, text: str = "") -> None:
        self.number += 1
        self.desk.act(Act(self.name, act, f"{self.name}-{self.number:08}", target, question, value, text))

    def answer_next(self) -> str | None:
        entry = self.desk.next_entry(self.name)
        if entry is None:
            return None
        for place in self.desk.asked(self.name, entry):
            if not place.answered:
                self.say("answer", place.target, place.question.id, 1.0)
        return entry.id


def test_one_judge_sees_every_item_once(tmp_path: Path) -> None:
    work = desk(tmp_path)
    ann = Judge(work, "ann")
    seen = list(iter(ann.answer_next, None))
    assert seen == [entry.id for entry in work.entries]
    assert work.progress("ann") == (len(seen), len(seen), 0, 0)


def test_two_judges_share_only_what_is_shared(tmp_path: Path) -> None:
    work = desk(tmp_path, overlap=0.25)
    ann, ben = Judge(work, "ann"), Judge(work, "ben")
    seen: dict[str, list[str]] = {"ann": [], "ben": []}
    for _ in range(len(work.entries)):
        for judge in (ann, ben):
            item = judge.answer_next()
            if item:
                seen[judge.name].append(item)
    shared = {entry.id for entry in work.entries if entry.shared}
    assert set(seen["ann"]) & set(seen["ben"]) == shared
    assert set(seen["ann"]) | set(seen["ben"]) == {entry.id for entry in work.entries}
    assert work.progress("ann").total + work.progress("ben").total == len(work.entries) + len(shared)


def test_what_one_has_before_them_is_not_given_to_another(tmp_path: Path) -> None:
    work = desk(tmp_path)
    first, second = work.next_entry("ann"), work.next_entry("ben")
    assert first is not None
    assert second is not None
    assert first.id != second.id


def test_questions_about_a_document_stand_behind_its_last_item(tmp_path: Path) -> None:
    work = desk(tmp_path, "omin")
    asked = {entry.id: [place.question.id for place in work.asked("ann", entry)] for entry in work.entries}
    for members in work.members.values():
        assert "consistency" in asked[members[-1].id]
        assert not any("consistency" in asked[entry.id] for entry in members[:-1])


def test_skipped_and_unsure_items_come_back_at_the_end(tmp_path: Path) -> None:
    work = desk(tmp_path)
    ann = Judge(work, "ann")
    first = work.next_entry("ann")
    assert first is not None
    ann.say("skip", first.id)
    second = work.next_entry("ann")
    assert second is not None
    ann.say("unsure", second.id, "right")
    while ann.answer_next():
        pass
    assert [entry.id for entry in work.aside("ann")] == [first.id, second.id]
    ann.say("answer", first.id, "right", 1.0)
    assert [entry.id for entry in work.aside("ann")] == [second.id]


def test_undo_gives_the_item_back(tmp_path: Path) -> None:
    work = desk(tmp_path)
    ann = Judge(work, "ann")
    first, second = ann.answer_next(), ann.answer_next()
    work.undo("ann", "undo-0001")
    assert work.next_entry("ann").id == second
    work.undo("ann", "undo-0002")
    assert work.next_entry("ann").id == first
    assert work.progress("ben").total == len(work.entries)


def test_a_desk_opened_again_is_the_same(tmp_path: Path) -> None:
    work = desk(tmp_path, overlap=0.3)
    ann, ben = Judge(work, "ann"), Judge(work, "ben")
    for _ in range(4):
        ann.answer_next()
        ben.answer_next()
    again = Desk(resume(tmp_path / "pool.jsonl"))
    assert (holding(again), again.owners, again.claims) == (holding(work), work.owners, work.claims)
    assert again.next_entry("ann") == work.next_entry("ann")
    assert again.standing("ann", again.entries[0].id, "right") == work.standing("ann", work.entries[0].id, "right")


def test_an_answer_taken_back_leaves_the_desk_as_if_opened_again(tmp_path: Path) -> None:
    work = desk(tmp_path)
    ann, item = Judge(work, "ann"), work.entries[0].id
    ann.say("answer", item, "right", 1.0)
    ann.say("note", item, "note", text="hard")
    ann.say("answer", item, "right", 0.0)
    work.undo("ann", "undo-0001")
    assert work.standing("ann", item, "right").value == 1.0
    for number in (2, 3):
        work.undo("ann", f"undo-000{number}")
    assert holding(work) == {"ann": {}}
    ann.say("note", item, "note", text="hard")
    ann.say("unsure", item, "right")
    work.undo("ann", "undo-0004")
    again = Desk(resume(tmp_path / "pool.jsonl"))
    assert (holding(again), again.owners, +again.claims) == (holding(work), work.owners, +work.claims)
    assert work.next_entry("ben").id == item


@pytest.mark.parametrize(
    ("act", "target", "question", "value", "text"),
    [
        ("answer", "nothing", "right", 1.0, ""),
        ("answer", "", "right", 1.0, ""),
        ("answer", "{item}", "wrong", 1.0, ""),
        ("answer", "{item}", "right", 7.0, ""),
        ("answer", "{item}", "right", None, ""),
        ("unsure", "{item}", "right", 1.0, ""),
        ("adjudicate", "nothing", "right", 1.0, ""),
        ("fact", "nothing", "x", None, ""),
        ("note", "{item}", "note", None, "x" * (MAX_TEXT + 1)),
        ("answer", "'; DROP TABLE journal; --", "right", 1.0, ""),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, act: str, target: str, question: str, value, text: str) -> None:
    work = desk(tmp_path)
    with pytest.raises(InputError):
        Judge(work, "ann").say(act, target.format(item=work.entries[0].id), question, value, text)
    assert work.project.journal.check() == 1


def test_an_item_of_somebody_else_is_not_there(tmp_path: Path) -> None:
    work = desk(tmp_path)
    item = Judge(work, "ann").answer_next()
    assert item is not None
    with pytest.raises(InputError, match="no such item"):
        work.entry_named("ben", item)
    with pytest.raises(InputError, match="no such item"):
        Judge(work, "ben").say("answer", item, "right", 1.0)


def test_other_questions_or_another_pool_need_another_place(tmp_path: Path) -> None:
    desk(tmp_path)
    with pytest.raises(InputError, match="other questions"):
        begin(tmp_path / "pool.jsonl", "omin")
    write_pool(make_pool(SYSTEMS, "relation", seed=7), tmp_path / "pool.jsonl")
    with pytest.raises(InputError, match="another pool"):
        begin(tmp_path / "pool.jsonl", "correct")
    with pytest.raises(InputError, match="does not hold"):
        resume(tmp_path / "pool.jsonl")


def test_what_somebody_left_lying_is_passed_over_without_a_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = desk(tmp_path)
    left = work.next_entry("ben")
    assert left is not None
    ann, looks = Judge(work, "ann"), []
    is_open = Desk.is_open
    monkeypatch.setattr(Desk, "is_open", lambda *given: looks.append(given) or is_open(*given))
    seen = list(iter(ann.answer_next, None))
    assert left.id not in seen
    assert len(seen) == len(work.entries) - 1
    assert len(looks) <= 4 * len(seen)
    Judge(work, "ben").say("skip", left.id)
    assert work.next_entry("ben") is None
    assert ann.answer_next() == left.id


def test_progress_follows_every_act(tmp_path: Path) -> None:
    work = desk(tmp_path, "omin")
    ann = Judge(work, "ann")
    first = work.entries[0]
    total = len(work.entries)
    ann.say("skip", first.id)
    assert work.progress("ann") == (0, total, 1, 0)
    ann.say("unsure", first.id, "semantic")
    assert work.progress("ann") == (1, total, 1, 1)
    ann.say("answer", first.id, "semantic", 1.0)
    assert work.progress("ann") == (1, total, 0, 0)
    work.undo("ann", "undo-0001")
    assert work.progress("ann") == (1, total, 1, 1)
    work.undo("ann", "undo-0002")
    work.undo("ann", "undo-0003")
    assert work.progress("ann") == (0, total, 0, 0)


def test_what_is_held_grows_with_the_items_and_not_with_the_acts(tmp_path: Path) -> None:
    work = desk(tmp_path, overlap=1)
    judges = [Judge(work, "ann"), Judge(work, "ben")]

    def work_through() -> tuple[int, int]:
        """Let all judges answer everything, take an act back, and count what is held of answers, and in all."""
        for judge in judges:
            for entry in work.entries:
                judge.say("answer", entry.id, "right", float(judge.number % 2))
                judge.say("note", entry.id, "note", text=f"note {judge.number}")
            judge.number += 1
            work.undo(judge.name, f"{judge.name}-{judge.number:08}")
            judge.say("note", work.entries[-1].id, "note", text="last")
            work.next_entry(judge.name)
        gc.collect()
        objects = gc.get_objects()
        assert not any(isinstance(part, Line) for part in objects)  # the journal keeps lines, not the desk
        return sum(isinstance(part, Standing) for part in objects), len(objects)

    work_through()
    answers, objects = work_through()
    assert answers == 2 * len(judges) * len(work.entries)
    more = work_through()
    assert more[0] == answers
    assert more[1] - objects < len(work.entries)


CONDITIONAL = """title = "t"
[[question]]
id = "right"
text = "?"
right = [1]
answers = [{value = 0, label = "no"}, {value = 1, label = "yes"}]
[[question]]
id = "clear"
text = "?"
answers = [{value = 0, label = "no"}, {value = 1, label = "yes"}]
when = {question = "right", answers = [1]}
[[question]]
id = "strong"
text = "?"
answers = [{value = 0, label = "no"}, {value = 1, label = "yes"}]
when = {question = "clear", answers = [1]}
"""


def test_what_is_not_asked_any_more_counts_no_more(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(CONDITIONAL)
    work = desk(tmp_path, str(tmp_path / "mine.toml"), overlap=1.0)
    ann, ben, eve = Judge(work, "ann"), Judge(work, "ben"), Judge(work, "eve")
    entry = work.entries[0]

    def counted() -> list[str]:
        return [question for _, question in work.project.judgements().ratings]

    for question in ("right", "clear", "strong"):
        ann.say("answer", entry.id, question, 1.0)
    assert counted() == ["right", "clear", "strong"]
    ann.say("answer", entry.id, "right", 0.0)
    assert [place.question.id for place in work.asked("ann", entry)] == ["right"]
    assert counted() == ["right"]
    ann.say("answer", entry.id, "right", 1.0)
    assert counted() == ["right", "clear", "strong"]
    ben.say("answer", entry.id, "right", 0.0)
    eve.say("adjudicate", entry.id, "right", 0.0)
    assert counted() == ["right"]


def test_who_decides_keeps_what_they_answered_themselves(tmp_path: Path) -> None:
    work = desk(tmp_path, overlap=1.0)
    ann, ben = Judge(work, "ann"), Judge(work, "ben")
    first, second = (entry.id for entry in work.entries[:2])
    ann.say("answer", first, "right", 1.0)
    with pytest.raises(InputError, match="nothing to decide"):
        ben.say("adjudicate", first, "right", 0.0)
    ben.say("answer", first, "right", 0.0)
    ben.say("adjudicate", first, "right", 1.0)
    (settled,) = work.project.judgements().disagreements()
    assert [rating.value for rating in settled.ratings] == [1.0, 0.0]
    assert settled.decided == 1.0
    work.undo("ben", "number-undo")
    (opened,) = work.project.judgements().disagreements()
    assert (len(opened.ratings), opened.decided) == (2, None)
    assert holding(work) == holding(Desk(work.project))
    with pytest.raises(KaratError, match="same number"):
        work.undo("ann", "number-undo")
    with pytest.raises(InputError, match="nothing to decide"):
        ann.say("again", second, "right")
    assert work.project.journal.check() == 5


def test_the_database_of_somebody_else_stays_as_it_is(tmp_path: Path) -> None:
    desk(tmp_path)
    foreign = tmp_path / "foreign.db"
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE ours (line)")
        connection.commit()
    before = foreign.read_bytes()
    with pytest.raises(InputError, match="does not hold the answers"):
        resume(tmp_path / "pool.jsonl", str(foreign))
    assert foreign.read_bytes() == before
    with pytest.raises(InputError, match=r"nowhere\.jsonl: "):
        resume(tmp_path / "nowhere.jsonl")
