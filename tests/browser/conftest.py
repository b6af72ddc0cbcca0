"""One browser for all tests in a browser; each finds it without pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.workbench import browser


@pytest.fixture(scope="package")
def opened_browser() -> Iterator[Any]:
    with browser() as opened:
        yield opened


@pytest.fixture
def running(opened_browser: Any) -> Iterator[Any]:
    """Return the browser, and close after the test what it opened: pages look for their server again and again."""
    before = list(opened_browser.contexts)
    yield opened_browser
    for context in opened_browser.contexts:
        if context not in before:
            context.close()
