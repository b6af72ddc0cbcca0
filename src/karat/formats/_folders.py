"""The files that a path stands for: one, or those of a folder; and the names of files that documents are written to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from karat.annotations.faults import shown
from karat.compact import sorted_names
from karat.errors import InputError
from karat.files import entries_below, is_folder
from karat.files.excerpts import Excerpt
from karat.files.names import clash, leading_fault, name_fault
from karat.formats.base import File, Format, Problems
from karat.model import Document

_EXPECTED = "expected a dictionary with one text under the name '', or File objects of karat.formats.base"


def files_below(path: str, suffix: str, problems: Problems) -> Iterator[tuple[Path, str]]:
    """Yield each file with the id of its document, by name; a file is known by its name, whatever the ending."""
    root = Path(path)
    if not is_folder(root):
        yield root, root.name.removesuffix(suffix)
        return
    names = path.names if isinstance(path, Excerpt) else names_below(root, suffix)
    if not names:
        problems.error(path, None, f"holds no {suffix} file")
    for name in names:
        stem = name.removesuffix(suffix)
        file = os.path.join(root, name)  # noqa: PTH118 - a folder may have very many, and pathlib remembers every name
        fault = leading_fault(stem) or (None if os.path.isfile(file) else "is that of no regular file")  # noqa: PTH113
        if fault is None:
            yield root / name, stem
        else:
            problems.error(path, None, f"the file name {name!a} {fault}; rename the file")


def names_below(root: Path, suffix: str) -> Sequence[str]:
    """Return the files below a folder with an ending, relative to it, sorted; hidden and linked folders aside."""
    entries = entries_below(str(root), hidden=False)
    return sorted_names(
        start + entry.name for start, entry in entries if entry.name.endswith(suffix) and not entry.is_dir()
    )


def written_files(declared: Format, documents: Iterable[Document], settings: Any) -> dict[str, str]:
    """Return the files that hold the documents, by name: here alone the id of a document becomes a file name.

    A format of one file uses the name ``""``.
    """
    if declared.write is None:
        raise TypeError(f"format {declared.name} cannot be written")
    written = declared.write(documents, settings)
    if isinstance(written, Mapping):
        if list(written) != [""] or not isinstance(written[""], str):
            raise TypeError(f"format {declared.name} writes {shown(str(dict(written)))}; {_EXPECTED}")
        return {"": written[""]}
    if written is None:
        raise TypeError(f"format {declared.name} writes nothing; {_EXPECTED}")
    contents: dict[str, str] = {}
    owners: dict[str, Document] = {}
    for file in written:
        if not isinstance(file, File):
            raise TypeError(f"format {declared.name} writes {type(file).__name__} objects; {_EXPECTED}")
        name = f"{file.document.id}{file.suffix}"
        fault = "is the id of two documents" if name in contents else name_fault(name)
        if fault is not None:
            raise _refusal(declared, file.document, fault)
        contents[name], owners[name] = file.content, file.document
    same = clash(contents)
    if same is not None:
        raise _refusal(declared, owners[same[1]], f"meets the file {same[0]!a}: some systems do not tell them apart")
    return contents


def _refusal(declared: Format, document: Document, fault: str) -> InputError:
    message = f"document {shown(document.id)} cannot be written as {declared.name}: its id {fault}"
    return InputError(message, path=document.source or None)
