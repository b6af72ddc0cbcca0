"""``python -m tests.browser.pictures [judge] [report]``: takes the pictures that the documentation shows, or some."""

# ruff: noqa: S311 - invented records

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

from karat.judge.desk import Desk
from karat.judge.journal import Act
from karat.judge.pool import Draw, make_pool, write_pool
from karat.judge.project import begin
from karat.model import Argument, Document, Mention, Relation

from . import report_pictures
from .test_judge import pool_of
from .workbench import Server, act, browser, enter

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
DESK = {"width": 1440, "height": 900}
TABLET = {"width": 820, "height": 1180}
THINGS = ("WING", "FUEL TANK", "LEFT MAIN GEAR", "CARBURETOR", "NOSE WHEEL", "OIL LINE", "PROPELLER", "FUEL PUMP")
LABELS = {"part of": 0.85, "has cause": 0.6, "located in": 0.85, "struck": 0.75, "owner of": 0.45}
"""How often a relation is right."""


def take(which: list[str]) -> None:
    """Take pictures of the workbench, each task in light and dark, on a desk and a tablet, and of the report."""
    with tempfile.TemporaryDirectory() as folder, browser() as running:
        if "judge" in which:
            _tasks(Path(folder), running)
            _results(Path(folder), running)
        if "report" in which:
            report_pictures.take(running)


def _tasks(folder: Path, running) -> None:
    with Server(pool_of(folder)) as server:
        page = running.new_context(viewport=DESK).new_page()
        enter(page, server, "Ida B.")
        act(page, "3")
        _shoot(page, "judge-item")
        page.goto(f"{server.address}/discover")
        for key in ("ArrowRight", "Space", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "Space"):
            page.keyboard.press(key)
        page.keyboard.type("is near")
        _shoot(page, "judge-discover")
        dark = running.new_context(viewport=DESK, color_scheme="dark").new_page()
        enter(dark, server, "Dora")
        act(dark, "3")
        _shoot(dark, "judge-dark")
        tablet = running.new_context(viewport=TABLET).new_page()
        enter(tablet, server, "Tim")
        act(tablet, "3")
        _shoot(tablet, "judge-tablet")


def _results(folder: Path, running) -> None:
    """Show the summary and a disagreement of a larger pool, which was judged."""
    path = folder / "records.jsonl"
    controls = [document for document in _records("control", Random(7)) if document.id in ("R3", "R9", "R20")]
    systems = {name: ("", _records(name, Random(number))) for number, name in enumerate(("tool-a", "tool-b", "tool-c"))}
    pool = make_pool(systems, "relation", draw=Draw(documents=30), overlap=0.25, controls={"right": controls})
    write_pool(pool, path)
    with begin(path, "omin") as project:
        desk = Desk(project)
        for number, name in enumerate(("Ida B.", "Ben K.", "Noor A.")):
            _judge(desk, name, Random(number), most=100)
    with Server(path) as server:
        owner = running.new_context(viewport=DESK).new_page()
        enter(owner, server, "owner", server.token)
        owner.goto(f"{server.address}/summary")
        _shoot(owner, "judge-summary", whole=True)
        owner.goto(f"{server.address}/adjudicate")
        _shoot(owner, "judge-adjudicate")


def _records(tool: str, chance: Random) -> list[Document]:
    """Invent records of which each tool reads a few relations, some of them the same."""
    documents = []
    for number in range(90):
        first, second, third = Random(number).sample(THINGS, 3)
        text = f"THE {first} WAS FOUND LOOSE NEAR THE {second} AND THE {third} HAD BEEN REPLACED BY THE OWNER"
        document = Document(f"R{number}", text)
        for place in range(chance.randint(1, 4)):
            head, tail = chance.sample((first, second, third), 2)
            for role, words in (("head", head), ("tail", tail)):
                start = text.index(words)
                document.mentions.append(Mention(f"{role}{place}", ((start, start + len(words)),), (), words))
            ends = (Argument("head", f"head{place}"), Argument("tail", f"tail{place}"))
            label = chance.choices(list(LABELS), (6, 5, 4, 3, 2))[0] if tool != "control" else "is near"
            document.relations.append(Relation(f"r{place}", label, ends))
        documents.append(document)
    return documents


def _judge(desk: Desk, name: str, chance: Random, most: int) -> None:
    """Answer what waits for a judge as the relation and the chances have it; notes and doubts are rare."""
    for _ in range(most):
        entry = desk.next_entry(name)
        if entry is None:
            return
        truth = Random(entry.id).random() < LABELS.get(entry.item.label, 1)
        for place in desk.asked(name, entry):
            values = {"syntactic": 1.0, "semantic": float(truth), "hallucination": 0.0, "consistency": 0.0}
            value = values[place.question.id]
            if chance.random() < 0.08:
                value = 1.0 - value
            nonce = f"{chance.getrandbits(64):016x}"
            seconds = round(chance.uniform(3, 20), 1)
            desk.act(Act(name, "answer", nonce, place.target, place.question.id, value, "", seconds))


def _shoot(page, name: str, *, whole: bool = False) -> None:
    page.locator("#said:empty").wait_for(state="attached")
    page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)


if __name__ == "__main__":
    take(sys.argv[1:] or ["judge", "report"])
