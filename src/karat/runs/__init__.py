"""Run files: what a scored system is worth, without its annotations; parts of them, and how they merge."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from karat.runs.part import Part
    from karat.runs.run import Run


def load(path: str | os.PathLike[str]) -> Run:
    """Return the run of a file that ``karat score --save`` or :meth:`karat.Scores.save` has written."""
    from karat.runs.file import load as load_file

    return load_file(path)


def merge(parts: Iterable[Part | str | os.PathLike[str]]) -> Run:
    """Return the run of all its parts, in any order: to the last digit what one process would have made.

    Parts are files of ``karat score --part``, or what :func:`karat.scoring.part_of` returns.
    """
    from karat.runs.part import merge as merge_parts

    return merge_parts(parts)
