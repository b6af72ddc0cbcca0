"""All programs that Karat can be compared with, by name."""

from __future__ import annotations

from tests.differential import (
    coldstart,
    coreference,
    ehealthkd,
    hipe,
    joint_models,
    labels,
    newsreader,
    omin,
    relations,
    tag_metrics,
    tags,
    universal_anaphora,
)
from tests.differential.comparing import Reference

_MODULES = (
    hipe,
    coreference,
    universal_anaphora,
    ehealthkd,
    newsreader,
    coldstart,
    omin,
    tags,
    tag_metrics,
    labels,
    relations,
    joint_models,
)

REFERENCES: dict[str, Reference] = {
    value.name: value for module in _MODULES for value in vars(module).values() if isinstance(value, Reference)
}
