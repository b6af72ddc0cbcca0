"""SCORCH's JSON: clusters and graphs, names of documents, what is refused, and that writing undoes reading."""

from __future__ import annotations

import json
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import karat
from karat import formats
from karat.errors import InputError
from karat.formats.base import EVERYTHING, NoOptions, Problems
from karat.formats.fidelity import Losses
from karat.formats.scorch import FORMAT, sniff
from karat.model import Chain, Document, Mention

read = partial(FORMAT.read, want=EVERYTHING, options=NoOptions())

NAMES = st.text("ab.-0", min_size=1, max_size=3) | st.integers(-(10**30), 10**30)
CLUSTERS = st.dictionaries(st.text("xyz", min_size=1, max_size=2), st.lists(NAMES, max_size=4), max_size=4)


def load(path: Path, content: Any, *, collect: bool = False) -> tuple[list[Document], Problems]:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    problems = Problems(collect=collect)
    return list(read(str(path), problems=problems)), problems


def named(document: Document) -> dict[str, list[str]]:
    """Return the names of the mentions of each chain."""
    names = {mention.id: mention.attributes["place"] for mention in document.mentions}
    return {chain.id: [names[mention] for mention in chain.mentions] for chain in document.chains}


def test_clusters(tmp_path: Path) -> None:
    clusters = {"0": ["0.3-6", "1.0-0"], "7": ["2.1-1"]}
    ((document,), _) = load(tmp_path / "a.json", {"type": "clusters", "clusters": clusters})
    assert (document.id, document.text) == ("document", "")
    assert named(document) == clusters
    assert [mention.spans for mention in document.mentions] == [((0, 1),), ((1, 2),), ((2, 3),)]


def test_a_graph_has_the_chains_that_its_links_connect(tmp_path: Path) -> None:
    graph = {"type": "graph", "mentions": list("abcdef"), "links": [["a", "b"], ["d", "c"], ["c", "f"], ["d", "f"]]}
    ((document,), _) = load(tmp_path / "a.json", graph)
    assert named(document) == {"0": ["a", "b"], "1": ["c", "d", "f"], "2": ["e"]}


def test_a_mention_that_is_listed_twice_is_two_chains_unless_it_is_linked(tmp_path: Path) -> None:
    """The numbers are those of the program, which takes a linked mention once."""
    graph = {"type": "graph", "mentions": ["a", "b", "a", "c", "c"], "links": [["b", "c"]]}
    ((document,), _) = load(tmp_path / "a.json", graph)
    assert named(document) == {"0": ["a"], "1": ["a"], "2": ["b", "c"]}
    load(tmp_path / "b.json", {"type": "clusters", "clusters": {"0": ["a"], "1": ["b", "c"]}})
    scores = karat.score("scorch", tmp_path / "a.json", tmp_path / "b.json")
    assert [scores.value(measure, regime="b3") for measure in ("recall", "precision")] == [1.0, 4 / 3]


def test_a_link_may_name_a_mention_that_is_not_listed(tmp_path: Path) -> None:
    ((document,), _) = load(tmp_path / "a.json", {"type": "graph", "mentions": ["a"], "links": [["a", "z"]]})
    assert named(document) == {"0": ["a", "z"]}


def test_a_long_row_of_links_is_not_recursive(tmp_path: Path) -> None:
    names = [str(number) for number in range(20_000)]
    links = [[one, other] for one, other in zip(names[1:], names, strict=False)]
    ((document,), _) = load(tmp_path / "a.json", {"type": "graph", "mentions": names, "links": links})
    assert [len(chain.mentions) for chain in document.chains] == [20_000]


def test_the_same_name_has_the_same_place(tmp_path: Path) -> None:
    ((document,), _) = load(tmp_path / "a.json", {"type": "clusters", "clusters": {"0": ["x", "y"], "1": ["x"]}})
    assert [mention.spans for mention in document.mentions] == [((0, 1),), ((1, 2),), ((0, 1),)]


def test_names_decide_and_not_their_order(tmp_path: Path) -> None:
    gold = {"type": "clusters", "clusters": {"0": ["p", "q"], "1": ["r", "s"]}}
    system = {"type": "clusters", "clusters": {"x": ["s", "r"], "y": ["q", "p"]}}
    for side, content in (("gold", gold), ("system", system)):
        (tmp_path / f"{side}.json").write_text(json.dumps(content | {"name": "d"}), encoding="utf-8")
    assert karat.score("coref", tmp_path / "gold.json", tmp_path / "system.json").value() == 1.0


def test_mentions_may_be_numbers_which_are_no_names(tmp_path: Path) -> None:
    """The numbers are those of the program; ``10`` and ``"10"`` are two mentions to it."""
    clusters = {"gold": [10, 962], "system": [10, 963], "names": ["10", "962"]}
    for name, members in clusters.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"type": "clusters", "clusters": {"0": members}}), "utf-8")
    scores = karat.score("scorch", tmp_path / "gold.json", tmp_path / "system.json")
    assert [scores.value("recall", regime=name) for name in ("b3", "ceafm", "ceafe")] == [0.5, 1 / 3, 1 / 3]
    scores = karat.score("scorch", tmp_path / "gold.json", tmp_path / "names.json", twinless="leave")
    assert scores.value("recall", regime="ceafm") == 0
    assert karat.score("scorch", tmp_path / "names.json", tmp_path / "names.json").value() == 1


def test_two_files_are_compared_whatever_they_are_called(tmp_path: Path) -> None:
    for name in ("gold", "system"):
        content = {"name": name, "type": "clusters", "clusters": {"0": ["p", "q"]}}
        (tmp_path / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    scores = karat.score("scorch", tmp_path / "gold.json", tmp_path / "system.json")
    assert (scores.value(), scores.notes) == (1.0, ())


def test_a_document_in_a_folder_goes_by_its_file(tmp_path: Path) -> None:
    content = {"name": "A", "type": "clusters", "clusters": {}}
    load(tmp_path / "a.json", content)
    assert [one.id for one in read(str(tmp_path), problems=Problems())] == ["a"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"type": "clusters"', "truncated"),
        ({"type": "clusters"}, "missing required field `clusters`"),
        ({"type": "trees"}, "Invalid value 'trees'"),
        ({"clusters": {}}, "missing required field `type`"),
        ({"type": "clusters", "clusters": {"0": [[1]]}}, "Expected `int | str`, got `array`"),
        ({"type": "graph", "mentions": [], "links": [["a"]]}, "length 2"),
        ('{"type": "clusters", "clusters": ' + "[" * 100_000, "expected"),
    ],
)
def test_faults_are_reported_with_what_is_expected(tmp_path: Path, content: Any, message: str) -> None:
    documents, problems = load(tmp_path / "a.json", content, collect=True)
    assert documents == []
    (found,) = problems.found
    assert message in found.message
    assert 'expected {"type": "clusters", "clusters": {…}}' in found.message
    with pytest.raises(InputError):
        load(tmp_path / "a.json", content)


def test_bad_bytes_are_a_fault_of_their_file_alone(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'{"type": "clusters", "clusters": {"\xff": []}}')
    (tmp_path / "b.json").write_text('{"type": "clusters", "clusters": {}}', encoding="utf-8")
    problems = Problems(collect=True)
    assert [document.id for document in read(str(tmp_path), problems=problems)] == ["b"]
    assert len(problems.found) == 1


@given(CLUSTERS)
def test_writing_undoes_reading(clusters: dict[str, list[str | int]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        load(folder / "d.json", {"type": "clusters", "clusters": clusters})
        (document,) = read(str(folder), problems=Problems())
        ((file, text),) = formats.render([document], "scorch").items()
        assert file == "d.json"
        assert json.loads(text) == {"type": "clusters", "clusters": clusters}


def test_places_of_a_text_become_names() -> None:
    mentions = [Mention("m1", ((0, 3),)), Mention("m2", ((4, 5), (7, 9)))]
    document = Document("d", "Ada x yzz", mentions, chains=[Chain("c", ("m1", "m2"))])
    with pytest.raises(InputError, match=r"scorch would lose 1 text \(first in document 'd'\)"):
        formats.render([document], "scorch")
    rendered = formats.render([document], "scorch", losses=Losses())
    assert json.loads(rendered["d.json"])["clusters"] == {"c": ["0-3", "4-5+7-9"]}


def test_two_chains_of_one_name_cannot_be_written() -> None:
    document = Document("d", "a", [], chains=[Chain("c", ()), Chain("c", ())])
    with pytest.raises(InputError, match="document 'd' cannot be written as scorch: chain 'c': the id is used twice"):
        formats.render([document], "scorch")


def test_sniff() -> None:
    assert sniff('\ufeff\n{"type" : "graph", "mentions": []')
    assert not sniff('{"clusters": [[[0, 1]]]}')
    assert not sniff('{"id": "type", "text": "clusters"}')
