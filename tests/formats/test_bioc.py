"""Files of the library ``bioc``: what it writes is read as it says, and what is written here it reads as it was."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

import karat
from karat.model import Document

bioc: Any = pytest.importorskip("bioc", reason="the library bioc is not installed")
TITLE, ABSTRACT = "TNF-α in mice.", "Low doses (<2 mg) & more harm mice \U0001f400."


def collection() -> Any:
    """Return two documents: two passages, of which one has sentences, and marks and relations at every level."""
    marked = bioc.BioCDocument()
    marked.id, marked.infons["year"] = "17", "2019"
    title, abstract = _passage(0, TITLE), _passage(len(TITLE) + 1, "")
    title.add_annotation(_annotation("T1", "Gene", [(0, 5)], "TNF-α", identifier="7124"))
    sentence = bioc.BioCSentence.of_text(ABSTRACT, abstract.offset)
    first = abstract.offset + ABSTRACT.index("Low")
    second = abstract.offset + ABSTRACT.index("harm")
    sentence.add_annotation(_annotation("T2", "Dose", [(first, 3), (second, 4)], "Low harm"))
    mouse = abstract.offset + ABSTRACT.index("\U0001f400")
    sentence.add_annotation(_annotation("T3", "Species", [(mouse, 1)], "\U0001f400", identifier="10090"))
    sentence.add_relation(_relation("R1", "harms", [("T2", "cause"), ("T3", "victim")]))
    abstract.add_sentence(sentence)
    marked.add_passage(title)
    marked.add_passage(abstract)
    marked.add_relation(_relation("R2", "in", [("T1", "what"), ("R1", "where")]))
    bare = bioc.BioCDocument()
    bare.id = "18"
    bare.add_passage(_passage(0, "Nothing."))
    both = bioc.BioCCollection()
    both.source, both.date, both.key = "here", "2019-01-01", "x.key"
    for document in (marked, bare):
        both.add_document(document)
    return both


def _passage(offset: int, text: str) -> Any:
    passage = bioc.BioCPassage()
    passage.offset = offset
    passage.text = text or None
    return passage


def _annotation(name: str, label: str, places: list[tuple[int, int]], text: str, **infons: str) -> Any:
    annotation = bioc.BioCAnnotation()
    annotation.id, annotation.text = name, text
    annotation.infons.update({"type": label, **infons})
    for offset, length in places:
        annotation.add_location(bioc.BioCLocation(offset, length))
    return annotation


def _relation(name: str, label: str, ends: list[tuple[str, str]]) -> Any:
    relation = bioc.BioCRelation()
    relation.id, relation.infons["type"] = name, label
    for target, role in ends:
        relation.add_node(bioc.BioCNode(target, role))
    return relation


def _codec(path: Path) -> Any:
    """Return the module of the library that reads and writes such a file."""
    return importlib.import_module("bioc.biocjson" if path.suffix == ".json" else "bioc.biocxml")


def _written(path: Path) -> Path:
    path.write_text(_codec(path).dumps(collection()), "utf-8")
    return path


def marks(documents: Any) -> list[Any]:
    """Return what the library holds: marks with their places and infons, and relations with their ends."""
    found = []
    for document in documents.documents:
        parts = [document, *document.passages, *(one for passage in document.passages for one in passage.sentences)]
        annotations = [mark for part in parts[1:] for mark in part.annotations]
        places = {mark.id: sorted((at.offset, at.length) for at in mark.locations) for mark in annotations}
        infons = {mark.id: dict(mark.infons) for mark in annotations}
        relations = [relation for part in parts for relation in part.relations]
        ends = {
            one.id: (one.infons["type"], sorted((node.refid, node.role) for node in one.nodes)) for one in relations
        }
        found.append((document.id, places, infons, ends))
    return found


@pytest.mark.parametrize("name", ["a.xml", "a.json"])
def test_what_the_library_writes_is_read(name: str, tmp_path: Path) -> None:
    marked, bare = karat.read(_written(tmp_path / name))
    assert (marked.id, marked.text, bare.text) == ("17", f"{TITLE}\n{ABSTRACT}", "Nothing.")
    assert [(mention.id, mention.labels, _texts(marked, mention)) for mention in marked.mentions] == [
        ("T1", ("Gene",), ["TNF-α"]),
        ("T2", ("Dose",), ["Low", "harm"]),
        ("T3", ("Species",), ["\U0001f400"]),
    ]
    assert [[link.target for link in mention.links] for mention in marked.mentions] == [["7124"], [], ["10090"]]
    assert {one.id: (one.label, [(end.role, end.target) for end in one.arguments]) for one in marked.relations} == {
        "R1": ("harms", [("cause", "T2"), ("victim", "T3")]),
        "R2": ("in", [("what", "T1"), ("where", "R1")]),
    }


def _texts(document: Document, mention: karat.Mention) -> list[str]:
    return [document.text[start:end] for start, end in mention.spans]


@pytest.mark.parametrize("name", ["a.xml", "a.json"])
def test_the_library_reads_what_is_written(name: str, tmp_path: Path) -> None:
    back = tmp_path / f"back-{name}"
    karat.write(karat.read(_written(tmp_path / name)), back, f"bioc{back.suffix[1:]}")
    assert marks(_codec(back).loads(back.read_text("utf-8"))) == marks(collection())
