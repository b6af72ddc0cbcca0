from __future__ import annotations

import bz2
import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from tests.vocabularies.ontology.graphs import AIRCRAFT, Edge, Slow, edges, kgtk

import karat
from karat.errors import InputError
from karat.vocabularies.ontology.builder import build, read_source
from karat.vocabularies.ontology.facts import OntologyFacts
from karat.vocabularies.ontology.index import Ontology
from karat.vocabularies.ontology.store import MANIFEST, digest_of, new_folder


def supers_in(ontology: Ontology, name: str) -> set[str]:
    """Return what the closure says of a class."""
    (node,) = ontology.places([name]).tolist()
    row = int(ontology.arrays["closure_row"][node])
    if row < 0:
        return set()
    start, end = ontology.arrays["closure_offsets"][row : row + 2].tolist()
    return {ontology.name(one) for one in ontology.arrays["closure_members"][start:end].tolist()}


@settings(deadline=None, max_examples=20)
@given(edges)
def test_closure_and_counts_are_those_of_the_definitions(rows: list[Edge]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        build(f"{folder}/index", [kgtk(Path(folder) / "claims.tsv", rows)])
        ontology, slow = Ontology(f"{folder}/index"), Slow(rows)
        names = [ontology.name(node) for node in range(ontology.size)]
        assert sorted(names) == sorted({name for a, _, b in rows for name in (a, b)})
        assert {name: supers_in(ontology, name) for name in names if supers_in(ontology, name)} == slow.star
        counts = dict(zip(names, ontology.counts.tolist(), strict=True))
        assert {name: count for name, count in counts.items() if count >= 0} == slow.counts


def test_deep_chains_and_large_cycles(tmp_path: Path) -> None:
    chain: list[Edge] = [(f"Q{number}", "P279", f"Q{number + 1}") for number in range(1, 2000)]
    build(str(tmp_path / "chain"), [kgtk(tmp_path / "chain.tsv", chain)])
    assert len(supers_in(Ontology(str(tmp_path / "chain")), "Q1")) == 2000
    build(str(tmp_path / "cycle"), [kgtk(tmp_path / "cycle.tsv", [*chain, ("Q2000", "P279", "Q1")])])
    cycle = Ontology(str(tmp_path / "cycle"))
    assert len(cycle.arrays["closure_members"]) == 2000
    assert set(cycle.counts.tolist()) == {2000}


NTRIPLES = """\
<http://www.wikidata.org/entity/{0}> <http://www.wikidata.org/prop/direct/{1}> <http://www.wikidata.org/entity/{2}> .
"""
LABEL = """\
<http://www.wikidata.org/entity/Q1> <http://www.w3.org/2000/01/rdf-schema#label> "vehicle \\"x\\" caf\\u00e9"@en .
<http://www.wikidata.org/entity/Q1> <http://www.w3.org/2000/01/rdf-schema#label> "Fahrzeug"@de .
<http://www.wikidata.org/entity/Q1> <http://schema.org/name> "a name"@en .
"""


def statement(target: str, **changes: object) -> dict[str, object]:
    snak = {
        "snaktype": "value",
        "datavalue": {"value": {"id": target, "entity-type": "item"}, "type": "wikibase-entityid"},
    }
    return {"mainsnak": snak, "rank": "normal", "type": "statement"} | changes


def dump(rows: list[Edge]) -> str:
    """Return a JSON dump of the rows, with a label and with statements that do not count."""
    entities: dict[str, dict[str, object]] = {}
    for a, kind, b in rows:
        claims = entities.setdefault(a, {"type": "item", "id": a, "labels": [], "claims": {}})["claims"]
        claims.setdefault(kind, []).append(statement(b))  # type: ignore[attr-defined]
    entities["Q1"]["labels"] = {"en": {"language": "en", "value": 'vehicle "x" café'}, "de": {"value": "Fahrzeug"}}
    entities["Q2"]["claims"]["P31"] = [  # type: ignore[index]
        statement("Q4", rank="deprecated"),
        {"mainsnak": {"snaktype": "somevalue"}, "rank": "normal"},
    ]
    entities["Q3"]["claims"]["P31"] = [  # type: ignore[index]
        statement("Q4"),
        {"mainsnak": {"snaktype": "somevalue"}, "rank": "preferred"},
    ]
    entities["Q7"]["claims"]["P31"] = [  # type: ignore[index]
        statement("Q2"),
        statement("Q4", rank="preferred"),
        statement("Q3", rank="deprecated"),
    ]
    entities["Q99"] = {"id": "Q99", "labels": [], "claims": []}
    return "[\n" + ",\n".join(json.dumps(one) for one in entities.values()) + "\n]\n"


def arrays(path: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in path.iterdir() if one.name != MANIFEST}


def test_three_kinds_of_sources_say_the_same(tmp_path: Path) -> None:
    tsv = Path(kgtk(tmp_path / "a.tsv", [*AIRCRAFT, ("Q1", "label", "'vehicle \"x\" café'@en"), ("Q1", "P17", "Q30")]))
    (tmp_path / "b.nt").write_text("# a comment\n\n" + "".join(NTRIPLES.format(*row) for row in AIRCRAFT) + LABEL)
    (tmp_path / "c.json").write_text(dump(AIRCRAFT))
    (tmp_path / "d.tsv.gz").write_bytes(gzip.compress(tsv.read_bytes()))
    (tmp_path / "e.nt.bz2").write_bytes(bz2.compress((tmp_path / "b.nt").read_bytes()))
    columns = [line.split("\t")[::-1] for line in tsv.read_text("utf-8").splitlines()]
    (tmp_path / "f.tsv").write_text("".join("\t".join(line) + "\r\n" for line in columns))
    for name in ("a.tsv", "b.nt", "c.json", "d.tsv.gz", "e.nt.bz2", "f.tsv"):
        build(str(tmp_path / f"{name}.index"), [str(tmp_path / name)])
        assert arrays(tmp_path / f"{name}.index") == arrays(tmp_path / "a.tsv.index")
    ontology = Ontology(str(tmp_path / "a.tsv.index"))
    assert [ontology.label(node) for node in ontology.places(["Q1", "Q2", "Q77"]).tolist()] == [
        'vehicle "x" café',
        None,
        None,
    ]


def test_zstandard(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    tsv = Path(kgtk(tmp_path / "a.tsv", AIRCRAFT))
    (tmp_path / "b.tsv.zst").write_bytes(zstandard.ZstdCompressor().compress(tsv.read_bytes()))
    build(str(tmp_path / "a"), [str(tsv)])
    build(str(tmp_path / "b"), [str(tmp_path / "b.tsv.zst")])
    assert arrays(tmp_path / "a") == arrays(tmp_path / "b")
    (tmp_path / "b.tsv.zst").write_bytes(b"no archive at all")
    with pytest.raises(InputError, match="cannot be read"):
        build(str(tmp_path / "b"), [str(tmp_path / "b.tsv.zst")])


def test_what_n_triples_may_hold(tmp_path: Path) -> None:
    lines = [
        "\ufeff" + NTRIPLES.format("Q1", "P279", "Q35120").replace(" ", "").strip() + " # no blanks",
        '\t<http://www.wikidata.org/entity/Q1> <http://www.w3.org/2000/01/rdf-schema#label> ""@en .',
        '<http://www.wikidata.org/entity/Q2> <http://www.w3.org/2000/01/rdf-schema#label> "no"@en-gb .',
        '<http://www.wikidata.org/entity/Q2> <x> "a \\" . <p>"^^<http://www.w3.org/2001/XMLSchema#string> .',
        "<http://www.wikidata.org/entity/Q3> <http://www.wikidata.org/prop/direct/P31> _:b1.",
        "_:b1 <http://www.wikidata.org/prop/direct/P31> <http://www.wikidata.org/entity/Q1> .",
        "<http://example.org/Q4> <http://www.wikidata.org/prop/direct/P31> <http://www.wikidata.org/entity/Q1> .",
        "  # a comment",
        "",
    ]
    (tmp_path / "a.nt").write_bytes("\r\n".join(lines).encode())
    info = build(str(tmp_path / "index"), [str(tmp_path / "a.nt")])
    assert (info["nodes"], info["edges"], info["labels"]) == (2, 1, 1)


def test_a_dump_may_be_lines_without_a_list(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(dump(AIRCRAFT))
    (tmp_path / "b.json").write_text("\n\n".join(dump(AIRCRAFT).split("\n")[1:-2]))
    for name in ("a", "b"):
        build(str(tmp_path / name), [str(tmp_path / f"{name}.json")])
    assert arrays(tmp_path / "a") == arrays(tmp_path / "b")


def test_zstandard_is_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    (tmp_path / "a.tsv.zst").write_bytes(b"")
    with pytest.raises(karat.errors.MissingExtraError, match=r"karat\[zstd\]"):
        build(str(tmp_path / "index"), [str(tmp_path / "a.tsv.zst")])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", b"", "is empty; expected KGTK edges"),
        ("a.tsv", b"q1\tq2\n", "a.tsv:1: begins with 'q1\\tq2'; expected KGTK edges"),
        ("a.tsv", b"node1\tlabel\tnode2\nQ1\tP31\n", "a.tsv:2: there are 2 columns, but the header has 3"),
        ("a.tsv", b"node1\tlabel\tnode2\nQ1\tcount\tmany\n", "a.tsv:2: the count is 'many'; expected a whole number"),
        ("a.tsv", b"node1\tlabel\tnode2\nQ1\tclass_count\tQ5\n", "a.tsv:2: 'Q5' is no class with its count"),
        ("a.tsv", b"node1\tlabel\tnode2\nQ1\tP17\tQ5\n", "there is no statement that says what something is"),
        ("a.tsv", b"node1\tlabel\tnode2\nQ1\tP31\t\xff\n", "a.tsv:2: byte 0xff is not UTF-8"),
        ("a.nt", b"<http://www.wikidata.org/entity/Q1> <x> <y> .\n<http://cut", "a.nt:2: '<http://cut' is not the end"),
        (
            "a.nt",
            b"# a comment\n<s> <p> <o> .\n\ngarbage line .\n",
            "a.nt:4: 'garbage line .' is no statement; expected",
        ),
        ("a.nt", b"<s> <p> <o .\n", "a.nt:1: '<s> <p> <o .' is no statement"),
        ("a.nt", b'<s> <p> "o .\n<s> <p> <o> .\n', "a.nt:1: '<s> <p> \"o .' is no statement"),
        ("a.nt", b'<s> <p> "o"@ .\n', "a.nt:1: '<s> <p> \"o\"@ .' is no statement"),
        ("a.nt", b"<s> <p> <o> <g> .\n", "a.nt:1: '<s> <p> <o> <g> .' is no statement"),
        ("a.nt", b"<s> <p> <o>\n", "a.nt:1: '<s> <p> <o>' is not the end of a statement"),
        ("a.json", b'[\n{"id":"Q1","claims":{}},\n{"id":\n', "a.json:3: is no entity of Wikidata"),
        (
            "a.json",
            b'[\n{"id":"Q1","claims":{}},\n',
            "a.json:2: the list of entities does not end with ]; is the file cut",
        ),
        ("a.json", b'{"id":"Q1","claims":{}}\n]\n', "a.json:2: is no entity of Wikidata"),
        ("a.json", b"[\n" + b"[" * 100_000 + b"\n", "a.json:2: is no entity of Wikidata"),
        ("a.tsv.gz", b"\x1f\x8b\x08broken", "a.tsv.gz: cannot be read"),
        ("missing/a.tsv", None, "cannot be read: no such file"),
    ],
)
def test_bad_sources(name: str, content: bytes | None, message: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as error:
        build(str(tmp_path / "index"), [str(tmp_path / name)])
    assert message in str(error.value)
    assert {one.name for one in tmp_path.iterdir()} <= {name}


def test_blank_lines_do_not_shift_the_numbers(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("node1\tlabel\tnode2\n\nQ1\tP279\tQ\u20282\n\nQ1\tcount\tx\n")
    with pytest.raises(InputError, match=r"a\.tsv:5: the count is 'x'"):
        build(str(tmp_path / "index"), [str(tmp_path / "a.tsv")])


def test_empty_ends_are_left_out(tmp_path: Path) -> None:
    info = build(str(tmp_path / "index"), [kgtk(tmp_path / "a.tsv", [*AIRCRAFT, ("", "P31", "Q1"), ("Q9", "P31", "")])])
    assert (info["edges"], info["left_out"]) == (len(AIRCRAFT), 2)


def test_an_index_is_replaced_and_nothing_else_is(tmp_path: Path) -> None:
    source = kgtk(tmp_path / "a.tsv", AIRCRAFT)
    index = tmp_path / "index"
    build(str(index), [source])
    build(str(index), [kgtk(tmp_path / "b.tsv", AIRCRAFT[:1])])
    assert Ontology(str(index)).info["edges"] == 1
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="is no ontology index"):
        build(str(tmp_path / "mine"), [source])
    (tmp_path / "mine" / MANIFEST).write_text('{"name": "my app"}')
    with pytest.raises(InputError, match="is no ontology index"):
        build(str(tmp_path / "mine"), [source])
    (tmp_path / "mine" / MANIFEST).write_bytes((index / MANIFEST).read_bytes())
    with pytest.raises(InputError, match=r"holds 'thesis\.tex', which is no part of its ontology index"):
        build(str(tmp_path / "mine"), [source])
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "years of work"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.tsv", "b.tsv", "index", "mine"]


def test_an_index_of_another_version_is_replaced(tmp_path: Path) -> None:
    index = tmp_path / "index"
    index.mkdir()
    (index / MANIFEST).write_text('{"format": "karat-ontology-0", "arrays": {"old": [7]}}')
    (index / "old").write_bytes(b"?")
    build(str(index), [kgtk(tmp_path / "a.tsv", AIRCRAFT)])
    assert Ontology(str(index)).info["edges"] == len(AIRCRAFT)


def test_what_came_there_during_the_build_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = kgtk(tmp_path / "a.tsv", AIRCRAFT)
    thesis = tmp_path / "index" / "thesis.tex"

    def meanwhile(facts: OntologyFacts, path: str) -> None:
        read_source(facts, path)
        thesis.parent.mkdir()
        thesis.write_text("years of work")

    monkeypatch.setattr("karat.vocabularies.ontology.builder.read_source", meanwhile)
    with pytest.raises(InputError, match="is no ontology index"):
        build(str(tmp_path / "index"), [source])
    assert thesis.exists()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.tsv", "index"]


def test_the_old_index_comes_back_if_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index, rename = tmp_path / "index", Path.rename
    build(str(index), [kgtk(tmp_path / "a.tsv", AIRCRAFT)])
    before = arrays(index)

    def fail(self: Path, target: Path) -> Path:
        if self.suffix == ".karat-part":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(InputError, match="cannot be written: no space left"):
        build(str(index), [kgtk(tmp_path / "b.tsv", AIRCRAFT[:1])])
    assert arrays(index) == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.tsv", "b.tsv", "index"]


def test_a_failed_build_leaves_the_old_index(tmp_path: Path) -> None:
    index = tmp_path / "index"
    build(str(index), [kgtk(tmp_path / "a.tsv", AIRCRAFT)])
    before = arrays(index)
    (tmp_path / "b.tsv").write_text("node1\tlabel\tnode2\nQ1\tP31\n")
    with pytest.raises(InputError):
        build(str(index), [str(tmp_path / "b.tsv")])
    assert arrays(index) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_killed_build_leaves_nothing_that_looks_whole(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "never-ends.tsv")
    command = [sys.executable, "-m", "karat", "ontology", "build", "index", "never-ends.tsv"]
    environment = os.environ | {"PYTHONPATH": str(Path(karat.__file__).parents[1])}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment)
    with process, (tmp_path / "never-ends.tsv").open("w") as stream:
        stream.write("node1\tlabel\tnode2\n" + "Q1\tP31\tQ2\n" * 500_000)
        stream.flush()
        while not list(tmp_path.glob(".index.*")) and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert not (tmp_path / "index").exists()
    (left,) = tmp_path.glob(".index.*")
    assert not (left / MANIFEST).exists()
    with pytest.raises(InputError, match="is no ontology index"):
        Ontology(str(left))
    (tmp_path / ".index.mine0000.part").mkdir()
    (tmp_path / ".index.mine0000.part" / "thesis.tex").write_text("years of work")
    with new_folder(str(tmp_path / "index")) as live:
        build(str(tmp_path / "index"), [kgtk(tmp_path / "a.tsv", AIRCRAFT)])
        assert not left.exists()
        assert live.folder.exists()
        assert set(tmp_path.glob(".index.*")) == {live.folder, tmp_path / ".index.mine0000.part"}
        (live.folder / MANIFEST).write_bytes((tmp_path / "index" / MANIFEST).read_bytes())
    assert (tmp_path / ".index.mine0000.part" / "thesis.tex").exists()


def test_damage_is_noticed(tmp_path: Path) -> None:
    index = tmp_path / "index"
    build(str(index), [kgtk(tmp_path / "a.tsv", AIRCRAFT)])
    counts = (index / "counts").read_bytes()
    (index / "counts").write_bytes(counts[:-1])
    with pytest.raises(InputError, match="counts: is damaged"):
        Ontology(str(index))
    (index / "counts").write_bytes(counts)
    manifest = json.loads((index / MANIFEST).read_text())
    for change, message in (
        ({"format": "karat-ontology-9"}, "build the index again"),
        ({"arrays": {"../a.tsv": {"type": "|u1", "length": 1}}}, "is damaged"),
        ({"arrays": {}}, "is damaged"),
        ({"arrays": 3}, "is no manifest"),
    ):
        (index / MANIFEST).write_text(json.dumps(manifest | change))
        with pytest.raises(InputError, match=message):
            Ontology(str(index))


def test_indices_are_the_same_byte_for_byte_in_any_order(tmp_path: Path) -> None:
    rows = [*AIRCRAFT, ("somevalue", "P279", "novalue")]
    build(str(tmp_path / "a"), [kgtk(tmp_path / "a.tsv", rows)])
    build(str(tmp_path / "b"), [kgtk(tmp_path / "b.tsv", rows[:3:-1]), kgtk(tmp_path / "c.tsv", rows[3::-1])])
    assert arrays(tmp_path / "a") == arrays(tmp_path / "b")
    assert np.all(np.diff(Ontology(str(tmp_path / "a")).keys) > 0)


def test_an_index_carries_a_digest_of_its_content(tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("one", "again", "other")]
    labels: list[Edge] = [("Q1", "label", "'vehicle'@en"), ("Q2", "label", "'café'@en"), ("Q3", "label", "''@en")]
    first, again = [*AIRCRAFT, *labels], [*labels[::-1], *AIRCRAFT[::-1], *labels, *AIRCRAFT]
    for name, rows in zip(names, (first, again, [*AIRCRAFT, *labels[:2]]), strict=True):
        build(name, [kgtk(tmp_path / f"claims{names.index(name)}.tsv", rows)])
    digests = list(map(digest_of, names))
    assert digests[0] == digests[1] != digests[2]
    assert arrays(tmp_path / "one") == arrays(tmp_path / "again")
    ontology = Ontology(names[1])
    labelled = ontology.places(["Q1", "Q2", "Q3", "Q4"]).tolist()
    assert [ontology.label(node) for node in labelled] == ["vehicle", "café", "", None]
    with pytest.raises(InputError, match="is no ontology index"):
        digest_of(str(tmp_path))


def test_the_digest_is_not_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(str(tmp_path / "index"), [kgtk(tmp_path / "claims.tsv", AIRCRAFT)])
    expected = digest_of(str(tmp_path / "index"))
    monkeypatch.setattr("karat.vocabularies.ontology.store._digest", lambda *_: pytest.fail("the arrays were read"))
    assert digest_of(str(tmp_path / "index")) == expected
