"""The CRF baseline: features, predictions and how they are written."""

from __future__ import annotations

import builtins
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.cli import run
from karat.errors import InputError, MissingExtraError
from karat.model import Document, TokenTable
from karat.protocols.hipe.drop_in.baseline import (
    corrected_text,
    features,
    learn_and_predict,
    predictions_text,
    read_tables,
)

HEADER = "TOKEN\tNE-COARSE-LIT\tNE-COARSE-METO\tMISC\n"


def text(*documents: str) -> str:
    """Return a HIPE file; words in capitals are places, and a slash ends a segment."""
    lines = [HEADER]
    for number, words in enumerate(documents):
        lines += [f"# document_id = d{number}\n", f"# date = 1798-01-0{number + 1}\n"]
        for word in words.split():
            label = "B-loc" if word.istitle() else "O"
            lines.append("# segment\n" if word == "/" else f"{word}\t{label}\tO\t_\n")
    return "".join(lines)


@pytest.fixture
def train(tmp_path: Path) -> Path:
    path = tmp_path / "train.tsv"
    path.write_text(text(*["we saw Bern / and then Basel again", "in Genf he met us , in Chur as well"] * 5))
    return path


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    path = tmp_path / "dev.tsv"
    path.write_text(text('we saw Basel " / again', "in Thun he met us"))
    return path


def test_a_token_sees_itself_and_its_neighbours() -> None:
    assert features(["In", "BERN", "1798"])[1] == {
        "bias": 1.0,
        "word.lower()": "bern",
        "word[-3:]": "ERN",
        "word[-2:]": "RN",
        "word.isupper()": True,
        "word.istitle()": False,
        "word.isdigit()": False,
        "-1:word.lower()": "in",
        "-1:word.istitle()": True,
        "-1:word.isupper()": False,
        "+1:word.lower()": "1798",
        "+1:word.istitle()": False,
        "+1:word.isupper()": False,
    }


@given(st.lists(st.text(min_size=1), min_size=1))
def test_the_ends_of_a_document_are_marked(forms: list[str]) -> None:
    rows = features(forms)
    assert len(rows) == len(forms)
    assert ["BOS" in row for row in rows] == [True] + [False] * (len(forms) - 1)
    assert ["EOS" in row for row in rows] == [False] * (len(forms) - 1) + [True]


def test_predictions_are_written_as_published() -> None:
    table = TokenTable(["In", '"', "Bern"], {"NE-COARSE-LIT": [], "MISC": []}, [0, 2], dates=[(0, "1798-01-20")])
    written = predictions_text([(Document("d1"), table)], [{"NE-COARSE-LIT": ["O", "O", "B-LOC"]}])
    assert written.split("\r\n") == [
        "TOKEN\tNE-COARSE-LIT\tMISC\tLEVENSHTEIN\tDATE",
        "# document_id\t\t\t\t",
        "# segment_iiif_link\t\t\t\t",
        "In\tO\t\t\t1798-01-20 00:00:00",
        '""""\tO\t\t\t1798-01-20 00:00:00',
        "# segment_iiif_link\t\t\t\t",
        "Bern\tB-LOC\t\t\t1798-01-20 00:00:00",
        "\t\t\t\t",
        "",
    ]


def test_corrected_predictions_are_clean_hipe() -> None:
    columns: dict[str, list[str]] = {"NE-COARSE-LIT": [], "NE-NESTED": [], "NEL-LIT": []}
    table = TokenTable(["In", '"', "Bern"], columns, [0, 2])
    written = corrected_text([(Document("d1"), table)], [{"NE-COARSE-LIT": ["O", "O", "B-loc"]}])
    assert written.split("\n") == [
        "TOKEN\tNE-COARSE-LIT\tNE-NESTED\tNEL-LIT",
        "# document_id = d1",
        "# segment",
        "In\tO\tO\t_",
        '"\tO\tO\t_',
        "# segment",
        "Bern\tB-loc\tO\t_",
        "",
        "",
    ]


def test_a_missing_column_is_named(train: Path) -> None:
    with pytest.raises(InputError, match=r"train\.tsv:1: has no column 'NE-FINE-LIT'"):
        read_tables(str(train), ["NE-FINE-LIT"])


def test_a_file_without_tokens_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.tsv").write_text(HEADER)
    with pytest.raises(InputError, match="holds no tokens"):
        read_tables(str(tmp_path / "empty.tsv"))


def test_without_the_extra_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def fail(name: str, *args: object, **kwargs: object) -> object:
        if name == "pycrfsuite":
            raise ImportError(name)
        return original(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", fail)
    with pytest.raises(MissingExtraError, match=r"karat\[baseline\]"):
        learn_and_predict([], [], ["NE-COARSE-LIT"])


class TestTraining:
    @pytest.fixture(autouse=True)
    def crfsuite(self) -> None:
        pytest.importorskip("pycrfsuite")

    def test_it_learns_from_the_shape_of_words(self, train: Path, dev: Path) -> None:
        learnt, unseen = ([table for _, table in read_tables(str(path))] for path in (train, dev))
        predictions = learn_and_predict(learnt, unseen, ["NE-COARSE-LIT"])
        assert [prediction["NE-COARSE-LIT"] for prediction in predictions] == [
            ["O", "O", "B-LOC", "O", "O"],
            ["O", "B-LOC", "O", "O", "O"],
        ]
        assert learn_and_predict(learnt, unseen, ["NE-COARSE-LIT"]) == predictions

    def test_gold_labels_of_the_test_file_are_not_used(self, train: Path, dev: Path, tmp_path: Path) -> None:
        blank = tmp_path / "blank.tsv"
        blank.write_text(dev.read_text().replace("B-loc", "O"))
        for source in (dev, blank):
            words = ["--train", str(train), "--dev", str(source), "--pred", str(tmp_path / f"{source.stem}_pred.tsv")]
            assert run(["hipe", "baseline", *words, "--cols", "NE-COARSE-LIT,NE-COARSE-METO"]) == 0
        assert (tmp_path / "dev_pred.tsv").read_bytes() == (tmp_path / "blank_pred.tsv").read_bytes()

    @pytest.mark.parametrize("profile", ["current", "corrected"])
    def test_evaluation_writes_both_reports(
        self, train: Path, dev: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, profile: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        words = ["-t", str(train), "-d", str(dev), "-p", "crf_bundle4_de_1.tsv", "-c", "NE-COARSE-LIT,NE-COARSE-METO"]
        assert run(["hipe", "baseline", *words, "-e", "nerc_coarse", "--profile", profile]) == 0
        report = (tmp_path / "crf_bundle4_de_1_nerc_coarse.tsv").read_text().splitlines()
        assert report[1].split("\t")[:6] == [
            "crf_bundle4_de_1",
            "NE-COARSE-LIT-micro-fuzzy-TIME-ALL-LED-ALL",
            "ALL",
            *["1.0"] * 3,
        ]
        assert (tmp_path / "crf_bundle4_de_1_nerc_coarse.json").exists()

    def test_a_name_that_cannot_be_evaluated_is_refused_before_training(self, train: Path, dev: Path) -> None:
        words = ["-t", str(train), "-d", str(dev), "-p", str(train.with_name("x.tsv")), "-c", "NE-COARSE-LIT"]
        assert run(["hipe", "baseline", *words, "--eval", "nerc_coarse"]) == 3
        assert not train.with_name("x.tsv").exists()
