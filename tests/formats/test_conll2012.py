"""CoNLL-2012 columns: what each set of rules reads, what is refused, and that what is written reads back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import growth, steps

from karat import formats
from karat.errors import InputError
from karat.formats.base import Problems, Want
from karat.formats.conll2012.cells import coval_marks, official_marks, strict_marks
from karat.model import Chain, Document, Mention, Relation, TokenTable

STANDARD = """\
#begin document (bc/x_01); part 000
bc/x_01   0   0    Ada   NNP  (TOP(S(NP*   -   -   -   Speaker#1   (PERSON*   (ARG0*   (3
bc/x_01   0   1  Byron   NNP          *)   -   -   -   Speaker#1          *)       *)   3)
bc/x_01   0   2  left    VBD     (VP*))   -   -   -   Speaker#1          *      (V*)   -

bc/x_01   0   0    She   PRP      (TOP*)   -   -   -   Speaker#1          *   (3)
#end document
"""
RULES = ("strict", "official", "coval", "scorch")


def small(*cells: str, name: str = "(d); part 000") -> str:
    rows = [f"d\t0\t{at}\tw{at}\t{cell}\n" for at, cell in enumerate(cells)]
    return f"#begin document {name}\n{''.join(rows)}#end document\n"


@pytest.fixture
def read(tmp_path: Path):
    def reading(text: str | bytes, rules: str = "strict", problems: Problems | None = None) -> list[Document]:
        path = tmp_path / "file.conll"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return list(formats.read(path, "conll2012", problems=problems, options={"rules": rules}))

    return reading


def chains_of(document: Document) -> dict[str, list[str]]:
    texts = {mention.id: mention.text for mention in document.mentions}
    return {chain.id: [texts[mention] for mention in chain.mentions] for chain in document.chains}


def test_the_columns_of_the_standard(read) -> None:
    [found] = read(STANDARD)
    assert found.id == "(bc/x_01); part 000"
    assert found.text == "Ada Byron left She"
    assert found.mentions == [Mention("m1", ((0, 9),), text="Ada Byron"), Mention("m2", ((15, 18),), text="She")]
    assert found.chains == [Chain("3", ("m1", "m2"))]
    table = found.table
    assert table.forms == ["Ada", "Byron", "left", "She"]
    assert (table.segments, table.starts, table.lines) == ([0, 3], [0, 4, 10, 15], [(0, 2), (3, 6)])
    assert table.columns["PARSE"] == ["(TOP(S(NP*", "*)", "(VP*))", "(TOP*)"]
    assert table.columns["ARGS"] == ["(ARG0*", "*)", "(V*)", ""]
    assert table.dialect == "conll2012"


def test_only_what_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(STANDARD)
    want = Want(mentions=False, lines=False, columns=frozenset({"POS"}))
    [found] = formats.read(path, want=want)
    assert not found.mentions
    assert not found.table.lines
    assert set(found.table.columns) == {"POS"}


@pytest.mark.parametrize(("row", "form"), [("Bern (1)", "Bern"), ("7 Bern (1)", "Bern"), ("d 7 Bern (1)", "Bern")])
def test_the_token_of_narrow_rows_stands_before_the_cell(row: str, form: str, read) -> None:
    [found] = read(f"#begin document d\n{row}\n#end document\n")
    assert found.text == form


def test_recognised_before_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "x.conll"
    path.write_text("\ufeff# begin document d\nBern\t(1)\n#end document\n")
    assert formats.sniff(path).name == "conll2012"
    path.write_text("Bern B-loc\nBasel B-loc\n")
    assert formats.sniff(path).name == "conll"


def test_mentions_are_numbered_by_place_and_chains_by_first_appearance(read) -> None:
    [found] = read(small("(2|(1", "(3)", "1)", "2)|(1)"))
    assert [(mention.id, mention.text) for mention in found.mentions] == [
        ("m1", "w0 w1 w2 w3"),
        ("m2", "w0 w1 w2"),
        ("m3", "w1"),
        ("m4", "w3"),
    ]
    assert found.chains == [Chain("2", ("m1",)), Chain("1", ("m2", "m4")), Chain("3", ("m3",))]


def test_a_span_annotated_twice_is_two_mentions(read) -> None:
    [found] = read(small("(1)|(1)|(2)"))
    assert [mention.spans for mention in found.mentions] == [((0, 2),)] * 3
    assert found.chains == [Chain("1", ("m1", "m2")), Chain("2", ("m3",))]


def test_comments_are_kept_apart_from_tokens(read) -> None:
    text = small("(1)", "(1)").replace("d\t0\t1", "# a remark\nd\t0\t1")
    [found] = read(text)
    assert found.table.comments == [(1, "# a remark")]
    assert found.table.lines == [(0, 2), (1, 4)]
    [counted] = read(text, "official")
    assert len(counted.table.forms) == 3


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (small("(1", "-"), 2, "entity 1 begins here and does not end"),
        (small("-", "1)"), 3, "entity 1 ends here that has not begun"),
        (small("-", "(e1)"), 3, "'(e1)' is malformed"),
        (small("(1+2)"), 2, "malformed"),
        (small("(1)(2)"), 2, "malformed"),
        ("Bern\t-\n", 1, "outside of documents"),
        (small("-") + "Bern\t-\n", 4, "outside of documents"),
        ("#begin document a\nBern\t-\n", 1, "has no end"),
        ("#begin document a\nBern\t-\n#begin document b\n", 3, "has no end"),
        ("#begin document\nBern\t-\n#end document\n", 1, "has no name"),
        ("#end document\n", 1, "without a"),
        (small("-") + small("-"), 4, "begins a second time"),
        (small("-", "-").replace("d\t0\t1", "d"), 3, "3 columns; expected 5"),
        ("#begin document a\n-\n#end document\n", 2, "1 column; expected a token"),
    ],
)
def test_strict_rules_name_the_line(text: str, line: int, message: str, read) -> None:
    with pytest.raises(InputError, match=r"file\.conll") as caught:
        read(text)
    assert caught.value.line == line
    assert message in str(caught.value)
    problems = Problems(collect=True)
    read(text, problems=problems)
    assert line in [one.line for one in problems.found]


class TestOfficialRules:
    """What the official scorer makes of odd files."""

    def test_a_line_without_tabs_is_one_cell(self, read) -> None:
        [found] = read("#begin document d\nd 0 0 (7) -\nd 0 1 x (7)\n#end document\n", "official")
        assert len(found.chains[0].mentions) == 2

    def test_a_document_without_an_end_swallows_the_next(self, read) -> None:
        first, second = read("#begin document a\nx\t(1)\n#begin document b\ny\t(1)\n", "official")
        assert len(first.table.forms) == 3
        assert chains_of(first) == {"1": ["x", "y"]}
        assert chains_of(second) == {"1": ["y"]}

    def test_the_last_document_of_a_name_counts(self, read) -> None:
        problems = Problems()
        [found] = read(small("(1)") + small("-", "(2)"), "official", problems)
        assert [chain.id for chain in found.chains] == ["2"]
        (repair,) = problems.found
        message = "document '(d); part 000' is left out, since another one of this name begins in line 4"
        assert (repair.line, repair.message, repair.severity) == (1, message, "repair")

    @pytest.mark.parametrize("blank", ["\xa0", "\x1c", "\u2003\x85"])
    @pytest.mark.parametrize("columns", [2, 5, 13])
    def test_white_space_that_perl_does_not_know_is_a_token(self, blank: str, columns: int, read) -> None:
        row = "\t".join(["w"] * (columns - 1))
        for before, behind in (("", "\n"), ("\n", "")):
            text = f"#begin document d{before}\n{row}\t(1)\n{blank}\n{row}\t(1){behind}\n#end document\n"
            [found] = read(text, "official")
            assert found.table.forms == ["w", "_", "w"]
            assert chains_of(found) == {"1": ["w", "w"]}
        [found] = read(f"#begin document d\n{blank}\n{row}\t(1)\n#end document\n", "official")
        assert found.table.forms == ["_", "w"]

    def test_two_antecedents_are_left_out(self, read) -> None:
        problems = Problems()
        [found] = read(small("(1+2)|(3)"), "official", problems)
        assert [chain.id for chain in found.chains] == ["3"]
        assert problems.repairs == 1

    @pytest.mark.parametrize(
        ("cells", "message"), [(("1)",), "without begin"), (("(1", "-"), "some mentions in the document do not close")]
    )
    def test_what_stops_the_program(self, cells: tuple[str, ...], message: str, read) -> None:
        with pytest.raises(InputError, match=message) as caught:
            read(small(*cells), "official")
        assert caught.value.line == 2

    @pytest.mark.parametrize(
        ("cell", "singles"), [("(1(2)3)", ("2", "13")), ("((1)2)(3)", ("1", "2", "3")), ("(1))", ("1",))]
    )
    def test_removing_brackets_may_make_others(self, cell: str, singles: tuple[str, ...]) -> None:
        assert official_marks(cell).singles == singles


class TestCovalRules:
    """What coval makes of odd files."""

    @pytest.mark.parametrize(
        ("cell", "marks"),
        [
            ("(e1)", (("1",), (), (), ())),
            ("(1+2)", (("12",), (), (), ())),
            ("(1(2", ((), ("2",), (), ())),
            ("(01|1)", ((), ("1",), ("1",), ())),
        ],
    )
    def test_cells(self, cell: str, marks: tuple[tuple[str, ...], ...]) -> None:
        assert coval_marks(cell) == marks

    def test_documents_of_one_name_are_one(self, read) -> None:
        [found] = read(small("(1)") + small("(1)"), "coval")
        assert len(found.table.forms) == len(found.chains[0].mentions) == 2

    def test_a_blank_behind_the_mark_hides_the_document(self, read) -> None:
        assert read(small("(1)").replace("#begin", "# begin"), "coval") == []

    def test_faults_are_repaired(self, read) -> None:
        problems = Problems()
        [found] = read(small("1)", "(2|(3)|(3)"), "coval", problems)
        assert [one.line for one in problems.found] == [2, 3, 3]
        assert found.chains == [Chain("1", ()), Chain("3", ("m1", "m2"))]

    def test_a_mention_over_a_break_moves(self, read) -> None:
        text = small("-", "(1", "-", "1)").replace("d\t0\t2", "\nd\t0\t2")
        [found] = read(text, "coval")
        assert found.mentions == [Mention("m1", ((9, 11),), text="w3")]

    def test_a_mention_that_cannot_be_has_a_place(self, read) -> None:
        text = small("-", "-", "(1", "1)").replace("d\t0\t3", "\nd\t0\t3")
        [found] = read(text, "coval")
        assert found.mentions == [Mention("m1", ((6, 11),), text="w2 w3", attributes={"place": "1:2-0"})]

    @pytest.mark.parametrize("cell", ["(|1)", "5|(1)", "(²)"])
    def test_what_stops_the_program(self, cell: str, read) -> None:
        with pytest.raises(InputError, match="coval ends at the cell"):
            read(small(cell), "coval")


class TestScorchRules:
    """What scorch makes of odd files."""

    def test_names_and_places(self, read) -> None:
        [found] = read(small("(1", "1)", name="(a/b); part 007"), "scorch")
        assert found.id == "a/b-007"
        assert [mention.attributes for mention in found.mentions] == [{"place": "0.0-1"}]

    def test_a_mention_counts_once(self, read) -> None:
        [found] = read(small("(1)|(2)", "(1)|(1)", "(2)"), "scorch")
        assert chains_of(found) == {"1": ["w0", "w1"], "2": ["w2"]}

    def test_the_last_document_of_a_name_counts(self, read) -> None:
        problems = Problems()
        [found] = read(small("(1)") + small("-", "(2)"), "scorch", problems)
        assert [chain.id for chain in found.chains] == ["2"]
        (repair,) = problems.found
        assert (repair.line, repair.severity) == (3, "repair")
        assert repair.message.endswith("another one of this name ends in line 7")

    def test_an_emptied_entity_stops_the_program_unless_it_is_the_last(self, read) -> None:
        with pytest.raises(InputError, match="repeats only mentions of earlier entities"):
            read(small("(1)|(2)", "(3)"), "scorch")
        [found] = read(small("(1)|(2)"), "scorch")
        assert found.chains[1] == Chain("2", ())

    @pytest.mark.parametrize("cells", [("(1", "-"), ("1)",)])
    def test_what_stops_the_program(self, cells: tuple[str, ...], read) -> None:
        with pytest.raises(InputError, match="entity 1"):
            read(small(*cells), "scorch")

    def test_only_documents_with_an_end_and_a_name(self, read) -> None:
        assert read("#begin document (a);\nx\t(1)\n", "scorch") == []
        with pytest.raises(InputError, match="no name"):
            read("#begin document a\nx\t(1)\n#end document\n", "scorch")


@st.composite
def coreference(draw: st.DrawFn) -> str:
    """Draw a file of one document; how brackets of one entity belong together is up to the reader."""
    sentences = draw(st.lists(st.lists(st.sampled_from(["Bern", "a", "é", "(7)", "#"]), min_size=1), max_size=4))
    rows = [f"d\t0\t{at}\t{form}" for sentence in sentences for at, form in enumerate(sentence)]
    spans = draw(st.lists(st.tuples(*[st.integers(0, max(len(rows) - 1, 0))] * 2), max_size=6)) if rows else []
    cells: list[list[str]] = [[] for _ in rows]
    for number, (one, other) in enumerate(spans):
        first, last = sorted((one, other))
        if first == last:
            cells[first].append(f"({number % 4})")
        else:
            cells[first].append(f"({number % 4}")
            cells[last].append(f"{number % 4})")
    lines = iter(f"{row}\t{'|'.join(cell) or '-'}\n" for row, cell in zip(rows, cells, strict=True))
    body = "\n".join("".join(next(lines) for _ in sentence) for sentence in sentences)
    return f"#begin document (d); part 000\n{body}\n#end document\n"


@given(text=coreference())
def test_what_is_written_reads_back(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "round.conll"
    path.write_text(text, encoding="utf-8")
    [before] = formats.read(path, "conll2012")
    formats.write([before], path, "conll2012")
    [after] = formats.read(path, "conll2012")
    before.table.lines = after.table.lines
    assert after == before


def test_what_the_standard_has_is_written_back(read) -> None:
    before = read(STANDARD)
    text = formats.render(before, "conll2012")[""]
    assert text.split() == STANDARD.split()
    assert read(text) == before


def plain(**changes: object) -> Document:
    content = {
        "id": "d",
        "text": "the bear ate",
        "mentions": [Mention("a", ((0, 8),)), Mention("b", ((9, 12),))],
        "chains": [Chain("x", ("a", "b"))],
    }
    return Document(**(content | changes))  # type: ignore[arg-type]


def test_chains_without_a_number_are_numbered() -> None:
    text = formats.render([plain(id="(x); part 003")], "conll2012")[""]
    assert text.splitlines()[1:4] == ["x\t3\t0\tthe\t(0", "x\t3\t1\tbear\t0)", "x\t3\t2\tate\t(0)"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"mentions": [Mention("a", ((0, 3), (9, 12))), Mention("b", ((4, 8),))]}, "lose 1 mention and 1 chain"),
        ({"mentions": [Mention("a", ((0, 8),), ("LOC",)), Mention("b", ((9, 12),))]}, "label"),
        ({"chains": [Chain("1", ("a",))]}, "lose 1 mention"),
        ({"chains": [Chain("1", ("a", "b")), Chain("2", ("a",))]}, "exactly one chain"),
        ({"chains": [Chain("1", ("a", "b")), Chain("2", ())]}, "no mentions"),
        ({"relations": [Relation("r", "is", ())]}, "lose 1 relation"),
        ({"id": "d "}, "its id"),
        (
            {
                "table": TokenTable(["the", "bear ate"], starts=[0, 4]),
                "mentions": [Mention("a", ((0, 8),)), Mention("b", ((0, 3),))],
            },
            "not at token boundaries",
        ),
        (
            {
                "table": TokenTable(["the", "bear", "#end document"], starts=[0, 4, 9]),
                "text": "the bear #end document",
                "mentions": [Mention("a", ((0, 3),)), Mention("b", ((4, 8),))],
            },
            "read as something else",
        ),
        ({"mentions": [Mention("a", ((0, 8),)), Mention("b", ((4, 12),))]}, "cross or meet"),
    ],
)
def test_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        formats.render([plain(**changes)], "conll2012")


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"\n" * 9,
        b"#begin document",
        b"#begin document \n",
        b"#begin document (\x00);\n\x00\t(1)\n#end document\n",
        b"#begin document (a);\n\xff\t(1)\n#end document\n",
        b"#begin document (a);\n\t\t\n \t(1)\t\n#end document",
        b"#begin document (a);\nx\t" + b"9" * 5000 + b")\n#end document\n",
        b"#begin document (a);\n" + b"(" * 100_000 + b"1" + b")" * 100_000 + b"\n#end document\n",
        b"#begin document (a);\nx\t" + b"(1)" * 20_000 + b"\n#end document\n",
        b"#begin document (a);\nx\t" + b"((1)2)" * 5_000 + b"\n#end document\n",
        b"#begin document x\n" * 20_000,
        b"(1)" * 7_000_000,
    ],
)
def test_hostile_input_is_an_error_or_read(data: bytes, rules: str, read) -> None:
    refused = ""

    def render() -> None:
        formats.render(read(data, rules), "jsonl")

    try:
        assert steps(render) < 50 * len(data) + 20_000
    except InputError as error:
        refused = str(error)
    assert "file.conll" in refused or not refused


def test_a_malformed_cell_is_shown_short() -> None:
    with pytest.raises(Exception, match="…") as caught:
        strict_marks("(" * 1000)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("rules", RULES)
def test_work_grows_with_the_size_of_the_file(rules: str, read) -> None:
    def work(size: int) -> Callable[[], object]:
        rows = [f"({at % 50})" if at % 7 == 0 else "-" for at in range(size)]

        def read_all() -> None:
            [document] = read(small(*rows), rules)
            assert len(document.mentions) == sum(row != "-" for row in rows)

        return read_all

    assert growth(work, 2_000) < 2.2
