"""The ledger of chains with split antecedents: what is shown is what is counted."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.coreference import anaphora_recounted, chain_pairs
from tests.protocols.coreference.universal_anaphora.build import PAIR, document

from karat.api import explain, score
from karat.evaluation.ledger import Entry
from karat.evaluation.registry import protocol
from karat.model import Document
from karat.testing import check_protocol


@settings(max_examples=15, deadline=None)
@given(chain_pairs(), st.sampled_from(["exact", "partial"]), st.sampled_from(["keep", "remove"]))
def test_the_ledger_adds_up_to_the_tally(pair: tuple[list[Document], list[Document]], match: str, singles: str) -> None:
    options = {"match": match, "singletons": singles}
    entries: dict[str, list[Entry]] = {}
    for entry in explain("universal-anaphora", *pair, **options):
        entries.setdefault(entry.unit, []).append(entry)
    tallies = score("universal-anaphora", *pair, **options).tallies
    for unit, tally in zip(tallies.units, tallies.rows, strict=True):
        found = {group: counts for group, counts in tally.items() if any(counts)}
        assert found == anaphora_recounted(entries.get(unit, []), ())


def mentions(gold: str, system: str, **options: str) -> list[Entry]:
    ledger = explain("universal-anaphora", [document(gold)], [document(system)], **options)
    return [entry for entry in ledger if entry.layer == "mentions"]


def test_split_antecedents_stand_among_the_mentions() -> None:
    surplus = PAIR.replace("(4:f)", "(4:f:ElementOf=3)")
    (entry,) = [
        mention for mention in mentions(PAIR, surplus, split_antecedents="keep") if mention.case == "split-antecedent"
    ]
    assert entry.gold is not None
    assert entry.system is not None
    assert (entry.gold.label, entry.gold.text, entry.system.text) == ("3", "Ada + Bo", "Ada + Bo + Cy")
    assert entry.reason == "split antecedents, 0.80 alike by CEAFe"


def test_a_match_names_its_rule() -> None:
    found = mentions("the~(1:a:Min=2 mayor~) x~(1:b)", "the mayor~(1:a) x~(1:b)", match="partial")
    assert [(entry.case, entry.verdicts["mentions"]) for entry in found] == [
        ("partial-match", "correct"),
        ("right-chain", "correct"),
    ]
    assert found[0].reason == "other words, matched by the rule partial; with its whole chain"


def test_it_keeps_the_promises_of_a_protocol() -> None:
    words = [
        PAIR,
        PAIR.replace("(4:f)", "(4:f:ElementOf=3)"),
        PAIR.replace(":ElementOf=3", ""),
        PAIR.replace("(2:b", "(1:b"),
    ]
    pairs = [([document(gold)], [document(system)]) for gold in words for system in words]
    for split_antecedents in ("remove", "keep", "only"):
        options = {"split_antecedents": split_antecedents, "singletons": "keep"}
        check_protocol(protocol("universal-anaphora"), pairs if split_antecedents != "only" else pairs[:2], **options)
