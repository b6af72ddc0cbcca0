"""The documents of one side of an evaluation: read when they are asked for, with what names and identifies them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec

from karat.annotations.columns import LINK_COLUMNS
from karat.annotations.shared_values import share_links
from karat.errors import InputError
from karat.evaluation.cache import HeldDocuments, Holding
from karat.evaluation.notices import HELD, WITHOUT, Notices
from karat.evaluation.shards import distinct, pattern_of
from karat.formats import read
from karat.formats.base import Problems, Want
from karat.io import STDIN, digest, opened_once
from karat.io.addresses import is_address
from karat.io.source import SourceFile
from karat.model import Document
from karat.signature import ContentDigest, sum_of_contents

Reader = Callable[[Problems], Iterable[Document]]
"""Reads documents, and is told whom to report problems to."""
_BLANKS = frozenset(("O", "_", "-", ""))


class Recipe(NamedTuple):
    """How the documents of a path are read: all that must be known to read them elsewhere.

    ``glimpse`` is what facts look at, if that is less than what is wanted.
    """

    path: str
    format: str
    want: Want
    options: Mapping[str, Any]
    shares_links: bool
    glimpse: Want | None = None

    def documents(self, problems: Problems, ground: Corpus | None = None) -> Iterator[Document]:
        """Read the documents, which may take their texts from those of another side."""
        want = self.want if ground is None else msgspec.structs.replace(self.want, ground=lambda: ground)
        return read(self.path, self.format, problems=problems, want=want, options=self.options)

    @property
    def for_facts(self) -> Recipe:
        """How the documents are read as far as facts look at them."""
        return self if self.glimpse is None else self._replace(want=self.glimpse)


class Corpus:
    """The documents of one side; going through them reads them, as often as it is done, unless they are held.

    ``read_as`` is what was said about how to read it, for the signature, and ``plug_in`` the package of others that
    reads it; ``kind`` what has the same layers, as files of one format; ``problems`` is what was repaired when the
    documents were read. With a ``recipe`` it can be sent to another process, which reads the file again.
    """

    def __init__(
        self,
        name: str,
        documents: Reader,
        *,
        path: str | None = None,
        holding: Holding = "some",
        builds_mentions: bool = True,
    ) -> None:
        self.name, self.path = name, path
        self.kind, self.read_as, self.plug_in, self.shares_links = "", "", "", False
        self.recipe: Recipe | None = None
        self.ground: Corpus | None = None
        self._read, self._holding, self._builds_mentions = documents, holding, builds_mentions
        self._held: HeldDocuments | None = None
        self._shared = 0
        self._content: ContentDigest | None = None
        self.identifies = False
        """Whether the digest of the content is taken on the way, since somebody will ask for it."""
        self.problems = Problems()
        self._documents = 0
        self.is_numbered = False
        """Whether only their position names the documents that were read."""
        self._holds: Mapping[str, int] = {}

    @classmethod
    def of_file(cls, recipe: Recipe, name: str, holding: Holding, ground: Corpus | None = None) -> Corpus:
        """Return the documents of a file or folder, which may take their texts from those of another side."""
        path = None if recipe.path == STDIN else recipe.path
        corpus = cls(name, partial(_by_recipe, recipe, ground), path=path, holding=holding)
        corpus._builds_mentions = recipe.want.mentions
        corpus.kind, corpus.shares_links = recipe.format, recipe.shares_links
        corpus.recipe, corpus.ground = (None if path is None else recipe), ground
        return corpus

    def __reduce__(self) -> tuple[Any, ...]:
        if self.recipe is None:
            raise TypeError(f"the documents of {self.name} are in memory, and are not sent to other processes")
        told = {name: getattr(self, name) for name in ("path", "read_as", "plug_in", "identifies")}
        return _sent, (self.recipe, self.name, self.ground, told, os.getcwd())  # noqa: PTH109 - as below

    @property
    def shards(self) -> Sequence[Corpus]:
        """The files of this side, each of which is a shard."""
        return (self,)

    def __iter__(self) -> Iterator[Document]:
        documents = self._through() if self._held is None else iter(self._held)
        return self._with_shared_links(documents) if self.shares_links else documents

    def for_facts(self) -> Iterable[Document]:
        """Return the documents as far as facts look at them; to read so little again costs less than to hold it."""
        if self._held is not None or self.recipe is None or self.recipe.glimpse is None:
            return self
        return self.recipe.for_facts.documents(Problems(), self.ground)

    def _through(self) -> Iterator[Document]:
        """Read all documents, and hold them if that is wanted and they are not too large for it."""
        held = HeldDocuments(self._holding)
        problems = Problems()
        is_asked = self.identifies or self.path is None  # what is no file is known by its documents alone
        content = ContentDigest(in_order=self.path is None) if is_asked and self._content is None else None
        documents, holds, layers = 0, dict.fromkeys((*HELD, *WITHOUT), 0), set[str]()
        numbered = True
        for document in self._read(problems):
            held.add(document)
            documents += 1
            numbered = numbered and document.id == str(documents)
            if self._builds_mentions:
                _count(document, holds)
            layers.update([mention.layer for mention in document.mentions])
            if content is not None:
                content.add(document)
            yield document
        held.close()
        if layers:
            problems.has(self.kind, [f"layer {layer}" for layer in layers])
        self._content = content or self._content
        self._held, self.problems = None if held.is_over else held, problems
        if held.is_over:
            self._holding = "nothing"  # whoever reads them again need not find that out again
        self._documents, self._holds = documents, holds if self._builds_mentions else {}
        self.is_numbered = numbered and documents > 0

    def _with_shared_links(self, documents: Iterable[Document]) -> Iterator[Document]:
        shared = 0
        for document in documents:
            linked, added = share_links(document)
            shared += added
            yield linked
        self._shared = shared

    def identify(self, wanted: bool) -> None:
        """Say whether the digest of the content will be asked for."""
        self.identifies = wanted

    def will_be_signed(self) -> None:
        """Hash the bytes of a file while it is read, since its digest will be asked for."""
        if self.recipe is not None and type(self.path) is str and self.path == self.recipe.path:
            self.path = opened_once(self.path)
            self.recipe = self.recipe._replace(path=self.path)
            self._read = partial(_by_recipe, self.recipe, self.ground)
        if isinstance(self.path, SourceFile):
            self.path.hashes = True

    @property
    def digest(self) -> str:
        """What identifies the data: of files their bytes, of objects and standard input the documents."""
        if self.path is None:
            return self._identity.ordered
        return digest(self.path if self.recipe is None else self.recipe.path)

    @property
    def content(self) -> str:
        """What identifies the documents as they are read, whatever their order, compression and line ends."""
        return str(self._identity)

    @property
    def content_if_asked(self) -> str:
        """The digest of the content, or an empty text if nobody asks for it."""
        return self.content if self.identifies else ""

    @property
    def _identity(self) -> ContentDigest:
        """The digests of the documents, taken now unless they were taken on the way."""
        if self._content is None:
            content = ContentDigest(in_order=self.path is None)
            for document in self._through() if self._held is None else self._held:
                content.add(document)
            self._content = content
        return self._content

    @property
    def notices(self) -> Notices:
        """What was noticed when the documents were read, so that it adds up."""
        unlinked = {"unlinked mentions": self._holds["unlinked mentions"] - self._shared} if self._holds else {}
        holds = {**self._holds, **unlinked}
        folder = self.path if self.recipe is None else self.recipe.path
        return Notices.of(self.problems, self._shared, folder, documents=self._documents, holds=holds)


class ShardedCorpus(Corpus):
    """The documents of several files, which are read one after the other.

    Documents that only their position names are named with the shard of the gold, which stands in ``names``.
    """

    def __init__(self, shards: Sequence[Corpus], names: Sequence[str]) -> None:
        first = shards[0]
        paths = [str(shard.path) for shard in shards]
        super().__init__(pattern_of([shard.name for shard in shards]), first._read, path=pattern_of(paths))
        self.kind, self.read_as, self.plug_in = first.kind, first.read_as, first.plug_in
        self._shards, self._names = shards, distinct(names)

    def __reduce__(self) -> tuple[Any, ...]:
        return ShardedCorpus, (self._shards, self._names)  # names that are distinct stay as they are

    @property
    def shards(self) -> Sequence[Corpus]:
        """The files of this side, each of which is a shard."""
        return self._shards

    def __iter__(self) -> Iterator[Document]:
        return self._named(iter(shard) for shard in self._shards)

    def for_facts(self) -> Iterable[Document]:
        """Return the documents as far as facts look at them."""
        return self._named(shard.for_facts() for shard in self._shards)

    def _named(self, several: Iterable[Iterable[Document]]) -> Iterator[Document]:
        for name, documents in zip(self._names, several, strict=True):
            for position, document in enumerate(documents, 1):
                is_numbered = document.id == str(position)
                yield msgspec.structs.replace(document, id=f"{name}:{position}") if is_numbered else document

    def identify(self, wanted: bool) -> None:
        """Say whether the digest of the content will be asked for."""
        self.identifies = wanted
        for shard in self._shards:
            shard.identify(wanted)

    def will_be_signed(self) -> None:
        """Hash the bytes of the files while they are read."""
        for shard in self._shards:
            shard.will_be_signed()

    @property
    def digest(self) -> str:
        """What identifies the data: the sum of the digests of the files."""
        return sum_of_contents(shard.digest for shard in self._shards)

    @property
    def content(self) -> str:
        """What identifies the documents as they are read, whatever their order and file."""
        return sum_of_contents(shard.content for shard in self._shards)

    @property
    def notices(self) -> Notices:
        """What was noticed when the documents were read, so that it adds up."""
        return sum((shard.notices for shard in self._shards), Notices())


def _by_recipe(recipe: Recipe, ground: Corpus | None, problems: Problems) -> Iterator[Document]:
    return recipe.documents(problems, ground)


def _sent(recipe: Recipe, name: str, ground: Corpus | None, told: Mapping[str, Any], folder: str) -> Corpus:
    """Return the documents of a file that another process has named, which may be in another folder."""
    if not is_address(recipe.path):
        path = recipe.path if folder == os.getcwd() else os.path.join(folder, recipe.path)  # noqa: PTH109, PTH118
        if not os.path.exists(path):  # noqa: PTH110 - small commands do without pathlib
            raise InputError("is not there for the workers, who must see files under the same paths", path=path)
        recipe = recipe._replace(path=path)
    corpus = Corpus.of_file(recipe, name, "nothing", ground)
    for attribute, value in told.items():
        setattr(corpus, attribute, value)
    return corpus


def _count(document: Document, holds: dict[str, int]) -> None:
    """Count the annotations of a document; in a table without mentions, the cells that hold something."""
    if document.table is not None and not document.mentions:
        for entities, links in LINK_COLUMNS.items():
            columns = (document.table.columns.get(name, ()) for name in (entities, links))
            tagged, linked = (sum(cell not in _BLANKS for cell in column) for column in columns)
            holds["mentions"] += tagged
            holds["labels"] += tagged
            holds["links"] += linked
    mentions, relations = document.mentions, document.relations
    if mentions:
        labels = [len(mention.labels) - mention.labels.count("") for mention in mentions]
        link_counts = [len(mention.links) for mention in mentions]
        holds["mentions"] += len(mentions)
        holds["labels"] += sum(labels)
        holds["links"] += sum(link_counts)
        holds["unlabelled mentions"] += labels.count(0)
        holds["unlinked mentions"] += link_counts.count(0)
    if relations:
        holds["relations"] += len(relations)
        holds["unlabelled relations"] += sum(not relation.label for relation in relations)
    holds["chains"] += len(document.chains)
