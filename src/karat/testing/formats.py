"""Whether a format keeps its promises: what it writes it reads back, and no input makes it fail without a sentence."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from karat.annotations.faults import faults
from karat.errors import KaratError
from karat.formats.base import EVERYTHING, Format, Problems, by_ending_alone
from karat.formats.fidelity import written_files
from karat.model import Document
from karat.settings import build
from karat.testing.documents import corpora
from karat.testing.promises import Promises
from karat.testing.round_trips import bare, difference, documents_by_kind, in_words, kept

Files = Mapping[str, bytes]
"""The content of files by name; one without a name is a file by itself."""
_HEAD = 4096
"""How many bytes of a file are shown to a format."""
_IN_WORDS = "raise an InputError with a sentence for what it cannot hold"
_DAMAGES = 60
"""How many times some bytes of each sample are replaced."""
_LONG = 200_000
_FILLINGS = (b"", b"\t", b"\n", b"\n\n", b'"', b"{", b"-1", b"9" * 30, b"\x80", b"<", bytes(3))


def check_format(
    declared: Format,
    samples: Iterable[bytes | Files] = (),
    *,
    loses: Collection[str] = (),
    **options: Any,
) -> None:
    """Check a format on samples of its files, and on what it writes if it can write.

    A sample is the content of a file, or of the files of a folder by name. ``loses`` is what the format cannot hold of
    any document, in the words of ``karat convert``, such as ``texts``.

    - Documents that were read are sound: spans inside of the text, ids that are used once, references to something.
    - A sample is recognised, if the format says that its files can be.
    - What can be written is read back as the same documents, or refused with an ``InputError``. Documents are
      invented with what it says that it ``keeps``; some that have mentions are not refused.
    - Damaged files (cut off, bytes exchanged, other encodings, empty, very long lines) are read or refused with a
      ``KaratError``; nothing else is raised.
    """
    settings = build(declared.options, options, f"format {declared.name}")
    given = _as_files(samples)
    with tempfile.TemporaryDirectory() as folder:
        check = _Check(declared, settings, Path(folder), frozenset(loses))
        for sample in given:
            check.sample(sample)
        written = [] if declared.write is None else check.written()
        check.expect(bool(given or written), "cannot be checked without a sample: it cannot write")
        for sample in (*given, *written[:3]):
            check._damaged(sample)


def _as_files(samples: Iterable[bytes | Files]) -> list[Files]:
    """Return samples as files; a text, a path or a lone sample is a mistake of the author."""
    listed = [samples] if isinstance(samples, bytes | str) else list(samples)
    for sample in listed:
        is_folder = isinstance(sample, Mapping) and all(isinstance(content, bytes) for content in sample.values())
        if isinstance(samples, bytes | str) or not (isinstance(sample, bytes) or is_folder):
            expected = "expected a list of contents as bytes, or of dictionaries of those by file name"
            raise TypeError(f"samples has {type(sample).__name__}; {expected}, such as [Path('a.tsv').read_bytes()]")
    return [sample if isinstance(sample, Mapping) else {"": sample} for sample in listed]


class _Check(Promises):
    """The checks of one format, with a folder for its files."""

    def __init__(self, declared: Format, settings: Any, folder: Path, loses: frozenset[str]) -> None:
        super().__init__(f"format {declared.name}")
        self.declared, self.settings, self.folder, self.loses = declared, settings, folder, loses
        self.round_trips = 0
        """How many lists of documents with mentions were written and read back."""
        self.refusal = ""

    def sample(self, sample: Files) -> None:
        """Check that a sample is recognised, read as sound documents, and written again, if it is not refused."""
        try:
            documents = self.read(sample)
        except KaratError as error:
            self.expect(False, f"refuses a sample: {_without(self.folder, error)}")
        self.expect(bool(documents), "reads no document from a sample")
        self.sound(documents)
        if set(sample) == {""}:
            self.recognised(sample[""])
        if self.declared.write is not None:
            self.round_trip([kept(document, self.declared) for document in documents])

    def read(self, files: Files, what: str = "a sample", *, collect: bool = False) -> list[Document]:
        """Put files into the folder, which has no others then, and read them."""
        suffix = self.declared.suffixes[0] if self.declared.suffixes else ""
        named = {name or f"sample{suffix}": content for name, content in files.items()}
        for path in [path for path in self.folder.rglob("*") if path.is_file()]:
            path.unlink()
        for name, content in named.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        source = self.folder / f"sample{suffix}" if set(files) == {""} and not self.declared.folder else self.folder
        problems = Problems(collect=collect)
        with self.calling(f"read, on {what}", "raise an InputError with a sentence, or report it to problems"):
            documents = self.declared.read(str(source), problems=problems, want=EVERYTHING, options=self.settings)
            self.expect(isinstance(documents, Iterable), f"reads {documents!r}; read yields Document objects")
            read = list(documents)
        other = next((document for document in read if not isinstance(document, Document)), None)
        self.expect(other is None, f"reads {type(other).__name__} objects; read yields Document objects")
        return read

    def recognised(self, content: bytes) -> None:
        """Check that a format knows its own file, if it says that it knows any by its content."""
        known = self.knows(content)
        has_look = self.declared.sniff is not by_ending_alone or bool(self.declared.known_by)
        fault = "does not recognise a sample by sniff; leave sniff and known_by out if its ending is all it is known by"
        self.expect(known or not has_look, fault)

    def knows(self, content: bytes) -> bool:
        """Say whether the format recognises a file by its beginning."""
        head = content[:_HEAD]
        with self.calling("sniff"):
            return bool(self.declared.sniff_bytes(head) or self.declared.sniff(head.decode("utf-8", "replace")))

    def sound(self, documents: Iterable[Document]) -> None:
        """Check that documents have ids of their own, and nothing in them that cannot be."""
        names: set[str] = set()
        for document in documents:
            fault = f"reads two documents with the id {document.id!r}; report the second as an error"
            self.expect(document.id not in names, fault)
            names.add(document.id)
            wrong = next(faults(document), None)
            self.expect(wrong is None, f"reads document {document.id!r} in which {wrong}")

    def round_trip(self, documents: list[Document]) -> Files | None:
        """Return what documents are written as and check that they are read back; nothing if they are refused."""
        try:
            files = self.files(documents)
        except KaratError as error:
            self.refusal = _without(self.folder, error)
            return None
        try:
            back = self.read(files, "what it wrote")
        except KaratError as error:
            self.expect(False, f"refuses to read what it wrote: {_without(self.folder, error)}")
        self.sound(back)
        names, others = ([document.id for document in side] for side in (documents, back))
        self.expect(names == others, f"writes the documents {', '.join(names)} and reads back {', '.join(others)}")
        for document, again in zip(documents, back, strict=True):
            lost = difference(document, again, self.declared)
            for kind in self.loses:
                del lost.counts[kind]
            fault = f"does not read back what it writes: not the same are {lost}" if lost else ""
            self.expect(not lost, f"{fault}{in_words(document, again)}; write it, or {_IN_WORDS}")
        self.round_trips += any(document.mentions for document in documents)
        return files

    def files(self, documents: list[Document]) -> Files:
        """Return what documents are written as."""
        with self.calling("write", _IN_WORDS):
            texts = written_files(self.declared, documents, self.settings)
        return {name: text.encode() for name, text in texts.items()}

    def written(self) -> list[Files]:
        """Return the files of invented documents: of plain ones, of each kind of annotation, and of whole corpora."""
        written = [self.round_trip([document]) for document in documents_by_kind(self.declared)]
        for content in (files[""] for files in written if files and "" in files):
            self.knows(content)
        for gold, _ in corpora():
            whole = [kept(document, self.declared) for document in gold]
            written.append(
                self.round_trip(whole) or self.round_trip([bare(document, self.declared) for document in gold])
            )
        fault = f"refuses to write any document that has mentions ({self.refusal})"
        self.expect(self.round_trips > 0, f"{fault}; give a sample that it can write, or no writer")
        return list(filter(None, written))

    def _damaged(self, sample: Files) -> None:
        """Check that whatever becomes of a file of a sample, it is read or refused in words."""
        name = min(sample)
        for what, content in _damaged(sample[name], Random(len(sample))):  # noqa: S311 - nothing here is secret
            for collect in (False, True):
                try:
                    self.read({**sample, name: content}, what, collect=collect)
                except KaratError:
                    continue


def _without(folder: Path, error: KaratError) -> str:
    """Return what an error says without the name of our folder."""
    return str(error).replace(f"{folder}/", "")


def _damaged(content: bytes, random: Random) -> Iterator[tuple[str, bytes]]:
    """Yield a file damaged in many ways: words for what it is now, and its content."""
    yield "an empty file", b""
    yield "a file of 100 NUL bytes", b"\x00" * 100
    yield "a sample behind the byte-order mark of UTF-16", b"\xff\xfe" + content
    yield "a sample in UTF-16", content.decode("utf-8", "replace").encode("utf-16")
    yield "a sample with CR instead of LF", content.replace(b"\n", b"\r")
    yield f"a sample with its first byte {_LONG:,} times at its end", content + content[:1] * _LONG
    for _ in range(_DAMAGES):
        start, end = sorted(random.randrange(len(content) + 1) for _ in range(2))
        filling = random.choice(_FILLINGS)
        end = end if random.random() < 0.5 else start
        yield f"a sample with {filling!r} for its bytes {start} to {end}", content[:start] + filling + content[end:]
