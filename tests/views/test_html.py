from __future__ import annotations

from html.parser import HTMLParser

from tests.views.results import hostile, team1, team2

from karat.views import render


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
    text = render("html", [team2()])
    assert (
        text
        == """<table class="karat">
<thead>
<tr><th scope="col">layer</th><th scope="col">average</th><th scope="col">regime</th><th scope="col">F1</th>\
<th scope="col">correct</th><th scope="col">actual</th><th scope="col">possible</th></tr>
</thead>
<tbody>
<tr><th scope="row">NE</th><th scope="row">micro</th><th scope="row">strict</th><td>0.812 [0.790, 0.833]</td>\
<td>1</td><td>3</td><td>2.500</td></tr>
</tbody>
</table>
<p><code>karat:1.0|protocol:small|gold:9f3c1a|ci:b1000</code></p>
"""
    )
    assert team2()._repr_html_() == text


def test_notes_and_blank_cells() -> None:
    reader = Reader(render("html", [team1()]))
    assert reader.cells[20:30] == ["", "", "macro-unit", "strict", "0.250", "1.000", "0.300", "", "", ""]
    assert reader.tags[-3:] == ["p", "p", "code"]


def test_hostile_names_bring_in_no_markup() -> None:
    reader = Reader(render("html", [hostile()]))
    assert set(reader.tags) == {"table", "thead", "tbody", "tr", "th", "td", "p", "code"}
    assert reader.cells[9].startswith("a|b\\tc\\nd\\e<f>&\"g'_h*i`j`k[l]")
