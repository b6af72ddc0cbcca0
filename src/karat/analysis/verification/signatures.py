"""Signatures in words, and the options, ways of reading and interval settings that they encode."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from karat._version import __version__
from karat.analysis.statistics.intervals import Bootstrap
from karat.errors import InputError, KaratError, UsageError, plural
from karat.evaluation.corpora import Reading
from karat.evaluation.protocol import Protocol
from karat.evaluation.registry import find
from karat.settings import recover_settings, shared_option
from karat.signature import JUDGEMENTS, PLUG_INS, SIGNATURE_START, parts_of

_DRAWN = re.compile(r"(?P<method>[a-z]+?)(?P<resamples>[0-9]+)(/(?P<version>v[0-9]+))?/seed(?P<seed>[0-9]+)")
DRAWING = "v3"
"""The version of the bootstrap sampling scheme of this Karat."""


class SignatureSettings(NamedTuple):
    """The settings in a signature: the version, the options of the protocol, and all other parts."""

    version: str
    options: dict[str, str]
    others: dict[str, str]


def settings_in(parts: Mapping[str, str], protocol: Protocol) -> SignatureSettings:
    """Return the parts of a signature, divided into options of a protocol and others."""
    known = {declared.metadata["signed"] or declared.name for declared in fields(protocol.options)}
    other_parts = {key: value for key, value in parts.items() if key not in known}
    options = {key: value for key, value in parts.items() if key in known}
    return SignatureSettings(other_parts.pop("karat", ""), options, other_parts)


def settings_for(protocol: Protocol, options: Mapping[str, str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a protocol from the texts of its options in a signature.

    Values that a signature cannot contain, such as a file of which it has only the digest, must be in ``given``.
    """
    settings = {**recover_settings(protocol.options, options), **given}
    lacking = [
        f"{declared.name}={declared.metadata.get('metavar', 'VALUE')}"
        for declared in fields(protocol.options)
        if (declared.metadata["signed"] or declared.name) in options and declared.name not in settings
    ]
    if lacking:
        raise UsageError(f"the signature does not contain every option of the result; add {' '.join(lacking)}")
    return settings


def readings_from(text: str) -> list[Reading]:
    """Return the readings of both sides from the text in a signature.

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
    """Return the version of the sampling scheme if it differs from this one's, or ""; v1 was written without a number.

    >>> other_drawing("bootstrap1000/seed42"), other_drawing("bootstrap1000/v2/seed42")
    ('v1', 'v2')
    """
    match = _DRAWN.match(text)
    version = (match["version"] or "v1") if match else DRAWING
    return "" if version == DRAWING else version


def bootstrap_from(text: str) -> Bootstrap:
    """Return the interval settings from the text in a signature.

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
        raise InputError(f"the signature says ci:{text}, which is not a method for intervals") from error


_DATA = "the first digits of the SHA-256 of the {} file; of a folder those of all its files, of objects their JSON"
_METHODS = {
    "studentised": "studentised bootstrap intervals",
    "widened": "percentile intervals, wider where units are few",
    "percentile": "percentile intervals",
    "bca": "bias-corrected percentile intervals",
    "linearised": "intervals by the standard error, without draws",
    "wilson": "Wilson's intervals",
}
_CONTENT = "the first digits of a SHA-256 of the content of the {}, whatever the order, compression and line ends"
_OF_RUNS = "seeds+"
_TESTS = {
    "randomisation": "differences are tested by swapping units between systems",
    "bootstrap": "differences are tested by resampling units",
    "t": "differences are tested by Student's distribution",
    "seeds": "differences are tested by Student's distribution, over units and runs",
}
_UNKNOWN = "unknown to this version"
_UNDEFINED = {"undefined": "undefined", "zero": "0", "one": "1"}


class SignaturePart(NamedTuple):
    """A part of a signature, and its meaning in words."""

    key: str
    value: str
    meaning: str


def signature_in_words(line: str) -> list[SignaturePart]:
    """Return every part of a signature with its meaning; a name or mark before the signature is ignored.

    >>> for part in signature_in_words("karat:0.1.0|protocol:coref|zero:zero")[1:]:
    ...     print(part.key, part.value, part.meaning, sep=" - ")
    protocol - coref - Coreference, all measures by their definitions; task coreference, reference none
    zero - zero - value of P, R and F1 when the denominator is 0: 0
    """
    parts = parts_of(line[max(0, line.find(SIGNATURE_START)) :])
    protocol = find(parts.get("protocol", ""))
    told = []
    for key, value in parts.items():
        meaning = _of_contest(key, value) if "systems" in parts else ""
        told.append(SignaturePart(key, value, meaning or _meaning(key, value, protocol)))
    return told + list(_quirks(protocol, parts))


def _of_contest(key: str, value: str) -> str:
    """Return the special meaning of a part in the signature of a comparison or a leaderboard, or an empty text."""
    if key == "gold":
        return _CONTENT.format("gold")
    if key == "systems":
        return f"{_CONTENT.format('systems')}; those of several runs of one are joined by +"
    if key in ("ci", "difference"):
        about = "of differences: " if key == "difference" else ""
        runs = "over units and runs where a system has several; else " if value.startswith(_OF_RUNS) else ""
        method = value.removeprefix(_OF_RUNS)
        return about + runs + (_METHODS.get(method, "") or _intervals(method))
    if key == "test":
        name = next((name for name in _TESTS if value.startswith(name)), "")
        draws, _, seed = value.removeprefix(name).partition("/seed")
        drawn = ", in all ways there are" if draws == "/all" else f", {draws} draws with seed {seed}" if seed else ""
        return name and _TESTS[name] + drawn
    if key == "adjusted" and value == "holm":
        return "p-values are adjusted for the number of pairs by Holm's method"
    return ""


def _meaning(key: str, value: str, protocol: Protocol | None) -> str:
    if key == "karat":
        return "the version that scored" + ("" if value == __version__ else f"; this is {__version__}")
    if key == "protocol":
        if protocol is None:
            return "a protocol that is not installed here"
        return f"{protocol.title}; task {protocol.task}, reference {protocol.reference or 'none'}"
    if key == "zero":
        return f"{shared_option('zero').metadata['help']}: {_UNDEFINED.get(value, _UNKNOWN)}"
    if key == "measures":
        return "measures that were asked for beside those of the protocol: F-measures with this beta"
    if key in ("gold", "system"):
        return _DATA.format(key)
    if key == JUDGEMENTS:
        return "the first digits of the SHA-256 of the answers of judges that the gold was made of"
    if key == PLUG_INS:
        return "the packages that provide the protocol or the formats" + "".join(_otherwise(value))
    if key == "read":
        return "how files were read, if specified: the format and its options, gold/system if they differ"
    if key == "ci":
        return _intervals(value)
    if protocol is not None and key == plural(protocol.unit):
        return f"the number of {key}, which are scored and drawn independently"
    for declared in fields(protocol.options) if protocol is not None else ():
        if key == (declared.metadata["signed"] or declared.name):
            return f"{declared.metadata['help']}{_default(declared.default, value)}"
    return _UNKNOWN


def _otherwise(packages: str) -> Iterator[str]:
    """Yield a remark for each package that is missing here or has another version."""
    from importlib.metadata import PackageNotFoundError, version

    for package in packages.split(","):
        name, _, told = package.partition("==")
        try:
            here = version(name)
        except (PackageNotFoundError, ValueError):
            yield f"; {name} is not installed here"
            continue
        if here != told:
            yield f"; here {name} is {here}"


def _default(default: object, value: str) -> str:
    if not isinstance(default, str) or not default:
        return ""
    return " (the default)" if default == value else f" (default: {default})"


def _intervals(value: str) -> str:
    try:
        asked = bootstrap_from(value)
    except KaratError as error:
        return str(error)
    drawn = f", {asked.resamples} resamples with seed {asked.seed}" if "seed" in value else ""
    keys = {"drawn in clusters by": asked.clusters, "drawn within strata by": asked.strata}
    more = "".join(f", {words} {key}" for words, key in keys.items() if key)
    return f"{_METHODS[asked.method]} of level {asked.level:g}{drawn}{more}"


def _quirks(protocol: Protocol | None, parts: Mapping[str, str]) -> Iterator[SignaturePart]:
    """Yield the quirks of the reference that apply under the profile of the signature."""
    if protocol is None:
        return
    has_profiles = any(declared.name == "profile" for declared in fields(protocol.options))
    for quirk in protocol.quirks:
        if not has_profiles or parts.get("profile", "") in quirk.profiles:
            yield SignaturePart("quirk", quirk.name, quirk.text)
