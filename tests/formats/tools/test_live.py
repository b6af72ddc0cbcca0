"""Live objects of tools: hand-built ones of the real libraries where they are installed, else of the same shape."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import karat
from karat.errors import InputError
from karat.formats.objects import documents_from
from karat.formats.tools.entities import parse_tree
from karat.formats.tools.live import flatten
from karat.model import Document, Mention

TEXT = "Ada Byron met Bob in Bern"
SPANS = [((0, 9), "PER"), ((14, 17), "PER"), ((21, 25), "LOC")]
GOLD = [Document("1", TEXT, [Mention(str(start), ((start, end),), (label,)) for (start, end), label in SPANS])]


def check(one: Any, name: str = "1") -> Document:
    (document,) = documents_from([one])
    assert (document.id, document.text) == (name, TEXT)
    assert [(mention.spans[0], mention.labels[0]) for mention in document.mentions if mention.labels] == SPANS
    return document


def scored(one: Any) -> None:
    for system in ([one], one):
        scores = karat.score("omin-head-ner", GOLD, system, types="all")
        assert scores.value("f1", regime="strict") == 1


def spacy_doc() -> Any:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    doc = spacy.blank("en")(TEXT)
    doc.set_ents([doc.char_span(*span, label=label) for span, label in SPANS])
    return doc


def test_spacy_doc() -> None:
    doc = spacy_doc()
    check(doc)
    scored(doc)
    doc.user_data["id"] = "d7"
    check(doc, "d7")


def test_spacy_json_is_what_the_doc_is(tmp_path: Path) -> None:
    doc = spacy_doc()
    path = tmp_path / "docs.jsonl"
    path.write_text(json.dumps(doc.to_json()), "utf-8")
    (document,) = karat.read(path, "spacy_entityrecognizer")
    assert document.mentions == check(doc).mentions


def test_spacy_extensions_of_neuralcoref_and_the_linker() -> None:
    doc = spacy_doc()
    kind = type(doc)
    cluster = SimpleNamespace(mentions=[doc[0:2], doc[3:4]])
    entity = SimpleNamespace(get_span=lambda: doc[5:6], get_id=lambda: 70, get_label=lambda: "Bern")
    for name, value in (("coref_clusters", [cluster]), ("linkedEntities", [entity])):
        kind.set_extension(name, default=value, force=True)
    try:
        document = check(doc)
    finally:
        for name in ("coref_clusters", "linkedEntities"):
            kind.remove_extension(name)
    texts = {mention.id: mention.text for mention in document.mentions}
    assert [[texts[mention] for mention in chain.mentions] for chain in document.chains] == [["Ada Byron", "Bob"]]
    assert [(mention.text, mention.links[0].target) for mention in document.mentions if mention.links] == [
        ("Bern", "Q70")
    ]


def tree_of(make: Any) -> Any:
    words = [make("PER", [("Ada", "NNP"), ("Byron", "NNP")]), ("met", "VBD"), make("PER", [("Bob", "NNP")])]
    return make("S", [*words, ("in", "IN"), make("LOC", [("Bern", "NNP")])])


def test_nltk_tree() -> None:
    nltk = pytest.importorskip("nltk", reason="nltk is not installed")
    tree = tree_of(nltk.Tree)
    check(tree)
    scored(tree)
    check({"id": "d7", "text": TEXT, "tree": tree}, "d7")
    printed = parse_tree(str(tree))
    assert printed == flatten(tree)


class Tree(list):  # type: ignore[type-arg]
    """What a Tree of nltk can do."""

    def __init__(self, label: str, children: list[Any]) -> None:
        super().__init__(children)
        self._label = label

    def label(self) -> str:
        return self._label

    def leaves(self) -> list[Any]:
        raise NotImplementedError

    subtrees = leaves


def test_tree_by_shape() -> None:
    check(tree_of(Tree))
    scored(tree_of(Tree))


def test_a_tree_of_plain_words_is_no_list_of_tags() -> None:
    (document,) = documents_from([Tree("S", ["Ada", Tree("LOC", ["Bern"])])])
    assert (document.text, document.mentions[0].text) == ("Ada Bern", "Bern")


def test_stanza_document() -> None:
    stanza = pytest.importorskip("stanza.models.common.doc", reason="stanza is not installed")
    document = stanza.Document([[token(index, word) for index, word in enumerate(words_with_offsets(), 1)]], text=TEXT)
    document.build_ents()
    check(document)
    scored(document)


def words_with_offsets() -> list[tuple[str, int, int, str]]:
    tags = ["B-PER", "E-PER", "O", "S-PER", "O", "S-LOC"]
    found = []
    end = 0
    for word, tag in zip(TEXT.split(), tags, strict=True):
        start = TEXT.index(word, end)
        end = start + len(word)
        found.append((word, start, end, tag))
    return found


def token(index: int, word: tuple[str, int, int, str]) -> dict[str, Any]:
    text, start, end, tag = word
    return {"id": index, "text": text, "start_char": start, "end_char": end, "ner": tag, "misc": ""}


def stanza_shape(text: str | None = TEXT) -> Any:
    ents = [SimpleNamespace(start_char=start, end_char=end, type=label) for (start, end), label in SPANS]
    return SimpleNamespace(ents=ents, sentences=[], num_tokens=6, text=text)


def test_stanza_by_shape() -> None:
    check(stanza_shape())
    scored(stanza_shape())
    with pytest.raises(InputError, match="has no text"):
        documents_from([stanza_shape(None)])


@pytest.mark.parametrize("names", [("start_position", "end_position"), ("start_pos", "end_pos")])
def test_flair_sentence_by_shape(names: tuple[str, str]) -> None:
    spans = [
        SimpleNamespace(labels=[SimpleNamespace(value=label, score=0.5)], **dict(zip(names, span, strict=True)))
        for span, label in SPANS
    ]
    sentence = SimpleNamespace(get_spans=lambda: spans, to_original_text=lambda: TEXT, tokens=[])
    document = check(sentence)
    assert {mention.attributes["confidence"] for mention in document.mentions} == {"0.5"}
    scored(sentence)


def test_no_tool_is_imported_for_it() -> None:
    tools = ["spacy", "flair", "stanza", "nltk", "torch"]
    code = "import sys; from karat.formats.objects import documents_from; documents_from([['O']]); "
    code += f"print([name for name in {tools} if name in sys.modules])"
    environment = os.environ | {"PYTHONPATH": str(Path(karat.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_anything_else_is_refused() -> None:
    with pytest.raises(InputError, match="or an object of a tool"):
        documents_from([object()])
