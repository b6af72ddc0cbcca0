"""Any format with any protocol: the same annotations give the same numbers, however they are written down."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.corpora import ENTITY_COLUMNS, Sketch, sketches
from tests.properties.walk import few

import karat
from karat import formats
from karat.annotations.columns import LINK_COLUMNS
from karat.cli import run
from karat.evaluation.registry import protocols
from karat.evaluation.scores import Row
from karat.formats.fidelity import Losses
from karat.model import Document, Mention

ENDINGS = {"hipe": ".tsv", "brat": "", "conll": ".conll", "jsonl": ".jsonl", "naf": ""}
COLUMNS = {"entities": ENTITY_COLUMNS, "linking": tuple(LINK_COLUMNS)}
every_protocol = pytest.mark.parametrize(
    "name",
    [
        name
        for name in protocols()
        if name.startswith(("hipe", "newsreader", "ehealthkd2021-entities", "omin-seed", "omin-head"))
    ],
)


def write_all(folder: Path, side: str, documents: list[Document]) -> dict[str, Path]:
    paths = {name: folder / f"{side}-{name}{ending}" for name, ending in ENDINGS.items()}
    for name, path in paths.items():
        formats.write(documents, path, name, losses=Losses() if name == "brat" else None)
    return paths


def rows(protocol: str, gold: Path, system: Path) -> tuple[Row, ...]:
    return karat.score(protocol, gold, system, by="label").rows


@every_protocol
@few
@given(st.data())
def test_same_annotations_same_numbers(name: str, data: st.DataObject) -> None:
    gold, system = data.draw(sketches(COLUMNS[protocols()[name].task]))
    mixed = data.draw(st.tuples(st.sampled_from(list(ENDINGS)), st.sampled_from(list(ENDINGS))))
    with tempfile.TemporaryDirectory() as folder:
        golds = write_all(Path(folder), "gold", [one.mentions(tokens=True) for one in gold])
        systems = write_all(Path(folder), "system", [one.mentions(tokens=True) for one in system])
        expected = rows(name, golds["jsonl"], systems["jsonl"])
        for ending in ENDINGS:
            assert rows(name, golds[ending], systems[ending]) == expected, ending
        assert rows(name, golds[mixed[0]], systems[mixed[1]]) == expected, mixed


@pytest.mark.parametrize("name", [name for name in protocols() if name.startswith("hipe")])
@few
@given(st.data())
def test_cells_and_mentions_same_numbers(name: str, data: st.DataObject) -> None:
    gold, system = data.draw(sketches(COLUMNS[protocols()[name].task]))
    profile = data.draw(st.sampled_from(["current", "2022", "corrected"]))

    def scored(render: object) -> tuple[Row, ...]:
        sides = ([render(one) for one in side] for side in (gold, system))  # type: ignore[operator]
        return karat.score(name, *sides, by="label", profile=profile).rows

    assert scored(Sketch.table) == scored(Sketch.mentions)


def test_tokens_with_a_hash_sign_are_dropped_in_every_format(tmp_path: Path) -> None:
    text = "Bern und C#x AG in Genf"
    gold = [Mention("T1", ((0, 4),), ("LOC",)), Mention("T2", ((9, 15),), ("ORG",))]
    system = [Mention("T1", ((0, 4),), ("LOC",)), Mention("T2", ((13, 15),), ("ORG",))]
    golds = write_all(tmp_path, "gold", [Document("d", text, gold)])
    systems = write_all(tmp_path, "system", [Document("d", text, system)])
    for ending in ENDINGS:
        for other in ENDINGS:
            found = karat.score("hipe2022-nerc-coarse", golds[ending], systems[other])
            assert found.value("f1", regime="strict") == 1, (ending, other)
            kept = karat.score("hipe2022-nerc-coarse", golds[ending], systems[other], profile="2022")
            assert kept.value("f1", regime="strict") == 0.5, (ending, other)


@pytest.mark.parametrize("start", ENDINGS)
def test_there_and_back_through_every_format(start: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = "Ada besuchte l'Aar, Bern."
    mentions = [
        Mention("T1", ((0, 3),), ("PER",), "Ada", "NE-COARSE-LIT"),
        Mention("T2", ((15, 18),), ("LOC",), "Aar", "NE-COARSE-LIT"),
        Mention("T3", ((15, 24),), ("LOC.adm",), "Aar, Bern", "NE-FINE-LIT"),
    ]
    formats.write([Document("d1", text, mentions)], tmp_path / f"a{ENDINGS[start]}", start)
    here, expected = tmp_path / f"a{ENDINGS[start]}", None
    for number, (name, ending) in enumerate(ENDINGS.items()):
        there = tmp_path / f"b{number}{ending}"
        lossy = ["--lossy"] if name == "brat" else []
        assert run(["convert", str(here), str(there), "--to", name, *lossy]) == 0, capfd.readouterr().err
        (document,) = karat.read(there)
        found = [(mention.layer, mention.spans, mention.labels, mention.text) for mention in document.mentions]
        expected = expected or (document.text, sorted(found))
        assert (document.text, sorted(found)) == expected
        here = there
    assert expected == (
        text,
        sorted((mention.layer, mention.spans, mention.labels, mention.text) for mention in mentions),
    )
