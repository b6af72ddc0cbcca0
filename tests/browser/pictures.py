"""``python -m tests.browser.pictures``: takes the pictures of the workbench that the documentation shows."""

from __future__ import annotations

import tempfile
from pathlib import Path

from karat.judge.pool import read_pool

from .test_judge import BEN, IDA, judge_all, pool_of
from .workbench import Server, act, browser, enter

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
DESK = {"width": 1440, "height": 840}
TABLET = {"width": 820, "height": 1180}


def take() -> None:
    """Judge a small pool and take a picture of each task, in light and dark, on a desk and a tablet."""
    with tempfile.TemporaryDirectory() as folder:
        pool = pool_of(Path(folder))
        with browser() as running, Server(pool) as server:
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
            _shoot(dark, "judge-dark")
            tablet = running.new_context(viewport=TABLET).new_page()
            enter(tablet, server, "Tim")
            act(tablet, "3")
            _shoot(tablet, "judge-tablet")
            for name, keys in (("Ann", IDA), ("Ben", BEN)):
                judge = running.new_context().new_page()
                enter(judge, server, name)
                judge_all(judge, read_pool(pool), keys)
            owner = running.new_context(viewport=DESK).new_page()
            enter(owner, server, "owner", server.token)
            owner.goto(f"{server.address}/adjudicate")
            _shoot(owner, "judge-adjudicate")
            owner.goto(f"{server.address}/summary")
            _shoot(owner, "judge-summary")


def _shoot(page, name: str) -> None:
    page.locator("#said:empty").wait_for(state="attached")
    page.screenshot(path=PICTURES / f"{name}.png")


if __name__ == "__main__":
    take()
