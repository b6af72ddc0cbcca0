"""CorefUD: brackets around words and empty nodes, what is repaired or refused, and that writing undoes reading."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.errors import InputError
from karat.formats.base import EVERYTHING, NoOptions, Problems
from karat.formats.corefud.declaration import FORMAT, sniff
from karat.formats.parts import assembly
from karat.model import Chain, Document, Link, Mention, Note, TokenTable

read = partial(FORMAT.read, want=EVERYTHING, options=NoOptions())


SPANISH = """# newdoc id = es-1
# global.Entity = eid-etype-head-other
# newpar
# sent_id = es-1-s1
1\tAna\tAna\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tvio\tver\tVERB\t_\t_\t0\troot\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t_\tBridge=e1<e2:part|Entity=(e2-place-3-gen|Gloss=to
4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_
5\trío\trío\tNOUN\t_\t_\t2\tobl\t_\tEntity=e2)|SpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# sent_id = es-1-s2
0.1\t_\tél\tPRON\t_\t_\t_\t_\t1:nsubj\tEntity=(e1-person-1-)
1\tRió\treír\tVERB\t_\t_\t0\troot\t0:root\t_
1.1\t_\t_\t_\t_\t_\t_\t_\t_\t_

"""


def write(documents: Iterable[Document], options: Any = None) -> str:
    assert FORMAT.write is not None
    return "".join(map(str, FORMAT.write(documents, options or NoOptions())))


def load(folder: Path, text: str, *, collect: bool = False) -> tuple[list[Document], Problems]:
    path = folder / "in.conllu"
    path.write_text(text, encoding="utf-8", newline="")
    problems = Problems(collect=collect)
    return list(read(str(path), problems=problems)), problems


def rows(*cells: str, ids: tuple[str, ...] = (), fields: str = "eid-etype-head-other") -> str:
    """Return a sentence whose words have these entities; an empty cell is none."""
    names = ids or tuple(str(number) for number in range(1, len(cells) + 1))
    lines = [
        "\t".join([name, f"w{name}", *"_" * 7, f"Entity={cell}" if cell else "_"])
        for name, cell in zip(names, cells, strict=True)
    ]
    return "".join(f"{line}\n" for line in [f"# global.Entity = {fields}", *lines, ""])


def mentions(document: Document) -> list[tuple[str, str, str]]:
    """Return entity, rows and head of each mention, in the order of the document."""
    entities = {mention: chain.id for chain in document.chains for mention in chain.mentions}
    return [
        (entities[mention.id], mention.attributes["rows"], mention.attributes["head"]) for mention in document.mentions
    ]


def same(left: list[Document], right: list[Document]) -> bool:
    """Say whether documents are equal, wherever they were read from."""

    def plain(document: Document) -> Document:
        assert document.table is not None
        return msgspec.structs.replace(document, source="", table=msgspec.structs.replace(document.table, lines=[]))

    return list(map(plain, left)) == list(map(plain, right))


def test_words_empty_nodes_and_multiword_tokens(tmp_path: Path) -> None:
    ((document,), problems) = load(tmp_path, SPANISH)
    assert problems.found == []
    assert (document.id, document.metadata) == ("es-1", {"global.Entity": "eid-etype-head-other"})
    assert document.text == "Ana vio a el río. Rió"
    table = document.table
    assert table is not None
    assert table.forms == ["Ana", "vio", "a", "el", "río", ".", "_", "Rió", "_"]
    assert table.columns["ID"] == ["1", "2", "3", "4", "5", "6", "0.1", "1", "1.1"]
    assert table.columns["MISC"] == ["_", "_", "Bridge=e1<e2:part|Gloss=to", "_", "SpaceAfter=No", "_", "_", "_", "_"]
    assert table.columns["DEPS"][6] == "1:nsubj"
    assert table.starts == [0, 4, 8, 10, 13, 16, 18, 18, 21]
    assert table.segments == [0, 6]
    assert table.comments == [
        (0, "# newpar"),
        (0, "# sent_id = es-1-s1"),
        (2, "3-4\tal" + "\t_" * 8),
        (6, "# sent_id = es-1-s2"),
    ]
    assert table.lines == [(0, 5), (2, 8), (6, 14)]
    assert table.dialect == "corefud"
    assert document.mentions == [
        Mention("m1", ((0, 3),), ("person",), "Ana", attributes={"rows": "0", "head": "0", "other": ""}),
        Mention("m2", ((8, 16),), ("place",), "a el río", attributes={"rows": "2-4", "head": "4", "other": "gen"}),
        Mention("m3", ((18, 18),), ("person",), "", attributes={"rows": "6", "head": "6", "other": ""}),
    ]
    assert document.chains == [Chain("e1", ("m1", "m3")), Chain("e2", ("m2",))]
    assert write([document]) == SPANISH


def test_a_multiword_token_says_whether_a_blank_follows_it(tmp_path: Path) -> None:
    text = SPANISH.replace("3-4\tal" + "\t_" * 8, "3-4\tal" + "\t_" * 7 + "\tSpaceAfter=No")
    ((document,), _) = load(tmp_path, text)
    assert document.text == "Ana vio a elrío. Rió"


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (("(e1-x-1-", "", "e1)"), [("e1", "0-2", "0")]),
        (("(e1)", "(e1-x)"), [("e1", "0", "0"), ("e1", "1", "1")]),
        (("(e1-x-1-(e1-x-1-", "e1)", "e1)"), [("e1", "0-2", "0"), ("e1", "0-1", "0")]),
        (("(e1-x-1-", "(e2-x-1-", "e1)", "e2)"), [("e1", "0-2", "0"), ("e2", "1-3", "1")]),
        (("(e1-x-1-", "e1)(e1-x-1-", "e1)"), [("e1", "0-1", "0"), ("e1", "1-2", "1")]),
        (("(e1-x-1-)(e1-x-1-)(e2-x-1-)",), [("e1", "0", "0"), ("e1", "0", "0"), ("e2", "0", "0")]),
        (("(e1[1/2]-x-2-)", "", "(e1[2/2]-x-2-)"), [("e1", "0,2", "2")]),
        (("(e1[1/2]-x-2-)", "(e1[2/2]-x-2-)"), [("e1", "0-1", "1")]),
        (("(e1[1/2]-x-1-)", "(e1-x-1-", "(e1[2/2]-x-1-)", "e1)"), [("e1", "0,2", "0"), ("e1", "1-3", "1")]),
        (
            ("(e1[1/2]-x-1-)(e1[1/2]-x-1-)", "", "(e1[2/2]-x-1-(e1[2/2]-x-1-", "e1[2/2])", "e1[2/2])"),
            [("e1", "0,2-4", "0"), ("e1", "0,2-3", "0")],
        ),
        (("(e1[1/2]-x-1-)", "(e1[1/2]-x-1-)"), [("e1", "0", "0"), ("e1", "1", "1")]),
    ],
)
def test_brackets(tmp_path: Path, cells: tuple[str, ...], expected: list[tuple[str, str, str]]) -> None:
    documents, problems = load(tmp_path, rows(*cells))
    assert mentions(documents[0]) == expected
    assert problems.found == []
    back, _ = load(tmp_path, write(documents))
    assert same(back, documents)


def test_parts_may_be_in_two_sentences_and_fragments_are_spans(tmp_path: Path) -> None:
    ((document,), _) = load(tmp_path, rows("(e1[1/2]-x-1-)", "") + rows("", "(e1[2/2]-x-1-)"))
    assert document.mentions[0].spans == ((0, 2), (9, 11))
    assert document.mentions[0].text == "w1 w2"


def test_empty_nodes_between_words_make_no_fragment(tmp_path: Path) -> None:
    ((document,), _) = load(tmp_path, rows("(e1[1/2]-x-1-)", "", "(e1[2/2]-x-1-)", ids=("1", "1.1", "2")))
    assert mentions(document) == [("e1", "0,2", "0")]
    assert document.mentions[0].spans == ((0, 5),)


@pytest.mark.parametrize("fields", ["etype-eid-head-other", "etype-GRP"])
def test_fields_are_as_the_file_names_them(tmp_path: Path, fields: str) -> None:
    documents, _ = load(tmp_path, rows("(x-e1)", fields=fields))
    assert documents[0].mentions[0].labels == ("x",)
    assert documents[0].chains == [Chain("e1", ("m1",))]
    back, _ = load(tmp_path, write(documents))
    assert same(back, documents)


@pytest.mark.parametrize(
    ("cells", "found", "expected"),
    [
        (("(e1-x-1-", "(e2-x-1-)"), ["e2"], "the mention of entity 'e1' is never closed; left out"),
        (("(e1[1/2]-x-1-)", "(e1[2/2]-x-1-"), [], "never closed"),
        (("(e1[1/2]-x-1-", "e1)", "", "(e1[2/2]-x-1-)"), ["e1"], "is closed without its number"),
        (("(e1-x-1-)foo",), ["e1"], "'foo' has no bracket; left out"),
        (("(e1-x-1-a-b)",), ["e1"], "has more fields than 'eid-etype-head-other'"),
        (("(e1-x-0-", "e1)"), ["e1"], "is 0, but the mention has 2 words; read as the first one"),
        (("(e1-x-2-)",), ["e1"], "is 2, but the mention has 1 word; read as the first one"),
        (("(e1[1/2]-x-1-)", "", "(e1[2/3]-x-1-)"), ["e1"], "part 2/3 of entity 'e1' follows part 1/2"),
        (("(e1-x-1-)|Entity=(e2-x-1-)",), ["e2"], "Entity more than once; the last one counts"),
    ],
)
def test_repairs(tmp_path: Path, cells: tuple[str, ...], found: list[str], expected: str) -> None:
    documents, problems = load(tmp_path, rows(*cells))
    assert [chain.id for chain in documents[0].chains] == found
    assert problems.repairs == 1
    assert expected in problems.found[0].message
    back, again = load(tmp_path, write(documents))
    assert same(back, documents)
    assert again.found == []


def test_an_entity_belongs_to_one_document(tmp_path: Path) -> None:
    text = "".join(f"# newdoc id = d{number}\n{rows('(e1-x-1-)')}" for number in (1, 2))
    documents, problems = load(tmp_path, text)
    assert [document.chains for document in documents] == [[Chain("e1", ("m1",))]] * 2
    assert [(one.line, one.message) for one in problems.found] == [
        (7, "entity 'e1' is in document 'd1' too; read as another entity")
    ]


ROW = "1\ta" + "\t_" * 8 + "\n"


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        (rows("e1)"), 2, "entity 'e1' is closed, but not open"),
        (rows("(e1-x-1-", "") + rows("e1)"), 6, "began in an earlier sentence, on line 2"),
        (rows("(e1-x-3-", "e1)"), 2, "the head of entity 'e1' is 3, but the mention has 2 words"),
        (rows("(e1-x-a-)"), 2, "the head of entity 'e1' is 'a'; expected a number"),
        (rows("(e1-x--)"), 2, "is ''; expected a number"),
        (rows("()"), 2, "'(' names no entity"),
        (rows("(e1[x]-x-1-)"), 2, "names no entity"),
        (rows("(e1[2/2]-x-1-)"), 2, "part 2/2 of entity 'e1' continues no mention"),
        (rows("(e1[1/2]-x-1-)", "(e1[1/2]-x-1-)", "(e1[2/2]-x-1-)"), 4, "ends while another one lacks a part"),
        (rows("(e1[1/2]-x-1-)", "(e1[1/2]-x-1-", "(e1[2/2]-x-1-)", "e1[1/2])"), 4, "ends while another"),
        (rows("(e1-x-1-", "e1[2/2])"), 3, "was opened as part 1/1 on line 2; give both the same part"),
        (rows("(e1)").partition("\n")[2], 1, "without '# global.Entity'"),
        (rows(fields="etype-head"), 1, "the fields of Entity are 'etype-head'"),
        (rows(fields="eid-rows"), 1, "the fields of Entity are 'eid-rows'"),
        (rows("") + rows(fields="eid"), 4, "other ones can only begin with a document"),
        ("# global.columns = ID FORM\n", 1, "the columns are"),
        ("1\ta\n", 1, "the row has 2 columns; expected 10"),
        (ROW + ROW, 2, "the ID is '1'; expected a number above"),
        (ROW.replace("1", "x"), 1, "the ID is 'x'"),
        (ROW.replace("1", "9" * 5000), 1, "the ID is '999"),
        (ROW.replace("1", "2.1"), 1, "the ID is '2.1'"),
        (ROW.replace("a", ""), 1, "and a form"),
        (ROW.replace("1", "2-1"), 1, "the ID is '2-1'"),
        (ROW.replace("1", "1-2") + ROW.replace("1", "2-3"), 2, "the ID is '2-3'"),
        (f"# newdoc id = d\n{ROW}\n# newdoc id = d\n{ROW}", 5, "document 'd' is there twice"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(tmp_path: Path, text: str, line: int, expected: str) -> None:
    with pytest.raises(InputError) as error:
        load(tmp_path, text)
    assert expected in str(error.value)
    assert error.value.line == line
    _, problems = load(tmp_path, text, collect=True)
    assert [one.line for one in problems.found if one.severity == "error"] == [line]


def test_mentions_that_would_fill_the_memory_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "MAX_COVERED", 20)
    monkeypatch.setattr(assembly, "MAX_TIMES", 0)
    cells = ["(e1-x-1-"] * 5 + ["e1)" * 5]
    with pytest.raises(InputError, match="cover more than 20 characters"):
        load(tmp_path, rows(*cells))


def test_documents_and_comments_stay_where_they_are(tmp_path: Path) -> None:
    text = (
        f"# first\n{ROW}# inside\n{ROW.replace('1', '2')}\n# sent_id = 2\n# newdoc id = b\n{ROW}\n# last\n\n"
        "# newdoc id = empty\n\n"
    )
    documents, _ = load(tmp_path, text)
    tables = [document.table for document in documents]
    assert [document.id for document in documents] == ["1", "b", "empty"]
    assert [table.comments for table in tables if table] == [
        [(0, "# first"), (1, "# inside")],
        [(0, "# sent_id = 2"), (1, "# last")],
        [],
    ]
    back, _ = load(tmp_path, write(documents))
    assert same(back, documents)


def chained(*found: Mention, **parts: Any) -> Document:
    return Document("d", "ab cd", list(found), [Chain("c", tuple(one.id for one in found))], **parts)


def test_documents_from_elsewhere_get_rows_in_the_order_of_the_text() -> None:
    found = [Mention("b", ((4, 7),), ("LOC",)), Mention("a", ((0, 3), (8, 9)), ("PER",)), Mention("c", ((4, 9),))]
    document = Document("d", "Ada Bern!\nx", found, [Chain("p", ("a",)), Chain("q", ("b", "c"))])
    with pytest.raises(InputError, match="mention 'b' cannot be written as CorefUD: it does not begin and end"):
        write([msgspec.structs.replace(document, table=TokenTable(["Ada", "Bern!", "x"], starts=[0, 4, 10]))])
    document.mentions[0] = Mention("b", ((4, 8),), ("LOC",))
    assert write([document]) == (
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        "1\tAda\t_\t_\t_\t_\t_\t_\t_\tEntity=(p[1/2]-PER-1-)\n"
        "2\tBern\t_\t_\t_\t_\t_\t_\t_\tEntity=(q--1-(q-LOC-1-)|SpaceAfter=No\n"
        "3\t!\t_\t_\t_\t_\t_\t_\t_\tEntity=q)(p[2/2]-PER-1-)\n\n"
        "1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (Document("d", "ab", [Mention("a", ((0, 2),))]), "a mention is in two chains or in none"),
        (chained(Mention("a", ((0, 2),), ("x", "y"))), "several labels"),
        (chained(Mention("a", ((0, 2),), ("x-y",))), "a hyphen"),
        (chained(Mention("a", ((0, 2),), layer="NE")), "a layer"),
        (chained(Mention("a", ((0, 2),), links=(Link("Q1"),))), "links"),
        (chained(Mention("a", ((0, 2),), attributes={"sure": "no"})), "--drop attributes"),
        (chained(Mention("a", ((0, 2),), attributes={"head": "1"})), "its head '1' is none of its rows"),
        (chained(Mention("a", ((2, 2),))), "does not begin and end with a token"),
        (chained(notes=[Note("n", "c", "?")]), "--drop notes"),
        (chained(metadata={"date": "1798"}), "metadata, such as 'date'"),
        (chained(metadata={"global.Entity": "x"}), "not fields of a bracket"),
        (Document(" d"), "its id is empty, has blanks"),
        (Document("d", "ab", [Mention("a", ((0, 2),))], [Chain("e(1", ("a",))]), "the id of the chain"),
        (Document("d", "ab", table=TokenTable(["ab"], {}, [0], [0], dialect="corefud")), "lacks a column"),
    ],
)
def test_what_brackets_cannot_hold_is_refused(document: Document, expected: str) -> None:
    with pytest.raises(InputError) as error:
        write([document])
    assert expected in str(error.value)


def test_crossing_mentions_of_one_chain_are_refused() -> None:
    found = [Mention("a", ((0, 5),)), Mention("b", ((2, 7),))]
    with pytest.raises(InputError, match="two mentions of one chain cross"):
        write([Document("d", "a b c d", found, [Chain("e", ("a", "b"))])])
    assert "Entity=f)" in write([Document("d", "a b c d", found, [Chain("e", ("a",)), Chain("f", ("b",))])])
    with pytest.raises(InputError, match="another document has the same id"):
        write([Document("d"), Document("d")])


def test_an_empty_token_is_refused() -> None:
    document = Document("d", "a b", table=TokenTable(["a", "", "b"], starts=[0, 1, 2]))
    with pytest.raises(InputError, match="document 'd' cannot be written as CorefUD: its token 2 is empty"):
        write([document])


@pytest.mark.parametrize(
    ("fields", "bracket"),
    [
        ("eid-x-head", "(e1)"),
        ("eid-x-y-head-other", "(e1-a)"),
        ("eid-x-etype", "(e1)"),
        ("eid-x-etype-head", "(e1-a-b)"),
        ("eid-etype-head-other", "(e1-a-1)"),
    ],
)
def test_brackets_end_with_the_last_field_that_was_read(fields: str, bracket: str, tmp_path: Path) -> None:
    documents, _ = load(tmp_path, "# newdoc id = d\n" + rows(bracket, fields=fields))
    written = write(documents)
    assert same(load(tmp_path, written)[0], documents)


def test_a_table_that_was_changed_is_refused(tmp_path: Path) -> None:
    ((document,), _) = load(tmp_path, SPANISH)
    with pytest.raises(InputError, match="do not fit each other"):
        write([msgspec.structs.replace(document, text="Ana")])


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (SPANISH, True),
        (SPANISH[:40], True),
        (ROW, True),
        ("\ufeff# global.columns = ID FORM\n# global.Entity = eid\n", True),
        ("1\ta\t_\t_\t_\t_\t_\t_\t_\tB-loc\n", False),
        ("Bern\tB-loc\n", False),
        ("", False),
    ],
)
def test_sniffs_rows_of_conll_u(head: str, *, expected: bool) -> None:
    assert sniff(head) is expected


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """Draw a sentence with brackets that are right: nested within an entity, crossing between entities."""
    size = draw(st.integers(1, 7))
    ids, word = [], 0
    for _ in range(size):
        if word and draw(st.booleans()) and "." not in ids[-1]:
            ids.append(f"{word}.1")
        else:
            word += 1
            ids.append(str(word))
    opening: list[str] = [""] * len(ids)
    closing: list[str] = [""] * len(ids)
    for entity in ("e1", "e2", "x:3"):
        edges = draw(st.lists(st.integers(0, len(ids) - 1), max_size=6, unique=True).map(sorted))
        for first, last in zip(edges[0::2], edges[1::2], strict=False):
            head = draw(st.integers(1, last - first + 1))
            if draw(st.booleans()):
                opening[first] += f"({entity}-t-{head}-o)" if head == 1 else f"({entity}-t-1)"
            elif draw(st.booleans()):
                opening[first] += f"({entity}--{head}-"
                closing[last] += f"{entity})"
            elif last - first > 1:
                opening[first] += f"({entity}[1/2]-t-2-)"
                opening[last] += f"({entity}[2/2]-t-2-)"
    cells = [closed + opened for closed, opened in zip(closing, opening, strict=True)]
    return rows(*cells, ids=tuple(ids))


@settings(deadline=None)
@given(st.lists(sentences(), min_size=1, max_size=3), st.lists(sentences(), max_size=2))
def test_what_is_read_is_written_back(first: list[str], second: list[str]) -> None:
    text = "".join(["# newdoc id = a\n", *first, "# newdoc id = b\n", *second])
    with tempfile.TemporaryDirectory() as folder:
        documents, _ = load(Path(folder), text)
        written = write(documents)
        back, _ = load(Path(folder), written)
    assert same(back, documents)
    assert write(back) == written
    cells = [line.rpartition("\t")[2] for line in text.splitlines() if line[0:1].isdigit()]
    kept = [line.rpartition("\t")[2] for line in written.splitlines() if line[0:1].isdigit()]
    assert [sorted(cell) for cell in kept] == [sorted(cell) for cell in cells]
    for document in documents:
        assert [mention.id for mention in document.mentions] == [
            f"m{number}" for number in range(1, len(document.mentions) + 1)
        ]
        firsts = [int(rows_.split("-")[0].split(",")[0]) for _, rows_, _ in mentions(document)]
        assert firsts == sorted(firsts)


SPLICES = ["\t", "\n", "\n\n", "#", "(", ")", "-", "e1)", "(e1-x-1-", "[1/2]", "[2/2]", "|Entity=", "9" * 20, "\x00"]
SPLICES += ["\ufeff", "\u2028", "1.1", "3-4", "# newdoc id = es-1\n", "# global.Entity = eid\n"]


@given(st.lists(st.tuples(st.integers(0, len(SPANISH)), st.integers(0, 9), st.sampled_from(SPLICES)), max_size=4))
def test_damaged_files_end_in_sentences_and_what_is_read_can_be_written_or_refused(
    damage: list[tuple[int, int, str]],
) -> None:
    text = SPANISH
    for place, length, splice in damage:
        text = text[:place] + splice + text[place + length :]
    with tempfile.TemporaryDirectory() as folder:
        documents, problems = load(Path(folder), text, collect=True)
        assert all(one.message for one in problems.found)
        try:
            written = write(documents)
        except InputError:
            return
        assert same(load(Path(folder), written)[0], documents)


def test_the_declaration(tmp_path: Path) -> None:
    assert (FORMAT.name, FORMAT.suffixes) == ("corefud", (".conllu",))
    documents, _ = load(tmp_path, SPANISH)
    assert FORMAT.write is not None
    assert write(documents) == SPANISH
