"""The published evaluations that Karat reproduces, by name.

Own protocols are found through the table below, which says where each is declared, so that one is imported only when it
is asked for; those of others through the entry-point group ``karat.protocols`` (a
:class:`~karat.evaluation.protocol.Protocol`, or a tuple of them).
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

from karat.errors import UsageError, unknown

if TYPE_CHECKING:
    from karat.evaluation.protocol import Bound, Protocol
    from karat.plugins import PlugInRegistry

_OWN = {
    "hipe": (
        "hipe2020-nerc-coarse",
        "hipe2020-nerc-fine",
        "hipe2020-nel",
        "hipe2022-nerc-coarse",
        "hipe2022-nerc-fine",
        "hipe2022-nel",
    ),
    "spans": ("conll2003", "conlleval", "seqeval", "wnut17", "multiconer", "nervaluate", "semeval2013", "overlap"),
    "linking": ("tac-edl", "gerbil-a2kb", "gerbil-d2kb"),
    "newsreader": ("newsreader-ned", "newsreader-ned-corrected"),
    "ehealthkd": ("ehealthkd2021-main", "ehealthkd2021-entities", "ehealthkd2021-relations"),
    "relations": ("relations",),
    "tacred": ("tacred",),
    "docred": ("docred", "redocred"),
    "semeval2010": ("semeval2010-task8",),
    "triples": ("triples",),
    "coreference": ("coref", "conll2012", "coval", "corefeval", "scorch"),
    "coreference.corefud": ("corefud",),
    "coreference.universal_anaphora": ("universal-anaphora",),
    "omin": ("omin-seed-ner", "omin-head-ner", "omin-coref", "omin-head-nel", "omin-seed-nel"),
    "coldstart": ("tac2015-sf",),
}
"""The packages here that declare protocols, and the names of these in their order."""


_OF_READING = ("scheme", "repair", "end")
"""What people take for options of a protocol, and is said of what is read."""


@cache
def _of_package(package: str) -> dict[str, Protocol]:
    declared = importlib.import_module(f"karat.protocols.{package}.declaration").PROTOCOLS
    return {protocol.name: protocol for protocol in declared}


def _own_package(name: str) -> str:
    """Return the package here that declares a protocol of that name; nothing if there is none."""
    return next((package for package, names in _OWN.items() if name in names), "")


@cache
def plug_ins() -> PlugInRegistry[Protocol]:
    """Return the protocols that other packages offer."""
    from karat.evaluation.protocol import Protocol
    from karat.plugins import load_plug_ins

    return load_plug_ins("karat.protocols", Protocol, {name for names in _OWN.values() for name in names})


def protocols() -> dict[str, Protocol]:
    """Return every protocol by name."""
    own = {name: protocol for package in _OWN for name, protocol in _of_package(package).items()}
    return own | plug_ins().known


def find(name: str) -> Protocol | None:
    """Return the protocol of that name, if there is one, without importing any other of our own."""
    package = _own_package(name)
    return _of_package(package)[name] if package else plug_ins().named(name)


def plug_in_of(protocol: Protocol) -> str:
    """Return the package that brings a protocol, with its version, as a signature has it; nothing for our own."""
    return "" if _own_package(protocol.name) else plug_ins().requirement_of(protocol.name, protocol)


def protocol(name: str) -> Protocol:
    """Return the protocol of that name; an unknown one is an error with suggestions."""
    known = find(name)
    if known is None:
        raise unknown_protocol(name)
    return known


_named = protocol


def configure(protocol: str | Protocol, options: Mapping[str, Any]) -> Bound:
    """Return the protocol with these options, checked."""
    chosen = _named(protocol) if isinstance(protocol, str) else protocol
    known = {declared.name for declared in fields(chosen.options)}
    for name in (name for name in options if name in _OF_READING and name not in known):
        advice = f"how tags and spans are read is said with --read {name}={options[name]}"
        raise UsageError(f"protocol {chosen.name} has no option {name!r}; {advice}")
    return chosen.with_options(options)


def unknown_protocol(name: str) -> UsageError:
    """Return the error for a protocol that nobody knows: the nearest, or for the name of a task those that judge it.

    >>> str(unknown_protocol("linking")).partition(":")[0]
    "unknown protocol 'linking', which is a task"
    """
    plug_ins().warn()
    of_task = [protocol.name for protocol in protocols().values() if protocol.task == name]
    if of_task:
        return UsageError(f"unknown protocol {name!r}, which is a task: name one of {', '.join(of_task)}")
    return unknown("protocol", name, protocols())
