from __future__ import annotations

import pickle
from dataclasses import fields
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import msgspec
import pytest

from karat.errors import UsageError
from karat.evaluation.protocol import Protocol, no_facts
from karat.evaluation.registry import _OWN, _of_package, find, plug_ins, protocol, protocols

every_protocol = pytest.mark.parametrize("one", protocols().values(), ids=lambda one: one.name)


def test_an_unknown_name_gets_a_suggestion() -> None:
    with pytest.raises(UsageError, match="unknown protocol 'hipe2022-ner'; did you mean 'hipe2022-ne"):
        protocol("hipe2022-ner")


@pytest.mark.parametrize("package", _OWN)
def test_the_table_says_what_a_package_declares(package: str) -> None:
    assert _OWN[package] == tuple(_of_package(package))


def test_a_name_that_is_none_finds_nothing() -> None:
    assert find("no-such-protocol") is None


@every_protocol
def test_a_declaration_is_complete(one: Protocol) -> None:
    bound = one.with_options()
    assert all([one.title, one.summary, bound.figures, bound.counts, one.unit])
    assert set(bound.main.regimes) <= set(bound.regimes())
    assert set(bound.main.averages) <= {figure.average for figure in bound.figures}
    assert len({(figure.measure, figure.regime, figure.average) for figure in bound.figures}) == len(bound.figures)
    for option in fields(one.options):
        assert option.metadata["help"], option.name
        assert not option.metadata["choices"] or option.default in option.metadata["choices"], option.name


@every_protocol
def test_quirks_have_a_name_a_sentence_and_known_profiles(one: Protocol) -> None:
    names = [quirk.name for quirk in one.quirks]
    assert len(set(names)) == len(names)
    choices = {option.name: option.metadata["choices"] for option in fields(one.options)}
    for quirk in one.quirks:
        assert quirk.text.endswith("."), quirk.name
        assert "profile" not in choices or set(quirk.profiles) <= set(choices["profile"]), quirk.name


@every_protocol
def test_unknown_options_and_values_are_refused(one: Protocol) -> None:
    with pytest.raises(UsageError, match=f"protocol {one.name}: unknown option 'no_such_option'"):
        one.with_options({"no_such_option": "x"})
    for option in fields(one.options):
        if option.metadata["choices"]:
            with pytest.raises(UsageError, match=f"protocol {one.name}: {option.name} is 'no such value'; expected "):
                one.with_options({option.name: "no such value"})


def test_a_protocol_that_was_sent_still_says_that_it_has_no_facts() -> None:
    """Else what is read once would be read, or held, for facts of which there are none."""
    bound = [one.with_options() for one in protocols().values()]
    without = [one for one in bound if one.facts is no_facts]
    assert without
    assert all(pickle.loads(pickle.dumps(one)).facts is no_facts for one in without)  # noqa: S301 - it is ours


def test_others_add_protocols_through_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    first = next(iter(protocols().values()))
    extra: dict[str, Any] = {
        "one": msgspec.structs.replace(first, name="theirs"),
        "two": (msgspec.structs.replace(first, name="a"), msgspec.structs.replace(first, name="b")),
    }
    points = EntryPoints(EntryPoint(name, "module:thing", "karat.protocols") for name in extra)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points.select(group=group))
    monkeypatch.setattr(EntryPoint, "load", lambda self: extra[self.name])
    plug_ins.cache_clear()
    try:
        assert {"theirs", "a", "b", first.name} <= protocols().keys()
    finally:
        monkeypatch.undo()
        plug_ins.cache_clear()
