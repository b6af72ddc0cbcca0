from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.targets import targets
from tests.fuzz.targets import write as put

import karat as package
from karat.api import write
from karat.cli import run
from karat.errors import InputError, UsageError
from karat.formats import read
from karat.judge.items import Kind, items_of
from karat.judge.pool import Draw, Pool, Strata, drawn_items, make_pool, read_pool, write_pool
from karat.model import Argument, Chain, Document, Mention, Relation


def document(name: str, *triples: tuple[str, str, str], text: str = "") -> Document:
    """Make a document with triples of words, without places."""
    result = Document(id=name, text=text)
    for index, (head, label, tail) in enumerate(triples):
        for role, word in (("head", head), ("tail", tail)):
            result.mentions.append(Mention(id=f"{role}{index}", spans=(), text=word))
        arguments = (Argument("head", f"head{index}"), Argument("tail", f"tail{index}"))
        result.relations.append(Relation(id=f"r{index}", label=label, arguments=arguments))
    return result


A = [
    document("d1", ("Pump", "part of", "Engine"), ("Wing", "has", "Tank")),
    document("d2", ("Left  gear", "is", "down")),
]
B = [document("d1", ("pump", "Part of", "engine")), document("d2", ("gear", "is", "down")), document("d3")]


def pool(**options) -> Pool:
    return make_pool({"a": ("1", A), "b": ("2", B)}, "relation", **options)


def test_identical_items_are_judged_once_and_remember_who_gave_them() -> None:
    made = pool()
    givers = {entry.item.parts[0].surface: entry.systems for entry in made.entries}
    assert givers == {"Pump": ("a", "b"), "Wing": ("a",), "Left  gear": ("a",), "gear": ("b",)}
    assert [(source.name, source.items, source.documents) for source in made.head.sources] == [("a", 3, 2), ("b", 2, 2)]
    assert made.head.documents == 3
    assert len(pool(sameness="exact").entries) == 5


def test_a_pool_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = pool(overlap=0.5, seed=7)
    write_pool(made, tmp_path / "p.jsonl")
    assert read_pool(tmp_path / "p.jsonl") == made
    assert sum(entry.shared for entry in made.entries) == 2


@given(st.integers(0, 50), st.floats(0, 1))
def test_what_every_judge_sees_are_whole_documents_unless_items_are_drawn(seed: int, overlap: float) -> None:
    entries = pool(overlap=overlap, seed=seed).entries
    shared = {entry.item.document for entry in entries if entry.shared}
    assert all(entry.shared == (entry.item.document in shared) for entry in entries)
    assert sum(entry.shared for entry in entries) >= round(overlap * len(entries))
    single = pool(overlap=overlap, seed=seed, draw=Draw(items=4)).entries
    assert sum(entry.shared for entry in single) == round(overlap * 4)


@given(st.integers(0, 50), st.booleans())
def test_the_order_depends_on_the_seed_alone(seed: int, turned: bool) -> None:
    first = pool(seed=seed)
    systems = {"b": ("2", B), "a": ("1", A)} if turned else {"a": ("1", A), "b": ("2", B)}
    again = make_pool(systems, "relation", seed=seed)
    assert [entry.id for entry in first.entries] == [entry.id for entry in again.entries]


def test_documents_are_drawn_or_named() -> None:
    assert {entry.item.document for entry in pool(draw=Draw(names=("d2",))).entries} == {"d2"}
    drawn = pool(draw=Draw(documents=1))
    assert drawn.head.drawn_documents == 1
    assert len({entry.item.document for entry in drawn.entries}) <= 1
    with pytest.raises(UsageError, match="have 3"):
        pool(draw=Draw(documents=4))
    with pytest.raises(UsageError, match="no system has a document 'd9'"):
        pool(draw=Draw(names=("d9",)))


def test_strata_are_those_who_gave_an_item() -> None:
    def sizes(strata: Strata) -> dict[str, int]:
        cells = pool(draw=Draw(strata=strata)).head.cells
        names = {cell.stratum for cell in cells}
        return {name: sum(cell.items for cell in cells if cell.stratum == name) for name in names}

    assert sizes("system") == {"a+b": 1, "a": 2, "b": 1}
    assert sizes("relation") == {"part of": 1, "has": 1, "is": 2}
    assert sum(sizes("").values()) == 4


@given(st.dictionaries(st.text("xyz", min_size=1, max_size=2), st.integers(1, 40), min_size=1), st.data())
def test_every_stratum_gets_its_share(sizes: dict[str, int], data: st.DataObject) -> None:
    strata = {name: [f"{name}{index}" for index in range(size)] for name, size in sizes.items()}
    least = sum(min(2, size) for size in sizes.values())
    wanted = data.draw(st.integers(least, sum(sizes.values())))
    picked = drawn_items(strata, wanted, seed=1)
    assert sum(map(len, picked.values())) == wanted
    for name, keys in picked.items():
        assert min(2, sizes[name]) <= len(keys) <= sizes[name] or len(sizes) == 1
        assert set(keys) <= set(strata[name])


def test_controls_are_mixed_in_and_must_be_new() -> None:
    right = [document("d1", ("Flap", "is", "stuck"))]
    made = pool(controls={"right": right, "wrong": [document("d1", ("Flap", "is", "free"))]})
    assert sorted(entry.control for entry in made.entries if entry.control) == ["right", "wrong"]
    with pytest.raises(InputError, match="in the pool already"):
        pool(controls={"right": A})


def chained(text: str, *chains: tuple[str, ...]) -> Document:
    """Make a document whose mentions are its words, with chains of them."""
    result = Document("d", text, chains=[Chain(f"c{index}", words) for index, words in enumerate(chains)])
    starts = [match.start() for match in re.finditer(r"\S+", text)]
    result.mentions = [
        Mention(f"m{index}", ((start, start + len(word)),), ("W",), word)
        for index, (start, word) in enumerate(zip(starts, text.split(), strict=True))
    ]
    return result


def test_a_chain_is_its_places_in_any_order() -> None:
    two = chained("he saw him he saw him", ("m0", "m2"), ("m3", "m5"))
    turned = chained("he saw him he saw him", ("m5", "m3"))
    made = make_pool({"a": ("1", [two]), "b": ("2", [turned])}, "chain")
    assert sorted(entry.systems for entry in made.entries) == [("a",), ("a", "b")]


def test_places_of_another_text_are_none() -> None:
    made = make_pool({"a": ("1", [chained("Oslo")]), "b": ("2", [chained("Rome")])}, "mention")
    assert sorted((entry.item.parts[0].surface, entry.systems) for entry in made.entries) == [
        ("Oslo", ("a",)),
        ("Rome", ("b",)),
    ]
    assert "another text" in made.head.notes[0]


def test_a_relation_between_chains_shows_their_first_mentions() -> None:
    between = chained("Ada married him", ("m0",), ("m2",))
    between.relations = [Relation("r", "spouse", (Argument("head", "c0"), Argument("tail", "c1")))]
    (entry,) = make_pool({"a": ("1", [between])}, "relation").entries
    assert [(part.role, part.surface, part.spans) for part in entry.item.parts] == [
        ("head", "Ada", ((0, 3),)),
        ("tail", "him", ((12, 15),)),
    ]


def test_nothing_to_judge_is_said() -> None:
    with pytest.raises(InputError, match="no system has a link"):
        make_pool({"a": ("1", A)}, "link")


@pytest.mark.parametrize("text", ["", "{}", '{"is": "item"}', "[]", '{"is": "pool"}'])
def test_a_file_that_is_no_pool_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(text)
    with pytest.raises(InputError):
        read_pool(path)


def test_a_draw_that_would_be_another_one_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    system, names = tmp_path / "a.jsonl", tmp_path / "names"
    write([chained("he saw him", ("m0", "m2"))], system, "jsonl")
    names.write_text("\n \n")
    words = ["judge", "pool", str(system), "--kind", "chain", "-o", str(tmp_path / "p.jsonl")]
    assert run([*words, "--document-list", str(names)]) == 3
    assert "names: lists no document" in capsys.readouterr().err
    names.write_text("d\n")
    assert run([*words, "--document-list", str(names), "--documents", "1"]) == 2
    assert run(["judge", "pool", f"={system}", "-o", str(tmp_path / "p.jsonl")]) == 2
    assert "a system has an empty name" in capsys.readouterr().err
    assert not (tmp_path / "p.jsonl").exists()


def test_items_of_every_format_and_tool_have_their_words(tmp_path: Path) -> None:
    for number, target in enumerate(target for target in targets().values() if target.is_format):
        folder = tmp_path / str(number)
        put(target.files, folder / "in")
        settings = {name: value.replace("IN/", f"{folder}/in/") for name, value in target.options.items()}
        documents = list(read(str(folder / "in" / target.read), target.name, options=settings))
        kinds: tuple[Kind, ...] = ("relation", "event", "link")
        items = [item for document in documents for kind in kinds for item in items_of(document, kind)]
        assert all(part.surface for item in items for part in item.parts), target.title
        labels = {relation.label for document in documents for relation in document.relations}
        assert labels == {item.label for item in items if item.kind != "link"}, target.title


def test_chains_without_words_are_no_question_for_judges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, out = tmp_path / "pool.jsonl", tmp_path / "preds.jsonl"
    out.write_text('{"faa/0_a_0": [[[0, 0], [1, 1]]]}\n{"faa/0_a_0": [0, 1]}\n')
    words = ["judge", "pool", str(out), "--from", "s2e-coref", "--kind", "chain", "-o", str(made)]
    assert run(words) == 3
    assert "a chain of document 'a' has no words; add its words with --read tokens=" in capsys.readouterr().err
    assert not made.exists()
    tokens = tmp_path / "tokens.conll"
    tokens.write_text(
        "#begin document (faa/0_a_0); part 000\nfaa/0_a_0 0 0 SHE -\nfaa/0_a_0 0 1 HER -\n\n#end document\n"
    )
    assert run([*words, "--read", f"tokens={tokens}"]) == 0
    assert [part.surface for part in read_pool(made).entries[0].item.parts] == ["SHE", "HER"]


def test_triples_of_a_table_become_gold_of_themselves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "tool.csv"
    table.write_text("id,head,relation,tail\nA1,fuel tank,has,water\nA1,wing,has,tank\nA1,Wing,has,tank\n")
    made, gold, answers = (str(tmp_path / name) for name in ("pool.jsonl", "gold.jsonl", "ida.csv"))
    assert run(["judge", "pool", str(table), "-o", made]) == 0
    captured = capsys.readouterr()
    assert "2 items of 1 system" in captured.out
    assert "1 of 1 document without a text" in captured.err
    Path(answers).write_text("item,right\n" + "".join(f"{entry.id},1\n" for entry in read_pool(made).entries))
    assert run(["judge", "take", made, answers, "--judge", "ida"]) == 0
    assert run(["judge", "gold", made, "-o", gold]) == 0
    scores = package.score("triples", gold, table)
    assert {row.value for row in scores if row.measure == "recall"} == {1.0}
