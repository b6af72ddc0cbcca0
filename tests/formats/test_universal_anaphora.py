"""Universal Anaphora: what is read and refused, that it is taken for nothing else, and that writing undoes reading."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat import formats
from karat.cli import run
from karat.errors import InputError
from karat.formats.base import EVERYTHING, Problems
from karat.formats.universal_anaphora.declaration import FORMAT, AnaphoraFileOptions
from karat.model import Argument, Chain, Document, Mention, Relation, TokenTable

read = partial(FORMAT.read, want=EVERYTHING, options=AnaphoraFileOptions())


HEADER = (
    "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC "
    "IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM\n"
)


def write(documents: Iterable[Document], options: Any = None) -> str:
    assert FORMAT.write is not None
    return "".join(map(str, FORMAT.write(documents, options or AnaphoraFileOptions())))


def rows(*marked: str, first: int = 1) -> str:
    """Return rows from forms and cells, such as ``Ada (EntityID=1|MarkableID=a)``; a form may stand alone."""
    lines = []
    number = first
    for one in marked:
        form, *cells = one.split()
        if form == "*":
            lines.append(f"{number - 1}.1  _  {'_  ' * 8}{'  '.join(cells or ['_'])}")
            continue
        lines.append(f"{number}  {form}  {'_  ' * 8}{'  '.join(cells or ['_'])}")
        number += 1
    return "\n".join(lines) + "\n"


STORY = (
    HEADER
    + "# newdoc id = d1\n# text = Ada met Bo\n"
    + rows(
        "Ada (EntityID=1|MarkableID=a|Min=1|ElementOf=3)",
        "met",
        "old (EntityID=2|MarkableID=b|Min=4|ElementOf=3",
        "Bo )",
    )
    + "\n# text = There they sang\n"
    + rows(
        "There (EntityID=9-Pseudo|MarkableID=c)",
        "* (EntityID=3|MarkableID=z)",
        "they (EntityID=3|MarkableID=d) (MarkableID=d|Rel=set|MentionAnchor=a)",
        "sang _ _ (EntityID=7|MarkableID=e)",
        first=5,
    )
)


def load(
    folder: Path, text: str, *, collect: bool = False, column: str = "identity"
) -> tuple[list[Document], Problems]:
    path = folder / "a.conllua"
    path.write_text(text, "utf-8")
    problems = Problems(collect=collect)
    options = AnaphoraFileOptions(column)  # type: ignore[arg-type]
    return list(read(str(path), problems=problems, options=options)), problems


def told(documents: list[Document]) -> list[Document]:
    """Return documents without what only the file knows: its name and its lines."""
    tables = [msgspec.structs.replace(document.table, lines=[]) if document.table else None for document in documents]
    return [
        msgspec.structs.replace(document, table=table, source="")
        for document, table in zip(documents, tables, strict=True)
    ]


def test_markables_become_mentions_and_chains(tmp_path: Path) -> None:
    (document,), problems = load(tmp_path, STORY)
    assert problems.found == []
    assert (document.id, document.text) == ("d1", "Ada met old Bo There they sang")
    assert [(mention.id, mention.text, mention.labels) for mention in document.mentions] == [
        ("a", "Ada", ()),
        ("b", "old Bo", ()),
        ("c", "There", ("non-referring",)),
        ("z", "", ()),
        ("d", "they", ()),
    ]
    assert document.mentions[1].attributes == {"rows": "2-3", "Min": "4", "ElementOf": "3"}
    assert document.mentions[2].attributes == {"rows": "4", "EntityID": "9-Pseudo"}
    assert document.chains == [Chain("1", ("a",)), Chain("2", ("b",)), Chain("3", ("z", "d"))]
    arguments = Argument("anaphor", "d"), Argument("anchor", "a")
    assert document.relations == [Relation("bridging(1)", "bridging", arguments, attributes={"Rel": "set"})]
    assert document.table is not None
    assert document.table.segments == [0, 4]
    assert document.table.columns["DISCOURSE_DEIXIS"][-1] == "(EntityID=7|MarkableID=e)"


def test_the_column_of_discourse_deixis_is_read_if_asked_for(tmp_path: Path) -> None:
    (document,), _ = load(tmp_path, STORY, column="discourse-deixis")
    assert [(mention.id, mention.text) for mention in document.mentions] == [("e", "sang")]
    assert (document.chains, document.relations) == ([Chain("7", ("e",))], [])


def test_a_markable_that_opens_again_has_fragments(tmp_path: Path) -> None:
    opened = "(EntityID=1|MarkableID=a"
    (document,), _ = load(tmp_path, HEADER + rows(f"left {opened}|SemType=dn)", "and", f"banks {opened})"))
    (mention,) = document.mentions
    assert mention.spans == ((0, 4), (9, 14))
    assert mention.attributes == {"rows": "0,2", "SemType": "dn"}


def test_brackets_that_name_their_markable_may_cross(tmp_path: Path) -> None:
    text = rows("a (EntityID=1|MarkableID=x", "b (EntityID=2|MarkableID=y", "c x)", "d y)")
    (document,), _ = load(tmp_path, HEADER + text)
    assert [mention.spans for mention in document.mentions] == [((0, 5),), ((2, 7),)]


def test_brackets_may_close_behind_a_markable_of_one_word(tmp_path: Path) -> None:
    text = rows("a (EntityID=1|MarkableID=x", "b (EntityID=2|MarkableID=y))")
    (document,), _ = load(tmp_path, HEADER + text)
    assert [mention.spans for mention in document.mentions] == [((0, 3),), ((2, 3),)]


def test_a_markable_may_have_the_name_of_an_entity(tmp_path: Path) -> None:
    (document,), _ = load(tmp_path, HEADER + rows("a (EntityID=1|MarkableID=1)"))
    assert document.chains == [Chain("1", ("(1)",))]
    assert told(list(read_text(tmp_path, write([document])))) == told([document])


def read_text(folder: Path, text: str) -> list[Document]:
    return load(folder, text)[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (rows("a (EntityID=1|MarkableID=x"), ":2: markable 'x' is never closed"),
        (rows("a )"), ":2: '[)]' closes nothing"),
        (rows("a x)"), ":2: markable 'x' is closed, but not open"),
        (rows("a (EntityID=1)"), ":2: the markable 'EntityID=1[)]' lacks an EntityID or a MarkableID"),
        (rows("a (EntityId=1|MarkableID=x)"), "lacks an EntityID"),
        (rows("a x(EntityID=1|MarkableID=x)"), "the markables are 'x[(]EntityID=1|MarkableID=x[)]'; expected brackets"),
        (rows("a", "* (EntityID=1|MarkableID=x"), ":3: markable 'x' begins on an empty node"),
        (rows("a (EntityID=1|MarkableID=x", "* )"), ":3: a markable ends on an empty node"),
        (
            rows("a (EntityID=1|MarkableID=x)", "* (EntityID=1|MarkableID=x)"),
            ":3: markable 'x' has a part already, on line 2; a zero has one part",
        ),
        (
            rows("a (EntityID=1|MarkableID=x", "b (EntityID=1|MarkableID=x))"),
            ":3: markable 'x' is opened again before it is closed; it was opened on line 2",
        ),
        (
            rows("a (EntityID=1|MarkableID=x)", "b (EntityID=2|MarkableID=x)"),
            ":3: markable 'x' is of entity '2' here and of '1' on line 2",
        ),
        ("1 a _ _\n", ":2: the row has 4 columns; expected 15, without blanks in them"),
        (f"1 a {'_ ' * 14}\n", ":2: the row has 16 columns"),
        ("# global.columns = ID FORM IDENTITY\n", ":2: the columns are 'ID FORM IDENTITY'; expected ID FORM LEMMA"),
        ("# newdoc id = d\n# newdoc id = d\n", "document 'd' is there twice"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(tmp_path, HEADER + text)
    assert load(tmp_path, HEADER + text, collect=True)[1].found


def test_discourse_deixis_needs_its_column(tmp_path: Path) -> None:
    header = HEADER.partition(" BRIDGING")[0] + "\n"
    assert load(tmp_path, header + rows("a"))[0]
    with pytest.raises(InputError, match="there is no column DISCOURSE_DEIXIS"):
        load(tmp_path, header + rows("a"), column="discourse-deixis")


def test_bridging_that_leads_nowhere_is_left_out_with_a_note(tmp_path: Path) -> None:
    text = rows("a (EntityID=1|MarkableID=x) (MarkableID=x|MentionAnchor=gone)", "b _ MarkableID=x")
    (document,), problems = load(tmp_path, HEADER + text)
    assert document.relations == []
    assert [problem.line for problem in problems.found] == [2, 3]


def test_comments_before_a_document_are_kept(tmp_path: Path) -> None:
    (document,), _ = load(tmp_path, HEADER + "# licence\n# newdoc id = d\n" + rows("a"))
    assert document.table is not None
    assert document.table.comments == [(0, "# licence")]


@pytest.mark.parametrize("blank", [" ", "\t", "  \t"])
def test_it_is_recognised_by_its_columns_whatever_separates_them(tmp_path: Path, blank: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(HEADER + rows("Ada (EntityID=1|MarkableID=a)").replace("  ", blank))
    assert formats.sniff(path).name == "universal-anaphora"
    assert [one.name for one in formats.formats().values() if one.sniff(path.read_text())] == ["universal-anaphora"]


@pytest.mark.parametrize("blank", [" ", "\t"])
def test_corefud_says_what_the_file_is_and_who_reads_it(
    tmp_path: Path, blank: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.txt"
    whole = rows("Ada (EntityID=1|MarkableID=a) _ _ _ _", "she (EntityID=1|MarkableID=b) _ _ _ _")
    path.write_text(HEADER + "# newdoc id = d\n" + whole.replace("  ", blank))
    assert run(["score", "corefud", str(path), str(path)]) == 3
    sentence = "is of a file of Universal Anaphora, which has no heads; score it with the protocol universal-anaphora"
    assert sentence in capsys.readouterr().err
    for name in ("corefud", "conll"):
        assert run(["score", "corefud", str(path), str(path), "--from", name]) == 3
        sentence = "this is a file of Universal Anaphora; read it with --from universal-anaphora"
        advice = "and score it with the protocol universal-anaphora"
        assert capsys.readouterr().err == f"karat: {path}:1: {sentence}, {advice}\n"


def test_its_chains_are_scored_by_other_protocols(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.conllua"
    path.write_text(STORY)
    assert run(["score", "coref", str(path), str(path), "--view", "tsv"]) == 0
    assert "1.0" in capsys.readouterr().out


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    for column in ("identity", "discourse-deixis"):
        documents, _ = load(tmp_path, STORY, column=column)
        text = write(documents, options=AnaphoraFileOptions(column))  # type: ignore[arg-type]
        assert told(load(tmp_path, text, column=column)[0]) == told(documents)


def test_a_column_is_written_as_it_was_read(tmp_path: Path) -> None:
    documents, _ = load(tmp_path, STORY, column="discourse-deixis")
    with pytest.raises(InputError, match="the one that is written, IDENTITY, must be that of its mentions"):
        write(documents)


DOCUMENT = Document("d", "Ada met her", [Mention("a", ((0, 3),)), Mention("b", ((8, 11),))], [Chain("1", ("a", "b"))])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"chains": []}, "mention 'a' cannot be written as Universal Anaphora: it is in no chain"),
        ({"chains": [Chain("1", ("a", "b")), Chain("2", ("b",))]}, "a mention is in two chains"),
        ({"chains": [Chain("1|2", ("a", "b"))]}, "its id or that of its chain has a bracket, a bar"),
        ({"table": TokenTable(["Ada met", "her"], starts=[0, 8])}, "it does not begin and end with a token"),
        ({"mentions": [Mention("a", ((0, 3),), ("PER",)), Mention("b", ((8, 11),))]}, "or has a label"),
        (
            {"mentions": [Mention("a", ((0, 3),), attributes={"head": "1"}), Mention("b", ((8, 11),))]},
            "it has attributes that are no fields of a markable; use --drop attributes",
        ),
        ({"relations": [Relation("r", "x", ())]}, "it has relations; leave them out with --drop relations"),
        ({"metadata": {"language": "en"}}, "it has metadata, such as 'language'"),
        ({"id": " d"}, "its id is empty, has blanks around it"),
        ({"table": TokenTable(["Ada", " met ", "her"], starts=[0, 3, 8])}, "its cell ' met ' is empty or has a blank"),
    ],
)
def test_what_it_cannot_hold_is_refused(changes: dict[str, object], message: str) -> None:
    assert write([DOCUMENT])
    with pytest.raises(InputError, match=message):
        write([msgspec.structs.replace(DOCUMENT, **changes)])


def test_two_documents_with_one_id_are_refused() -> None:
    with pytest.raises(InputError, match="another document has the same id"):
        write([DOCUMENT, DOCUMENT])


@st.composite
def stories(draw: st.DrawFn) -> str:
    """Draw a file of words and empty nodes with markables on them, crossing and in parts, and with comments."""
    length = draw(st.integers(1, 8))
    zeros = draw(st.sets(st.integers(1, length - 1), max_size=2)) if length > 1 else set()
    words = [row for row in range(length) if row not in zeros]
    opening: list[list[str]] = [[] for _ in range(length)]
    closing: list[list[str]] = [[] for _ in range(length)]
    for number in range(draw(st.integers(0, 5))):
        fields = f"EntityID={draw(st.sampled_from(['1', '2', 'x-Pseudo']))}|MarkableID=m{number}"
        fields += draw(st.sampled_from(["", "|Min=1", "|ElementOf=2", "|SemType=do|Min=2,3"]))
        if zeros and draw(st.booleans()):
            opening[draw(st.sampled_from(sorted(zeros)))].append(f"({fields})")
            continue
        edges = sorted(draw(st.lists(st.sampled_from(words), min_size=2, max_size=4, unique=True))) if words[1:] else []
        for first, last in zip(edges[::2], edges[1::2], strict=False):
            opening[first].append(f"({fields}")
            closing[last].append(f"m{number})")
    lines = [HEADER.strip(), "# newdoc id = d"]
    for row in range(length):
        lines += draw(st.sampled_from([[], [], [""], ["# note"], ["", "# text = x"]]))
        cell = "".join([*closing[row], *opening[row]]) or "_"
        misc = draw(st.sampled_from(["_", "SpaceAfter=No"]))
        lines.append(f"{row}{'.1' * (row in zeros)} w{row} {'_ ' * 7}{misc} {cell}")
    return "\n".join(lines) + "\n"


@given(stories())
def test_writing_undoes_reading(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("ua")
    documents, _ = load(folder, text)
    assert told(load(folder, write(documents))[0]) == told(documents)
