from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from karat.vocabularies.ontology.names import NameKeys, keys_of, settled, usual_key, usual_name

usual = st.builds("{}{}".format, st.sampled_from("QPL"), st.integers(0, 10**15))
unusual = st.sampled_from(["Q007", "q5", "Q", "Q٣", "somevalue"])
names = st.lists(st.one_of(usual, st.text(min_size=1), unusual), unique=True)


@given(names)
def test_every_name_has_its_own_key_and_is_found_again(given_names: list[str]) -> None:
    known = NameKeys()
    keys = np.array([known.key(name) for name in given_names], np.int64)
    ranked, final = known.in_order()
    keys = settled(keys, final)
    assert len(set(keys.tolist())) == len(given_names)
    assert keys_of(given_names, ranked).tolist() == keys.tolist()
    for name, key in zip(given_names, keys.tolist(), strict=True):
        assert (usual_name(key) if key >= 0 else ranked[-key - 1]) == name


def test_unknown_names_have_no_key() -> None:
    assert keys_of(["", "elsewhere", "Q00"], ["here"]).tolist() == [0, 0, 0]


@given(usual)
def test_usual_names_come_back(name: str) -> None:
    key = usual_key(name)
    assert key is not None
    assert usual_name(key) == name
