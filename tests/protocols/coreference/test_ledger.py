"""The ledger of coreference: what became of mentions and chains, and that every mention is in it once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.coreference.chains import columns, document

import karat
from karat.errors import InputError
from karat.evaluation.ledger import Entry
from karat.evaluation.registry import protocol
from karat.measures.coreference import contingency
from karat.protocols.coreference.ledger import Fates

CHAINS = st.lists(st.integers(-1, 3), max_size=9).map(
    lambda places: [
        "".join("abcdefghi"[at] for at, chain in enumerate(places) if chain == one) for one in sorted({*places} - {-1})
    ]
)


def entries(gold: list[str], system: list[str], layer: str, protocol: str = "coref") -> list[Entry]:
    found = karat.explain(protocol, [document(*gold)], [document(*system)])
    return [entry for entry in found if entry.layer == layer]


@pytest.mark.parametrize(
    ("gold", "system", "cases"),
    [
        (["abc"], ["abc"], ["exact"]),
        (["a"], ["a"], ["exact"]),
        (["abc"], ["ab"], ["incomplete"]),
        (["ab"], ["abx"], ["extended"]),
        (["abcd"], ["abc", "d"], ["split", "surplus"]),
        (["abcd", "ef"], ["abce", "d"], ["split-and-merged", "unaligned", "surplus"]),
        (["abc", "de"], ["abcde"], ["merged", "unaligned"]),
        (["ab"], ["xy"], ["missed", "invented"]),
        ([], [], []),
    ],
)
def test_what_becomes_of_chains(gold: list[str], system: list[str], cases: list[str]) -> None:
    assert [entry.case for entry in entries(gold, system, "chains")] == cases


@given(CHAINS, CHAINS)
def test_every_mention_is_listed_once(gold: list[str], system: list[str]) -> None:
    found = entries(gold, system, "mentions")
    assert Counter(entry.gold.text for entry in found if entry.gold) == Counter("".join(gold))
    assert Counter(entry.system.text for entry in found if entry.system) == Counter("".join(system))


@given(CHAINS, CHAINS)
def test_every_chain_is_listed_once(gold: list[str], system: list[str]) -> None:
    chains = entries(gold, system, "chains")
    assert sum(entry.gold is not None for entry in chains) == len(gold)
    assert sum(entry.system is not None for entry in chains) == len(system)


REPEATING = st.lists(st.text("abcdef", min_size=1, max_size=5), max_size=4)
NAMES = ("coref", "conll2012", "coval", "corefeval", "scorch", "omin-coref", "corefud", "universal-anaphora")
PARTS = ("found", "gold", "given", "system")


def tally_of(name: str, gold: list[str], system: list[str], **options: str) -> dict[str, float]:
    (total,) = karat.score(name, [document(*gold)], [document(*system)], **options).tallies.total().values()
    return dict(zip(protocol(name).with_options().counts, total, strict=True))


@given(st.sampled_from(NAMES), REPEATING, REPEATING, st.booleans())
def test_verdicts_add_up_to_the_tally(name: str, gold: list[str], system: list[str], repeats: bool) -> None:
    """Where a regime counts items, verdicts are counts, even of repeated mentions; else they say if there is any."""
    if not repeats:
        gold, system = apart(gold), apart(system)
    options = {"singletons": "keep"} if name in ("corefud", "universal-anaphora") else {}
    counts = tally_of(name, gold, system, **options)
    found = list(karat.explain(name, [document(*gold)], [document(*system)], **options))
    assert {regime for entry in found for regime in entry.verdicts} <= {*protocol(name).with_options().regimes()}

    def number(regime: str, side: str, *outcomes: str) -> int:
        return sum(getattr(one, side) is not None and one.verdicts.get(regime) in outcomes for one in found)

    for regime in {"mentions", "b3", "ceafm", "ceafe", "lea"} & {*protocol(name).with_options().regimes()}:
        right = number(regime, "gold", "correct"), number(regime, "system", "correct")
        partly = number(regime, "gold", "partial"), number(regime, "system", "partial")
        below = [right[0] + partly[0] + number(regime, "gold", "incorrect", "missed")]
        below += [right[1] + partly[1] + number(regime, "system", "incorrect", "spurious")]
        if name == "scorch":
            assert (right[0] + partly[0] > 0) == (counts[f"{regime}-recall"] > 0)
            if regime == "ceafm":
                assert right[0] == pytest.approx(counts["ceafm-recall"])
            continue
        of_regime = [counts[f"{regime}-{part}"] for part in PARTS]
        if regime == "mentions":
            assert [right[0], below[0], right[1], below[1]] == of_regime
        elif regime == "ceafm":
            assert [right[0], below[0]] == of_regime[:2]
        elif regime in ("b3", "ceafe"):
            assert below == [of_regime[1], of_regime[3]]
        assert (sum(right) + sum(partly) > 0) == (of_regime[0] + of_regime[2] > 0)


def apart(chains: list[str]) -> list[str]:
    """Keep the first occurrence of each letter."""
    first = {letter: at for at, letters in reversed([*enumerate(chains)]) for letter in letters}
    kept = ["".join(one for one in dict.fromkeys(letters) if first[one] == at) for at, letters in enumerate(chains)]
    return [letters for letters in kept if letters]


def test_ceafm_has_an_alignment_of_its_own() -> None:
    gold, system = ["abcde"], ["ab", "cdeuvwxyz"]
    found = entries(gold, system, "mentions")
    kept = [entry.gold.text for entry in found if entry.gold and entry.verdicts["ceafm"] == "correct"]
    assert kept == ["c", "d", "e"]
    assert tally_of("coref", gold, system)["ceafm-found"] == 3
    assert [entry.gold.text for entry in found if entry.gold and entry.case == "right-chain"] == ["a", "b"]


def test_singletons_have_verdicts_only_where_they_count() -> None:
    singletons = entries(["a", "b"], ["a", "b"], "mentions", "corefeval")
    assert [(entry.case, entry.verdicts) for entry in singletons] == [("right-chain", {}), ("right-chain", {})]
    chains = entries(["a", "bc"], ["a", "bc"], "chains", "corefeval")
    assert [(entry.case, entry.verdicts) for entry in chains] == [
        ("unaligned", {"ceafe": "missed"}),
        ("exact", {"ceafe": "correct", "lea": "correct"}),
        ("left-out", {}),
    ]
    assert chains[0].reason == "aligned with none, because CEAFe leaves out system chains of one mention"
    (found, *_) = entries(["ab"], ["a", "b"], "mentions", "corefeval")
    assert found.verdicts == {"b3": "missed"}


def test_lea_does_not_go_by_alignment() -> None:
    merged, unaligned = entries(["abc", "de"], ["abcde"], "chains")
    assert merged.verdicts == {"ceafe": "partial", "lea": "partial"}
    assert unaligned.verdicts == {"ceafe": "missed", "lea": "partial"}
    (split, *_) = entries(["ab"], ["a", "b"], "chains")
    assert split.verdicts == {"ceafe": "partial", "lea": "incorrect"}


def test_scorch_says_what_it_added_to_the_gold() -> None:
    found = karat.explain("scorch", [document("ab")], [document("abx")])
    added = [entry for entry in found if entry.gold and entry.gold.text == "x"]
    assert [(entry.layer, entry.case) for entry in added] == [("mentions", "wrong-chain"), ("chains", "unaligned")]
    assert all(entry.reason.startswith("invented, and added to the gold by the program; ") for entry in added)
    left = karat.explain("scorch", [document("ab")], [document("abx")], twinless="leave")
    assert [entry.case for entry in left if entry.layer == "mentions"] == ["right-chain", "right-chain", "invented"]


def test_an_empty_chain_is_said_to_be_empty() -> None:
    fates = Fates(contingency([[]], [[], ["a"]]), {}, (["g"], ["s", "t"]))
    assert fates.of_gold(0) == ("empty", "missed", "it holds no mention")
    assert fates.of_system(0) == ("empty", "spurious", "it holds no mention")
    assert fates.of_system(1) == ("invented", "spurious", "its one mention is not in the gold")


def test_errors_name_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("karat.measures.coreference.MAX_OVERLAPS", 1)
    with pytest.raises(InputError, match=r"^document 'd': mentions are repeated so often"):
        entries(["ab"], ["ab", "ab"], "mentions", "coval")


@pytest.mark.parametrize("name", ["coref", "conll2012", "coval", "corefeval", "scorch"])
def test_places_name_the_line(name: str, tmp_path: Path) -> None:
    gold = columns(tmp_path / "gold.conll", "Ada (1)", "saw -", "", "the (1", "mayor 1)")
    system = columns(tmp_path / "system.conll", "Ada (1)", "saw -", "", "the -", "mayor (1)")
    found = [entry for entry in karat.explain(name, gold, system) if entry.layer == "mentions"]
    golds = {entry.gold.place for entry in found if entry.gold and entry.gold.label == "1"}
    assert golds == {f"{gold}:2", f"{gold}:5"}
    assert {entry.system.place for entry in found if entry.system} == {f"{system}:2", f"{system}:6"}


def test_reasons_name_the_company_of_a_mention() -> None:
    found = {entry.gold.text: entry for entry in entries(["abc", "de"], ["ab", "cde"], "mentions") if entry.gold}
    assert (found["a"].case, found["c"].case) == ("right-chain", "wrong-chain")
    assert found["a"].reason == "with 1 of the 2 other mentions of its chain"
    assert found["c"].reason.startswith("with 0 of the 2 other mentions of its chain, and 2 ")


def test_a_repeated_mention_has_an_entry_of_its_own() -> None:
    found = entries(["ab"], ["ab", "ac"], "mentions", "coval")
    assert [(entry.case, entry.system.label) for entry in found if entry.system][:2] == [
        ("wrong-chain", "c2"),
        ("repeated", "c1"),
    ]
    assert [entry.case for entry in found].count("repeated") == 1
    assert not any(entry.case == "repeated" for entry in entries(["ab"], ["ab", "ac"], "mentions"))
