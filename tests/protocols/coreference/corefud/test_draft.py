from __future__ import annotations

import msgspec
import pytest
from tests.protocols.coreference.corefud.build import counts, document

import karat
from karat.errors import InputError
from karat.model import Chain, Document, Mention, TokenTable

GOLD = "Ada|(e1) came and she|(e1) went"


def notes(gold: list[Document], system: list[Document]) -> list[str]:
    return list(karat.score("corefud", gold, system).notes)


def test_other_words_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        notes([document(GOLD)], [document("Ada|(e1) ran and she|(e1) went")])
    assert str(caught.value) == (
        "x.conllu:5: document 'd': the word 'ran' stands where the gold has 'came'; gold and system must have the same "
        "words, only empty nodes may differ"
    )


def test_more_sentences_in_the_last_document_are_noted() -> None:
    note, texts = notes([document(GOLD)], [document(GOLD, "and slept")])
    assert texts == "1 document with another text in the system than in the gold"
    assert note == "document 'd' has 2 sentences instead of 1; what is beyond them is not compared with the gold"


def test_a_document_that_ends_early_is_refused_unless_it_is_the_last() -> None:
    gold = [document(GOLD, "more|(e3)", name="a"), document(GOLD, name="b")]
    system = [document(GOLD, name="a"), document(GOLD, name="b")]
    with pytest.raises(InputError, match="document 'a' has 1 sentences instead of 2; gold and system must have"):
        notes(gold, system)


def test_another_sent_id_is_refused() -> None:
    system = document(GOLD)
    assert system.table is not None
    system.table.comments = [(at, line.replace("s1", "s9")) for at, line in system.table.comments]
    with pytest.raises(
        InputError, match=r"^x.conllu:4: document 'd', sentence 1: the sent_id is s9 where the gold has s1"
    ):
        notes([document(GOLD)], [system])


def test_surplus_words_at_the_end_of_a_sentence_are_noted() -> None:
    note, _ = notes([document(GOLD)], [document(GOLD + " again")])
    assert note == "x.conllu:4: the sentence has 6 words instead of 5; only those of both are compared"


def test_empty_nodes_may_differ() -> None:
    system = "Ada|(e1) came _|(e9)|2:obj and she|(e1) went"
    assert counts(GOLD, system, "mentions") == (2, 2, 2, 2)
    assert counts(system, GOLD, "mentions") == (2, 2, 2, 2)
    assert counts("Ada|(e1-1 came and|e1) she|(e1)", "Ada|(e1-1 came _ and|e1) she|(e1)", "mor") == (4, 4, 4, 5)


def test_what_is_left_out_is_noted() -> None:
    gold = document("Ada|(e1)(e2) came|(e3)(e3) and she|(e1)(e1) went")
    assert notes([gold], [gold]) == [
        "left out 2 repeated gold mentions",
        "left out 2 gold singletons",
        "left out 2 repeated system mentions",
        "left out 2 system singletons",
    ]


def test_missing_documents() -> None:
    gold = [document(GOLD, name="a"), document("Ada|(e1) _|(e1)|1:dep came", name="b")]
    with pytest.raises(InputError, match="the system lacks 1 document: b"):
        counts(gold, gold[:1], "mentions")
    assert counts(gold, gold[:1], "mentions", missing="empty") == (2, 4, 2, 2)
    assert counts(gold, gold[:1], "zero", missing="empty") == (0, 1, 0, 0)
    assert counts(gold, gold[:1], "mentions", missing="skip") == (2, 2, 2, 2)


def test_the_order_of_documents_makes_no_difference() -> None:
    gold = [document(GOLD, name="a"), document("Bo|(e5) saw _|(e5)|2:obj", name="b")]
    assert counts(gold, gold[::-1], "muc") == (2, 2, 2, 2)


TEXT = "Ada and the mayor met"


def plain(*spans: tuple[int, int], tokens: bool = False) -> Document:
    mentions = [Mention(f"m{number}", (span,)) for number, span in enumerate(spans)]
    table = TokenTable(TEXT.split(), {}, [0], [0, 4, 8, 12, 18]) if tokens else None
    return Document("d", TEXT, mentions, [Chain("1", tuple(mention.id for mention in mentions))], table=table)


@pytest.mark.parametrize(("tokens", "words"), [(False, 12), (True, 3)])
def test_other_formats_have_tokens_or_characters_for_words(tokens: bool, words: int) -> None:
    gold = [plain((0, 3), (8, 17), tokens=tokens)]
    assert counts(gold, gold, "mor") == (words,) * 4
    assert counts(gold, [plain((0, 3), (12, 17), tokens=tokens)], "mentions") == (1, 2, 1, 2)
    assert counts(gold, [plain((0, 3), (8, 12), tokens=tokens)], "mentions") == (2, 2, 2, 2)  # the same first word


def test_a_mention_without_words_is_left_out() -> None:
    gold = [plain((0, 3), (3, 4), (8, 17), tokens=True)]
    assert counts(gold, gold, "mentions") == (2, 2, 2, 2)
    assert notes(gold, gold)[0] == "left out 1 gold mention that covers no word"


def test_documents_with_different_texts_need_tokens() -> None:
    gold, system = plain((0, 3)), msgspec.structs.replace(plain((0, 3)), text="Ada")
    with pytest.raises(InputError, match="the texts of gold and system differ, and one of them has no tokens"):
        counts([gold], [system], "mentions")


def test_corefud_and_another_format() -> None:
    gold = document("Ada|(e1) and the|(e1-2 mayor|e1) met")
    assert counts([gold], [plain((0, 3), (8, 17))], "mentions", match="exact") == (2, 2, 2, 2)


@pytest.mark.parametrize("rows", ["x", "0-99", "-1", "9" * 30, "³"])
def test_rows_that_are_not_there(rows: str) -> None:
    gold = document(GOLD)
    gold.mentions[0] = msgspec.structs.replace(gold.mentions[0], attributes={"rows": rows})
    with pytest.raises(
        InputError, match=r"document 'd': mention 'm1' names the row .*; expected a row of its table, 0 to 4"
    ):
        counts([gold], [gold], "mentions")


def test_a_chain_that_names_nothing() -> None:
    gold = document(GOLD)
    gold.chains.append(Chain("e9", ("m99",)))
    with pytest.raises(InputError, match="chain 'e9' names the mention 'm99', which the document does not have"):
        counts([gold], [gold], "mentions")


def test_a_mention_may_have_no_rows_at_all() -> None:
    gold = document(GOLD)
    gold.mentions[0] = msgspec.structs.replace(gold.mentions[0], attributes={"rows": ""})
    assert karat.score("corefud", [gold], [gold], singletons="keep").value("recall", regime="mentions") == 1
