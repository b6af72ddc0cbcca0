"""What is known of both corpora before a pair is judged."""

from __future__ import annotations

from pathlib import Path

from tests.protocols.hipe.sheets import COARSE, LINKING, write

import karat
from karat.model import Document, Mention

TEXT = "Ada und Bob in Bern"


def mentioned(name: str, start: int, end: int, label: str) -> Document:
    return Document(name, TEXT, [Mention("T1", ((start, end),), (label,))])


def test_tags_of_tokens_that_are_cut_off_do_not_count(tmp_path: Path) -> None:
    """A system file without marks is cut up as the gold is; what it has beyond the gold is in no document."""
    marks = ("# document_id = a", "# document_id = b")
    gold = write(tmp_path / "gold.tsv", marks[0], "Bern B-loc Q70 _", marks[1], "Genf B-loc Q71 _")
    longer = write(tmp_path / "longer.tsv", "Bern B-loc Q70 _", "Genf B-org _|Q9 _", "Chur B-pers Q9 _")
    assert [note.split("'")[1] for note in karat.score(COARSE, gold, longer).notes] == ["ORG"]
    assert karat.score(LINKING, gold, longer, n_best="2").value("precision") == 1.0


def test_tags_of_documents_without_a_partner_count() -> None:
    """Which tags the gold uses does not depend on what a system left out: its ORG is wrong, not unknown."""
    gold = [mentioned("a", 15, 19, "LOC"), mentioned("b", 0, 3, "ORG")]
    system = Document("a", TEXT, [Mention("T1", ((15, 19),), ("LOC",)), Mention("T2", ((8, 11),), ("ORG",))])
    scores = karat.score(COARSE, gold, [system], missing="skip")
    assert scores.value("precision") == 0.5
    assert karat.score(COARSE, gold[:1], [system]).value("precision") == 1.0
