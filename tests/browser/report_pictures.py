"""The pictures of the report that the documentation shows: each task, in light and dark, on a desk and a phone."""

# ruff: noqa: S311 - invented notices

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from random import Random
from typing import Any

from karat.analysis.statistics.intervals import Bootstrap
from karat.evaluation.corpora import Reading
from karat.evaluation.registry import configure
from karat.report.evaluation import evaluated
from karat.report.pages import pages_of

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PICTURES = ROOT / "docs" / "pictures"
DESK, PHONE, WIDE = {"width": 1440, "height": 1000}, {"width": 390, "height": 844}, {"width": 1440, "height": 1280}
HIPE = ("hipe/gold.tsv", "hipe/system-a.tsv", "hipe/system-b.tsv")

PAPERS = ("gazette", "courier", "tribune")
SENTENCES = (
    "From {LOC}, {TIME}. General {PERS} left for {LOC}.",
    "The {ORG} paid its debts to {PERS} of {LOC}.",
    "In {LOC} the council met on {TIME}, and {PERS} read the {PROD}.",
    "Engineers of the {ORG} surveyed {LOC} and {LOC}.",
    "{PERS} reported from {LOC} that the {ORG} had sold its grain.",
    "Madame {PERS} read the {PROD} to the guests of {PERS}.",
    "On {TIME} the {ORG} opened a house in {LOC}.",
)
NAMES = {
    "LOC": ("Zürich", "Bern", "Neuchâtel", "Geneva", "Basel", "Lausanne", "St. Gallen", "La Chaux-de-Fonds"),
    "PERS": ("Anton Vogelsang", "Clara Ammann", "Delacombe", "Ida Brandt", "Jonas Meyer", "Lev Okun"),
    "ORG": ("Bank of Bern", "Rhine Company", "Grain Company of Basel", "Northern Lines"),
    "TIME": ("20 January", "2 March", "the first of May", "11 July"),
    "PROD": ("Almanach du Lac", "Courier of Trade", "Atlas of the Alps"),
}
"""Of what notices are made."""

SHOTS: Sequence[tuple[str, str, str, dict[str, Any]]] = (
    ("report-summary", "four", "", {"viewport": WIDE}),
    ("report-slices", "four", "#view=slices", {"viewport": WIDE}),
    ("report-reader", "four", "#view=reader&item=1&doc=gazette-1798-01-01", {}),
    ("report-dark", "four", "#view=reader&differ=yes&item=1&doc=gazette-1798-01-01", {"color_scheme": "dark"}),
    ("report-links", "links", "#view=reader&doc=gazette-1798-01-20&item=0", {}),
    ("report-coreference", "chains", "#view=reader&item=7&doc=%28visit%29%3B+part+000", {}),
    ("report-relations", "relations", "#view=reader&doc=mill&item=4", {}),
    ("report-health", "health", "#view=reader&item=4", {"color_scheme": "dark"}),
    ("report-slots", "slots", "#view=reader&doc=CSSF15_ENG_0123456789&item=1", {}),
    ("report-triples", "triples", "#view=reader&doc=A2&item=0", {}),
    ("report-ledger", "four", "#view=ledger", {}),
    ("report-phone", "four", "", {"viewport": PHONE, "device_scale_factor": 2}),
    (
        "report-phone-reader",
        "four",
        "#view=reader&item=1&doc=gazette-1798-01-01",
        {"viewport": PHONE, "device_scale_factor": 2},
    ),
)
"""The name of a picture, the page, what is shown of it, and where."""


def take(running: Any) -> None:
    """Make the pages and take all pictures of them."""
    with tempfile.TemporaryDirectory() as name, chdir(name):  # pictures show the names of files, not where we work
        Path("examples").symlink_to(EXAMPLES)
        pages = _pages(Path(name))
        for picture, which, fragment, context in SHOTS:
            page = running.new_context(
                viewport=context.get("viewport", DESK),
                **{key: value for key, value in context.items() if key != "viewport"},
            ).new_page()
            page.goto(pages[which].as_uri() + fragment)
            page.locator("html.ready").wait_for(state="attached")
            page.wait_for_timeout(800)
            page.screenshot(path=PICTURES / f"{picture}.png")
            page.context.close()


def _pages(folder: Path) -> dict[str, Path]:
    sources = {
        "four": ("hipe2022-nerc-coarse", _newspapers()),
        "links": ("hipe2022-nel", HIPE),
        "chains": ("coref", ("coreference/gold.conll", "coreference/system.conll")),
        "relations": ("relations", ("relations/gold", "relations/system")),
        "health": ("ehealthkd2021-main", ("ehealthkd/gold", "ehealthkd/system/run1")),
        "slots": ("tac2015-sf", ("coldstart/pool.fqec", "coldstart/run.tab.txt")),
        "triples": ("triples", ("triples/gold.csv", "triples/tool.csv")),
    }
    return {name: _written(folder / f"{name}.html", protocol, paths) for name, (protocol, paths) in sources.items()}


def _written(path: Path, name: str, paths: Sequence[Any]) -> Path:
    options = {"queries": "examples/coldstart/queries.xml"} if name == "tac2015-sf" else {}
    bound = configure(name, options)
    sources = [str(path) if isinstance(path, Path) else f"examples/{path}" for path in paths]
    report = evaluated(bound, sources, [Reading()] * len(sources), Bootstrap())
    path.write_text(pages_of(report)["report.html"], "utf-8")
    return path


def _newspapers() -> list[Path]:
    """Write thirty invented notices of newspapers as gold, and four systems that make errors of different kinds."""
    notices = [_notice(number) for number in range(30)]
    habits = {
        "system-a": (0.16, 0.12, 0.04),
        "system-b": (0.02, 0.04, 0.08),
        "system-c": (0.05, 0.08, 0.05),
        "system-d": (0.2, 0.2, 0.16),
    }
    sides = {"gold": notices} | {
        name: [_seen(document, Random(f"{name} {document['id']}"), *habit) for document in notices]
        for name, habit in habits.items()
    }
    paths = []
    for name, documents in sides.items():
        paths.append(Path(f"{name}.jsonl"))
        paths[-1].write_text("".join(f"{json.dumps(document)}\n" for document in documents), "utf-8")
    return paths


def _notice(number: int) -> dict[str, Any]:
    """Invent a notice: sentences with names of people, places, organisations and dates in them."""
    chance = Random(number)
    paper, year = PAPERS[number % len(PAPERS)], 1798 + 4 * number
    text, mentions = "", []
    for sentence in chance.sample(SENTENCES, 3):
        for piece in re.split(r"(\{\w+\})", sentence):
            label = piece.strip("{}")
            words = chance.choice(NAMES[label]) if label in NAMES else piece
            if label in NAMES:
                span = [[len(text), len(text) + len(words)]]
                mentions.append({"id": f"T{len(mentions)}", "spans": span, "labels": [label], "layer": "NE-COARSE-LIT"})
            text += words
        text += " "
    metadata = {"newspaper": paper, "century": "18th" if year < 1800 else "19th" if year < 1900 else "20th"}
    name = f"{paper}-{year}-{1 + number % 12:02}-{1 + number * 7 % 28:02}"
    return {"id": name, "text": text.strip(), "mentions": mentions, "metadata": metadata}


def _seen(document: dict[str, Any], chance: Random, label: float, boundary: float, missed: float) -> dict[str, Any]:
    """Return what a system makes of a notice that takes so many labels and boundaries wrong, and misses so many."""
    seen = []
    for mention in document["mentions"]:
        [[start, end]] = mention["spans"]
        words = document["text"][start:end]
        if chance.random() < missed:
            continue
        if " " in words and chance.random() < 2 * boundary:
            start = end - len(words.split()[-1])
        labels = ["LOC"] if mention["labels"] == ["ORG"] and chance.random() < 3 * label else mention["labels"]
        seen.append({**mention, "spans": [[start, end]], "labels": labels})
    if chance.random() < missed and (capital := re.search(r"(?<=\. )[A-Z]\w+", document["text"])):
        seen.append({"id": "X", "spans": [list(capital.span())], "labels": ["PERS"], "layer": "NE-COARSE-LIT"})
    return {**document, "mentions": seen}
