"""Every protocol has a report: a summary, and a reader with its items in the text or a table of them."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.properties.corpora import HALF_FOUND

import karat
from karat.cli import run
from karat.display.drawing.reader import page as reader_page
from karat.errors import KaratError
from karat.evaluation import cache
from karat.evaluation.corpora import Reading
from karat.evaluation.corpus import Recipe
from karat.evaluation.registry import configure, protocols
from karat.model import Argument, Document, Link, Mention, Relation
from karat.report import charts
from karat.report.charts import ChartRenderer, chart_renderer
from karat.report.evaluation import evaluated
from karat.report.numbers import lettered
from karat.report.pages import pages_of

pytest.importorskip("vl_convert", reason="the charts of a report need vl-convert-python")
pytest.importorskip("jinja2", reason="a report needs Jinja")

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = "Ada in Bern"


def made(name: str, gold: Any, *systems: Any, most: int = 200_000, **options: Any) -> dict[str, str]:
    bound = configure(name, options)
    sources = [gold, *systems]
    report = evaluated(bound, sources, [Reading()] * len(sources), bootstrap=False)
    return pages_of(report, most=most)


def part(text: str, name: str) -> Any:
    found = re.search(rf'id="part-{name}">([^<]*)<', text)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


def meta(text: str) -> Any:
    found = re.search(r'id="meta">([^<]*)<', text)
    assert found is not None
    return json.loads(found[1])


def test_every_protocol_has_a_reader_or_says_what_does_not_apply() -> None:
    lacking = {}
    for name, protocol in protocols().items():
        gold, system = HALF_FOUND[protocol.task]
        text = made(name, gold, system)["report.html"]
        index, units, (words, said) = part(text, "index"), part(text, "chunk-0"), part(text, "words").values()
        assert len(index["units"]) == len(gold), name
        assert sum(size for _, _, size, *_ in index["units"]) == len(index["layer"]) > 0, name
        items = [row for rows in units for row in rows]
        assert len(said) == len(index["layer"]), name
        assert {word for several in said for word in several} == set(range(len(words))), name
        placed = [row for row in items if row[0] and row[0][3]]
        said = meta(text)
        assert said["protocol"] == name
        assert said["regime"] in said["regimes"]
        if not placed:
            lacking[name] = protocol.task
    assert lacking == {"tac2015-sf": "slots"}  # answers are no mentions: they are a table of their own


def document(name: str, *mentions: Mention, text: str = TEXT) -> Document:
    return Document(name, text, list(mentions))


ADA, BERN = Mention("T1", ((0, 3),), ("PER",)), Mention("T2", ((7, 11),), ("LOC",))
WRONG = Mention("T2", ((7, 11),), ("ORG",))


def test_a_gold_item_stands_once_beside_the_verdicts_of_all_systems() -> None:
    text = made("conll2003", [document("d", ADA, BERN)], [document("d", ADA, WRONG)], [document("d", BERN)])[
        "report.html"
    ]
    index, (rows,), texts = part(text, "index"), part(text, "chunk-0"), part(text, "texts-0")
    assert texts == [TEXT]
    assert [row[0][1] for row in rows] == ["Ada", "Bern"]
    cases = [[index["cases"][judged[0][0]] for judged in row[1]] for row in rows]
    assert cases == [["exact", "missed"], ["wrong-label", "exact"]]
    assert rows[1][1][0][0][3][3] == [[[7, 11]]]


def test_systems_that_share_a_spurious_item_share_its_row() -> None:
    text = made("conll2003", [document("d", ADA)], [document("d", ADA, BERN)], [document("d", BERN)])["report.html"]
    (rows,) = part(text, "chunk-0")
    assert [(bool(row[0]), [len(judged) for judged in row[1]]) for row in rows] == [(True, [1, 1]), (False, [1, 1])]


def test_items_that_are_alike_stand_by_themselves() -> None:
    gold = [Document("d", "Ada Ada", [Mention("a", ((0, 3),), ("PER",)), Mention("b", ((4, 7),), ("PER",))])]
    text = made("omin-seed-ner", gold, gold)["report.html"]
    (rows,) = part(text, "chunk-0")
    assert len(rows) == 4


def test_places_are_counted_as_browsers_count() -> None:
    gold = document("d", Mention("T", ((2, 5),), ("PER",)), text="😀 Ada 😀")
    (rows,) = part(made("conll2003", [gold], [gold])["report.html"], "chunk-0")
    assert rows[0][0][3] == [[[3, 6]]]


def test_a_system_whose_text_has_other_blanks_is_shown_in_the_text_of_the_gold() -> None:
    gold = Document("d", "Ada in Bern", [Mention("T", ((7, 11),), ("LOC",), layer="NE-COARSE-LIT")])
    system = Document("d", "Ada  in\nBern", [Mention("T", ((8, 12),), ("LOC",), layer="NE-COARSE-LIT")])
    text = made("hipe2022-nerc-coarse", [gold], [system])["report.html"]
    (rows,) = part(text, "chunk-0")
    assert part(text, "texts-0") == ["Ada in Bern"]
    assert rows[0][1][0][0][3][3] == [[[7, 11]]]


def test_names_from_the_data_are_never_markup() -> None:
    name = "</script><script>alert(1)</script><b>&amp;"
    odd = Mention("T1", ((0, 3),), (name,))
    text = made("conll2003", [document(name, odd, BERN)], [document(name, odd)])["report.html"]
    assert "<script>alert" not in text
    assert meta(text)["protocol"] == "conll2003"


def test_above_a_size_there_is_a_folder_of_pages() -> None:
    documents = [document(f"d{number}", ADA, BERN) for number in range(7)]
    pages = made("conll2003", documents, documents, most=4)
    assert list(pages) == ["index.html", "part-001.html", "part-002.html", "part-003.html", "part-004.html"]
    assert "14 items are too many for one page, so there are 4 pages of documents" in pages["index.html"]
    assert [unit[0] for unit in part(pages["part-002.html"], "index")["units"]] == ["d2", "d3"]
    assert not meta(pages["index.html"])["reads"]


def test_the_same_data_are_the_same_bytes() -> None:
    gold, system = [document("d", ADA, BERN)], [document("d", ADA)]
    assert made("conll2003", gold, system) == made("conll2003", gold, system)


def test_a_report_of_run_files_has_numbers_and_no_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = [document(f"d{number}", ADA, BERN) for number in range(3)]
    karat.score("conll2003", gold, gold).save(tmp_path / "a.karat")
    assert run(["report", str(tmp_path / "a.karat"), "-o", str(tmp_path / "r.html")]) == 0
    text = (tmp_path / "r.html").read_text("utf-8")
    assert "1.000" in text
    assert not meta(text)["reads"]
    assert "part-index" not in text
    karat.score("seqeval", gold, gold).save(tmp_path / "b.karat")
    assert run(["report", str(tmp_path / "a.karat"), str(tmp_path / "b.karat"), "-o", str(tmp_path / "x.html")]) in (
        2,
        3,
    )
    assert "seqeval" in capsys.readouterr().err
    assert not (tmp_path / "x.html").exists()


def test_script_and_style_are_as_small_as_the_docs_say_and_the_policy_knows_them() -> None:
    told = (Path(__file__).parents[2] / "docs" / "report.md").read_text("utf-8")
    sizes = [round(len(text.encode()) / 1000) for text in (reader_page.script(), reader_page.style())]
    assert "A script of {} kB and a style of {} kB".format(*sizes) in told
    assert reader_page.policy().count("sha256-") == 2
    assert "unsafe" not in reader_page.policy()
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", reader_page.script()
    )


def test_charts_are_in_the_colours_of_the_page() -> None:
    chart = charts.rows_chart("x", [charts.Dot(0, 0.5, 0.4, 0.6)], 1, limits=(0.0, 1.0))
    assert "var(--ink)" in chart.content
    assert "style=" not in chart.content


def test_systems_have_letters_and_names_that_differ() -> None:
    scores = karat.score("conll2003", [document("d", ADA)], [document("d", ADA)])
    assert [(system.letter, system.name) for system in lettered([scores, scores])] == [
        ("A", "system (1)"),
        ("B", "system (2)"),
    ]


def test_what_quirks_cost_is_told_with_the_items(tmp_path: Path) -> None:
    system = tmp_path / "c.tsv"
    gold = (EXAMPLES / "hipe" / "gold.tsv").read_text("utf-8")
    system.write_text(gold.replace("Zürich\t", "Zurich\t"), "utf-8")
    paths = [str(EXAMPLES / "hipe" / "gold.tsv"), str(system)]
    text = made("hipe2022-nerc-coarse", *paths)["report.html"]
    told = " ".join(re.sub("<[^>]+>", "", text).split())
    assert "1 item of all systems is judged differently without the quirks" in told
    assert "surface-in-strict touched 1 item of A, +7.7 (Zürich)." in told
    assert "These have no effect alone: hash-tokens-dropped, tags-behind-last-hyphen, " in told
    same = made("hipe2022-nerc-coarse", paths[0], paths[0])["report.html"]
    assert "No effect" in same


def test_one_quirk_at_a_time_where_options_can_mend_it() -> None:
    def subject(*repeats: int) -> Document:
        mentions = [Mention("T1", ((3, 7),), ("Concept",)), Mention("T2", ((8, 13),), ("Predicate",))]
        ends = (Argument("Arg1", "T2"), Argument("Arg2", "T1"))
        return Document(
            "d", "El asma duele.", mentions, relations=[Relation(f"R{n}", "subject", ends) for n in repeats]
        )

    text = made("ehealthkd2021-main", [subject(1)], [subject(1, 2)])["report.html"]
    told = " ".join(re.sub("<[^>]+>", "", text).split())
    assert "repeated-relations-removed touched 1 item of A, −14.3 (duele → asma)." in told
    assert "These have no effect alone: stripped-text-offsets, fragments-compared, " in told


@pytest.mark.parametrize(
    ("program", "told"),
    [("import os; os.abort()", "ended by signal 6"), ("raise SystemExit(9)", "ended with status 9")],
)
def test_a_chart_library_that_dies_is_a_sentence(program: str, told: str) -> None:
    died = ChartRenderer(program)
    with pytest.raises(
        KaratError, match=f"cannot be drawn: the chart library .vl-convert-python. {told}; it does not run"
    ):
        died.svg({})
    died.end()
    with pytest.raises(KaratError, match="cannot be drawn"):
        chart_renderer().svg({"mark": 3})
    assert chart_renderer().svg({"data": {"values": [{}]}, "mark": "point"}).startswith("<svg")


def test_options_that_the_corrected_profile_refuses_have_a_report_all_the_same() -> None:
    text = made("seqeval", [["B-LOC", "O"]], [["B-LOC", "B-PER"]], mode="strict")["report.html"]
    assert "The corrected profile refuses these options: protocol seqeval: the strict mode needs a scheme" in text


def test_quirks_that_cannot_be_mended_alone_are_named() -> None:
    def tagged(*tags: str) -> list[list[str]]:
        return [list(tags)]

    text = made("seqeval", tagged("U-LOC", "U-LOC", "B-PER"), tagged("U-LOC", "O", "B-PER"))["report.html"]
    told = " ".join(re.sub("<[^>]+>", "", text).split())
    assert "u-and-l-unknown and bare-letter-has-type-of-o touched 2 items of A, +" in told
    assert "can be corrected only together with all others: scheme-ignored, strict-without-scheme." in told
    assert "These have no effect alone: iob1-needless-b, ioe1-needless-e, strict-strips-hyphens." in told


def test_two_systems_are_compared_and_ties_named() -> None:
    gold = [document(f"d{number}", ADA, BERN) for number in range(12)]
    weak = [document(f"d{number}", ADA if number % 2 else BERN) for number in range(12)]
    text = made("conll2003", gold, gold, weak)["report.html"]
    assert "system (1) beats system (2) by 33.3 points" in text
    assert "the systems differ on <b>12 items</b>; system (1) is better on 12" in text
    assert "A − B" in text
    assert "significant" in text


def test_slices_and_confusions_have_a_view_of_their_own() -> None:
    gold = [document(f"d{number}", ADA, BERN) for number in range(4)]
    system = [document(f"d{number}", ADA, WRONG) for number in range(4)]
    text = made("conll2003", gold, system)["report.html"]
    assert 'data-view="slices"' in text
    assert 'data-filter="label=LOC&amp;as=ORG&amp;systems=A"' in text
    drawing = text[text.index('<g id="chart-confusion-A">') :].partition("</g>\n")[0]
    assert drawing.count("url(#hatch)") == 1  # LOC taken for ORG
    assert [words for words in re.findall(">([^<>]+)</text>", drawing) if words != "·"] == [
        "4",
        "4",
        "4",
        "0",
        "4",
        "0",
    ]
    assert "gold LOC, system ORG: 4" in text
    assert '<td class="other">4</td>' in text


def test_signs_that_turn_or_hide_are_seen_in_the_summary_too() -> None:
    odd = Mention("T1", ((0, 3),), ("\u202eREP\x1b",))
    text = made("conll2003", [document("d", odd, BERN)], [document("d", odd, WRONG)])["report.html"]
    assert "⇄REP␛" in text
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0c\x0e-\x1f]", text)


def test_scores_that_systems_give_are_held_against_what_is_right() -> None:
    def linked(number: int, target: str, score: float | None) -> Document:
        link = Link(f"http://x.org/{target}", score)
        return Document(f"d{number}", TEXT, [Mention("T", ((7, 11),), ("LOC",), links=(link,))])

    gold = [linked(number, "Bern", None) for number in range(40)]
    system = [linked(number, "Bern" if number % 4 else "Bonn", 0.75 if number % 2 else 0.25) for number in range(40)]
    text = made("gerbil-a2kb", gold, system)["report.html"]
    assert "Calibration of A" in text
    assert "0.2–0.3: said 0.250, right 0.500" in text
    assert "0.7–0.8: said 0.750, right 1.000" in text
    assert "0.250 apart on average" in text
    assert "No calibration: no system has confidences" in made("gerbil-a2kb", gold, gold)["report.html"]


def test_scores_are_found_wherever_a_system_says_how_sure_it_is() -> None:
    """Scores of mentions, of links and of relations, and the confidence of answers, count under any protocol."""

    def scored(number: int, label: str) -> Document:
        sure = {"score": f"0.{1 + number % 9}"}
        mentions = [Mention("T", ((7, 11),), ("LOC",), attributes=sure), Mention("U", ((0, 3),), ("PER",))]
        ends = (Argument("Arg1", "U"), Argument("Arg2", "T"))
        return Document(f"d{number}", TEXT, mentions, relations=[Relation("r", label, ends, attributes=sure)])

    gold, system = ([scored(number, label) for number in range(20)] for label in ("lives", "lives"))
    for name in ("semeval2013", "overlap", "relations", "tacred"):
        assert "Calibration of A" in made(name, gold, system)["report.html"], name
    pool, run_file = (str(EXAMPLES / "coldstart" / name) for name in ("pool.fqec", "run.tab.txt"))
    text = made("tac2015-sf", pool, run_file, queries=str(EXAMPLES / "coldstart" / "queries.xml"))["report.html"]
    assert "4 items with a confidence between 0 and 1 are too few" in text
    (rows,) = part(text, "chunk-0")
    answers = [said for _, ((said,),), *_ in rows if said[3]]
    assert [(said[3][6], said[4]) for said in answers] == [
        *((0.8, "d1:0-12"), (0.4, "d1:0-32"), (0.9, "d1:10-20"), (0.7, "d1:30-40"))
    ]


def test_answers_lead_to_those_of_the_next_hop_under_the_question_they_answer(tmp_path: Path) -> None:
    folder = EXAMPLES / "coldstart"
    sources = [str(folder / name) for name in ("pool.fqec", "run.tab.txt")]
    text = made("tac2015-sf", *sources, queries=str(folder / "queries.xml"))["report.html"]
    assert part(text, "index")["units"][0][-1] == "Ada, per:children, then per:age"
    assert meta(text)["measured"] == "hop"
    assert meta(text)["measures"] == [["all hops", [0.571429]], ["hop 0", [0.5]], ["hop 1", [0.666667]]]
    (rows,) = part(text, "chunk-0")
    answers = {said[3][1]: said for _, ((said,),), *_ in rows if said[3]}
    asked = {value: json.loads(said[5])["attributes"]["query"] for value, said in answers.items()}
    leads = {(value, one) for value, said in answers.items() for one in asked if asked[one] == said[6]}
    assert leads == {("Bob", "4"), ("Dan", "30")}
    queries = tmp_path / "queries.xml"
    queries.write_text((folder / "queries.xml").read_text("utf-8").replace(">Ada<", ">A&amp;A &lt;b&gt;<"), "utf-8")
    ldc = made("tac2015-sf", *sources, queries=str(queries), index=str(folder / "queries.index"))
    (unit,) = part(ldc["report.html"], "index")["units"]
    assert (unit[0], unit[-1]) == ("CS15_ENG_0001", "A&A <b>, per:children, then per:age")
    assert meta(ldc["report.html"])["measured"] == "regime"
    (unit,) = part(made("tac2015-sf", *sources)["report.html"], "index")["units"]
    assert unit[-1] == 0  # the length of the text: without a query file there is no title


def test_files_are_read_once_and_units_judged_once_for_everything_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: Counter[str] = Counter()
    judged: Counter[int] = Counter()
    bound = configure("semeval2013", {})
    documents, judge = Recipe.documents, bound.book.judge

    def counted(recipe: Recipe, *arguments: Any) -> Iterator[Document]:
        read[Path(recipe.path).name] += 1
        return documents(recipe, *arguments)

    def judged_once(sheet_page: Any) -> Any:
        judged[len(sheet_page.gold)] += 1
        return judge(sheet_page)

    monkeypatch.setattr(Recipe, "documents", counted)
    monkeypatch.setattr(bound.book, "judge", judged_once)
    monkeypatch.setattr(cache, "MOST_HELD", 0)  # as with files that are too large to be held as they are
    mentions = [Mention("T1", ((0, 3),), ("PER",)), Mention("T2", ((7, 11),), ("LOC",))]
    paths = [tmp_path / f"{name}.jsonl" for name in ("gold", "a", "b")]
    for path, number in zip(paths, (2, 1, 2), strict=True):
        lines = [msgspec.json.encode(document(f"d{place}", *mentions[:number])) for place in range(3)]
        path.write_bytes(b"\n".join(lines))
    report = evaluated(bound, paths, [Reading()] * 3, bootstrap=False)
    assert [system.scores.value("f1", regime="strict") for system in report.systems] == [2 / 3, 1.0]
    assert [len(unit.rows) for unit in report.units or ()] == [2, 2, 2]
    assert read == {"gold.jsonl": 1, "a.jsonl": 1, "b.jsonl": 1}
    assert judged == {2: 6}
