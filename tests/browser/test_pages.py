"""Pages without script in a real browser: axe finds nothing, no request leaves, nothing is wider than a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import karat
from tests.browser.accessibility import violations

EXAMPLES = Path(__file__).parents[2] / "examples"
PROTOCOL = "hipe2022-nerc-coarse"
GOLD, *SYSTEMS = (str(EXAMPLES / "hipe" / name) for name in ("gold.tsv", "system-a.tsv", "system-b.tsv"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    karat.show(GOLD, SYSTEMS[0], PROTOCOL).save(folder / "system.html")
    karat.show(str(EXAMPLES / "relations" / "gold")).save(folder / "documents.html")
    karat.score(PROTOCOL, GOLD, SYSTEMS[1], ci=True).show().save(folder / "scores.html")
    return folder


@pytest.mark.parametrize("name", ["system", "documents", "scores"])
@pytest.mark.parametrize(("scheme", "width"), [("light", 1000), ("dark", 400)])
def test_a_page_is_readable_for_everyone(running: Any, folder: Path, name: str, scheme: str, width: int) -> None:
    context = running.new_context(color_scheme=scheme, bypass_csp=True, viewport={"width": width, "height": 800})
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((folder / f"{name}.html").as_uri())
    assert violations(page) == []
    assert asked == [(folder / f"{name}.html").as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_lines_stand_below_the_words_they_are_of(running: Any, folder: Path) -> None:
    page = running.new_context(viewport={"width": 1000, "height": 800}).new_page()
    page.goto((folder / "system.html").as_uri())
    word = page.get_by_text("Zürich", exact=True).first.bounding_box()
    badge = page.locator(".under .badge").first.bounding_box()
    label = page.locator(".tag").first.bounding_box()
    assert abs(badge["x"] - word["x"]) < 3
    assert abs(label["x"] - word["x"]) < 3
    assert label["y"] < word["y"] < badge["y"] < word["y"] + 60
