"""The documentation as a site: nothing in it is asked of anyone else, and every page is built."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_HOST = r"(?:https?:)?//"
FOREIGN = re.compile(rf"""(?:src|href|srcset|action)=["']?{_HOST}[^"'>\s]*|@import[^;]*|url\(["']?{_HOST}[^)]*""")


def test_the_configuration_asks_for_no_fonts() -> None:
    configuration = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert re.search(r"^theme:\n  font: false$", configuration, re.M)
    assert "://" not in configuration


def test_own_styles_bring_in_nothing() -> None:
    styles = list((ROOT / "docs").rglob("*.css"))
    assert styles
    assert [FOREIGN.findall(style.read_text("utf-8")) for style in styles] == [[]] * len(styles)


@pytest.mark.skipif(importlib.util.find_spec("zensical") is None, reason="needs Zensical: pip install 'karat[docs]'")
def test_no_page_asks_anything_of_others(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    subprocess.run([sys.executable, "-m", "zensical", "build"], cwd=tmp_path, check=True, capture_output=True)
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > len(list((ROOT / "docs").rglob("*.md")))
    for page in (*pages, *(tmp_path / "site").rglob("*.css")):
        assert FOREIGN.findall(page.read_text("utf-8")) == [], page
