"""Column files: what is read, what is repaired, what is refused, and that writing undoes reading."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat.annotations.tag_schemes import SCHEMES, Scheme
from karat.annotations.tokens import join_tokens
from karat.errors import InputError
from karat.formats.base import EVERYTHING, Problems, Want
from karat.formats.conll.declaration import FORMAT, ConllOptions, _lines, sniff
from karat.model import Chain, Document, Link, Mention, Note, Relation, TokenTable

read = partial(FORMAT.read, want=EVERYTHING, options=ConllOptions())

BLANK_LINE = "# global.columns = FORM NE\nAda\tB-PER\n  \nBern\tO\n"
CONLL2003 = """-DOCSTART- -X- -X- O

EU NNP B-NP B-ORG
rejects VBZ B-VP O
German JJ B-NP B-MISC
call NN I-NP O

Peter NNP B-NP B-PER
Blackburn NNP I-NP I-PER

-DOCSTART- -X- -X- O

# NN B-NP O
1 CD I-NP O
"""

DECLARED = """# global.columns = FORM NE-COARSE-LIT NE-NESTED MISC
# newdoc id = nzz-1798
# sent_id = 1
Zürich\tB-loc\tO\tSpaceAfter=No
,\tO\tO\t_
Bank\tB-org\tO\t_
von\tI-org\tO\tx=1
Bern\tI-org\tB-loc\t_
"""


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., SimpleNamespace]:
    """Return a function that reads a text as a file and gives its documents and problems."""

    def run(text: str, *, collect: bool = False, want: Want | None = None, **options: str) -> SimpleNamespace:
        path = tmp_path / "data.conll"
        path.write_text(text, encoding="utf-8", newline="")
        problems = Problems(collect=collect)
        chosen = ConllOptions(**options)  # type: ignore[arg-type]
        documents = list(read(str(path), problems=problems, want=want or Want(), options=chosen))
        return SimpleNamespace(documents=documents, problems=problems, path=str(path))

    return run


def spans(document: Document) -> list[tuple[str, tuple[str, ...], str]]:
    for mention in document.mentions:
        assert mention.text == document.text[mention.start : mention.end]
    return [(mention.text, mention.labels, mention.layer) for mention in document.mentions]


def test_conll2003(load: Callable[..., SimpleNamespace]) -> None:
    first, second = load(CONLL2003).documents
    assert (first.id, second.id) == ("1", "2")
    assert first.text == "EU rejects German call Peter Blackburn"
    assert [mention.id for mention in first.mentions] == ["T1", "T2", "T3"]
    assert spans(first) == [
        ("EU", ("ORG",), ""),
        ("German", ("MISC",), ""),
        ("Peter Blackburn", ("PER",), ""),
    ]
    assert first.table.segments == [0, 4]
    assert first.table.starts == [0, 3, 11, 18, 23, 29]
    assert first.table.lines == [(0, 3), (4, 8)]
    assert list(first.table.columns) == ["2", "3", "TAG"]
    assert first.table.columns["2"][:2] == ["NNP", "VBZ"]
    assert second.table.forms == ["#", "1"]


def test_declared_columns_are_layers_and_glue_tokens(load: Callable[..., SimpleNamespace]) -> None:
    (document,) = load(DECLARED).documents
    assert document.id == "nzz-1798"
    assert document.text == "Zürich, Bank von Bern"
    assert spans(document) == [
        ("Zürich", ("loc",), "NE-COARSE-LIT"),
        ("Bank von Bern", ("org",), "NE-COARSE-LIT"),
        ("Bern", ("loc",), "NE-NESTED"),
    ]
    assert document.table.comments == [(0, "# sent_id = 1")]
    assert document.table.columns["MISC"][3] == "x=1"


def test_columns_of_conll_u_are_kept_but_hold_no_tags(load: Callable[..., SimpleNamespace]) -> None:
    text = "# global.columns = ID FORM UPOS NEL-LIT TAG\n1-2\tau\t_\t_\t_\n1\tà\tADP\t_\tO\n2\tle\tB-X\tQ1\tB\n"
    found = load(text)
    (document,) = found.documents
    assert document.table.forms == ["à", "le"]
    assert document.table.columns["UPOS"] == ["ADP", "B-X"]
    assert spans(document) == [("le", ("",), "")]
    assert found.problems.found == []


@pytest.mark.parametrize(
    ("marker", "name"),
    [
        ("-DOCSTART- (1 EU)", "1 EU"),
        ("-DOCSTART-\ttrain_7\tO", "train_7"),
        ("-DOCSTART-", "1"),
        ("-DOCSTART- -DOCSTART- O", "1"),
        ("# newdoc id = doc 9 ", "doc 9"),
        ("# newdoc", "1"),
    ],
)
def test_document_ids(load: Callable[..., SimpleNamespace], marker: str, name: str) -> None:
    (document,) = load(f"{marker}\nBern B-loc\n").documents
    assert document.id == name


@pytest.mark.parametrize(
    ("text", "forms", "comments"),
    [
        ("# O\na O\n", ["#", "a"], []),
        ("a O\n# sent_id = 5\n# O\n", ["a", "#"], [(1, "# sent_id = 5")]),
        ("#tag\tO\na\tO\n", ["#tag", "a"], []),
        ("# O\na\tO\n", ["a"], [(0, "# O")]),
        ("# a corpus of rivers\n\na O\n#b O\n", ["a", "#b"], [(0, "# a corpus of rivers")]),
        ("#\tO\n", ["#"], []),
        ("a x = O\n# key = O\n", ["a"], [(1, "# key = O")]),
        ("# global.columns = FORM TAG\n# O\na O\n", ["#", "a"], []),
    ],
)
def test_a_hash_begins_a_comment_or_a_token(
    load: Callable[..., SimpleNamespace], text: str, forms: list[str], comments: list[tuple[int, str]]
) -> None:
    (document,) = load(text).documents
    assert document.table.forms == forms
    assert document.table.comments == comments


def test_bom_line_ends_blanks_and_metadata(load: Callable[..., SimpleNamespace]) -> None:
    text = "\ufeff# newdoc id = a\r\n# meta::date = 1798-04-12\r\n\r\n \t\r\nNew York \tB-loc\r\nx\xa0y\tO\r\n"
    (document,) = load(text).documents
    assert document.id == "a"
    assert document.metadata == {"date": "1798-04-12"}
    assert document.table.forms == ["New York", "x\xa0y"]
    assert document.table.segments == [0]


def test_chunks_end_with_their_segment(load: Callable[..., SimpleNamespace]) -> None:
    found = load("a B-x\n\nb I-x\n")
    assert spans(found.documents[0]) == [("a", ("x",), ""), ("b", ("x",), "")]


def test_files_without_rows(load: Callable[..., SimpleNamespace]) -> None:
    assert load("").documents == []
    assert load("\n# just a remark\n").documents == []
    assert [document.id for document in load("# newdoc id = a\n\n# newdoc id = b\n\n").documents] == ["a", "b"]


def test_repairs_are_counted_with_their_line(load: Callable[..., SimpleNamespace]) -> None:
    text = "a B-x\nb O\nc I-x\nd B-y\n"
    lenient = load(text)
    assert [span[0] for span in spans(lenient.documents[0])] == ["a", "c", "d"]
    assert [(one.line, one.severity) for one in lenient.problems.found] == [(3, "repair")]
    assert lenient.problems.found[0].message == ("column TAG: 'I-x' stands where IOB2 has 'B-x'; read as 'B-x'")
    dropping = load(text, repair="discard")
    assert [span[0] for span in spans(dropping.documents[0])] == ["a", "d"]
    assert dropping.problems.repairs == 1


def test_discard_refuses_prefixes_that_the_scheme_does_not_have(load: Callable[..., SimpleNamespace]) -> None:
    with pytest.raises(
        InputError, match=r"data\.conll:2: column TAG: 'E-x' is no tag of IOB2, which begin with I, O, B"
    ):
        load("a B-x\nb E-x\n", scheme="IOB2", repair="discard")
    found = load("a B-x\nb E-x\nc Q-x\n", scheme="IOB2", repair="discard", collect=True)
    assert [(one.line, one.severity) for one in found.problems.found] == [(2, "error"), (3, "error")]


def test_discard_reads_iob1_as_the_strict_mode_of_seqeval(load: Callable[..., SimpleNamespace]) -> None:
    found = load("a B-x\nb I-x\n", scheme="IOB1", repair="discard")
    assert [span[0] for span in spans(found.documents[0])] == ["b"]
    assert [one.message for one in found.problems.found] == [
        "column TAG: 'B-x' stands where IOB1 has 'I-x'; dropped from its chunk of 2 tokens"
    ]


def test_strict_raises_or_collects(load: Callable[..., SimpleNamespace]) -> None:
    text = "a I-x\nb O\nc I-x\n"
    with pytest.raises(InputError, match=r"data\.conll:1: column TAG: 'I-x' stands where IOB2 has 'B-x'"):
        load(text, scheme="IOB2", repair="strict")
    found = load(text, scheme="IOB2", repair="strict", collect=True)
    assert [(one.line, one.severity) for one in found.problems.found] == [(1, "error"), (3, "error")]
    assert found.documents[0].mentions == []
    assert load(text, scheme="auto", repair="strict").problems.found == []  # it is IOB1


def test_each_column_has_its_own_scheme(load: Callable[..., SimpleNamespace]) -> None:
    found = load("# global.columns = FORM A B\na\tB-x\tS-x\nb\tI-x\tO\n")
    assert found.problems.found == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a O\nb x O\n", r":2: the line has 3 columns; expected 2 as in the first row"),
        ("# global.columns = FORM TAG\na O O\n", r":2: the line has 3 columns; expected 2 as in the header"),
        ("a\tO\n\tO\n", r":2: the token is empty"),
        ("\nprose\n", r":2: the first row has 1 column \('prose'\)"),
        ("a " * 1001 + "\n", r":1: the first row has 1,001 columns"),
        ("# global.columns = LEMMA TAG\n", r":1: # global.columns must name FORM"),
        ("# global.columns = FORM TAG TAG\n", r":1: # global.columns must name FORM"),
        ("# global.columns = FORM TOKEN\n", r":1: # global.columns must name FORM"),
        ("a\tO\n# global.columns = FORM NE\n", r":2: # global.columns comes after the first token"),
    ],
)
def test_faulty_files(load: Callable[..., SimpleNamespace], text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(text)
    assert len(load(text, collect=True).problems.found) == 1


def test_faulty_rows_are_skipped_while_collecting(load: Callable[..., SimpleNamespace]) -> None:
    found = load("a O\nb\nc O\n", collect=True)
    assert found.documents[0].table.forms == ["a", "c"]
    assert found.documents[0].table.lines == [(0, 1), (1, 3)]


def test_only_what_is_wanted(load: Callable[..., SimpleNamespace]) -> None:
    (cells,) = load(DECLARED, want=Want(mentions=False)).documents
    assert (cells.mentions, cells.text, cells.table.starts, cells.table.comments) == ([], "", [], [])
    assert cells.table.columns["NE-NESTED"][-1] == "B-loc"
    (layer,) = load(DECLARED, want=Want(columns=frozenset(["NE-NESTED"]))).documents
    assert spans(layer) == [("Bern", ("loc",), "NE-NESTED")]
    assert list(layer.table.columns) == ["NE-NESTED"]
    assert layer.text == "Zürich, Bank von Bern"


def test_standard_input(load: Callable[..., SimpleNamespace], monkeypatch: pytest.MonkeyPatch) -> None:
    stream = SimpleNamespace(buffer=io.BytesIO(CONLL2003.encode()))
    monkeypatch.setattr("sys.stdin", stream)
    documents = list(read("-", problems=Problems()))
    assert [spans(document) for document in documents] == [spans(document) for document in load(CONLL2003).documents]


def test_documents_come_before_the_file_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "late.conll"
    path.write_text("a O\n\n-DOCSTART- O\n\nb x O\n", encoding="utf-8")
    documents = read(str(path), problems=Problems(), options=ConllOptions(scheme="IOB2"))
    assert next(documents).table is not None
    with pytest.raises(InputError, match=r"late\.conll:5"):
        next(documents)


@pytest.mark.parametrize(
    "head",
    [
        CONLL2003,
        DECLARED,
        "\ufeffBern\tB-loc\nund\tO\nThu",
        "-DOCSTART- -X- O O\n\n",
        "a S-x\r\nb O\r\n",
        "# newdoc id = 1\na\tO\n",
    ],
)
def test_sniffs_column_files(head: str) -> None:
    assert sniff(head)


@pytest.mark.parametrize(
    "head",
    [
        "TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC\n# global.columns = TOKEN NE-COARSE-LIT\nBern\tB-loc\tQ1\tO\n",
        '{"id": "a", "text": "O"}\n{"id": "b"}\n',
        "T1\tLOC 0 5\ttext\n",
        "T1\tPER 0 1\tI\nT2\tPER 4 5\tO\n",
        "#begin document (a); part 000\na\t0\t0\tBern\t(1)\n",
        "<text>\n",
        "Vitamin B\n",
        "just some prose\nof several lines\n",
        "",
    ],
)
def test_sniffs_nothing_else(head: str) -> None:
    assert not sniff(head)


def write(documents: list[Document], **options: str) -> str:
    assert FORMAT.write is not None
    return "".join(FORMAT.write(documents, ConllOptions(**options)))  # type: ignore[arg-type]


def test_reading_then_writing_keeps_the_cells(load: Callable[..., SimpleNamespace]) -> None:
    assert write(load(DECLARED).documents) == DECLARED + "\n"
    text = write(load("-DOCSTART- (x)\n\n# s = 1\na NN I-x\nb _ O\n\n\nc NN I-x\n").documents)
    assert text == "# newdoc id = x\n# s = 1\na\tNN\tI-x\nb\t_\tO\n\nc\tNN\tI-x\n\n"


def test_a_scheme_converts_the_tags(load: Callable[..., SimpleNamespace]) -> None:
    documents = load("a I-x\nb I-x\nc B-x\n").documents
    assert write(documents, scheme="BIOES") == "# newdoc id = 1\na\tB-x\nb\tE-x\nc\tS-x\n\n"
    documents[0].mentions.pop()
    assert write(documents) == "# newdoc id = 1\na\tB-x\nb\tI-x\nc\tO\n\n"  # the cells no longer agree


def test_glued_tokens_get_a_header() -> None:
    rhine = Mention("T1", ((4, 9),), ("loc",))
    text = write([Document("d", "the Rhine's banks", [rhine]), Document("e", "x")])
    assert text == (
        "# global.columns = FORM TAG MISC\n"
        "# newdoc id = d\nthe\tO\t_\nRhine\tB-loc\tSpaceAfter=No\n's\tO\t_\nbanks\tO\t_\n\n"
        "# newdoc id = e\nx\tO\t_\n\n"
    )


def test_misc_says_what_is_glued_whatever_it_said_before() -> None:
    table = TokenTable(["a", "b", "c"], {"MISC": ["x", "SpaceAfter=No", "SpaceAfter=No"]}, [0], [0, 1, 3])
    text = write([Document("d", "ab c", table=table)])
    assert text.splitlines()[2:5] == ["a\tx|SpaceAfter=No", "b\t_", "c\tSpaceAfter=No"]


def test_white_space_stands_in_misc_and_a_line_end_ends_a_segment() -> None:
    rows = "ab\tSpacesAfter=\\s\\s\ncd\tSpacesAfter=\\n\n\nef\tSpacesAfter=\\s\n\n"
    assert write([Document("d", "ab  cd\nef ")]) == f"# global.columns = FORM MISC\n# newdoc id = d\n{rows}"


def test_a_mention_across_a_segment_end_joins_the_segments() -> None:
    table = TokenTable(["ab", "cd", "ef"], {}, [0, 1, 2])
    text = write([Document("d", "ab cd ef", [Mention("T1", ((0, 5),), ("x",))], table=table)])
    assert text == "# newdoc id = d\nab\tB-x\ncd\tI-x\n\nef\tO\n\n"


def test_links_have_a_column_of_their_own(load: Callable[..., SimpleNamespace]) -> None:
    linked = Mention("T1", ((0, 2),), ("loc",), "ab", "NE-COARSE-LIT", (Link("Q1"), Link("NIL")))
    text = write([Document("d", "ab cd", [linked])])
    assert text.splitlines()[2] == "ab\tB-loc\tQ1|NIL"
    assert load(text).documents[0].mentions == [linked]


ONE = Mention("T1", ((0, 2),), ("x",))


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (Document("d", "ab cd", [ONE, Mention("T2", ((0, 5),), ("y",))]), "mention 'T2' .*: it overlaps"),
        (Document("d", "ab cd", [ONE, Mention("T2", ((0, 2),), ("y",))]), "mention 'T2' .*: it overlaps"),
        (Document("d", "ab cd e", [Mention("T2", ((0, 2), (6, 7)))]), "'T2' .*: it has 2 fragments"),
        (Document("d", "ab", [Mention("T2", ((0, 2),), ("x", "y"))]), "'T2' .*: it has 2 labels"),
        (Document("d", "ab", [Mention("T2", ((0, 2),), ("x\ty",))]), "'T2' .*: its label"),
        (
            Document("d", "ab", [Mention("T2", ((0, 2),), links=(Link("Q1"),))]),
            "'T2' .*: layer '' has no column of links",
        ),
        (Document("d", "ab", [Mention("T2", ((0, 2),), layer="LEMMA")]), "its layer 'LEMMA'"),
        (Document("d", "ab", [Mention("T2", ((0, 2),), layer="TAG")]), "its layer 'TAG'"),
        (Document("d", "ab", [Mention("T2", ((0, 2),), layer="a b")]), "column 'a b' is nameless"),
        (Document("d", "ab", [Mention("T2", ((0, 3),))]), "'T2' .*: its offsets 0-3"),
        (Document("d", "ab cd", [Mention("T2", ((0, 3),))]), "'T2' .*: its offsets 0-3"),
        (
            Document("d", "ab cd", [Mention("T2", ((0, 1),))], table=TokenTable(["ab", "cd"])),
            "'T2' .*: its offsets 0-1",
        ),
        (Document("d", "a b", table=TokenTable(["a b"])), "its token 'a b'"),
        (Document("d", "-DOCSTART-"), "its token '-DOCSTART-'"),
        (Document("d", "ab", table=TokenTable(["ab"], {"X": []})), "column 'X' has not one cell per token"),
        (Document("d", "ab", table=TokenTable(["ab"], comments=[(0, "x")])), "its comment 'x'"),
        (Document("d", "ab", [ONE], chains=[Chain("C1", ("T1",))]), "it has chains"),
        (Document("d", "ab", [ONE], relations=[Relation("R1", "of", ())]), "it has relations"),
        (Document("d", "ab", [ONE], notes=[Note("N1", "T1", "?")]), "it has notes"),
        (Document(" d", "ab"), "its id is empty"),
        (Document("", "ab"), "its id is empty"),
        (Document("d", "ab", metadata={"a": "x\ny"}), "its metadata 'a'"),
    ],
)
def test_what_tags_cannot_hold_is_refused(document: Document, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        write([document])
    assert f"document {document.id!r}" in str(caught.value)


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" \t\r\n"), min_size=1, max_size=4)
forms_of_tokens = (
    st.one_of(words, st.sampled_from(["#", "# ", "a", "O", "-"])).map(str.strip).filter(lambda form: form != "")
)
labels = st.sampled_from(["loc", "x-loc", "", "B-", "a b"])


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Draw a document of tokens in segments with disjoint mentions on up to three layers."""
    forms = draw(st.lists(forms_of_tokens, max_size=10))
    glued = draw(st.sets(st.integers(0, 10)))
    text, starts = join_tokens(forms, glued)
    firsts = draw(st.sets(st.integers(1, 10)))
    segments = sorted({0} | {first for first in firsts if first < len(forms)}) if forms else []
    mentions: list[Mention] = []
    for layer in draw(st.lists(st.sampled_from(["", "NE-COARSE-LIT", "b"]), unique=True)):
        position = 0
        for gap, size in draw(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3)), max_size=4)):
            first, last = position + gap, position + gap + size - 1
            position = last + 1
            if last < len(forms) and not any(first < segment <= last for segment in segments):
                span = (starts[first], starts[last] + len(forms[last]))
                label = (draw(labels),)
                mentions.append(Mention(f"M{len(mentions)}", (span,), label, text[slice(*span)], layer))
    table = TokenTable(forms, segments=segments, starts=starts)
    number = draw(st.integers(0, 10**6))
    metadata = draw(st.dictionaries(st.sampled_from(["date", "a=b"]), st.sampled_from(["", " x = y "])))
    return Document(f"doc {number}", text, mentions, metadata=metadata, table=table)


def content(document: Document) -> tuple[object, ...]:
    found = sorted((mention.layer, mention.spans, mention.labels, mention.text) for mention in document.mentions)
    segments = document.table.segments if document.table else []
    return document.id, document.text, found, document.metadata, segments


@given(drawn=st.lists(documents(), max_size=3), scheme=st.sampled_from(["auto", *SCHEMES]))
def test_reading_undoes_writing(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[Document], scheme: Scheme
) -> None:
    path = tmp_path_factory.mktemp("conll") / "out.conll"
    text = write(drawn, scheme=scheme)
    path.write_text(text, encoding="utf-8", newline="")
    for repair in ("conlleval", "strict", *(["discard"] if scheme != "IOE1" else [])):  # seqeval loses single E tags
        problems = Problems()
        options = ConllOptions(scheme=scheme, repair=repair)
        back = list(read(str(path), problems=problems, options=options))
        assert [content(one) for one in back] == [content(one) for one in drawn]
        assert problems.found == []
    assert write(back, scheme=scheme) == text


@given(drawn=documents())
def test_a_text_without_tokens_keeps_its_mentions_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, drawn: Document
) -> None:
    drawn.table = None
    path = tmp_path_factory.mktemp("conll") / "out.conll"
    try:
        text = write([drawn])
    except InputError:
        assert any(one.isspace() and one != " " for one in drawn.text) or "-DOCSTART-" in drawn.text
        return
    path.write_text(text, encoding="utf-8", newline="")
    (back,) = read(str(path), problems=Problems())
    assert back.text.split() == drawn.text.split()
    assert sorted(
        (mention.layer, mention.labels or ("",), mention.text.split()) for mention in back.mentions
    ) == sorted(
        (mention.layer, mention.labels or ("",), drawn.text[mention.start : mention.end].split())
        for mention in drawn.mentions
    )


@given(data=st.binary(max_size=200) | st.text("a#O-\t \nB=IDCSTRX", max_size=80).map(str.encode))
def test_hostile_bytes_never_end_in_a_traceback(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("conll") / "in.conll"
    path.write_bytes(data)
    try:
        found = list(read(str(path), problems=Problems(collect=True)))
    except InputError as error:
        assert error.path == str(path)  # noqa: PT017 - other input is read without an error
        return
    for document in found:
        spans(document)


def test_the_layout_is_found_without_cutting_a_block_into_all_of_its_lines() -> None:
    """Every share of a file looks for the first row, so that all lines would be cut twice."""

    class Block(str):
        __slots__ = ()

        def split(self, *_: object) -> list[str]:  # type: ignore[override]
            raise AssertionError

    assert next(_lines([Block("a\tO\nb\tO\n")])) == "a\tO"
    assert list(_lines(["a\n\nb\n", "c"])) == ["a", "", "b", "c"]


def test_nobody_gets_tokens_who_did_not_ask_for_them(load: Callable[..., SimpleNamespace]) -> None:
    """Also where a line of blanks lets a block be cut line by line: who looks at cells alone tells by that."""
    [document] = load(BLANK_LINE, want=Want(mentions=False, lines=False, forms=False)).documents
    assert (document.table.forms, document.table.columns) == ([], {"NE": ["B-PER", "O"]})


def test_a_line_of_blanks_hides_no_layer(tmp_path: Path) -> None:
    path = tmp_path / "gold.conll"
    path.write_text(BLANK_LINE)
    assert karat.score("conll2003", path, path).value("f1") == 1.0
