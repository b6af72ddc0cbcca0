from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from karat._version import __version__
from karat.model import Document, Mention
from karat.signature import ContentDigest, signature


def digest(*documents: Document) -> str:
    total = ContentDigest(in_order=True)
    for document in documents:
        total.add(document)
    return total.ordered


VALUES = st.text(st.sampled_from("a|%\n:7C0"), max_size=8)


@given(st.dictionaries(st.sampled_from(["protocol", "glue", "gold"]), VALUES))
def test_a_signature_is_one_line_that_can_be_taken_apart(parts: dict[str, str]) -> None:
    line = signature(parts)
    assert "\n" not in line
    found = dict(part.split(":", 1) for part in line.split("|"))
    plain = {key: text.replace("%0A", "\n").replace("%7C", "|").replace("%25", "%") for key, text in found.items()}
    assert plain == {"karat": __version__, **parts}


def test_a_digest_is_that_of_the_content() -> None:
    one = Document("d", "Bern", [Mention("T1", ((0, 4),), attributes={"a": "1", "b": "2"})])
    same = Document("d", "Bern", [Mention("T1", ((0, 4),), attributes={"b": "2", "a": "1"})])
    assert digest(one) == digest(same)
    assert digest(one) != digest(Document("d", "Bern"))
    assert len(digest()) == 12
