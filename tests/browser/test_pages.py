"""Pages of documents and scores in a real browser: axe finds nothing, no request leaves, none is wider than a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import karat
from karat.display.drawing.pages import page
from tests.browser.accessibility import violations

EXAMPLES = Path(__file__).parents[2] / "examples"
PROTOCOL = "hipe2022-nerc-coarse"
GOLD, *SYSTEMS = (str(EXAMPLES / "hipe" / name) for name in ("gold.tsv", "system-a.tsv", "system-b.tsv"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    karat.show(GOLD, SYSTEMS[0], PROTOCOL).save(folder / "system.html")
    karat.show(str(EXAMPLES / "relations" / "gold")).save(folder / "documents.html")
    shown = karat.show(GOLD, SYSTEMS[0], PROTOCOL)
    (folder / "piece.html").write_text(page(shown.title, shown.body), "utf-8")
    relations = karat.show(*(str(EXAMPLES / "relations" / name) for name in ("gold", "system")), "relations")
    # Without a charset the browser guesses one from the bytes that have come, and scripts then have other hashes.
    start = '<!doctype html><meta charset="utf-8"><title>cell</title>'
    notebook = start + '<body data-jp-theme-light="false"><main><h1>Cell</h1>{}</main>'
    (folder / "notebook.html").write_text(notebook.format(relations._repr_html_()), "utf-8")
    karat.score(PROTOCOL, GOLD, SYSTEMS[1], ci=True).show().save(folder / "scores.html")
    return folder


@pytest.mark.parametrize("name", ["system", "documents", "scores", "piece"])
@pytest.mark.parametrize(("scheme", "width"), [("light", 1000), ("dark", 400)])
def test_a_page_is_readable_for_everyone(running: Any, folder: Path, name: str, scheme: str, width: int) -> None:
    context = running.new_context(color_scheme=scheme, bypass_csp=True, viewport={"width": width, "height": 800})
    opened = context.new_page()
    asked: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto((folder / f"{name}.html").as_uri())
    assert violations(opened) == []
    assert asked == [(folder / f"{name}.html").as_uri()]
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


def test_lines_stand_below_the_words_they_are_of(running: Any, folder: Path) -> None:
    opened = running.new_context(viewport={"width": 1000, "height": 800}).new_page()
    opened.goto((folder / "piece.html").as_uri())
    word = opened.get_by_text("Zürich", exact=True).first.bounding_box()
    badge = opened.locator(".under .badge").first.bounding_box()
    label = opened.locator(".tag").first.bounding_box()
    assert abs(badge["x"] - word["x"]) < 3
    assert abs(label["x"] - word["x"]) < 3
    assert label["y"] < word["y"] < badge["y"] < word["y"] + 60


def test_a_notebook_has_the_reader_of_the_report_in_the_colours_around_it(running: Any, folder: Path) -> None:
    opened = running.new_context(viewport={"width": 1000, "height": 800}).new_page()
    asked: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto((folder / "notebook.html").as_uri())
    frame = opened.frame_locator("iframe")
    frame.locator("path.arc").first.wait_for()
    assert frame.locator("path.arc.golden").count() >= 4
    frame.locator("#stack").press("j")
    frame.locator("#inspector .case").wait_for()
    assert frame.locator("html").get_attribute("data-theme") == "dark"
    assert not opened.locator(".karat").is_visible()
    assert [url for url in asked if not url.startswith(("file:", "about:"))] == []
