"""Whether a format keeps its promises: what it writes it reads back, and no input makes it fail without a sentence."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from karat.annotations.faults import faults
from karat.errors import KaratError
from karat.formats._folders import written_files
from karat.formats.base import EVERYTHING, Format, Problems
from karat.model import Document
from karat.settings import build
from karat.testing.documents import corpora

_DAMAGES = 60
"""How many damaged files are made of each sample."""


EVERY_PART = ("id", "text", "mentions", "chains", "relations", "metadata")


def check_format(
    declared: Format,
    samples: Iterable[bytes | Mapping[str, bytes]] = (),
    *,
    keeps: Collection[str] = EVERY_PART,
    **options: Any,
) -> None:
    """Check a format on samples of its files, and on what it writes if it can write.

    A sample is the content of a file, or of the files of a folder by name. ``keeps`` are the parts of a document that
    the format is meant to hold.

    - Documents that were read are sound: spans inside of the text, ids that are used once, references to something.
    - What can be written is read back as the same documents, or refused.
    - Damaged files (cut off, bytes exchanged, other encodings, empty, very long lines) are read or refused with a
      ``KaratError``; nothing else is raised.
    """
    settings = build(declared.options, options, f"format {declared.name}")
    given = [sample if isinstance(sample, Mapping) else {"": sample} for sample in samples]
    for sample in given:
        documents = _read(declared, settings, sample)
        _expect(bool(documents), declared, "reads no document from a sample")
        _check_sound(declared, documents)
        _check_round_trip(declared, settings, documents, keeps)
    written = list(_written(declared, settings, keeps))
    _expect(bool(given or written), declared, "cannot be checked without a sample: it writes none of the documents")
    for sample in (*given, *written[:3]):
        _check_damaged(declared, settings, sample)


def _expect(holds: bool, declared: Format, fault: str) -> None:
    if not holds:
        raise AssertionError(f"format {declared.name} {fault}")


def _read(declared: Format, settings: Any, files: Mapping[str, bytes], *, collect: bool = False) -> list[Document]:
    """Write files somewhere and read them; a sample with one nameless file is that file."""
    with tempfile.TemporaryDirectory() as folder:
        suffix = declared.suffixes[0] if declared.suffixes else ""
        for name, content in files.items():
            path = Path(folder, name or f"sample{suffix}")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        source = Path(folder, f"sample{suffix}") if set(files) == {""} and not declared.folder else Path(folder)
        problems = Problems(collect=collect)
        return list(declared.read(str(source), problems=problems, want=EVERYTHING, options=settings))


def _check_sound(declared: Format, documents: Iterable[Document]) -> None:
    names: set[str] = set()
    for document in documents:
        fault = f"reads two documents with the id {document.id!r}; report the second as an error"
        _expect(document.id not in names, declared, fault)
        names.add(document.id)
        wrong = next(faults(document), None)
        _expect(wrong is None, declared, f"reads document {document.id!r} in which {wrong}")


def _check_round_trip(
    declared: Format, settings: Any, documents: list[Document], keeps: Collection[str]
) -> Mapping[str, bytes] | None:
    """Return what documents are written as, if they can be, and check that they are read back."""
    if declared.write is None:
        return None
    try:
        files = {name: text.encode() for name, text in written_files(declared, documents, settings).items()}
    except KaratError:
        return None
    back = _read(declared, settings, files)
    _check_sound(declared, back)
    _expect(len(back) == len(documents), declared, f"writes {len(documents)} documents and reads back {len(back)}")
    for document, again in zip(documents, back, strict=True):
        for what in keeps:
            fault = f"writes document {document.id!r} and reads back other {what}: {getattr(again, what)!r}"
            _expect(_content(document, what, document) == _content(again, what, document), declared, fault)
    return files


def _content(document: Document, what: str, first: Document) -> Any:
    """Return what a document holds, with annotations by what they say and not by the ids that they were given.

    A format may add metadata of its own to those of the first document.
    """
    value = getattr(document, what)
    if what == "mentions":
        return sorted((mention.spans, mention.labels, mention.layer, mention.links) for mention in value)
    if what in ("chains", "relations"):
        return len(value)
    return {name: value.get(name) for name in first.metadata} if what == "metadata" else value


def _written(declared: Format, settings: Any, keeps: Collection[str]) -> Iterator[Mapping[str, bytes]]:
    """Yield the files of invented documents that the format can hold."""
    for gold, _ in corpora():
        for documents in (gold, [Document(document.id, document.text, document.mentions) for document in gold]):
            files = _check_round_trip(declared, settings, documents, keeps)
            if files:
                yield files
                break


def _check_damaged(declared: Format, settings: Any, sample: Mapping[str, bytes]) -> None:
    random = Random(len(sample))  # noqa: S311 - nothing here is secret
    for content in _damaged(sample[min(sample)], random):
        files = {**sample, min(sample): content}
        for collect in (False, True):
            try:
                _read(declared, settings, files, collect=collect)
            except KaratError:
                continue
            except Exception as error:
                shown = content if len(content) < 200 else content[:200] + b"..."
                fault = f"raises {type(error).__name__} ({error}) on {shown!r}; raise an InputError with a sentence"
                raise AssertionError(f"format {declared.name} {fault}") from error


def _damaged(content: bytes, random: Random) -> Iterator[bytes]:
    """Yield the content damaged in many ways."""
    yield b""
    yield b"\x00" * 100
    yield b"\xff\xfe" + content
    yield content.decode("utf-8", "replace").encode("utf-16")
    yield content.replace(b"\n", b"\r")
    yield content + content[:1] * 200_000
    for _ in range(_DAMAGES):
        start, end = sorted(random.randrange(len(content) + 1) for _ in range(2))
        filling = random.choice((b"", b"\t", b"\n", b"\n\n", b'"', b"{", b"-1", b"9" * 30, b"\x80", b"<", bytes(3)))
        yield content[:start] + filling + content[end if random.random() < 0.5 else start :]
