"""The rules of TAC's entity discovery and linking, by the names that neleval gives them (with hyphens)."""

from __future__ import annotations

from karat.protocols.linking.items import Field, Filter, Pairing, Rule

_MATCHES: dict[str, tuple[tuple[Field, ...], Filter]] = {
    "typed-all": (("place", "type", "id"), "all"),
    "mention": (("place",), "all"),
    "typed-mention": (("place", "type"), "all"),
    "linked-mention": (("place",), "linked"),
    "link": (("place", "id"), "linked"),
    "nil": (("place",), "nil"),
    "all": (("place", "id"), "all"),
    "typed-link": (("place", "type", "id"), "linked"),
    "typed-nil": (("place", "type"), "nil"),
}
_STRENGTHS: dict[str, Pairing] = {"strong": "same", "weak": "overlap"}
_CLUSTERS: dict[str, tuple[Field, ...]] = {
    "mention-ceaf": ("place",),
    "typed-mention-ceaf": ("place", "type"),
    "mention-ceaf-plus": ("place", "id"),
    "typed-mention-ceaf-plus": ("place", "type", "id"),
}

RULES = (
    *(
        Rule(f"{strength}-{name}-match", fields, only, pairing)
        for strength, pairing in _STRENGTHS.items()
        for name, (fields, only) in _MATCHES.items()
    ),
    Rule("entity-match", ("id",), "linked"),
    *(Rule(name, fields, pairing="clusters") for name, fields in _CLUSTERS.items()),
)
NAMES = tuple(rule.name for rule in RULES)
SHOWN = (
    "strong-typed-all-match",
    "strong-mention-match",
    "strong-typed-mention-match",
    "strong-link-match",
    "strong-nil-match",
    "strong-all-match",
    "weak-mention-match",
    "weak-link-match",
    "entity-match",
    "mention-ceaf",
    "typed-mention-ceaf",
)
