from __future__ import annotations

import re
from html.parser import HTMLParser

from tests.display.views.results import hostile, team1, team2

from karat.display.views import render
from karat.display.views.papers import scores_markup


class Reader(HTMLParser):
    """Collects the tags and the texts of cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.tags.append(tag)
        if tag in ("th", "td"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] and self.tags[-1] in ("th", "td"):
            self.cells[-1] += data.strip("\n")


def test_one_system() -> None:
    text = scores_markup([team2()])
    head, *body = re.findall("<tr>.*</tr>", text)
    assert head.count('<th scope="col"') == 7
    assert len(body) == 1
    assert "<td>0.812 [0.790, 0.833]</td>" in body[0]
    assert 'aria-label="0.812, from 0.790 to 0.833"' in body[0]
    assert text.endswith("<p><code>karat:1.0|protocol:small|gold:9f3c1a|ci:b1000</code></p>\n")
    assert text in team2()._repr_html_()
    assert team2()._repr_html_() in render("html", [team2()])


def test_notes_and_blank_cells() -> None:
    reader = Reader(render("html", [team1()]))
    assert reader.cells[20:30] == ["", "", "macro-unit", "strict", "0.250", "1.000", "0.300", "", "", ""]
    assert reader.tags[-3:] == ["p", "p", "code"]


def test_hostile_names_bring_in_no_markup() -> None:
    reader = Reader(scores_markup([hostile()]))
    assert set(reader.tags) == {"h1", "div", "table", "thead", "tbody", "tr", "th", "td", "p", "code"}
    assert reader.cells[9].startswith("a|b\\tc\\nd\\e<f>&\"g'_h*i`j`k[l]")
