"""What other packages offer is found; whatever is wrong with one of them is named, and hurts nobody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import karat
from karat import formats
from karat.cli import run
from karat.errors import InputError, PluginError, PluginWarning, UsageError
from karat.evaluation import registry
from tests.plug_ins import installed

Command = Callable[..., SimpleNamespace]
CODE = """
def two(path, *, problems, want, options):
    yield Document("d", "Bern", [Mention("m", ((0, 9),), ("LOC",))])
    yield Document("d", "Bern", [Mention("m", ((0, 4),), ("LOC",))])

def boom(*arguments, **options):
    raise KeyError("boom")

def named(name, **declared):
    return Format(**{"name": name, "title": "a title", "read": two, **declared})

FINE = named("fine", suffixes=(".fine",), sniff=lambda head: head.startswith("fine"))
TAKEN = named("jsonl")
READS = named("reads", read=boom, write=boom)
SNIFFS = named("sniffs", sniff=boom)
NOTHING = named("nothing", read=lambda path, **rest: None, write=lambda documents, options: None)
DICTS = named("dicts", read=lambda path, **rest: [{}], write=lambda documents, options: "text")
DICT = {}

OURS = protocol("overlap")
PAIRS = msgspec.structs.replace(OURS, name="pairs")
TUPLE = (msgspec.structs.replace(OURS, name="one"), msgspec.structs.replace(OURS, name="two"))

def ruled(name, **rules):
    bind = lambda options: msgspec.structs.replace(OURS.bind(options), **rules)
    return msgspec.structs.replace(OURS, name=name, bind=bind)

DRAFTS = ruled("drafts", draft=boom)
EMPTY = ruled("empty", draft=lambda *arguments: None)
REMARKS = ruled("remarks", remarks=boom)
"""
FORMATS = {
    "fine": ":FINE",
    "taken": ":TAKEN",
    "reads": ":READS",
    "sniffs": ":SNIFFS",
    "nothing": ":NOTHING",
    "dicts": ":DICTS",
    "other": ":DICT",
    "nowhere": ":NOWHERE",
}
PROTOCOLS = {
    "pairs": ":PAIRS",
    "tuple": ":TUPLE",
    "taken": ":OURS",
    "drafts": ":DRAFTS",
    "empty": ":EMPTY",
    "remarks": ":REMARKS",
    "module": "",
    "format": ":FINE",
}
GOLD = '{"id": "d", "text": "Bern", "mentions": [{"id": "m", "spans": [[0, 4]], "labels": ["LOC"]}]}\n'


@pytest.fixture
def offered(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with a gold file, while a package offers all that can go wrong."""
    (tmp_path / "gold.jsonl").write_text(GOLD)
    (tmp_path / "site").mkdir()
    with installed(tmp_path / "site", "odd", "0.1", CODE, formats=FORMATS, protocols=PROTOCOLS):
        yield tmp_path


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs a command line."""

    def told(*words: str) -> SimpleNamespace:
        status = run(words)
        return SimpleNamespace(status=status, **capsys.readouterr()._asdict())

    return told


def test_what_is_sound_is_there_and_the_rest_is_named(offered: Path, command: Command) -> None:
    shown = command("formats")
    assert (shown.status, "fine" in shown.out.partition("of other packages:")[2]) == (0, True)
    absent = "cannot be loaded (AttributeError: module 'odd' has no attribute 'NOWHERE'); update or remove odd"
    assert shown.err.splitlines() == [
        f"karat: warning: the format 'nowhere' of odd 0.1 {absent}",
        "karat: warning: the format 'other' of odd 0.1 is a dict (odd:DICT); expected a Format, or a tuple of them",
        "karat: warning: the format 'jsonl' of odd 0.1 is left out: Karat has a format of that name; use another name",
    ]
    shown = command("protocols")
    assert {"pairs", "one", "two", "overlap"} <= {line.split(" ")[0] for line in shown.out.splitlines()}
    assert [line.partition(" of odd")[0] for line in shown.err.splitlines()] == [
        "karat: warning: the protocol 'format'",
        "karat: warning: the protocol 'module'",
        "karat: warning: the protocol 'overlap'",
    ]


def test_our_own_stay_and_plug_ins_are_not_asked(offered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert formats.formats()["jsonl"].title.startswith("Karat's JSON lines")
    assert registry.protocols()["overlap"].title == registry.protocol("overlap").title
    assert registry.protocols()["overlap"] is registry.protocol("overlap")
    monkeypatch.setattr("importlib.metadata.entry_points", None)
    for cached in (formats.catalogue.plug_ins, registry.plug_ins):
        cached.cache_clear()
    scores = karat.score("overlap", str(offered / "gold.jsonl"), str(offered / "gold.jsonl"))
    assert scores.value("f1") == 1.0


def test_what_cannot_be_had_is_an_error_when_it_is_asked_for(offered: Path, command: Command) -> None:
    for kind, name in (("formats", "nowhere"), ("formats", "other"), ("protocols", "module")):
        shown = command(kind, name)
        assert (shown.status, shown.out) == (70, "")
        assert shown.err.startswith(f"karat: the {kind[:-1]} '{name}' of odd 0.1 ")
    with pytest.warns(PluginWarning) as told, pytest.raises(UsageError, match="did you mean 'fine'"):
        formats.format_named("finee")
    assert len(told) == 3


def test_recognition_goes_on_without_a_plug_in_that_fails(offered: Path, command: Command) -> None:
    (offered / "file.fine").write_text("fine\n")
    shown = command("formats", "--of", str(offered / "file.fine"))
    assert (shown.status, shown.out.partition("\n")[0]) == (0, f"{offered / 'file.fine'}: fine")
    told = "karat: warning: the format 'sniffs' of odd 0.1 cannot look at files, and is passed over (KeyError: 'boom')"
    assert told in shown.err.splitlines()
    assert command("validate", str(offered / "gold.jsonl")).err.count("\n") == 1


def test_two_packages_with_one_name_are_both_named(offered: Path, command: Command) -> None:
    (offered / "more").mkdir()
    with installed(offered / "more", "other", "2.0", "FINE = format_named('naf')", formats={"naf": ":FINE"}):
        assert "the format 'naf' of other 2.0 is left out" in command("formats").err
    with installed(offered / "more" / "..", "second", "3", CODE, formats={"fine": ":FINE"}):
        shown = command("formats", "fine")
    sentence = "karat: the format 'fine' of odd 0.1 is offered by second 3 as well; remove one of them\n"
    assert (shown.status, shown.err) == (70, sentence)


FAILURES = {
    "validate {} --from reads": "the format 'reads' of odd 0.1 has failed in odd.py, line 13 (KeyError: 'boom')",
    "validate {} --from nothing": "the format 'nothing' of odd 0.1 returns nothing for {}; expected Document objects",
    "validate {} --from dicts": "the format 'dicts' of odd 0.1 reads a dict in {}; expected Document objects",
    "convert {} out --to reads": "the format 'reads' of odd 0.1 has failed in odd.py, line 13 (KeyError: 'boom')",
    "convert {} out --to nothing": "the format 'nothing' of odd 0.1 took part in (TypeError: format nothing writes no",
    "convert {} out --to dicts": "the format 'dicts' of odd 0.1 took part in (TypeError: format dicts writes 'text'",
    "score drafts {} {}": "the protocol 'drafts' of odd 0.1 has failed in odd.py, line 13 (KeyError: 'boom')",
    "score empty {} {}": "the protocol 'empty' of odd 0.1 took part in (TypeError: protocol empty drafts nothing",
    "score remarks {} {}": "the protocol 'remarks' of odd 0.1 has failed in odd.py, line 13 (KeyError: 'boom')",
}


@pytest.mark.parametrize("words", FAILURES)
def test_a_plug_in_that_fails_is_named(words: str, offered: Path, command: Command) -> None:
    gold = str(offered / "gold.jsonl")
    shown = command(*(gold if word == "{}" else word for word in words.split()))
    assert (shown.status, shown.out) == (70, "")
    assert FAILURES[words].replace("{}", gold) in shown.err
    assert "internal error" not in shown.err


def test_a_plug_in_that_fails_in_a_worker_is_named_the_same_way(offered: Path, command: Command) -> None:
    gold = offered / "gold.jsonl"
    gold.write_text("".join(GOLD.replace('"d"', f'"d{number}"') for number in range(40)))
    words = ("score", "drafts", str(gold), str(gold))
    alone, spread = command(*words), command(*words, "--workers", "2")
    assert (spread.status, spread.err) == (alone.status, alone.err)
    assert FAILURES["score drafts {} {}"] in spread.err


def test_a_plug_in_without_a_writer_is_for_reading_only(offered: Path) -> None:
    with pytest.raises(UsageError, match="format fine can only be read; writable are jsonl, "):
        formats.render([], "fine")


def test_where_a_plug_in_has_failed_is_shown_to_who_asks(
    offered: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    gold = str(offered / "gold.jsonl")
    assert "Traceback" not in command("score", "drafts", gold, gold).err
    monkeypatch.setenv("KARAT_TRACEBACK", "1")
    assert "in boom\n" in command("score", "drafts", gold, gold).err
    assert "has no attribute 'NOWHERE'" in command("formats", "nowhere").err.partition("karat:")[0]


def test_documents_of_a_plug_in_are_sound_or_refused(offered: Path, command: Command) -> None:
    gold = str(offered / "gold.jsonl")
    shown = command("validate", gold, "--from", "fine")
    assert shown.out.splitlines() == [
        f"{gold}: error: document 'd': mention 'm': span [0, 9] ends outside the text, which has 4 characters",
        f"{gold}: error: document 'd': is there twice; remove one",
    ]
    shown = command("score", "overlap", gold, gold, "--from", "fine")
    assert (shown.status, "ends outside the text" in shown.err) == (3, True)


def test_the_declaration_of_a_format_is_enough_to_read_and_to_write(tmp_path: Path) -> None:
    jsonl = formats.format_named("jsonl")
    (tmp_path / "gold.jsonl").write_text(GOLD)
    documents = karat.read(tmp_path / "gold.jsonl", jsonl)
    karat.write(documents, tmp_path / "copy.jsonl", jsonl)
    assert karat.read(tmp_path / "copy.jsonl")[0].mentions == documents[0].mentions
    for sides in ({"format": jsonl}, {"system_format": jsonl}):
        with pytest.raises(UsageError, match=r"the format is a Format; .* karat.read\(path, FORMAT\)"):
            karat.score("overlap", str(tmp_path / "gold.jsonl"), str(tmp_path / "gold.jsonl"), **sides)


def test_plug_in_errors_are_neither_of_the_input_nor_of_its_use() -> None:
    assert not issubclass(PluginError, InputError | UsageError)
    assert issubclass(PluginError, karat.KaratError)
