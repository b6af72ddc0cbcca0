"""How many tags break their scheme, told from how tags are formed, which adds up over any parts of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from karat.annotations.tagging import Scheme, Shape, fitting_scheme, misfits


class ColumnForm(NamedTuple):
    """The shape of a chunk, or (``None``) a tag that says nothing, in a column that is read by a scheme."""

    column: str
    scheme: Literal["auto"] | Scheme
    shape: Shape | None


def broken_tags(counts: Mapping[Shape | None, int], scheme: Literal["auto"] | Scheme = "auto") -> tuple[Scheme, int]:
    """Return the scheme that so many chunks fit best, unless it is said, and how many tags break it.

    >>> broken_tags({Shape("BE", after=False, before=True): 2, None: 1})
    ('BIOES', 1)
    """
    formed = {shape: times for shape, times in counts.items() if shape is not None}
    read_as = fitting_scheme(formed) if scheme == "auto" else scheme
    return read_as, misfits(formed, read_as) + counts.get(None, 0)


def repairs_of(counts: Iterable[tuple[ColumnForm, int]]) -> int:
    """Return how many tags break the schemes of their columns."""
    columns: dict[tuple[str, Literal["auto"] | Scheme], dict[Shape | None, int]] = {}
    for (column, scheme, shape), times in counts:
        forms = columns.setdefault((column, scheme), {})
        forms[shape] = forms.get(shape, 0) + times
    return sum(broken_tags(forms, scheme)[1] for (_, scheme), forms in columns.items())
