"""The workbench in a browser for all kinds but relations: judged, found in the text, asked again; and for all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from karat.judge.gold import gold_of
from karat.judge.items import Kind
from karat.judge.pool import make_pool, write_pool
from karat.judge.project import resume
from karat.judge.results import results_of
from karat.model import Argument, Chain, Document, Link, Mention, Relation

from .accessibility import violations
from .test_judge import pool_of
from .workbench import Server, act, enter

TEXT = "Ada met Bo; she paid him"


def document() -> Document:
    """Make a document with one right item of each kind, and one more that a judge may call wrong."""
    places = {"Ada": (0, 3), "Bo": (8, 10), "she": (12, 15), "him": (21, 24)}
    mentions = [Mention(name, (span,), ("PER",), name, links=(Link(f"Q{name}"),)) for name, span in places.items()][:2]
    mentions += [Mention(name, (places[name],), (), name) for name in ("she", "him")]
    event = Relation("e", "pay", (Argument("who", "she"), Argument("whom", "him")), "Ada")
    return Document("d", TEXT, mentions, [Chain("c", ("Ada", "she"), "")], [event])


# What is marked in the text by its words, how it is named, and the recall that follows: the judge calls the first item
# of the only system right and, if there is another, wrong.
@pytest.mark.parametrize(
    ("kind", "words", "label", "recall"),
    [
        ("mention", [0], "PER", 1),
        ("mention", [4], "PER", 1 / 2),
        ("link", [4], "Q5", 1 / 2),
        ("chain", [2, 6], "", 1 / 2),
        ("chain", [0, 4], "", 1),
    ],
)
def test_every_kind_is_judged_and_found_in_the_text(
    running: Any, tmp_path: Path, kind: Kind, words: list[int], label: str, recall: float
) -> None:
    path = tmp_path / "pool.jsonl"
    write_pool(make_pool({"only": ("1", [document()])}, kind), path)
    with Server(path, "correct") as server:
        page = running.new_page()
        enter(page, server, "Ida")
        act(page, "2")
        if kind != "chain":
            act(page, *"1" * (page.locator("fieldset.active").count()))
        page.goto(f"{server.address}/discover")
        here = 0
        for word in words:
            for _ in range(word - here):
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Space")
            here = word
        page.keyboard.type(label)
        with page.expect_response("**/act") as stored:
            page.keyboard.press("Enter")
        assert stored.value.ok
        page.wait_for_selector(".facts li")
        act(page, "d")
        server.stop()
    figures = results_of(resume(path, None).judgements()).figures
    (found,) = [figure for figure in figures if (figure.about, figure.measure) == ("discovery", "recall")]
    assert found.value == pytest.approx(recall)


def test_events_are_judged_and_found_with_their_roles(running: Any, tmp_path: Path) -> None:
    path = tmp_path / "pool.jsonl"
    write_pool(make_pool({"only": ("1", [document()])}, "event"), path)
    with Server(path, "correct") as server:
        page = running.new_page()
        enter(page, server, "Ida")
        assert page.inner_text("h1").lower().split()[-6:] == ["ada", "pay", "she", "who", "him", "whom"]
        act(page, "2")
        for trigger, label, arguments in ((0, "pay", [(6, "whom"), (4, "who")]), (1, "meet", [(0, "who")])):
            page.goto(f"{server.address}/discover")
            here = 0
            for word, role in [(trigger, ""), *arguments]:
                for _ in range(abs(word - here)):
                    page.keyboard.press("ArrowRight" if word > here else "ArrowLeft")
                page.keyboard.press("Space")
                if role:
                    page.keyboard.type(role)
                    page.keyboard.press("Enter")
                here = word
            page.keyboard.press("Enter")
            page.keyboard.type(label)
            with page.expect_response("**/act") as stored:
                page.keyboard.press("Enter")
            assert stored.value.ok
            page.wait_for_selector(".facts li")
        assert page.inner_text(".facts").lower().split()[:6] == ["ada", "pay", "him", "whom", "she", "who"]
        act(page, "d")
        server.stop()
    judgements = resume(path, None).judgements()
    (found,) = [figure for figure in results_of(judgements).figures if figure.measure == "recall"]
    assert found.value == pytest.approx(1 / 2)
    (gold,) = gold_of(judgements)
    assert sorted(event.label for event in gold.relations) == ["meet", "pay"]


def test_judges_are_asked_again_with_a_key(running: Any, tmp_path: Path) -> None:
    with Server(pool_of(tmp_path), "correct") as server:
        pages = {name: running.new_context().new_page() for name in ("Ida", "Ben")}
        for (name, page), key in zip(pages.items(), "21", strict=True):
            enter(page, server, name)
            act(page, key, "2", "2", "2", "2")
            assert "Everything is answered" in page.inner_text("#work")
        owner = running.new_context().new_page()
        enter(owner, server, "owner", server.token)
        owner.goto(f"{server.address}/adjudicate")
        act(owner, "a")
        for page in pages.values():
            page.goto(f"{server.address}/judge")
            act(page, "2")
            assert "Everything is answered" in page.inner_text("#work")
        owner.goto(f"{server.address}/adjudicate")
        assert "2" not in owner.inner_text("nav")
        server.stop()


def test_axe_finds_no_violation_in_the_workbench(running: Any, tmp_path: Path) -> None:
    with Server(pool_of(tmp_path)) as server:
        for scheme in ("light", "dark"):
            page = running.new_context(color_scheme=scheme, bypass_csp=True).new_page()
            page.goto(f"{server.address}/login")
            told = {"/login": violations(page)}
            enter(page, server, "owner", server.token)
            act(page, "1")
            for place in ("/judge", "/discover", "/adjudicate", "/summary"):
                page.goto(server.address + place)
                told[place] = violations(page)
            assert {place: broken for place, broken in told.items() if broken} == {}, scheme
        server.stop()
