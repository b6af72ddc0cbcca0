"""All programs that Karat can be compared with, by name."""

from __future__ import annotations

from tests.differential import coreference, hipe, programs_of_tasks, tags
from tests.differential.comparing import Reference

REFERENCES: dict[str, Reference] = {
    value.name: value
    for module in (hipe, coreference, programs_of_tasks, tags)
    for value in vars(module).values()
    if isinstance(value, Reference)
}
