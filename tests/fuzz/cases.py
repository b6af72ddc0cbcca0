"""Cases: a sample, damaged by chance that is the same every time, with the words or options it is tried with."""

from __future__ import annotations

import base64
from dataclasses import fields
from functools import cache
from random import Random
from typing import Any

import msgspec

from karat.display import views
from karat.evaluation.registry import protocols
from karat.formats import format_named, formats
from tests.fuzz.grammar import MOST_BYTES, mutate
from tests.fuzz.grammar.values import hostile
from tests.fuzz.targets import INPUT, Files, Target, targets

VIEWS = tuple(views.VIEWS)
_TASKS = {
    "mentions": (
        "hipe",
        "conll2003",
        "semeval2013",
        "overlap",
        "ehealthkd2021-entities",
        "omin-seed-ner",
        "omin-head-ner",
    ),
    "links": ("hipe2022-nel", "hipe2020-nel", "tac-edl", "gerbil", "newsreader", "omin-head-nel", "omin-seed-nel"),
    "chains": ("coref", "universal-anaphora", "conll2012", "coval", "corefeval", "scorch", "corefud", "omin-coref"),
    "relations": ("relations", "triples", "ehealthkd2021-main", "ehealthkd2021-relations"),
    "fills": ("tac2015-sf",),
}
"""The beginnings of the names of protocols that judge what a format carries."""


class Case(msgspec.Struct):
    """One input: the target, its files, and how they are read and scored, or the words of the command."""

    target: str
    files: Files
    words: tuple[str, ...] = ()
    options: dict[str, str] = {}
    protocol: str = ""
    settings: dict[str, str] = {}
    writer: str = ""
    view: str = "table"
    swapped: bool = False
    """Whether the damaged files are the gold."""

    @property
    def size(self) -> int:
        """How many bytes the case has."""
        return sum(map(len, self.files.values()))


def make(target: Target, seed: int) -> Case:
    """Return the case of a target and a seed."""
    random = Random(f"{target.title}:{seed}")  # noqa: S311 - nothing here is secret
    files = damaged(target.files, random)
    if not target.is_format:
        return Case(target.title, files, _words(target, random))
    declared = format_named(target.name)
    options = dict(target.options)
    if random.random() < 0.3:
        options |= _settings(declared.options, random)
    chosen = _protocol(declared.layers, random)
    settings = _settings(protocols()[chosen].options, random) if random.random() < 0.4 else {}
    writer = random.choice(_writers()) if declared.write is None or random.random() < 0.3 else target.name
    swapped, view = random.random() < 0.3, random.choice(VIEWS)
    return Case(target.title, files, (), options, chosen, settings, writer, view, swapped)


def damaged(sample: Files, random: Random) -> Files:
    """Return the files of a sample, damaged in one or a few ways."""
    files = dict(sample)
    if not files:
        return files
    for _ in range(random.choice((1, 1, 1, 1, 1, 2, 2, 3))):
        name = random.choice(list(files))
        if random.random() < 0.03:
            _change_files(files, name, random)
            if not files:
                break
        else:
            files[name] = mutate(files[name], random)
    return files


def _change_files(files: Files, name: str, random: Random) -> None:
    """Leave a file out, exchange it, or take one of another target in its place."""
    kind = random.randrange(4)
    if kind == 0:
        del files[name]
    elif kind == 1:
        other = random.choice(list(files))
        files[name], files[other] = files[other], files[name]
    elif kind == 2:
        foreign = random.choice([target for target in targets().values() if target.files])
        files[name] = random.choice(list(foreign.files.values()))[:MOST_BYTES]
    else:
        stem, dot, ending = name.rpartition(".")
        files[f"{stem}{random.choice(('2', ' ', 'é', '-'))}{dot}{ending}"] = files[name]


@cache
def _writers() -> list[str]:
    return [name for name, declared in formats().items() if declared.write is not None]


def _protocol(layers: str, random: Random) -> str:
    """Return a protocol that judges what a format carries or, at times, any other."""
    begins = tuple(name for layer, names in _TASKS.items() if layer in layers for name in names)
    fitting = [name for name in protocols() if name.startswith(begins)]
    return random.choice(fitting if fitting and random.random() < 0.8 else list(protocols()))


def _settings(options: type[Any], random: Random) -> dict[str, str]:
    """Return one or two options with one of their choices."""
    known = [declared for declared in fields(options) if declared.metadata.get("choices")]
    chosen = random.sample(known, min(len(known), random.choice((1, 1, 2))))
    return {declared.name: random.choice(declared.metadata["choices"]) for declared in chosen}


def _words(target: Target, random: Random) -> tuple[str, ...]:
    """Return the words of a command; at times one is changed or repeated."""
    words = list(target.words)
    if random.random() < 0.1:
        place = random.randrange(1, len(words)) if len(words) > 1 else 0
        value = hostile(random)
        if words[place].startswith("-") or not {"/", "\\", "\0"}.isdisjoint(value) or value in ("", ".", "..", "~"):
            words += words[place - 1 : place + 1]
        elif not words[place].startswith(INPUT):
            words[place] = value
    elif random.random() < 0.3:
        words += random.choice((["--profile", "corrected"], ["-profile", "corrected"], ["--profile", "published"]))
    return tuple(words)


def packed(case: Case, fault: str) -> dict[str, Any]:
    """Return a case as JSON; files that are no text are written as base 64."""
    found = msgspec.to_builtins(msgspec.structs.replace(case, files={}))
    files = {name: _text(content) for name, content in case.files.items()}
    return {"fault": fault, **{key: value for key, value in found.items() if value}, "files": files}


def unpacked(packed: dict[str, Any]) -> Case:
    """Return a case from its JSON."""
    files = {name: _bytes(text) for name, text in packed["files"].items()}
    rest = {key: value for key, value in packed.items() if key not in ("fault", "files")}
    return msgspec.structs.replace(msgspec.convert({**rest, "files": {}}, Case), files=files)


def _text(content: bytes) -> Any:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}
    return text if text.encode() == content else {"base64": base64.b64encode(content).decode()}


def _bytes(text: Any) -> bytes:
    return base64.b64decode(text["base64"]) if isinstance(text, dict) else text.encode()
