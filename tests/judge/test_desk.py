"""What lies before each judge."""

from __future__ import annotations

import gc
import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from karat.errors import InputError, KaratError
from karat.judge.assignments import KEPT
from karat.judge.desk import MAX_TEXT, Desk
from karat.judge.journal import Act
from karat.judge.pool import make_pool, write_pool
from karat.judge.project import begin, resume
from karat.judge.scheme import read_scheme
from karat.judge.sheet import take_sheet

from .test_results import SYSTEMS

pytestmark = pytest.mark.usefixtures("everywhere")


def desk(folder: Path, scheme: str = "correct", overlap: float = 0.0) -> Desk:
    write_pool(make_pool(SYSTEMS, "relation", overlap=overlap), folder / "pool.jsonl")
    return Desk(begin(folder / "pool.jsonl", scheme))


def holding(desk: Desk) -> tuple:
    """Return all that a desk knows: of each judge who did anything, and of who has taken what."""
    assignments = desk.assignments
    states = {
        name: (marks.waiting, marks.marks, +marks.counts, marks.searched)
        for name, marks in assignments.by_judge.items()
    }
    acting = {name: state for name, state in states.items() if any(state[1])}
    return acting, assignments.owners, +assignments.claims, {asked: line for asked, line in desk.again.items() if line}


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


def test_what_lies_before_someone_who_went_away_is_given_to_others_after_a_while(tmp_path: Path) -> None:
    work = desk(tmp_path)
    moment = 0.0
    work.assignments.clock = lambda: moment
    left = work.next_entry("ann")
    assert left is not None
    ben = Judge(work, "ben")
    others = list(iter(ben.answer_next, None))
    assert left.id not in others
    moment = KEPT
    assert list(iter(ben.answer_next, None)) == [left.id]
    with pytest.raises(InputError, match="there is no such item"):
        Judge(work, "ann").say("answer", left.id, "right", 0.0)


def test_questions_about_a_document_stand_behind_its_last_item(tmp_path: Path) -> None:
    work = desk(tmp_path, "omin")
    asked = {entry.id: [place.question.id for place in work.asked("ann", entry)] for entry in work.entries}
    for members in work.assignments.members.values():
        *before, last = (work.entries[place].id for place in members)
        assert "consistency" in asked[last]
        assert not any("consistency" in asked[item] for item in before)


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
    assert holding(again) == holding(work)
    assert again.next_entry("ann") == work.next_entry("ann")


def test_an_answer_taken_back_leaves_the_desk_as_if_opened_again(tmp_path: Path) -> None:
    work = desk(tmp_path)
    ann, item = Judge(work, "ann"), work.entries[0].id
    ann.say("answer", item, "right", 1.0)
    ann.say("note", item, "note", text="hard")
    ann.say("answer", item, "right", 0.0)
    work.undo("ann", "undo-0001")
    assert work.held("ann", item)["right"].value == 1.0
    for number in (2, 3):
        work.undo("ann", f"undo-000{number}")
    assert holding(work)[0] == {}
    assert not any(work.assignments.owners)
    ann.say("note", item, "note", text="hard")
    ann.say("unsure", item, "right")
    work.undo("ann", "undo-0004")
    again = Desk(resume(tmp_path / "pool.jsonl"))
    assert holding(again) == holding(work)
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


def test_a_project_goes_on_with_its_questions_and_begins_with_the_simplest(tmp_path: Path) -> None:
    omin = desk(tmp_path, "omin").project.scheme
    assert begin(tmp_path / "pool.jsonl").scheme == omin
    write_pool(make_pool(SYSTEMS, "relation"), tmp_path / "new.jsonl")
    assert begin(tmp_path / "new.jsonl", address=str(tmp_path / "other.answers")).scheme == read_scheme("correct")


def test_other_questions_or_another_pool_need_another_place(tmp_path: Path) -> None:
    desk(tmp_path)
    with pytest.raises(InputError, match="other questions"):
        begin(tmp_path / "pool.jsonl", "omin")
    write_pool(make_pool(SYSTEMS, "relation", seed=7), tmp_path / "pool.jsonl")
    with pytest.raises(InputError, match="another pool"):
        begin(tmp_path / "pool.jsonl", "correct")
    with pytest.raises(InputError, match="does not hold"):
        resume(tmp_path / "pool.jsonl")


def test_what_somebody_left_lying_is_passed_over(tmp_path: Path) -> None:
    work = desk(tmp_path)
    left = work.next_entry("ben")
    assert left is not None
    ann = Judge(work, "ann")
    seen = list(iter(ann.answer_next, None))
    assert left.id not in seen
    assert len(seen) == len(work.entries) - 1
    Judge(work, "ben").say("skip", left.id)
    assert work.next_entry("ben") is None
    assert ann.answer_next() == left.id


def test_who_logs_out_leaves_what_lay_before_them_to_others(tmp_path: Path) -> None:
    work = desk(tmp_path)
    left = work.next_entry("ben")
    assert work.next_entry("ann") != left
    work.leave("ben")
    assert work.next_entry("ann") == left


def test_whoever_is_asked_about_a_document_has_all_its_items(tmp_path: Path) -> None:
    work = desk(tmp_path, "omin")
    judges = [Judge(work, name) for name in ("ann", "ben", "eve")]
    seen: dict[str, set[str]] = {judge.name: set() for judge in judges}
    for _ in work.entries:
        for judge in judges:
            item = judge.answer_next()
            if item is not None:
                seen[judge.name].add(item)
    ratings = work.project.judgements().ratings
    assert sum(map(len, seen.values())) == len(work.entries)
    assert sum(map(bool, seen.values())) > 1
    for document, places in work.assignments.members.items():
        (rating,) = ratings[document, "consistency"]
        assert {work.entries[place].id for place in places} <= seen[rating.person]
    assert holding(work) == holding(Desk(work.project))


def test_a_document_that_is_taken_back_is_for_everyone_again(tmp_path: Path) -> None:
    work = desk(tmp_path, "omin")
    ann = Judge(work, "ann")
    item = work.next_entry("ann").id
    ann.say("answer", item, "semantic", 1.0)
    taken = work.assignments.claims["ann"]
    assert taken == len(work.assignments.members[work.entries[work.places[item]].item.document])
    assert work.progress("ben").total == len(work.entries) - taken
    work.undo("ann", "undo-0001")
    work.leave("ann")
    assert work.progress("ben").total == len(work.entries)
    assert work.next_entry("ben").id == item


def test_an_unsure_answer_about_a_document_comes_back_at_the_end(tmp_path: Path) -> None:
    work = desk(tmp_path, "omin")
    ann = Judge(work, "ann")
    document, places = next(iter(work.assignments.members.items()))
    ann.say("unsure", document, "consistency")
    assert work.aside("ann") == [work.entries[places[-1]]]
    assert work.progress("ann").unsure == 1


def test_what_is_written_into_the_journal_meanwhile_is_seen(tmp_path: Path) -> None:
    work = desk(tmp_path)
    first = work.next_entry("ann")
    sheet = tmp_path / "ben.csv"
    sheet.write_text("item,right\n" + "".join(f"{entry.id},1\n" for entry in work.entries[:3]))
    assert take_sheet(resume(tmp_path / "pool.jsonl"), sheet, "ben") == 3
    assert first == work.entries[0]
    assert work.next_entry("ann") == work.entries[3]
    with pytest.raises(InputError, match="no such item"):
        Judge(work, "ann").say("answer", first.id, "right", 1.0)
    assert work.progress("ben").done == 3
    with pytest.raises(InputError, match=r"ben\.csv:2: '\w+' is already assigned to another judge; .*--overlap 1"):
        take_sheet(work.project, sheet, "eve")
    assert holding(work) == holding(Desk(work.project))


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


def test_memory_does_not_grow_with_the_answers(tmp_path: Path) -> None:
    work = desk(tmp_path, overlap=1)
    judges = [Judge(work, f"judge {number}") for number in range(10)]

    def answer(items: int) -> None:
        """Let judges answer items, note something and take it back."""
        for judge in judges:
            for _ in range(items):
                item = judge.answer_next()
                assert item is not None
                judge.say("note", item, "note", text=f"a note of {judge.name}")
                work.undo(judge.name, f"undo-{judge.name}-{judge.number}")

    answer(2)  # what is made once is made
    acts = work.line
    tracemalloc.start()
    try:
        answer(len(work.entries) // 2)
        gc.collect()
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert held < 32_000 + 32 * (work.line - acts)  # a few caches, and less than a single object for each


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
    with pytest.raises(InputError, match="so it needs no decision"):
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
    with pytest.raises(InputError, match="so it needs no decision"):
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
