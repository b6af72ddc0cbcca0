"""From a signature back to what was asked for: the options of the protocol, how files were read, and the intervals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import Field, fields
from typing import Any, NamedTuple

from karat.errors import InputError, KaratError, UsageError
from karat.protocols.base import Protocol
from karat.scoring import Bootstrap, Reading

_DRAWN = re.compile(r"(?P<method>[a-z]+?)(?P<resamples>[0-9]+)(/(?P<version>v[0-9]+))?/seed(?P<seed>[0-9]+)")
DRAWING = "v3"
"""The version of drawing units that this version of Karat knows."""


class SignatureSettings(NamedTuple):
    """What a signature says: the version, the options of the protocol, and all other parts."""

    version: str
    options: dict[str, str]
    others: dict[str, str]


def asked_in(parts: Mapping[str, str], protocol: Protocol) -> SignatureSettings:
    """Tell the options of a protocol from the other parts of a signature."""
    known = {declared.metadata["signed"] or declared.name for declared in fields(protocol.options)}
    others = {key: value for key, value in parts.items() if key not in known}
    options = {key: value for key, value in parts.items() if key in known}
    return SignatureSettings(others.pop("karat", ""), options, others)


def settings_for(protocol: Protocol, options: Mapping[str, str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings by which options have these texts in a signature.

    What a signature cannot say, such as the content of a file that it has a digest of, must be given; what is given is
    taken as it is.
    """
    settings = dict(given)
    lacking = []
    for declared in fields(protocol.options):
        text = options.get(declared.metadata["signed"] or declared.name)
        if declared.name in settings or text is None:
            continue
        if _says(protocol, declared, text):
            settings[declared.name] = text
        else:
            lacking.append(f"{declared.name}={declared.metadata.get('metavar', 'VALUE')}")
    if lacking:
        raise UsageError(f"the signature does not hold all that was scored with; add {' '.join(lacking)}")
    return settings


def _says(protocol: Protocol, declared: Field[Any], text: str) -> bool:
    """Say whether the text of a signature is the setting itself."""
    try:
        value = getattr(protocol.configure({declared.name: text}), declared.name)
    except (KaratError, OSError):
        return False
    return bool(declared.metadata["show"](value) == text)


def readings_from(text: str) -> list[Reading]:
    """Return how both sides were read, by what the signature says of it.

    >>> [reading.format for reading in readings_from("brat/llm,place=first")]
    ['brat', 'llm']
    """
    sides = text.split("/") if text else [""]
    if len(sides) > 2:
        raise UsageError(f"the signature says read:{text}, which names files; say how to read by --from and --read")
    return [_reading(side) for side in (sides[0], sides[-1])]


def _reading(text: str) -> Reading:
    words = [word for word in text.split(",") if word]
    shares = "share-links" in words
    options = dict(word.split("=", 1) for word in words if "=" in word)
    named = [word for word in words if "=" not in word and word != "share-links"]
    return Reading(named[0] if named else None, options, shares)


def other_drawing(text: str) -> str:
    """Return by which other version intervals were drawn than this one does, if they were; the first had no number.

    >>> other_drawing("bootstrap1000/seed42"), other_drawing("bootstrap1000/v2/seed42")
    ('v1', 'v2')
    """
    match = _DRAWN.match(text)
    version = (match["version"] or "v1") if match else DRAWING
    return "" if version == DRAWING else version


def bootstrap_from(text: str) -> Bootstrap:
    """Return how intervals were computed, by what the signature says of it.

    >>> bootstrap_from("studentised2000/v3/seed42/0.9/clusters=source")
    Bootstrap(resamples=2000, seed=42, level=0.9, method='studentised', clusters='source', strata='')
    """
    match = _DRAWN.match(text)
    known: dict[str, Any] = {}
    if match is not None:
        if version := other_drawing(text):
            raise InputError(f"its intervals were drawn by {version}; this version of Karat draws by {DRAWING}")
        known = {"method": match["method"], "resamples": int(match["resamples"]), "seed": int(match["seed"])}
        words = text[match.end() :].split("/")
    else:
        method, *words = text.split("/")
        known = {"method": method}
    try:
        for word in filter(None, words):
            name, is_key, value = word.partition("=")
            known |= {name: value} if is_key else {"level": float(name)}
        return Bootstrap(**known)
    except (TypeError, ValueError, UsageError) as error:
        raise InputError(f"the signature says ci:{text}, which is no way to compute intervals") from error
