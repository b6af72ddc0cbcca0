"""Tags and chunks: round trips in every scheme, repairs by every policy, and the guess of the scheme."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karat.annotations.strict_tags import rules_of
from karat.annotations.tag_schemes import (
    REPAIR_POLICIES,
    SCHEMES,
    Chunk,
    RepairPolicy,
    Scheme,
    decode,
    encode,
    fitting_scheme,
    guess_scheme,
    shapes,
)
from karat.errors import InputError

LABELS = st.sampled_from(["loc", "per", "x-loc", "", "-", "B"])


@st.composite
def segments(draw: st.DrawFn) -> tuple[list[Chunk], int]:
    """Draw disjoint chunks, often adjacent and of the same label, and the number of tokens."""
    chunks: list[Chunk] = []
    position = 0
    for gap, size, label in draw(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 4), LABELS), max_size=6)):
        chunks.append(Chunk(position + gap, position + gap + size, label))
        position += gap + size
    return chunks, position + draw(st.integers(0, 2))


any_tags = st.lists(
    st.one_of(
        st.sampled_from(["O", "B", "I", "E", "S", "B-loc", "I-loc", "E-loc", "S-loc", "L-loc", "U-loc"]),
        st.sampled_from(["B-per", "I-per", "_", "", "-", "Q-loc", "loc", "o", "B-", "I-x-loc"]),
        st.text(max_size=4),
    ),
    max_size=12,
)


@pytest.mark.parametrize("scheme", SCHEMES)
@given(segment=segments())
def test_decoding_undoes_encoding_without_repairs(scheme: Scheme, segment: tuple[list[Chunk], int]) -> None:
    chunks, length = segment
    tags = encode(chunks, length, scheme)
    assert len(tags) == length
    for repair in REPAIR_POLICIES:
        if (scheme, repair) != ("IOE1", "discard"):  # seqeval loses single E tags
            assert decode(tags, scheme, repair) == (chunks, [])


@pytest.mark.parametrize(
    ("scheme", "tags"),
    [
        ("IOB1", "I-a I-a B-a I-b O"),
        ("IOB2", "B-a I-a B-a B-b O"),
        ("IOE1", "I-a E-a I-a I-b O"),
        ("IOE2", "I-a E-a E-a E-b O"),
        ("BIOES", "B-a E-a S-a S-b O"),
        ("BILOU", "B-a L-a U-a U-b O"),
    ],
)
def test_adjacent_chunks_of_one_label_stay_apart(scheme: Scheme, tags: str) -> None:
    chunks = [Chunk(0, 2, "a"), Chunk(2, 3, "a"), Chunk(3, 4, "b")]
    assert encode(chunks, 5, scheme) == tags.split()
    assert decode(tags.split(), scheme) == (chunks, [])


@given(tags=any_tags)
def test_under_conlleval_the_scheme_changes_repairs_but_no_chunk(tags: list[str]) -> None:
    readings = [decode(tags, scheme)[0] for scheme in SCHEMES]
    assert all(reading == readings[0] for reading in readings)


@given(tags=any_tags, scheme=st.sampled_from(SCHEMES))
def test_repairs_are_what_separates_tags_from_the_scheme(tags: list[str], scheme: Scheme) -> None:
    chunks, repairs = decode(tags, scheme)
    canonical = encode(chunks, len(tags), scheme)
    bare = [tag[:1] if tag in ("B-", "I-", "E-", "S-", "L-", "U-") else tag for tag in tags]
    assert [repair.token for repair in repairs] == [
        index for index, (found, right) in enumerate(zip(bare, canonical, strict=True)) if found != right
    ]


@given(tags=any_tags, scheme=st.sampled_from(SCHEMES))
def test_strict_keeps_well_formed_chunks_and_lists_every_tag_that_is_not(tags: list[str], scheme: Scheme) -> None:
    everything, lenient = decode(tags, scheme, "conlleval")
    kept, errors = decode(tags, scheme, "strict")
    assert [error.token for error in errors] == [error.token for error in lenient]
    assert all(error.is_error for error in errors)
    broken = {one.token for one in lenient}
    assert kept == [one for one in everything if not broken & set(range(one.start, one.end))]


@given(data=st.data(), scheme=st.sampled_from(SCHEMES))
def test_discard_keeps_well_formed_chunks_and_says_what_it_drops(data: st.DataObject, scheme: Scheme) -> None:
    prefixes = [letter for letter in rules_of(scheme).letters if letter != "O"]
    known = st.sampled_from(["O", *(f"{letter}-{label}" for letter in prefixes for label in "ab")])
    tags = data.draw(st.lists(known, max_size=8))
    everything, _ = decode(tags, scheme)
    kept, dropped = decode(tags, scheme, "discard")
    assert not any(one.is_error for one in dropped)
    assert len(dropped) == len(set(everything) - set(kept))
    if scheme not in ("IOB1", "IOE1"):
        assert kept == decode(tags, scheme, "strict")[0]


@pytest.mark.parametrize(
    ("tags", "scheme", "chunks"),
    [
        ("B-a I-a", "IOB1", [(1, 2, "a")]),
        ("I-a B-b I-b", "IOB1", [(0, 1, "a"), (2, 3, "b")]),
        ("I-a B-a B-b", "IOB1", [(0, 1, "a")]),
        ("B-a B-a I-a O", "IOB1", [(1, 3, "a")]),
        ("I-a E-a O", "IOE1", []),
        ("I-a E-a I-a", "IOE1", [(0, 2, "a"), (2, 3, "a")]),
        ("I-a E-b I-b", "IOE1", [(0, 1, "a"), (2, 3, "b")]),
        ("I-a E-a E-a", "IOE1", [(0, 2, "a")]),
        ("I-a E-a I-b", "IOE1", [(2, 3, "b")]),
        ("E-a I-a", "IOE1", [(1, 2, "a")]),
        ("B-a Ia", "IOB2", [(0, 2, "a")]),
        ("B I O-a", "IOB2", [(0, 2, "")]),
    ],
)
def test_discard_is_the_strict_mode_of_seqeval(tags: str, scheme: Scheme, chunks: list[tuple[int, int, str]]) -> None:
    """The chunks that seqeval 1.2.2 finds with ``mode="strict"``."""
    assert decode(tags.split(), scheme, "discard")[0] == chunks


@pytest.mark.parametrize(
    ("tag", "scheme"), [("E-a", "IOB1"), ("B-a", "IOE2"), ("X-a", "BIOES"), ("S-a", "BILOU"), ("_", "IOB2")]
)
def test_discard_refuses_what_is_no_tag_of_the_scheme(tag: str, scheme: Scheme) -> None:
    chunks, repairs = decode(["I-b", tag], scheme, "discard")
    assert chunks == []
    assert [(repair.token, repair.is_error) for repair in repairs] == [(1, True)]
    assert f"{tag!r} is no tag of {scheme}, which begin with" in repairs[0].message


def test_iob1_and_iob2_read_the_same_tags_with_different_repairs() -> None:
    tags = ["I-loc", "B-loc", "O", "B-loc"]
    chunks = [Chunk(0, 1, "loc"), Chunk(1, 2, "loc"), Chunk(3, 4, "loc")]
    assert decode(tags, "IOB1")[0] == decode(tags, "IOB2")[0] == chunks
    assert [one.token for one in decode(tags, "IOB1")[1]] == [3]
    assert [one.token for one in decode(tags, "IOB2")[1]] == [0]
    assert decode(tags, "IOB1", "discard")[0] == chunks[:2]
    assert decode(tags, "IOB2", "discard")[0] == chunks[1:]


@pytest.mark.parametrize(
    ("tags", "chunks"),
    [
        ("B-a I-b", [(0, 1, "a"), (1, 2, "b")]),
        ("E-a B-a", [(0, 1, "a"), (1, 2, "a")]),
        ("S-a I-a", [(0, 1, "a"), (1, 2, "a")]),
        ("I-a O I-a", [(0, 1, "a"), (2, 3, "a")]),
        ("B-x-loc I-x-loc", [(0, 2, "x-loc")]),
        ("B I O I", [(0, 2, ""), (3, 4, "")]),
        ("Q-a q-a", [(0, 2, "a")]),
        ("loc _ o", []),
    ],
)
def test_lenient_boundaries(tags: str, chunks: list[tuple[int, int, str]]) -> None:
    assert decode(tags.split(), "IOB2")[0] == chunks


@pytest.mark.parametrize(
    ("repair", "message"),
    [
        ("conlleval", "'B-a' stands where BIOES has 'S-a'; read as 'S-a'"),
        ("strict", "'B-a' stands where BIOES has 'S-a'"),
        ("discard", "'B-a' stands where BIOES has 'S-a'; dropped with its chunk of 1 token"),
    ],
)
def test_a_repair_says_what_was_found_expected_and_done(repair: RepairPolicy, message: str) -> None:
    assert decode(["O", "B-a", "O"], "BIOES", repair)[1] == [(1, message, repair == "strict")]


@pytest.mark.parametrize(
    "chunks",
    [[(0, 2, "a"), (1, 3, "b")], [(1, 1, "a")], [(2, 4, "a")], [(-1, 1, "a")], [(0, 3, "a"), (1, 2, "a")]],
)
def test_encoding_refuses_chunks_that_tags_cannot_hold(chunks: list[tuple[int, int, str]]) -> None:
    with pytest.raises(InputError, match="one chunk per token"):
        encode(chunks, 3, "IOB2")


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        ("", "IOB2"),
        ("O O", "IOB2"),
        ("B-a O B-a", "IOB2"),
        ("B-a B-a", "IOB2"),
        ("I-a O I-a", "IOB1"),
        ("I-a B-a I-b", "IOB1"),
        ("B-a I-a O I-b O B-b", "IOB2"),
        ("I-a E-a O E-a", "IOE2"),
        ("I-a E-a I-a O I-a", "IOE1"),
        ("B-a E-a O S-a O B-a", "BIOES"),
        ("U-a O", "BILOU"),
        ("B-a I-a L-a", "BILOU"),
    ],
)
def test_guess_of_the_scheme(tags: str, scheme: Scheme) -> None:
    assert guess_scheme([tags.split()]) == scheme


@given(parts=st.lists(any_tags, max_size=5))
def test_the_guess_does_not_depend_on_order_and_is_the_least_repaired(parts: list[list[str]]) -> None:
    guess = guess_scheme(parts)
    assert guess == guess_scheme(parts[::-1])
    broken = {scheme: sum(len(decode(tags, scheme)[1]) for tags in parts) for scheme in SCHEMES}
    assert broken[guess] == min(broken.values())


def test_shapes_of_segments_add_up_to_the_guess() -> None:
    counts = {shape: 3 for tags in (["I-a", "B-a"], ["I-b"]) for shape in shapes(tags)}
    assert fitting_scheme(counts) == "IOB1"
