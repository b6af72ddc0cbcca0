"""The scorer for spaCy: what spaCy's own says, and what another protocol says, by one changed line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module", autouse=True)
def spacy() -> Any:
    """Load spaCy, which takes long, when the first of these tests runs."""
    return pytest.importorskip("spacy")


def pipeline(config: dict[str, Any] | None = None) -> Any:
    """Return a pipeline that finds two names by rule, with its own scorer or that of the config."""
    import spacy

    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler", config={"scorer": config} if config else {})
    ruler.add_patterns([{"label": "LOC", "pattern": "Bern"}, {"label": "PER", "pattern": "Ada Meyer"}])
    return nlp


TEXTS = [
    ("Ada Meyer left Bern .", [(0, 9, "PER"), (15, 19, "LOC")]),
    ("Bern plays .", [(0, 4, "ORG")]),
]


def examples(nlp: Any) -> list[Any]:
    from spacy.training import Example

    return [Example.from_dict(nlp.make_doc(text), {"entities": entities}) for text, entities in TEXTS]


def test_the_same_as_that_of_spacy() -> None:
    own, ours = (nlp.evaluate(examples(nlp)) for nlp in (pipeline(), pipeline({"@scorers": "karat.v1"})))
    assert [ours[key] for key in ("ents_p", "ents_r", "ents_f")] == pytest.approx([2 / 3] * 3)
    assert {key: own[key] for key in ("ents_p", "ents_r", "ents_f")} == pytest.approx(
        {key: ours[key] for key in ("ents_p", "ents_r", "ents_f")}
    )
    assert ours["ents_per_type"]["LOC"]["p"] == own["ents_per_type"]["LOC"]["p"] == 0.5
    assert ours["karat"].startswith("karat:")


def test_another_protocol_and_regime() -> None:
    config = {"@scorers": "karat.v1", "protocol": "semeval2013", "regime": "exact"}
    nlp = pipeline(config)
    assert nlp.evaluate(examples(nlp))["ents_f"] == 1


def test_options_of_the_protocol() -> None:
    config = {"@scorers": "karat.v1", "protocol": "nervaluate", "regime": "ent_type", "options": {"tags": "LOC"}}
    nlp = pipeline(config)
    assert nlp.evaluate(examples(nlp))["ents_r"] == 1


def test_nothing_is_annotated(spacy: Any) -> None:
    nlp = pipeline({"@scorers": "karat.v1"})
    bare = [spacy.training.Example(nlp.make_doc("Bern"), nlp.make_doc("Bern"))]
    assert nlp.evaluate(bare)["ents_f"] is None


def test_what_is_left_open_is_neither_right_nor_wrong(spacy: Any) -> None:
    pipelines = [pipeline(), pipeline({"@scorers": "karat.v1"})]
    found = []
    for nlp in pipelines:
        reference = nlp.make_doc("Ada Meyer left Bern .")
        reference.set_ents([spacy.tokens.Span(reference, 0, 2, "PER")], default="missing")
        found.append(
            nlp.evaluate([*examples(nlp)[1:], spacy.training.Example(nlp.make_doc(reference.text), reference)])
        )
    assert found[1]["ents_p"] == pytest.approx(found[0]["ents_p"]) == 0.5


def test_a_config_survives_its_file(spacy: Any) -> None:
    nlp = pipeline({"@scorers": "karat.v1", "protocol": "conll2003"})
    again = spacy.util.load_model_from_config(nlp.config, auto_fill=True)
    from karat.compat.spacy import make_scorer

    assert callable(make_scorer())
    assert again.config["components"]["entity_ruler"]["scorer"]["@scorers"] == "karat.v1"


def test_a_training_loop_uses_it(spacy: Any) -> None:
    nlp = spacy.blank("en")
    ner = nlp.add_pipe("ner", config={"scorer": {"@scorers": "karat.v1"}})
    for label in ("PER", "LOC", "ORG"):
        ner.add_label(label)
    nlp.initialize(lambda: examples(nlp))
    for _ in range(3):
        nlp.update(examples(nlp))
    assert set(nlp.evaluate(examples(nlp))) >= {"ents_f", "ents_per_type", "karat"}


def test_a_config_finds_it_where_karat_is_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["spacy_scorers"] == {"karat.v1": "karat.compat.spacy:make_scorer"}
