"""Documents and ledgers as pieces of a page: the text as it is, marks by shape and tone, nothing from elsewhere."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

import karat
from karat.display.drawing.documents import document_markup
from karat.display.drawing.pages import fragment, page
from karat.display.drawing.text_markup import DrawnItem, set_text
from karat.model import Argument, Chain, Document, Link, Mention, Relation

EXAMPLES = Path(__file__).parents[3] / "examples"
HIPE = [str(EXAMPLES / "hipe" / name) for name in ("gold.tsv", "system-a.tsv")]
EVIL = "</style><script>alert(1)</script> \x1b[2J \u202e & \"'"


class Reader(HTMLParser):
    """Collects tags, and the text that is not a label."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[tuple[str, str]] = []
        self.words: dict[str, str] = {}
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "br", "line", "circle", "input"):
            self.open.append((tag, dict(attrs).get("class") or ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        kinds = [kind for _, kind in self.open]
        place = "label" if {"tag", "under"} & set(kinds) else "text" if "set" in kinds else "other"
        self.words[place] = self.words.get(place, "") + data


def test_the_text_stands_as_it_is_between_its_labels() -> None:
    text = "From Zürich to Bern.\n\nThe Bank of Bern paid."
    gold = [DrawnItem(((5, 11),), "LOC", ""), DrawnItem(((26, 38),), "ORG", ""), DrawnItem(((34, 38),), "LOC", "")]
    system = [
        DrawnItem(((34, 38),), "LOC", "why", "double ticks", "bl", "none"),
        DrawnItem(((5, 11),), "", "", "solid", "e", "full"),
    ]
    markup = set_text(text, gold, [system])
    reader = Reader(markup)
    assert reader.words["text"] == text.replace("\n", "")
    assert reader.words["label"].replace(" ", "") == "LOCeORGLOCblLOC"
    assert markup.count("var(--wash)") == 2 * 3  # Zürich, and the Bank of Bern in two pieces
    assert 'aria-label="why" title="why"' in markup


def test_overlapping_and_discontinuous_items_have_rows_of_their_own() -> None:
    items = [DrawnItem(((0, 3), (8, 12)), "A", ""), DrawnItem(((0, 12),), "B", ""), DrawnItem(((4, 7),), "C", "")]
    markup = set_text("abc def ghij", items, [])
    assert sorted(re.findall(r"\"top:(-\d+)px", markup)) == ["-14", "-29", "-44"]


def test_a_document_with_everything() -> None:
    mentions = [
        Mention("T1", ((0, 3),), ("PER",), links=(Link("Q7259"),)),
        Mention("T2", ((8, 15),), ("PER", "GOV")),
        Mention("T3", (), ("LOC",), text="Ohio"),
    ]
    relation = Relation("R1", "met", (Argument("head", "T1"), Argument("tail", "T2")))
    document = Document("d1", "Ada met Charles.", mentions, [Chain("C1", ("T1", "T2"))], [relation])
    markup = document._repr_html_()
    Reader(markup)
    for words in ("PER Q7259 1", "PER|GOV 1", "head: Ada, tail: Charles", "mention without a place", "Ohio"):
        assert words in markup
    assert document_markup(document) in markup
    assert document_markup(document) in karat.show(document)._repr_html_()


def test_what_files_say_stays_words() -> None:
    mention = Mention("T1", ((0, len(EVIL)),), (EVIL,))
    document = Document(EVIL, EVIL, [mention])
    shown = karat.show(document, Document(EVIL, EVIL, []), "conll2003")
    for markup in (document._repr_html_(), shown._repr_html_(), page(EVIL, fragment(""))):
        frame = re.search(r'srcdoc="(.*?)"', markup, re.DOTALL)
        piece = re.sub(r"<iframe.*?</iframe>", "", markup, flags=re.DOTALL)
        assert not {"script", "iframe"} & set(Reader(piece).tags)
        assert "\x1b" not in markup
        assert "\u202e" not in markup
        assert not re.search(r"(?:src|href)=|url\(|@import", piece)
        assert (
            frame is None
            or "alert" not in unescape(frame[1]).replace("alert(1)&lt;/script&gt;", "").partition("<script")[0]
        )
    assert Reader(shown.page()).tags.count("script") == Reader(karat.show(*HIPE, "conll2003").page()).tags.count(
        "script"
    )


def test_a_notebook_has_the_reader_in_a_frame_and_a_piece_where_none_is_let_in() -> None:
    shown = karat.show(*HIPE, "hipe2022-nerc-coarse")
    frame, piece = re.fullmatch(
        r"(<iframe.*</iframe>)\n(<div class=\"karat\">.*)", shown._repr_html_(), re.DOTALL
    ).groups()
    inside = unescape(re.search(r'srcdoc="(.*?)"', frame, re.DOTALL)[1])
    assert '"framed":true' in inside
    assert inside == shown.page().replace('"framed":false', '"framed":true')
    assert ".karat-frame + .karat { display: none; }" in piece


def test_more_documents_than_a_notebook_shows_are_told_in_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.report.notebook.MOST_UNITS", 2)
    documents = [Document(f"d{number}", "Ada", [Mention("T1", ((0, 3),), ("PER",))]) for number in range(3)]
    alone, judged = karat.show(documents), karat.show(documents, documents, "conll2003")
    for markup in (alone.page(), alone.body):
        assert "The first 2 documents are shown; karat report makes a page of all." in markup
    for markup in (judged.page(), judged.body):
        assert "The first 2 of 3 documents are shown" in markup
    assert [len(shown.reading.units) for shown in (alone, judged)] == [2, 2]
    assert "are shown" not in karat.show(documents[:2]).page()


@pytest.mark.parametrize(
    ("protocol", "sides"),
    [
        ("hipe2022-nerc-coarse", HIPE),
        ("coref", [str(EXAMPLES / "coreference" / name) for name in ("gold.conll", "system.conll")]),
        ("relations", [str(EXAMPLES / "relations" / name) for name in ("gold", "system")]),
        ("triples", [str(EXAMPLES / "triples" / name) for name in ("gold.csv", "tool.csv")]),
    ],
)
def test_a_system_against_the_gold(protocol: str, sides: list[str], tmp_path: Path) -> None:
    shown = karat.show(*sides, protocol)
    markup = shown._repr_html_()
    reader = Reader(markup)
    entries = list(karat.explain(protocol, *sides))
    assert reader.tags.count("th") > len(entries)
    assert all(entry.case in markup for entry in entries)
    shown.save(tmp_path / "page.html")
    written = (tmp_path / "page.html").read_text("utf-8")
    assert written.startswith("<!doctype html>")
    assert "default-src &#x27;none&#x27;" in written
    assert len(shown.reading.units) == len({entry.unit for entry in entries})


def test_every_result_has_a_piece_with_its_style() -> None:
    scores = karat.score("hipe2022-nerc-coarse", *HIPE, ci=True)
    systems = {name: str(EXAMPLES / "hipe" / f"system-{name}.tsv") for name in "ab"}
    results = karat.score("hipe2022-nerc-coarse", HIPE[0], systems)
    for shown in (scores, karat.compare(results), karat.leaderboard(results)):
        markup = shown._repr_html_()
        Reader(markup)
        assert markup.startswith('<div class="karat">\n<style>')
    assert "<svg" in scores._repr_html_()


def test_scores_of_files_show_their_texts_beside_the_numbers(tmp_path: Path) -> None:
    paths = [tmp_path / Path(side).name for side in HIPE]
    for path, side in zip(paths, HIPE, strict=True):
        path.write_bytes(Path(side).read_bytes())
    scores = karat.score("hipe2022-nerc-coarse", *paths, ci=True)
    shown = scores.show()
    assert [unit.name for unit in shown.reading.units] == [document.id for document in karat.read(HIPE[0])]
    assert "ci:" in shown.reading.about
    assert shown._repr_html_().startswith('<iframe class="karat-frame"')
    one = scores.show(document="courier-1848-03-02")
    assert [unit.name for unit in one.reading.units] == ["courier-1848-03-02"]
    with pytest.raises(karat.UsageError, match="unknown document 'courier'"):
        scores.show(document="courier")
    with pytest.raises(karat.UsageError, match="give gold and system, or neither"):
        scores.show(paths[0])
    paths[1].write_text(paths[1].read_text("utf-8").replace("B-pers", "B-loc"), "utf-8")
    with pytest.raises(karat.InputError, match="have changed since they were scored"):
        scores.show()


def test_scores_of_documents_in_memory_hold_none_and_say_how_to_show_them() -> None:
    gold, system = (karat.read(side) for side in HIPE)
    scores = karat.score("hipe2022-nerc-coarse", gold, system)
    alone = scores.show()
    assert alone.reading is None
    assert "use show(gold, system) to see the texts" in alone.body
    assert len(scores.show(gold, system).reading.units) == 3
    with pytest.raises(karat.UsageError, match="is not available"):
        scores.show(document="courier-1848-03-02")
    with pytest.raises(karat.InputError, match="not the sources that were scored"):
        scores.show(gold, gold)
    assert scores == karat.score("hipe2022-nerc-coarse", gold, system)


def test_scores_of_a_run_file_have_a_table(tmp_path: Path) -> None:
    karat.score("hipe2022-nerc-coarse", *HIPE).save(tmp_path / "run.karat")
    scores = karat.load(tmp_path / "run.karat").scores()
    assert scores.show().reading is None
    with pytest.raises(karat.UsageError, match=r"karat\.show\(gold, system, 'hipe2022-nerc-coarse'\)"):
        scores.show(*HIPE)


def test_a_ledger_is_displayed_where_it_can_be_read_again() -> None:
    ledger = karat.explain("hipe2022-nerc-coarse", *HIPE)
    first = next(ledger)
    assert ledger._repr_html_() == karat.show(*HIPE, "hipe2022-nerc-coarse")._repr_html_()
    assert first.case == "exact"
    assert len(list(ledger)) == 12
    tags = [["B-LOC", "O"]]
    assert karat.explain("hipe2022-nerc-coarse", iter(tags), tags)._repr_html_() is None


def test_a_system_needs_a_protocol() -> None:
    with pytest.raises(karat.UsageError, match="a protocol is needed"):
        karat.show(*HIPE)
    with pytest.raises(karat.UsageError, match="give both"):
        karat.show(HIPE[0], protocol="conll2003")
