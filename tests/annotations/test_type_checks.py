"""Documents from Python that are not of the kinds of the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import karat
from karat import Chain, Document, InputError, Link, Mention, Relation
from karat.annotations.type_checks import of_the_model
from karat.model import Argument, Note

MENTION: dict[str, Any] = {"id": "m", "spans": ((0, 3),), "labels": ("PER",)}
WRONG: dict[str, dict[str, Any]] = {
    "$.id": {"id": 7},
    "$.text": {"text": b"Ada saw Bern"},
    "$.metadata[...]": {"metadata": {"year": 1999}},
    "$.metadata": {"metadata": {1999: "year"}},
    "$.mentions[0]": {"mentions": ["Ada"]},
    "$.mentions[0].id": {"mentions": [Mention(**MENTION | {"id": 7})]},
    "$.mentions[0].labels[0]": {"mentions": [Mention(**MENTION | {"labels": (7,)})]},
    "$.mentions[0].labels": {"mentions": [Mention(**MENTION | {"labels": "PER"})]},
    "$.mentions[0].spans[0]": {"mentions": [Mention(**MENTION | {"spans": (0, 3)})]},
    "$.mentions[0].spans[0][0]": {"mentions": [Mention(**MENTION | {"spans": (("0", 3),)})]},
    "$.mentions[0].links[0]": {"mentions": [Mention(**MENTION, links=("Q1",))]},
    "$.mentions[0].links[0].target": {"mentions": [Mention(**MENTION, links=(Link(1),))]},
    "$.mentions[0].links[0].score": {"mentions": [Mention(**MENTION, links=(Link("Q", "1"),))]},
    "$.mentions[0].attributes[...]": {"mentions": [Mention(**MENTION, attributes={"a": 7})]},
    "$.relations[0].label": {"relations": [Relation("r", 7, ())]},
    "$.relations[0].arguments[0].target": {"relations": [Relation("r", "x", (Argument("a", 7),))]},
    "$.chains[0].mentions[0]": {"chains": [Chain("c", (7,))]},
    "$.notes[0].text": {"notes": [Note("n", "m", 7)]},
}


@pytest.mark.parametrize("place", WRONG)
def test_what_is_of_another_kind_is_refused_with_its_place(place: str, tmp_path: Path) -> None:
    document = Document(**{"id": "a", "text": "Ada saw Bern"} | WRONG[place])
    for protocol in ("conll2003", "tac-edl"):
        with pytest.raises(InputError, match="Expected `") as caught:
            karat.score(protocol, [document], [document])
        assert f"document {document.id!r}: Expected `" in str(caught.value)
        assert f"`{place}`" in str(caught.value)
    with pytest.raises(InputError, match="Expected `"):
        karat.write([document], tmp_path / "out.jsonl", "jsonl")


def test_what_can_be_said_in_the_kinds_of_the_model_is() -> None:
    numpy = pytest.importorskip("numpy")
    mention: Any = Mention("m", [[numpy.int64(0), 3]], [numpy.str_("PER")], links=[Link(numpy.str_("Q1"))])
    plain = Mention("m", ((0, 3),), ("PER",), links=(Link("Q1"),))
    of_kind = of_the_model(Document("a", "Ada saw Bern", (mention,)))
    assert of_kind == Document("a", "Ada saw Bern", [plain])
    assert type(of_kind.mentions[0].labels[0]) is str


def test_a_document_of_the_model_stays_itself() -> None:
    relation = Relation("r", "x", (Argument("a", "m"),), trigger="m", attributes={"b": "c"})
    mention = Mention(**MENTION, links=(Link("Q1", 0.5), Link("Q2")), attributes={"a": "b"})
    document = Document(
        "a", "Ada", [mention], [Chain("c", ("m",))], [relation], [Note("n", "m", "x")], {"year": "1999"}
    )
    assert of_the_model(document) is document
