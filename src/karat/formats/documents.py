"""Reads documents from files of any format, and writes them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from karat.errors import UsageError
from karat.formats.base import EVERYTHING, Format, Problems, Want
from karat.formats.catalogue import format_named, formats
from karat.formats.recognition import sniff
from karat.io import opened_once
from karat.io.progress import watched
from karat.io.source import SourceFile
from karat.model import Document
from karat.settings import build

if TYPE_CHECKING:
    from pathlib import Path

    from karat.formats.fidelity import Losses


def read(
    path: str | os.PathLike[str],
    format: str | Format | None = None,  # noqa: A002 - the word users know
    *,
    problems: Problems | None = None,
    want: Want = EVERYTHING,
    options: Mapping[str, Any] | None = None,
) -> Iterator[Document]:
    """Return an iterator over the documents of a file or folder, read lazily.

    Args:
        path: the file or folder.
        format: a format or its name; by default the format is recognised from the content.
        problems: collects what is wrong; by default the first error is raised.
        want: what is needed of the documents; by default everything.
        options: settings of the format, by name.

    """
    source = opened_once(path)
    chosen = _declared(format) if format else sniff(source)
    settings = build(chosen.options, options or {}, f"format {chosen.name}")
    documents = chosen.read(source, problems=problems or Problems(), want=want, options=settings)
    return watched(_of_plain_paths(documents) if isinstance(source, SourceFile) else documents)


def _of_plain_paths(documents: Iterable[Document]) -> Iterator[Document]:
    """Yield documents whose source is a plain path, so that it can be pickled and outlives the open file."""
    for document in documents:
        if isinstance(document.source, SourceFile):
            document.source = str(document.source)
        yield document


def _declared(format: str | Format) -> Format:  # noqa: A002 - the word users know
    return format if isinstance(format, Format) else format_named(format)


def write(
    documents: Iterable[Document],
    path: str | os.PathLike[str],
    format: str | Format,  # noqa: A002 - the word users know
    options: Mapping[str, Any] | None = None,
    *,
    losses: Losses | None = None,
) -> None:
    """Write documents to a file, or to a folder for a format of folders; either everything is written or nothing.

    A single document of a format of folders is written to a file if the path has the extension of the format.

    Args:
        documents: the documents.
        path: the file or folder.
        format: a format or its name.
        options: settings of the format, by name.
        losses: counts what the format cannot hold; without it, documents that would lose anything are refused.

    """
    from karat.io.outputs import write_folder, write_whole

    ending = os.path.splitext(path)[1].lower()  # noqa: PTH122 - small commands do without pathlib
    with written(documents, format, options, losses=losses) as files:
        alone = len(files) == 1 and ending in _declared(format).suffixes
        if alone or "" in files:
            write_whole({path: next(iter(files.values()))})
        else:
            write_folder(path, files)


def render(
    documents: Iterable[Document],
    format: str | Format,  # noqa: A002 - the word users know
    options: Mapping[str, Any] | None = None,
    *,
    losses: Losses | None = None,
) -> dict[str, str]:
    """Return the files that hold the documents, by name; a format with a single file uses the name ``""``.

    Documents that would lose anything are refused, unless ``losses`` is given to count it.
    """
    with written(documents, format, options, losses=losses) as files:
        return {name: file.read_bytes().decode("utf-8") for name, file in files.items()}


@contextmanager
def written(
    documents: Iterable[Document],
    format: str | Format,  # noqa: A002 - the word users know
    options: Mapping[str, Any] | None = None,
    *,
    losses: Losses | None = None,
) -> Iterator[dict[str, Path]]:
    """Within this context, provide temporary files that hold the documents, by the names that :func:`render` uses."""
    from karat.formats import fidelity

    chosen = _declared(format)
    if chosen.write is None:
        writable = ", ".join(name for name, declared in formats().items() if declared.write is not None)
        raise UsageError(f"format {chosen.name} can only be read; writable are {writable}")
    settings = build(chosen.options, options or {}, f"format {chosen.name}")
    with fidelity.written(documents, chosen, settings, losses) as files:
        yield files
