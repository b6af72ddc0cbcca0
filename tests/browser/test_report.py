"""The report in a real browser, opened from disk: it reads, filters, searches, links, prints, and keeps to itself."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.analysis.statistics.intervals import Bootstrap
from karat.evaluation.corpora import Reading
from karat.evaluation.registry import configure
from karat.model import Argument, Document, Link, Mention, Relation
from karat.report.evaluation import evaluated
from karat.report.pages import pages_of
from tests.browser.accessibility import violations

pytest.importorskip("vl_convert", reason="the charts of a report need vl-convert-python")
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
HIPE = [str(EXAMPLES / "hipe" / name) for name in ("gold.tsv", "system-a.tsv", "system-b.tsv")]
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 1000}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report")


def write(path: Path, name: str, *sources: Any, **options: Any) -> Path:
    bound = configure(name, options)
    report = evaluated(bound, sources, [Reading()] * len(sources), Bootstrap(resamples=50))
    path.write_text(pages_of(report)["report.html"], "utf-8")
    return path


@pytest.fixture(scope="module")
def hipe(folder: Path) -> Path:
    return write(folder / "hipe.html", "hipe2022-nerc-coarse", *HIPE)


Tabs = Callable[[bool], Any]
"""Gives the one page in which reports are opened, or the one that ignores their policy for scripts."""


@pytest.fixture(scope="module")
def running(opened_browser: Any) -> Tabs:
    """To open a page takes a browser longer than all that is done in it: there is one for all tests."""

    @cache
    def tab(bypass_csp: bool) -> Any:
        return opened_browser.new_context(bypass_csp=bypass_csp).new_page()

    return tab


class Opened:
    """A report in a browser, with every request and every error that came of it."""

    def __init__(
        self,
        running: Tabs,
        path: Path,
        fragment: str = "",
        *,
        viewport: Mapping[str, int] = DESK,
        color_scheme: str = "light",
        bypass_csp: bool = False,
    ) -> None:
        self.page = running(bypass_csp)
        self.page.set_viewport_size(viewport)
        self.page.emulate_media(media="screen", color_scheme=color_scheme)
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.listeners: dict[str, Callable[[Any], None]] = {
            "request": lambda request: self.requests.append(request.url),
            "pageerror": lambda error: self.errors.append(str(error)),
            "console": lambda said: self.errors.append(said.text) if said.type == "error" else None,
        }
        for event, listener in self.listeners.items():
            self.page.on(event, listener)
        self.page.goto(path.as_uri() + fragment)
        self.page.locator("html.ready").wait_for(state="attached")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.page.wait_for_timeout(30)

    def text(self, query: str) -> str:
        return self.page.locator(query).first.inner_text()

    def has(self, query: str, words: str) -> None:
        self.page.locator(query, has_text=words).first.wait_for(timeout=10_000)

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *args: object) -> None:
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)
        self.page.evaluate("localStorage.clear()")
        self.page.goto("about:blank")
        assert self.errors == []


def test_it_opens_from_disk_and_asks_for_nothing(running: Tabs, hipe: Path) -> None:
    with Opened(running, hipe) as opened:
        assert "0.917" in opened.text(".board")
        opened.press("j", "n", "]", "d", "r", "t", "?")
        opened.page.wait_for_timeout(200)
        assert [url for url in opened.requests if not url.startswith(("file:", "data:"))] == []
        assert len([url for url in opened.requests if url.startswith("file:")]) == 1


def test_keys_move_and_the_back_button_undoes(running: Tabs, hipe: Path) -> None:
    with Opened(running, hipe, "#view=reader") as opened:
        opened.has(".doc-row", "gazette")
        opened.press("n")
        opened.has("#inspector .case", "wrong-boundary")
        opened.press("n")
        opened.has("#inspector .case", "wrong-both")
        opened.has("#inspector .reason", "LOC for ORG")
        link = opened.page.url
        assert "item=3" in link
        opened.page.go_back()
        opened.has("#inspector .case", "wrong-boundary")
        opened.press("Escape")
        opened.has("#inspector", "Choose an item")
        opened.press("]", "]", "j")
        opened.has("#inspector .where", "Rhine Company")
    with Opened(running, hipe, f"#{link.partition('#')[2]}") as opened:
        opened.has("#inspector .where", "Bank of Bern")
        frame = opened.page.locator("rect.frame").first
        frame.wait_for(state="attached")
        assert opened.page.locator("#docs [aria-current]").inner_text().startswith("gazette")


def test_filters_count_and_an_empty_one_says_what_to_drop(running: Tabs, hipe: Path) -> None:
    with Opened(running, hipe, "#view=reader") as opened:
        opened.has("#filters .segment", "missed")
        opened.page.locator(".segment", has_text="missed").click()
        opened.has("#found", "2 items in 2 documents")
        assert opened.page.locator("#docs .doc-row").count() == 2
        opened.page.locator("[data-menu=label] summary").click()
        opened.page.locator("[data-menu=label] label", has_text="TIME").click()
        opened.has("#found", "1 item in 1 document")
        opened.page.locator("#search").fill("nowhere")
        opened.has("#nothing", "No item passes all of these filters")
        opened.page.locator("#nothing button", has_text="Drop “nowhere”: 1 item").click()
        opened.has("#found", "1 item in 1 document")
        opened.page.locator("body").press("Escape")
        opened.has("#docs-count", "3")
        opened.press("d")
        opened.has("#found", "6 items")
        assert opened.page.locator("#polite").inner_text() == "6 items in 3 documents"


def test_one_document_can_be_looked_at_alone(running: Tabs, hipe: Path) -> None:
    with Opened(running, hipe, "#view=reader") as opened:
        opened.page.get_by_label("Only courier-1848-03-02").click()
        opened.has("#found", "4 items in 1 document")
        assert "within=courier-1848-03-02" in opened.page.url
        opened.press("d")
        opened.has("#found", "2 items in 1 document")
        opened.page.locator("#within").click()
        opened.has("#found", "6 items in 3 documents")


def test_reasons_are_told_on_hover_and_on_focus(running: Tabs, hipe: Path) -> None:
    with Opened(running, hipe, "#view=reader") as opened:
        opened.page.locator(".mark.tag", has_text="ORG").first.hover()
        opened.has("#hint", "LOC for ORG")
        opened.page.mouse.move(5, 5)
        opened.page.locator("#hint").wait_for(state="hidden")
        opened.page.locator("#unit-items .item-row").first.focus()
        opened.press("Tab")
        opened.has("#hint", "same label, but tokens 6-9 for 7-9")


def test_search_looks_at_texts_labels_and_reasons(running: Tabs, hipe: Path) -> None:
    with Opened(running, hipe, "#view=reader") as opened:
        opened.has(".doc-row", "gazette")
        opened.press("/")
        opened.page.keyboard.type("rhine")
        opened.has("#found", "1 item in 1 document")
        opened.page.locator("#search").fill("loc for prod")
        opened.has("#unit-items", "Almanach du Lac")
        assert "q=loc+for+prod" in opened.page.url


def test_the_outcome_is_that_of_the_regime(running: Tabs, hipe: Path) -> None:
    with Opened(running, hipe, "#view=reader&doc=gazette-1798-01-20&item=1") as opened:
        opened.has("#inspector .case", "wrong-boundary")
        assert opened.page.locator("#inspector .case .badge.none").count() == 1
        opened.press("r")
        opened.page.locator("#inspector .case .badge.full").wait_for()
        assert "regime=fuzzy" in opened.page.url


def test_the_ledger_has_every_item(running: Tabs, hipe: Path) -> None:
    with Opened(running, hipe, "#view=ledger") as opened:
        opened.has("#ledger-count", "13 items")
        assert opened.page.locator(".ledger-row").count() == 13
        opened.page.locator(".ledger-row button", has_text="wrong-boundary").click()
        opened.has("#inspector .case", "wrong-boundary")
        assert "view=reader" in opened.page.url


def test_dark_follows_the_system_and_the_switch(running: Tabs, hipe: Path) -> None:
    def paper(opened: Opened) -> str:
        return opened.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")

    with Opened(running, hipe, color_scheme="dark") as opened:
        assert paper(opened) == "rgb(23, 22, 18)"
        opened.press("t")
        assert paper(opened) == "rgb(251, 250, 246)"
    with Opened(running, hipe) as opened:
        assert paper(opened) == "rgb(251, 250, 246)"


def test_print_has_tables_and_deciding_items_and_no_controls(running: Tabs, hipe: Path) -> None:
    with Opened(running, hipe, "#view=reader", color_scheme="dark") as opened:
        opened.page.emulate_media(media="print")
        assert not opened.page.locator(".top").is_visible()
        assert not opened.page.locator("#filters").is_visible()
        assert opened.page.locator(".board").is_visible()
        assert opened.page.locator(".printed mark", has_text="Bank of").is_visible()
        assert opened.page.evaluate("getComputedStyle(document.body).color") == "rgb(30, 27, 22)"
        assert len(opened.page.pdf()) > 10_000


def test_a_phone_shows_one_column_and_nothing_beside_it(running: Tabs, hipe: Path) -> None:
    for fragment in ("", "#view=reader&doc=gazette-1798-01-20&item=1", "#view=ledger"):
        with Opened(running, hipe, fragment, viewport=PHONE) as opened:
            opened.page.wait_for_timeout(300)
            assert opened.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
            if "item" in fragment:
                assert opened.page.locator(".right").is_visible()
                assert not opened.page.locator(".left").is_visible()


HOSTILE = (
    "<script>window.hit=1</script> <img src=x onerror=window.hit=2> "
    "\u202egnp.exe\u202c \x00\x1b[31m \u2028 &lt;b&gt; Ada"
)


def test_texts_of_documents_stay_text(running: Tabs, folder: Path) -> None:
    start = HOSTILE.index("Ada")
    label = "<b onclick=window.hit=3>\u202eX"
    gold = Document("<img src=x onerror=window.hit=4>", HOSTILE, [Mention("T1", ((start, start + 3),), (label,))])
    system = Document(gold.id, HOSTILE, [Mention("T1", ((0, 8),), ("</style><script>window.hit=5</script>",))])
    path = write(folder / "hostile.html", "semeval2013", [gold], [system])
    with Opened(running, path, "#view=reader") as opened:
        opened.has(".doc h2", "<img src=x onerror=window.hit=4>")
        opened.press("j", "j")
        opened.has("#inspector", "Ada")
        opened.has(".bug pre", "karat explain semeval2013")
        assert opened.page.evaluate("window.hit") is None
        assert opened.page.locator("#stack img, #stack script, #inspector img").count() == 0
        shown = opened.page.locator(".text").first.evaluate("(node) => node.textContent")
        assert "\u202e" not in shown
        assert "\x1b" not in shown
        assert shown.replace("⇄", "").startswith("<script>window.hit=1</script>")
        opened.page.locator("[data-view=ledger]").first.click()
        opened.has(".ledger-row", "Ada")
        assert opened.page.evaluate("window.hit") is None


@pytest.mark.parametrize("name", ["index", "texts-0", "chunk-0", "words"])
def test_a_broken_part_is_a_sentence(running: Tabs, hipe: Path, folder: Path, name: str) -> None:
    text = hipe.read_text("utf-8")
    found = re.search(rf'(id="part-{name}">)([^<]*)<', text)
    assert found is not None
    raw = bytearray(base64.b64decode(found[2]))
    raw[len(raw) // 2] ^= 0xFF
    damaged = folder / f"damaged-{name}.html"
    damaged.write_text(text.replace(found[2], base64.b64encode(bytes(raw)).decode()), "utf-8")
    with Opened(running, damaged) as opened:
        assert "0.917" in opened.text(".board")
        opened.page.locator("#tabs a", has_text="Reader").click()
        if name == "words":
            opened.page.locator("#search").fill("bern")
            opened.has("#said", "The search does not work here: its data are damaged")
            opened.has(".doc", "Zürich")
            return
        opened.has(".fault", "cannot be read")
        opened.has(".fault", "Make the page again with karat report")


def relation(text: str, name: str, label: str, *ends: str) -> Document:
    document = Document(name, text)
    for role, words in zip("ab", ends, strict=False):
        start = text.index(words)
        document.mentions.append(Mention(role, ((start, start + len(words)),), ("X",)))
    document.relations.append(Relation("r", label, (Argument("Arg1", "a"), Argument("Arg2", "b"))))
    return document


ARABIC = "ولدت آدا في برن وعاشت in Zürich هناك."


@pytest.mark.parametrize(
    ("name", "gold", "system"),
    [
        (
            "semeval2013",
            Document("a", "The old Bank of Bern paid Ada.", [Mention("T1", ((8, 20),), ("ORG",))]),
            Document("a", "The old Bank of Bern paid Ada.", [Mention("T1", ((16, 20),), ("LOC",))]),
        ),
        (
            "gerbil-a2kb",
            Document("a", "Bern is old.", [Mention("T1", ((0, 4),), links=(Link("http://x.org/Bern"),))]),
            Document("a", "Bern is old.", [Mention("T1", ((0, 4),), links=(Link("http://x.org/Bonn"),))]),
        ),
        (
            "relations",
            relation("Ada founded Bern.", "r", "founded", "Ada", "Bern"),
            relation("Ada founded Bern.", "r", "left", "Ada", "Bern"),
        ),
        (
            "ehealthkd2021-main",
            Document("a", "El reposo alivia.", [Mention("T1", ((3, 9),), ("Concept",))]),
            Document("a", "El reposo alivia.", [Mention("T1", ((3, 9),), ("Predicate",))]),
        ),
    ],
)
def test_a_bug_report_reproduces_the_case(
    running: Tabs, folder: Path, name: str, gold: Document, system: Document
) -> None:
    path = write(folder / f"bug-{name}.html", name, [gold], [system])
    with Opened(running, path, "#view=reader") as opened:
        opened.press("n")
        opened.page.locator("#inspector .case .badge.none").wait_for()
        case = opened.text("#inspector .case span")
        opened.has(".bug pre", "karat explain")
        report = opened.text(".bug pre")
    inputs = [json.loads(line) for line in report.splitlines() if line.startswith("{")]
    assert [entry.case for entry in karat.explain(name, [inputs[0]], [inputs[1]])] == [case]


def test_a_bug_report_of_an_answer_has_the_lines_that_its_verdict_rests_on(running: Tabs, folder: Path) -> None:
    sources = [str(EXAMPLES / "coldstart" / name) for name in ("pool.fqec", "run.tab.txt")]
    queries = str(EXAMPLES / "coldstart" / "queries.xml")
    path = write(folder / "bug-slots.html", "tac2015-sf", *sources, queries=queries)
    with Opened(running, path, "#view=reader") as opened:
        for number, case in enumerate(["right", "wrong", "missed", "right", "unassessed"], 1):
            opened.press("j")
            opened.has("#inspector .eyebrow", f"ITEM {number} OF 5")
            opened.has(".bug pre", f"{case}: ")
            inputs = [json.loads(line) for line in opened.text(".bug pre").splitlines() if line.startswith("{")]
            assert case in [entry.case for entry in karat.explain("tac2015-sf", inputs[:1], inputs[1:])]
            assert sum(len(document["mentions"]) for document in inputs) <= 7


def test_right_to_left_and_discontinuous_spans_are_drawn_where_the_words_are(running: Tabs, folder: Path) -> None:
    first, second = ARABIC.index("آدا"), ARABIC.index("Zürich")
    spans = ((first, first + 3), (second, second + 6))
    gold = [Document("rtl", ARABIC, [Mention("T1", spans, ("PER",)), Mention("T2", (spans[1],), ("LOC",))])]
    path = write(folder / "rtl.html", "semeval2013", gold, gold)
    with Opened(running, path, "#view=reader&doc=rtl") as opened:
        inside = opened.page.wait_for_function(  # measured in one step, since the page may be drawn again after it
            """() => {
                const text = document.querySelector(".text").getBoundingClientRect();
                const washes = [...document.querySelectorAll("rect.wash")];
                const lefts = washes.map((wash) => wash.getBoundingClientRect().left);
                return lefts.length === 3 && lefts.map((left) => text.left <= left && left <= text.right);
            }"""
        ).json_value()
        assert inside == [True, True, True]
        assert opened.page.locator(".text").evaluate("(node) => getComputedStyle(node).direction") == "rtl"


TASKS = {
    "links": ("hipe2022-nel", HIPE),
    "relations": ("relations", [str(EXAMPLES / "relations" / side) for side in ("gold", "system")]),
    "chains": ("coref", [str(EXAMPLES / "coreference" / f"{side}.conll") for side in ("gold", "system")]),
    "triples": ("triples", [str(EXAMPLES / "triples" / f"{side}.csv") for side in ("gold", "tool")]),
    "slots": ("tac2015-sf", [str(EXAMPLES / "coldstart" / name) for name in ("pool.fqec", "run.tab.txt")]),
}
ASKED = {"slots": {"queries": str(EXAMPLES / "coldstart" / "queries.xml")}}


@pytest.fixture(scope="module")
def pages(folder: Path, hipe: Path) -> dict[str, Path]:
    written = {
        task: write(folder / f"{task}.html", name, *sources, **ASKED.get(task, {}))
        for task, (name, sources) in TASKS.items()
    }
    return {"entities": hipe, **written}


DARK = "getComputedStyle(document.documentElement).colorScheme === 'dark'"
VIEWS = {"entities": ("", "#view=slices", "#view=ledger", "#view=reader&outcome=spurious")}


@pytest.mark.parametrize("task", ["entities", *TASKS])
def test_axe_finds_no_violation(running: Tabs, pages: dict[str, Path], task: str) -> None:
    with Opened(running, pages[task], bypass_csp=True) as opened:
        for fragment in (*VIEWS.get(task, ()), "#view=reader&item=1"):
            opened.page.goto(pages[task].as_uri() + fragment)
            opened.page.wait_for_timeout(300)
            for theme in ("light", "dark"):
                assert opened.page.evaluate(DARK) == (theme == "dark")
                assert (fragment, theme, violations(opened.page)) == (fragment, theme, [])
                opened.press("t")


def test_nothing_is_cut_beside_the_page_at_any_width(running: Tabs, pages: dict[str, Path]) -> None:
    """A phone, a tablet, a wall, and a desk at 400 %: nothing but tables scrolls sideways."""
    sizes = ((390, 844), (820, 1100), (1000, 700), (320, 256), (2560, 1300))
    for task, fragment in (("entities", ""), ("entities", "#view=slices"), ("chains", "#view=reader&item=1")):
        with Opened(running, pages[task], fragment) as opened:
            for width, height in sizes:
                opened.page.set_viewport_size({"width": width, "height": height})
                opened.page.wait_for_timeout(100)
                assert opened.page.evaluate("document.documentElement.scrollWidth") <= width, (fragment, width)


def test_chains_meet_in_a_picture_whose_mentions_can_be_chosen(running: Tabs, pages: dict[str, Path]) -> None:
    with Opened(running, pages["chains"], "#view=reader") as opened:
        opened.page.locator(".meet .meeting", has_text="her").last.locator("text").first.click()
        opened.has("#inspector .case", "wrong-chain")
        assert opened.page.locator(".meet path.met.double").count() == 2
        assert opened.page.locator(".meet path.met.dotted").count() == 1
        opened.has("#measures", "ceafm")


def test_answers_point_into_their_documents(running: Tabs, pages: dict[str, Path]) -> None:
    with Opened(running, pages["slots"], "#view=reader") as opened:
        opened.page.locator(".meet .meeting", has_text="Dan").click()
        opened.has("#inspector .case", "wrong")
        opened.has("#inspector .where", "0.4")
        assert opened.page.locator(".meet .meeting").count() == 5


def test_answers_say_what_they_follow_from_and_how_the_pool_has_them(running: Tabs, pages: dict[str, Path]) -> None:
    with Opened(running, pages["slots"], "#view=reader&item=1") as opened:
        for place in ("#docs .doc-row", ".doc h2"):
            assert opened.text(place).split("\n")[0].startswith("Ada, per:children, then per:age")
            assert "CSSF15_ENG_0123456789" in opened.text(place)
        opened.has("#measures", "hop 1")
        rows = opened.page.locator(".answers .pickable").all_inner_texts()
        assert [row.split("\t")[0].strip() for row in rows] == [
            "Bob",
            "Dan",
            "Cy only in the pool",
            "4 of Bob",
            "30 of Dan",
        ]
        assert [row.split("\t")[4].split()[-1] for row in rows] == ["correct", "wrong", "correct", "correct", "line"]
        opened.has("#inspector .where", "wrong, class :0")
        opened.page.locator("#inspector .where button", has_text="30").press("Enter")
        opened.has("#inspector .eyebrow", "ITEM 5 OF 5")
        opened.has("#inspector .where", "Dan per:children, hop 0")
        opened.page.goto(f"{pages['slots'].as_uri()}#view=reader&q=ada")
        opened.has("#found", "0 items")
        opened.has("#docs", "Ada")


def test_a_cell_of_the_confusions_opens_its_items(running: Tabs, hipe: Path) -> None:
    with Opened(running, hipe, "#view=slices") as opened:
        opened.page.get_by_label("gold ORG, system LOC: 2").click()
        opened.has("#found", "2 items in 2 documents")
        opened.press("j")
        opened.has("#inspector", "happens to A in 1 other place")
        opened.page.go_back()
        opened.page.go_back()
        opened.page.locator(".grid").first.wait_for()


def test_a_search_overlooks_case_and_accents(running: Tabs, hipe: Path) -> None:
    with Opened(running, hipe, "#view=reader&q=ZURICH") as opened:
        opened.has("#found", "1 item in 1 document")
        opened.has("#unit-items", "Zürich")


def test_a_deep_link_scrolls_to_its_item(running: Tabs, folder: Path) -> None:
    sources = [str(EXAMPLES / "relations" / side) for side in ("gold", "system")]
    path = write(folder / "relations.html", "relations", *sources)
    with Opened(running, path, "#view=reader&doc=mill&item=4", viewport={"width": 1440, "height": 700}) as opened:
        opened.has("#inspector .case", "other-mention")
        names = opened.page.locator(".doc[aria-label=mill] .arc-name", has_text="works_for")
        names.first.wait_for()
        opened.page.wait_for_function(
            """() => {
                const names = [...document.querySelectorAll(".doc[aria-label=mill] .arc-name")];
                const top = names.find((name) => name.textContent.includes("works_for")).getBoundingClientRect().top;
                return 100 < top && top < 650;
            }"""
        )


def test_thousands_of_documents_hold_only_the_rows_in_view(running: Tabs, folder: Path) -> None:
    gold = [Document(f"d{number:04}", "Ada in Bern", [Mention("T", ((7, 11),), ("LOC",))]) for number in range(1500)]
    system = [Document(one.id, one.text, one.mentions[: number % 3]) for number, one in enumerate(gold)]
    path = write(folder / "many.html", "semeval2013", gold, system)
    with Opened(running, path, "#view=reader") as opened:
        opened.has("#docs-count", "1\u2009500")
        assert opened.page.locator("#docs .doc-row").count() < 60
        assert opened.page.locator("#stack .doc").count() < 40
        opened.page.locator(".segment", has_text="missed").click()
        opened.has("#found", "500 items in 500 documents")
        opened.page.goto(path.as_uri() + "#view=reader&doc=d0900&item=0")
        opened.has("#inspector .case", "missed")
        opened.page.locator(".doc[aria-label=d0900]").wait_for()
