"""The rules of GERBIL: annotations that match strongly or weakly, with every mention counted."""

from __future__ import annotations

from karat.protocols.linking.judge import Rule
from karat.protocols.linking.options import A2kbOptions, D2kbOptions

STRONG = Rule("strong", ("place", "id"), distinct=False)
_WEAK = "weak"
A2KB = (STRONG.name, _WEAK)
D2KB = (STRONG.name,)


def a2kb(options: A2kbOptions) -> tuple[Rule, ...]:
    """Return the rules for mentions that the system has found itself."""
    first = options.profile == "published"
    return STRONG, Rule(_WEAK, ("place", "id"), pairing="first-overlap" if first else "overlap", distinct=False)


def d2kb(options: D2kbOptions) -> tuple[Rule, ...]:
    """Return the rule for mentions that are given."""
    del options
    return (STRONG,)
