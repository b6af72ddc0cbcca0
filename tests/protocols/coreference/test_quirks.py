"""Every quirk of the coreference programs, shown: the value of the program, and that of another convention."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from tests.protocols.coreference.chains import columns, document, value
from tests.protocols.coreference.coval.test_options import SHOWN as WITH_PARSES

import karat
from karat.cli import run
from karat.errors import InputError, UsageError
from karat.protocols.coreference.declaration import PROTOCOLS

Test = TypeVar("Test", bound=Callable[..., None])
SHOWN: list[tuple[str, str]] = []


def shows(protocol: str, name: str) -> Callable[[Test], Test]:
    """Mark the test that shows a quirk."""

    def note(test: Test) -> Test:
        SHOWN.append((protocol, name))
        return test

    return note


# The official scorer


@shows("conll2012", "repeated-system-mentions")
def test_repeated_system_mentions() -> None:
    known = ("ab", "cd"), ("ab", "acd")
    assert [value(name, *known, regime="b3") for name in ("conll2012", "coref")] == [1.0, 1.0]
    assert value("coval", *known, regime="b3") == pytest.approx(0.7415730337)
    invented = ("ab",), ("abxx",)
    found = [value(name, *invented, "precision", "b3") for name in ("conll2012", "coref")]
    assert found == [0.25, pytest.approx(4 / 9)]


@shows("conll2012", "refuses-repeats")
def test_refuses_repeats(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    gold = columns(tmp_path / "gold.conll", *(f"w{n} (1)" for n in range(11)))
    system = columns(tmp_path / "system.conll", *(f"w{n} (1)|(2)" for n in range(11)))
    assert run(["conll2012", "muc", str(gold), str(system), "none"]) == 3
    assert "too many repeated mentions" in capfd.readouterr().err
    scores = karat.score("conll2012", gold, system)
    assert (scores.value(), scores.notes) == (1.0, ("left out 11 repeated system mentions",))


@shows("conll2012", "repeated-gold-mentions")
def test_repeated_gold_mentions() -> None:
    found = [value(name, ("aab", "cd"), ("ab", "cd"), "precision", "ceafm") for name in ("conll2012", "coref")]
    assert found == [1.25, 1.0]
    twice = ("ab", "ac")
    assert [value(name, twice, twice, regime="muc") for name in ("conll2012", "coref")] == [0.0, 1.0]


@shows("conll2012", "truncated-percentages")
def test_truncated_percentages(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    gold = columns(tmp_path / "gold.conll", *(f"w{n} (1)" for n in range(101)))
    system = columns(tmp_path / "system.conll", *(f"w{n} {'(1)' if n < 58 else '-'}" for n in range(101)))
    assert value("conll2012", gold, system, "recall", "muc") == 0.57
    assert run(["conll2012", "muc", str(gold), str(system), "none"]) == 0
    assert "Coreference: Recall: (57 / 100) 56.99%" in capfd.readouterr().out
    cut = [value("conll2012", ("abc",), ("ab",), regime=regime) for regime in ("conll-truncated", "conll")]
    assert cut == [pytest.approx((0.6666 + 0.6153 + 0.8) / 3), pytest.approx((2 / 3 + 8 / 13 + 4 / 5) / 3)]


@shows("conll2012", "blanc-by-the-gold")
def test_blanc_by_the_gold() -> None:
    chains = ("a", "b", "c"), ("ab", "c")
    assert value("conll2012", *chains, regime="blanc") == pytest.approx(0.8)
    assert value("corefud", *chains, regime="blanc", singletons="keep") == pytest.approx(0.4)


@shows("conll2012", "nothing-to-find-is-zero")
def test_nothing_to_find_is_zero() -> None:
    alone = ("a", "b")
    assert [value("conll2012", alone, alone, regime=one) for one in ("b3", "ceafe", "muc")] == [1.0, 1.0, None]
    assert value("conll2012", alone, alone) == pytest.approx(2 / 3)


@shows("conll2012", "every-line-is-a-token")
def test_every_line_is_a_token(tmp_path: Path) -> None:
    gold = columns(tmp_path / "gold.conll", "Ada (1)", "met -", "her (1)")
    text = gold.read_text("utf-8")
    commented = tmp_path / "commented.conll"
    commented.write_text(text.replace("\nd\t0\tmet", "\n# a remark\nd\t0\tmet"), encoding="utf-8")
    assert [value(name, gold, commented, regime="mentions") for name in ("conll2012", "coref")] == [0.5, 1.0]
    blanks = tmp_path / "blanks.conll"
    blanks.write_text(text.replace("met", "(7)").replace("\t", " "), encoding="utf-8")
    gold.write_text(text.replace("met", "(7)"), encoding="utf-8")
    found = [value(name, gold, blanks, "precision", "mentions") for name in ("conll2012", "coref")]
    assert found == [pytest.approx(2 / 3), 1.0]


@shows("conll2012", "openings-before-closings")
def test_openings_before_closings(tmp_path: Path) -> None:
    meant = tmp_path / "meant.jsonlines"
    meant.write_text(json.dumps({"doc_key": "(d); part 000", "clusters": [[[0, 1], [1, 2]]]}), encoding="utf-8")
    touching = columns(tmp_path / "touching.conll", "a (1", "b 1)|(1", "c 1)")
    assert value("conll2012", meant, touching, regime="mentions") == 0.0
    apart = columns(tmp_path / "apart.conll", "a (1", "b 1)|(2", "c 2)")
    assert value("conll2012", meant, apart, regime="mentions") == 1.0


@shows("conll2012", "unscored-documents-are-not-read")
def test_unscored_documents_are_not_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    gold = columns(tmp_path / "gold.conll", "w (1)", "v (1)")
    system = columns(tmp_path / "system.conll", "w (1)", "v (1)")
    more = columns(tmp_path / "more.conll", "w 1)", name="(e); part 000")
    system.write_text(system.read_text("utf-8") + more.read_text("utf-8"), encoding="utf-8")
    assert run(["conll2012", "muc", str(gold), str(system), "none"]) == 0
    assert "F1: 100%" in capfd.readouterr().out
    with pytest.raises(InputError, match="without begin"):
        karat.score("conll2012", gold, system)


# CoVal


@shows("coval", "repeated-mentions-stay")
def test_repeated_mentions_stay() -> None:
    chains = ("ab", "cd"), ("ab", "acd")
    found = [value(name, *chains, regime="muc") for name in ("coval", "conll2012", "coref")]
    assert found == [pytest.approx(4 / 7), 1.0, 1.0]


@shows("coval", "remove-singleton-is-ignored")
def test_remove_singleton_is_ignored() -> None:
    chains = ("ab", "c"), ("ab", "d")
    assert value("coval", *chains, regime="b3") == pytest.approx(2 / 3)
    assert value("coval", *chains, regime="b3", singletons="remove") == 1.0
    with pytest.raises(UsageError, match="singletons"):
        value("coval", *chains, singletons="remove_singleton")


@shows("coval", "digits-only")
def test_digits_only(tmp_path: Path) -> None:
    gold = columns(tmp_path / "gold.conll", "a (1)", "b (1)", "c (12)", "d (12)")
    system = columns(tmp_path / "system.conll", "a (e1)", "b (1)", "c (1+2)", "d (12)")
    assert value("coval", gold, system) == 1.0
    for name in ("conll2012", "coref"):
        with pytest.raises(InputError):
            value(name, gold, system)


@shows("coval", "mentions-in-one-sentence")
def test_mentions_in_one_sentence(tmp_path: Path) -> None:
    across = columns(tmp_path / "across.conll", "a -", "b (1", "", "c -", "d -", "e 1)", "f (1)")
    inside = columns(tmp_path / "inside.conll", "a -", "b -", "", "c -", "d (1", "e 1)", "f (1)")
    assert [value(name, across, inside) for name in ("coval", "conll2012")] == [1.0, pytest.approx(0.25)]


@shows("coval", "nested-counted-twice")
def test_nested_counted_twice(tmp_path: Path) -> None:
    two = columns(tmp_path / "two.conll", "a (1", "b (1)", "c 1)")
    assert karat.score("coval", two, two, nested="remove").notes == ()
    three = columns(tmp_path / "three.conll", "a (1", "b (1", "c (1)", "d 1)", "e 1)")
    left = ("left out 2 nested gold mentions", "left out 2 nested system mentions")
    assert karat.score("coval", three, three, nested="remove").notes == left
    assert karat.score("coval", three, three).notes == ()


SHOWN.extend(("coval", name) for name in WITH_PARSES)


# coreference-eval


@shows("corefeval", "ceafe-drops-system-singletons")
def test_ceafe_drops_system_singletons() -> None:
    chains = ("ab", "c")
    found = [value(name, chains, chains, "recall", "ceafe") for name in ("corefeval", "coref")]
    assert found == [0.5, 1.0]
    assert value("corefeval", chains, chains, "precision", "ceafe") == 1.0


@shows("corefeval", "repeats-are-shared-again")
def test_repeats_are_shared_again() -> None:
    chains = ("ab", "cddd"), ("ab", "cd")
    found = [value(name, *chains, regime="ceafe") for name in ("corefeval", "omin-coref", "coref")]
    assert found == [pytest.approx(7 / 6), pytest.approx(7 / 6), 1.0]


@shows("corefeval", "b3-and-lea-skip-singletons")
def test_b3_and_lea_skip_singletons() -> None:
    for regime in ("b3", "lea"):
        found = [value(name, ("ab", "c"), ("ab", "d"), regime=regime) for name in ("corefeval", "coref")]
        assert found == [1.0, pytest.approx(2 / 3)]
    partner = [value(name, ("ab", "cd"), ("abc", "d"), "recall", "b3") for name in ("corefeval", "coref")]
    assert partner == [0.625, 0.75]


@shows("corefeval", "paired-by-position")
def test_paired_by_position(tmp_path: Path) -> None:
    lines = [{"doc_key": "x", "clusters": [[[0, 0], [1, 1]]]}, {"doc_key": "y", "clusters": [[[5, 5], [6, 6]]]}]
    for name, keep in (("gold", lines), ("turned", lines[::-1])):
        (tmp_path / f"{name}.jsonlines").write_text("\n".join(map(json.dumps, keep)), encoding="utf-8")
    nameless = [{"clusters": one["clusters"]} for one in lines[::-1]]
    (tmp_path / "nameless.jsonlines").write_text("\n".join(map(json.dumps, nameless)), encoding="utf-8")
    for line in lines:
        del line["doc_key"]
    (tmp_path / "positions.jsonlines").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert value("corefeval", tmp_path / "gold.jsonlines", tmp_path / "turned.jsonlines") == 1.0
    assert value("corefeval", tmp_path / "positions.jsonlines", tmp_path / "nameless.jsonlines") == 0.0


@shows("corefeval", "get-conll-is-zero")
def test_get_conll_is_zero() -> None:
    chains = ("abc", "de"), ("ab", "cde")
    parts = [value("corefeval", *chains, regime=regime) for regime in ("muc", "b3", "ceafe")]
    assert value("corefeval", *chains) == pytest.approx(sum(map(float, parts)) / 3)  # type: ignore[arg-type]
    assert all(parts)


@shows("corefeval", "empty-clusters-stop")
def test_empty_clusters_stop() -> None:
    scores = karat.score("corefeval", [document("ab", "")], [document("ab", "", "")])
    assert scores.value(regime="ceafe") == 1.0
    assert scores.notes == ("left out 1 empty gold chain", "left out 2 empty system chains")


# SCORCH


@shows("scorch", "repeats-by-format")
def test_repeats_by_format(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"type": "clusters", "clusters": {"1": ["a", "b"], "2": ["b", "c"]}}', encoding="utf-8")
    regimes = ("muc", "b3", "ceafm", "ceafe", "blanc")
    found = [value("scorch", path, path, regime=regime) for regime in regimes]
    assert found == [0.5, 1.25, 1.0, 1.0, 1.0]  # as the program prints
    rows = columns(tmp_path / "a.conll", "0 a (1)", "1 b (1)|(2)", "2 c (2)")
    assert [value("scorch", rows, rows, regime=regime) for regime in regimes] == [1.0] * 5
    assert value("coref", path, path, regime="b3") == 1.0


@shows("scorch", "empty-chains-stop")
def test_empty_chains_stop() -> None:
    assert value("scorch", ("ab", ""), ("ab",), "recall", "ceafe") == 0.5
    assert value("coref", ("ab", ""), ("ab",), "recall", "ceafe") == 1.0


@shows("scorch", "twinless-added-to-gold")
def test_twinless_added_to_gold() -> None:
    chains = ("ab",), ("ab", "x")
    found = [value("scorch", *chains, regime="b3", twinless=one) for one in ("add", "leave")]
    assert found == [1.0, pytest.approx(0.8)]
    assert value("coref", *chains, regime="b3") == pytest.approx(0.8)


@shows("scorch", "weighted-documents")
def test_weighted_documents() -> None:
    gold = [document("ab", id="1"), document("abcd", id="2")]
    system = [document("ab", id="1"), document("ab", "cd", id="2")]
    values = [value("scorch", gold, system, measure, "b3") for measure in ("precision", "recall", "f1")]
    assert values == [1.0, pytest.approx(2 / 3), pytest.approx((4 * 1 + 8 * 2 / 3) / 12)]
    assert value("coref", gold, system, "f1", "b3") == pytest.approx(0.8)


@shows("scorch", "muc-of-singletons")
def test_muc_of_singletons() -> None:
    documents = [document("a", "b", id="1"), document("ab", id="2")]
    assert [value(name, documents, documents, regime="muc") for name in ("scorch", "conll2012")] == [0.5, 1.0]


@shows("scorch", "blanc-of-one-mention")
def test_blanc_of_one_mention() -> None:
    assert [value(name, ("a",), ("a",), regime="blanc") for name in ("scorch", "conll2012")] == [1.0, None]
    assert value("scorch", ("a",), ("b",), regime="blanc", twinless="leave") == 0.0
    assert karat.score("conll2012", [document("a")], [document("a")], zero="zero").value(regime="blanc") == 0.0


def test_no_quirk_is_forgotten() -> None:
    quirks = [(protocol.name, quirk.name) for protocol in PROTOCOLS for quirk in protocol.quirks]
    assert quirks == SHOWN
