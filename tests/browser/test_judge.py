"""The workbench in a real browser: by keyboard, through a crash, for two judges, and the numbers in the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from karat.judge.judgements import Judgements
from karat.judge.pool import Pool, make_pool, read_pool, write_pool
from karat.judge.project import Project, resume
from karat.judge.results import results_of
from karat.model import Argument, Document, Mention, Relation
from tests.postgresql import Places

from .workbench import Server, act, enter, settled

TEXTS = {
    "A1": "THE WING FUEL TANK SUMPS WERE NOT DRAINED DURING PREFLIGHT AND THE ENGINE QUIT",
    "A2": "THE PILOT OF THE ACFT LANDED IN A FIELD AND THE LEFT WING STRUCK A TREE <b>&amp;</b>",
}


def document(name: str, *triples: tuple[str, str, str]) -> Document:
    """Make a document of our texts, with triples of its words in their places."""
    text = TEXTS[name]
    result = Document(name, text)
    for number, (head, label, tail) in enumerate(triples):
        for role, words in (("head", head), ("tail", tail)):
            start = text.index(words)
            result.mentions.append(Mention(f"{role}{number}", ((start, start + len(words)),), (), words))
        arguments = (Argument("head", f"head{number}"), Argument("tail", f"tail{number}"))
        result.relations.append(Relation(f"r{number}", label, arguments))
    return result


FIRST = [
    document("A1", ("ENGINE", "has cause", "FUEL TANK SUMPS"), ("WING", "has part", "FUEL TANK")),
    document("A2", ("PILOT", "landed in", "FIELD"), ("LEFT WING", "struck", "TREE")),
]
SECOND = [document("A1", ("ENGINE", "has cause", "FUEL TANK SUMPS")), document("A2", ("PILOT", "lives in", "TREE"))]


def pool_of(folder: Path) -> Path:
    """Write the pool of two systems, every item for every judge."""
    pool = make_pool({"first": ("1", FIRST), "second": ("2", SECOND)}, "relation", overlap=1)
    write_pool(pool, folder / "pool.jsonl")
    return folder / "pool.jsonl"


def judge_all(page, pool: Pool, semantic: dict[str, str]) -> None:
    """Answer every question of every item with the keys, in the order in which they are asked."""
    for index, entry in enumerate(pool.entries):
        act(page, "3", semantic[entry.item.label], "1")
        following = pool.entries[index + 1].item.document if index + 1 < len(pool.entries) else ""
        if following != entry.item.document:
            members = [other for other in pool.entries if other.item.document == entry.item.document]
            assert page.locator(".claims li").count() == len(members)
            page.keyboard.type("0")
            with page.expect_response("**/act"):
                page.keyboard.press("Enter")
            settled(page)


def right_by_keys(pool: Pool, keys: dict[str, str], system: str) -> float:
    """Compute precision plainly, from the keys that were pressed."""
    theirs = [entry for entry in pool.entries if system in entry.systems]
    return sum(keys[entry.item.label] == "2" for entry in theirs) / len(theirs)


IDA = {"has cause": "2", "has part": "2", "landed in": "2", "struck": "2", "lives in": "1"}
BEN = {**IDA, "has cause": "1"}


def test_two_judges_an_adjudicator_and_the_summary(running: Any, tmp_path: Path, places: Places) -> None:
    path, answers = pool_of(tmp_path), places()
    pool = read_pool(path)
    with Server(path, answers=answers) as server:
        requests: list[str] = []
        pages = {}
        for name in ("Ida", "Ben"):
            pages[name] = running.new_context().new_page()
            pages[name].on("request", lambda request: requests.append(request.url))
            enter(pages[name], server, name)
        judge_all(pages["Ida"], pool, IDA)
        judge_all(pages["Ben"], pool, BEN)
        assert "Everything is answered" in pages["Ida"].inner_text("#work")
        owner = running.new_context().new_page()
        enter(owner, server, "owner", server.token)
        owner.goto(f"{server.address}/adjudicate")
        assert "has cause" in owner.inner_text("h1")
        assert "Ida" not in owner.inner_text("#work")
        act(owner, "2")
        assert "settled" in owner.inner_text("#work")
        owner.goto(f"{server.address}/summary")
        assert "System 1" in owner.inner_text("#work")
        with owner.expect_response("**/reveal"):
            owner.click("[data-do=reveal]")
        owner.wait_for_selector("text=first")
        owner.click("text=Export")
        with owner.expect_download() as download:
            owner.click("a[href='/summary.csv']")
        assert "precision" in Path(download.value.path()).read_text("utf-8")
        server.stop()
        assert {url.split("/")[2] for url in requests} == {f"127.0.0.1:{server.port}"}
    figures = results_of(resume(path, answers).judgements()).figures
    precision = {figure.system: figure.value for figure in figures if figure.table == "precision" and not figure.about}
    assert precision == {name: pytest.approx(right_by_keys(pool, IDA, name)) for name in ("first", "second")}
    kappa = next(figure for figure in figures if figure.measure == "equal answers" and figure.about == "semantic")
    assert kappa.value == pytest.approx(4 / 5)
    assert resume(path, answers).journal.check() > 30


def test_a_server_that_is_killed_loses_and_doubles_nothing(running: Any, tmp_path: Path, places: Places) -> None:
    path, answers = pool_of(tmp_path), places()
    with Server(path, "correct", answers) as server:
        page = running.new_page()
        enter(page, server, "Ida")
        act(page, "2")
        server.kill()
        page.keyboard.press("2")
        page.wait_for_selector("text=Not saved yet")
        server.start()
        page.wait_for_selector(".progress b:text-is('2')", timeout=60_000)
        act(page, "1", "u", "2")
        page.reload()
        assert page.inner_text(".progress b") == "3"
        server.stop()
    project: Project = resume(path, answers)
    judgements: Judgements = project.judgements()
    assert sorted(rating.value for ratings in judgements.ratings.values() for rating in ratings) == [1, 1, 1]
    assert [line.act for line in project.journal.lines()] == ["begin", "answer", "answer", "answer", "undo", "answer"]


def test_facts_are_found_with_the_keyboard(running: Any, tmp_path: Path) -> None:
    path = pool_of(tmp_path)
    with Server(path, "correct") as server:
        page = running.new_page()
        enter(page, server, "Ida")
        page.goto(f"{server.address}/discover/1")
        text = page.inner_text("#words")
        for key in ("ArrowRight", "Space", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "Space"):
            page.keyboard.press(key)
        page.keyboard.type("is near")
        with page.expect_response("**/act"):
            page.keyboard.press("Enter")
        page.wait_for_selector(".facts li")
        words = text.split()
        assert page.inner_text(".facts li").split()[:-1] == [words[1], "is", "near", words[3], words[4]]
        act(page, "d")
        server.stop()
    (fact,) = resume(path, None).judgements().facts
    assert '"is near"' in fact.text
    assert resume(path, None).judgements().finished == {fact.target: {"Ida"}}


def test_skip_unsure_and_notes(running: Any, tmp_path: Path) -> None:
    path = pool_of(tmp_path)
    with Server(path, "correct") as server:
        page = running.new_page()
        enter(page, server, "Ida")
        page.keyboard.press("e")
        page.keyboard.type("hard: 1 or 2?")
        with page.expect_response("**/act"):
            page.keyboard.press("Escape")
        act(page, "s", "0", "2", "2", "2")
        assert "2 you skipped or were unsure about" in page.inner_text("#work")
        page.click(".list a")
        page.wait_for_selector("#note")
        assert page.input_value("#note") == "hard: 1 or 2?"
        act(page, "1")
        server.stop()
    assert len(resume(path, None).judgements().ratings) == 5


def test_every_page_is_readable_by_all(running: Any, tmp_path: Path) -> None:
    """Each control has a name, text has contrast by our tokens, and nothing is cut off on a narrow screen."""
    path = pool_of(tmp_path)
    with Server(path) as server:
        page = running.new_page(viewport={"width": 390, "height": 800})
        enter(page, server, "owner", server.token)
        for place in ("/judge", "/discover", "/adjudicate", "/summary"):
            page.goto(server.address + place)
            unnamed = page.evaluate(
                "[...document.querySelectorAll('button, a, input:not([type=hidden]), textarea')]"
                ".filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).length"
            )
            assert unnamed == 0, place
            if place != "/summary":
                assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), place
        server.stop()
