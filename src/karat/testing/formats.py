"""Checks of a format: it reads back what it writes, and no input makes it fail without a clear error.

Round trips have a small document for each kind of annotation, and say what differs in words.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from karat.annotations.faults import faults, shown, surface
from karat.annotations.losses import losses
from karat.annotations.selection import KINDS, kinds_in, trim
from karat.errors import KaratError
from karat.formats.base import EVERYTHING, Format, Problems, by_ending_alone
from karat.formats.fidelity import Losses, pieces_of
from karat.model import Argument, Chain, Document, Link, Mention, Note, Relation
from karat.settings import build
from karat.testing.documents import corpora
from karat.testing.promises import Promises

Files = Mapping[str, bytes]
"""The content of files by name; an empty name stands for a single file."""
_HEAD = 4096
"""The number of bytes that ``sniff`` gets."""
_IN_WORDS = "raise an InputError with a sentence for what it cannot hold"
_DAMAGES = 60
"""The number of damaged copies of each sample with replaced bytes."""
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
        check = _FormatCheck(declared, settings, Path(folder), frozenset(loses))
        for sample in given:
            check.sample(sample)
        written = [] if declared.write is None else check.written()
        check.expect(bool(given or written), "cannot be checked without a sample: it cannot write")
        for sample in (*given, *written[:3]):
            check._damaged(sample)


def _as_files(samples: Iterable[bytes | Files]) -> list[Files]:
    """Return samples as files; raise an error for a text, a path or a single sample."""
    listed = [samples] if isinstance(samples, bytes | str) else list(samples)
    for sample in listed:
        is_folder = isinstance(sample, Mapping) and all(isinstance(content, bytes) for content in sample.values())
        if isinstance(samples, bytes | str) or not (isinstance(sample, bytes) or is_folder):
            expected = "expected a list of contents as bytes, or of dictionaries of those by file name"
            raise TypeError(f"samples has {type(sample).__name__}; {expected}, such as [Path('a.tsv').read_bytes()]")
    return [sample if isinstance(sample, Mapping) else {"": sample} for sample in listed]


class _FormatCheck(Promises):
    """The checks of one format, with a folder for its files."""

    def __init__(self, declared: Format, settings: Any, folder: Path, loses: frozenset[str]) -> None:
        super().__init__(f"format {declared.name}")
        self.declared, self.settings, self.folder, self.loses = declared, settings, folder, loses
        self.round_trips = 0
        """The number of lists of documents with mentions that were written and read back."""
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
        """Replace the content of the folder by files, and read them."""
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
        """Check that a format recognises its own file, if it declares recognition by content."""
        known = self.knows(content)
        has_look = self.declared.sniff is not by_ending_alone or bool(self.declared.known_by)
        fault = "does not recognise a sample by sniff; leave sniff and known_by out if its ending is all it is known by"
        self.expect(known or not has_look, fault)

    def knows(self, content: bytes) -> bool:
        """Return whether the format recognises a file by its beginning."""
        head = content[:_HEAD]
        with self.calling("sniff"):
            return bool(self.declared.sniff_bytes(head) or self.declared.sniff(head.decode("utf-8", "replace")))

    def sound(self, documents: Iterable[Document]) -> None:
        """Check that documents have unique ids and valid content."""
        names: set[str] = set()
        for document in documents:
            fault = f"reads two documents with the id {document.id!r}; report the second as an error"
            self.expect(document.id not in names, fault)
            names.add(document.id)
            wrong = next(faults(document), None)
            self.expect(wrong is None, f"reads document {document.id!r} in which {wrong}")

    def round_trip(self, documents: list[Document]) -> Files | None:
        """Return the files that documents are written to, after reading them back; None if they are refused."""
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
        names, reread = ([document.id for document in side] for side in (documents, back))
        self.expect(names == reread, f"writes the documents {', '.join(names)} and reads back {', '.join(reread)}")
        for document, again in zip(documents, back, strict=True):
            lost = difference(document, again, self.declared)
            for kind in self.loses:
                del lost.counts[kind]
            fault = f"does not read back what it writes: not the same are {lost}" if lost else ""
            self.expect(not lost, f"{fault}{in_words(document, again)}; write it, or {_IN_WORDS}")
        self.round_trips += any(document.mentions for document in documents)
        return files

    def files(self, documents: list[Document]) -> Files:
        """Return the files that documents are written to."""
        with self.calling("write", _IN_WORDS):
            texts: dict[str, list[str]] = {}
            for name, text in pieces_of(self.declared, documents, self.settings):
                texts.setdefault(name, []).append(text)
        return {name: "".join(pieces).encode() for name, pieces in texts.items()}

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
        """Check that every damaged copy of a sample is read, or refused with a clear error."""
        name = min(sample)
        for what, content in _damaged(sample[name], Random(len(sample))):  # noqa: S311 - nothing here is secret
            for collect in (False, True):
                try:
                    self.read({**sample, name: content}, what, collect=collect)
                except KaratError:
                    continue


def _without(folder: Path, error: KaratError) -> str:
    """Return the message of an error without the name of the temporary folder."""
    return str(error).replace(f"{folder}/", "")


def _damaged(content: bytes, random: Random) -> Iterator[tuple[str, bytes]]:
    """Yield damaged copies of a file: a description and the content."""
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


_NO_MORE = ("labels", "links", "scores")
"""Parts of which the reread document must not have more than was written."""
_BERN = Mention("T1", ((0, 4),), ("LOC",), "Bern")
_LIMA = Mention("T2", ((9, 13),), ("LOC",), "Lima")
_PLAIN = Document("letter", "Bern and Lima are far.", [_BERN, _LIMA])
_BOTH = Chain("C1", ("T1", "T2"))
_ALONE = [Chain("C1", ("T1",)), Chain("C2", ("T2",))]


def _with(**parts: Any) -> Document:
    """Return the plain document with a first mention that has these parts."""
    return replace(_PLAIN, mentions=[replace(_BERN, **parts), _LIMA])


def _related(first: str, second: str) -> list[Relation]:
    return [Relation("R1", "far_from", (Argument("Arg1", first), Argument("Arg2", second)))]


_BY_KIND: Mapping[str, Document] = {
    "links": _with(links=(Link("Q70"),)),
    "scores": _with(links=(Link("Q70", 0.5),)),
    "attributes": _with(attributes={"certainty": "low"}),
    "fragments": _with(spans=((0, 4), (14, 17)), text="Bern are"),
    "unplaced": _with(spans=(), text="Berne"),
    "chains": replace(_PLAIN, chains=[_BOTH]),
    "relations": replace(_PLAIN, relations=_related("T1", "T2")),
    "chain-ends": replace(_PLAIN, chains=_ALONE, relations=_related("C1", "C2")),
    "notes": replace(_PLAIN, notes=[Note("N1", "T1", "on the Aare")]),
    "metadata": replace(_PLAIN, metadata={"author": "Ada"}),
}
"""A document for each kind of annotation that any file might have. Names of layers may be fixed, and tokens, cells and
comments belong to single formats."""


def documents_by_kind(declared: Format) -> Iterator[Document]:
    """Yield a plain document with mentions, and one with each kind of annotation that a format says it keeps."""
    for kind, document in (("", _PLAIN), *_BY_KIND.items()):
        whole = document if "unchained" in declared.keeps or document.chains else replace(document, chains=[_BOTH])
        trimmed = kept(whole, declared)
        if not kind or kind in kinds_in(trimmed):
            yield trimmed


def bare(document: Document, declared: Format) -> Document:
    """Return the text of a document and as much of its mentions as a format keeps."""
    chains = [] if "unchained" in declared.keeps else document.chains
    return kept(Document(document.id, document.text, document.mentions, chains), declared)


def kept(document: Document, declared: Format) -> Document:
    """Return what a format says it keeps of a document."""
    return trim(document, set(KINDS) - declared.keeps)


def difference(written: Document, back: Document, declared: Format) -> Losses:
    """Return the differences between a document and its reread copy."""
    differing = Losses()
    lost = losses(written, back)
    if declared.cells_are_hints and written.table is not None and written.table.dialect == declared.name:
        del lost["cells"]
    more = losses(back, written) if back.mentions else lost
    differing.add(written.id, lost + +type(lost)({kind: more[kind] for kind in _NO_MORE if not lost[kind]}))
    return differing


def in_words(written: Document, back: Document) -> str:
    """Return words on the first mention that was not read back, and the first that was not written.

    >>> other = _with(labels=("PER",))
    >>> in_words(_PLAIN, other)
    ": it wrote 'Bern' [0, 4] LOC and read back 'Bern' [0, 4] PER"
    """
    said_before = [_said(mention, written.text) for mention in written.mentions]
    said_after = [_said(mention, back.text) for mention in back.mentions]
    gone = next((said for said in said_before if said_before.count(said) > said_after.count(said)), None)
    new = next((said for said in said_after if said_after.count(said) > said_before.count(said)), None)
    parts = [f"it wrote {gone}" if gone else "", f"read back {new or 'nothing there'}" if gone or new else ""]
    return f": {' and '.join(filter(None, parts))}" if any(parts) else ""


def _said(mention: Mention, text: str) -> str:
    places = " ".join(f"[{start}, {end}]" for start, end in mention.spans)
    said = [shown(surface(text, mention.spans)), places, "+".join(mention.labels)]
    said += [f"in layer {mention.layer}"] if mention.layer else []
    said += [f"linked to {link.target}" + ("" if link.score is None else f" ({link.score})") for link in mention.links]
    return " ".join(filter(None, said))
