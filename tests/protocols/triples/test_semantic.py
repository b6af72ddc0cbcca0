"""The semantic regime: with an invented model, and with the real one where it is installed."""

from __future__ import annotations

import importlib.util
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.protocols.triples.corpora import Parts, document, has_words

import karat
from karat.errors import MissingExtraError, UsageError
from karat.evaluation.ledger import Entry
from karat.evaluation.registry import protocol
from karat.protocols.triples import embedding
from karat.protocols.triples.embedding import Directions
from karat.protocols.triples.likeness import by_meaning, pairs_by
from karat.protocols.triples.triples import Triple, TripleEnd

INVENTED = {
    "aircraft": (1, 0, 0),
    "airplane": (0.8, 0.6, 0),
    "tree": (0, 0, 1),
    "struck": (0, 1, 0),
    "hit": (0, 0.6, 0.8),
    "missed": (0, -1, 0),
}


class Tiny:
    """A model of few words; those it does not know mean nothing."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.times_opened = 0

    def signature(self) -> str:
        return "tiny/1/words/3"

    def opened(self) -> Callable[[str], Any]:
        self.times_opened += 1
        return self.embed

    def embed(self, phrase: str) -> Any:
        self.asked.append(phrase)
        words = (np.array(INVENTED.get(word, (0, 0, 0))) for word in phrase.lower().split())
        return np.sum([np.zeros(3), *words], axis=0)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Tiny:
    model = Tiny()
    monkeypatch.setitem(embedding.MODELS, "wordllama", model)
    return model


def scored(gold: list[Parts], system: list[Parts]) -> karat.Scores:
    return karat.score("triples", [document(gold)], [document(system)], semantic="wordllama")


def correct(gold: list[Parts], system: list[Parts], regime: str = "semantic") -> float:
    rows = [row for row in scored(gold, system) if (row.regime, row.measure, row.average) == (regime, "f1", "micro")]
    return rows[0].counts["correct"]


GOLD: list[Parts] = [("Aircraft", "struck", "tree")]


def test_a_pair_is_worth_the_mean_of_three_cosines(tiny: Tiny) -> None:
    assert correct(GOLD, [("airplane", "hit", "tree")]) == pytest.approx((0.8 + 0.6 + 1) / 3)


def test_a_negative_cosine_is_worth_nothing(tiny: Tiny) -> None:
    assert correct(GOLD, [("airplane", "missed", "tree")]) == pytest.approx((0.8 + 0 + 1) / 3)


def test_what_is_the_same_is_worth_one_even_if_the_model_knows_nothing(tiny: Tiny) -> None:
    unknown: list[Parts] = [("the gizmo", "frobs", "widget")]
    assert correct(unknown, [("GIZMO.", "Frobs", "a widget")]) == 1
    assert correct(unknown, [("gadget", "frobs", "widget")]) == pytest.approx(2 / 3)


def test_ends_that_mean_the_same_entity_are_worth_one(tiny: Tiny) -> None:
    text = "Ada owns the mill. She lives in it."
    gold = [document([((0, 3), "owner of", (9, 17))], text=text, chains=[[(0, 3), (19, 22)]])]
    system = [document([((19, 22), "owner of", (9, 17))], text=text)]
    assert karat.score("triples", gold, system, semantic="wordllama").value("f1", regime="semantic") == 1


def test_the_best_pairing_counts_not_the_first(tiny: Tiny) -> None:
    gold: list[Parts] = [("aircraft", "struck", "tree"), ("airplane", "struck", "tree")]
    system: list[Parts] = [("airplane", "struck", "tree"), ("airplane", "hit", "tree")]
    assert correct(gold, system) == pytest.approx(1 + (0.8 + 0.6 + 1) / 3)


def test_off_by_default(tiny: Tiny) -> None:
    scores = karat.score("triples", [document(GOLD)], [document(GOLD)])
    assert "semantic" not in {row.regime for row in scores}
    assert "semantic" not in scores.signature
    assert tiny.asked == []


def test_the_signature_names_the_model(tiny: Tiny) -> None:
    assert "|semantic:tiny/1/words/3|" in scored(GOLD, GOLD).signature


def test_every_phrase_is_looked_up_once(tiny: Tiny) -> None:
    gold = [document(GOLD, name) for name in "abc"]
    karat.score("triples", gold, gold, semantic="wordllama")
    assert (sorted(tiny.asked), tiny.times_opened) == (["AIRCRAFT", "STRUCK", "TREE"], 1)


def test_a_sheet_holds_all_that_is_needed_to_judge_it(monkeypatch: pytest.MonkeyPatch) -> None:
    triples = protocol("triples")
    with monkeypatch.context() as patch:
        patch.setitem(embedding.MODELS, "wordllama", Tiny())
        bound = triples.with_options({"semantic": "wordllama"})
        system = document([("airplane", "hit", "tree")])
        known = bound.settle(Counter())
        (sheet,) = bound.draft(document(GOLD), system, known)
        expected = bound.book.tally(sheet)
    monkeypatch.delitem(embedding.MODELS, "wordllama")
    assert bound.book.tally(pickle.loads(pickle.dumps(sheet))) == expected  # noqa: S301 - our own


def test_the_ledger_says_what_a_pair_is_worth(tiny: Tiny) -> None:
    gold: list[Parts] = [*GOLD, ("wing", "part of", "aircraft")]
    system: list[Parts] = [("airplane", "hit", "tree"), ("rain", "fell on", "airplane"), ("rain", "fell", "down")]
    entries = list(karat.explain("triples", [document(gold)], [document(system)], semantic="wordllama"))
    found = {(entry.case, entry.verdicts["semantic"]): entry.reason for entry in entries}
    told, *grades = found["wrong-head", "partial"].split("; ")
    assert told == "the head is 'airplane' for 'Aircraft', and 'hit' for 'struck'"
    assert grades == ["soft 0.333333", "semantic 0.800000"]
    assert found["spurious", "spurious"] == "no gold triple comes near"
    assert found["missed", "partial"] == "no system triple comes near; semantic 0.266667 with (rain, fell on, airplane)"
    assert found["spurious", "partial"] == "no gold triple comes near; semantic 0.266667 with (wing, part of, aircraft)"


def test_triples_without_a_common_word_are_partners_if_they_mean_the_same(tiny: Tiny) -> None:
    gold, system = [document([("aircraft", "struck", "aircraft")])], [document([("airplane", "hit", "airplane")])]
    (entry,) = karat.explain("triples", gold, system, semantic="wordllama")
    assert (entry.case, entry.verdicts["soft"], entry.verdicts["semantic"]) == ("alike", "incorrect", "partial")
    assert entry.reason.endswith("'hit' for 'struck'; semantic 0.733333")


def test_unknown_models_are_refused() -> None:
    with pytest.raises(UsageError, match=r"semantic is 'word2vec'; expected .*wordllama"):
        karat.score("triples", [document(GOLD)], [document(GOLD)], semantic="word2vec")


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'karat\[semantic\]'"):
        karat.score("triples", "gold-that-is-not-there.csv", "system.csv", semantic="wordllama")


words = st.lists(st.sampled_from([*INVENTED, "gizmo"]), min_size=1, max_size=2).map(" ".join)
triples = st.lists(st.tuples(words, words, words), min_size=1, max_size=5, unique=True)


def made(parts: tuple[str, str, str]) -> Triple:
    head, tail = (TripleEnd(text, tuple(text.split()), text) for text in parts[::2])
    return Triple(head, parts[1], tail, parts[1], parts[1], False, tuple(parts[1].split()), (parts,), ("r",))


def total(gold: list[Any], system: list[Any]) -> float:
    """Return what the pairs of two lists of triples are worth in the invented model."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(embedding.MODELS, "wordllama", Tiny())
        vectors = Directions("wordllama").of(dict.fromkeys(part for parts in [*gold, *system] for part in parts))
    nearness = partial(by_meaning, vectors=vectors)
    return pairs_by(nearness, [made(parts) for parts in gold], [made(parts) for parts in system]).total


@given(triples, triples)
def test_it_is_the_best_of_all_pairings_and_symmetric(gold: list[Any], system: list[Any]) -> None:
    worth = [[total([one], [two]) for one in gold] + [0.0] * len(system) for two in system]
    columns = range(len(gold) + len(system))
    best = max(
        sum(row[at] for row, at in zip(worth, permutation, strict=True))
        for permutation in permutations(columns, len(system))
    )
    found = total(gold, system)
    assert found == pytest.approx(best, abs=1e-9)
    assert found == pytest.approx(total(system, gold), abs=1e-9)
    assert len({*gold} & {*system}) - 1e-9 <= found <= min(len(gold), len(system))
    assert total(gold, gold) == len(gold)


@given(triples, triples)
def test_large_documents_are_scored_as_small_ones_or_a_little_less(gold: list[Any], system: list[Any]) -> None:
    exact = total(gold, system)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("karat.matching.weighted.MOST_CELLS", 0)
        assert total(gold, system) == pytest.approx(exact)
        patch.setattr("karat.matching.weighted.MOST_CANDIDATES", -1)
        assert exact / 2 - 1e-9 <= total(gold, system) <= exact + 1e-9


@given(triples, triples, st.randoms())
@settings(deadline=None, max_examples=15)
def test_the_ledger_adds_up_and_the_order_makes_no_difference(gold: list[Any], system: list[Any], random: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(embedding.MODELS, "wordllama", Tiny())
        expected = scored(gold, system).rows
        entries = list(karat.explain("triples", [document(gold)], [document(system)], semantic="wordllama"))
        random.shuffle(gold)
        random.shuffle(system)
        assert scored(gold, system).rows == expected
        counted = correct(gold, system)
        exact = correct(gold, system, "exact")
    assert sum(worth_of(entry) for entry in entries if entry.gold) == pytest.approx(counted, abs=1e-5)
    assert counted >= exact - 1e-9


def worth_of(entry: Entry) -> float:
    """Return what an entry counts under the semantic regime."""
    verdict = entry.verdicts.get("semantic")
    if verdict == "partial":
        return float(entry.reason.split("semantic ")[1].split(";")[0].split(" ")[0].rstrip(","))
    return float(verdict == "correct")


real = pytest.mark.skipif(
    importlib.util.find_spec("wordllama") is None, reason="wordllama is not installed: pip install '.[semantic]'"
)


@real
def test_wordllama_knows_what_words_mean() -> None:
    vectors = Directions("wordllama").of(["PLACE OF BIRTH", "BORN IN", "EMPLOYER", "AIRPLANE", "AIRCRAFT", "TREE"])
    assert vectors["PLACE OF BIRTH"] @ vectors["BORN IN"] == pytest.approx(0.601, abs=5e-4)
    assert vectors["PLACE OF BIRTH"] @ vectors["EMPLOYER"] == pytest.approx(0.002, abs=5e-4)
    assert vectors["AIRPLANE"] @ vectors["AIRCRAFT"] > 0.7 > 0.3 > vectors["AIRPLANE"] @ vectors["TREE"]


@real
@pytest.mark.parametrize("phrase", ["", "\ud800", "\0", "<s>", "日本", "x" * 100_000, "a " * 50_000])
def test_wordllama_takes_any_phrase(phrase: str) -> None:
    vector = Directions("wordllama").of([phrase])[phrase]
    assert vector.shape == (256,)
    assert float(vector @ vector) == pytest.approx(1 if phrase else 0, abs=1e-5)


@real
def test_wordllama_needs_no_network_and_none_of_its_own_code() -> None:
    script = """
import socket, sys

def refuse(*words, **named):
    raise SystemExit("somebody asked the network")

socket.socket = socket.create_connection = socket.getaddrinfo = refuse
from karat.protocols.triples.embedding import MODELS, Directions
Directions("wordllama").of(["TREE"])
print(MODELS["wordllama"].signature(), {"wordllama", "requests", "huggingface_hub"} & set(sys.modules))
"""
    source = str(Path(karat.__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", script], env={"PYTHONPATH": source}, capture_output=True, text=True)
    signature, loaded = done.stdout.split()[:2]
    assert signature.startswith("wordllama/0.4.")
    assert signature.endswith("/l2_supercat/256")
    assert loaded == "set()"


@real
def test_wordllama_in_workers() -> None:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    gold = [document(GOLD, name) for name in "ab"]
    system = [document([("airplane", "hit", "trees")], name) for name in "ab"]
    alone = karat.score("triples", gold, system, semantic="wordllama")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        spread = karat.score("triples", gold, system, semantic="wordllama", executor=executor)
    assert spread.rows == alone.rows
    assert alone.value("f1", regime="semantic") == pytest.approx(0.705521, abs=1e-6)


@given(st.lists(st.tuples(*[st.text(min_size=1, max_size=6).filter(has_words)] * 3), min_size=1, max_size=4))
def test_a_system_equal_to_the_gold_is_perfect_whatever_the_strings(triples: list[Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(embedding.MODELS, "wordllama", Tiny())
        scores = scored(triples, triples)
    assert {scores.value(measure, regime="semantic") for measure in ("precision", "recall", "f1")} == {1.0}
