"""The sides of an evaluation: documents that are read when they are asked for, with what names and identifies them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any, NamedTuple

import msgspec

from karat.annotations.columns import LINK_COLUMNS
from karat.annotations.shared_values import share_links
from karat.errors import InputError, UsageError, unknown
from karat.evaluation.cache import MOST_HELD, HeldDocuments, Holding
from karat.evaluation.notices import HELD, WITHOUT, Notices
from karat.evaluation.protocol import Bound, Side, no_facts
from karat.evaluation.shards import partners, pattern_of, shard_paths
from karat.formats import format_named, read, sniff
from karat.formats.base import Problems, Want
from karat.formats.catalogue import holds_json, plug_in_of
from karat.io import STDIN, digest, is_file, name_of, opened_once
from karat.io.addresses import is_address
from karat.io.source import SourceFile
from karat.model import Document
from karat.settings import build
from karat.signature import ContentDigest, sum_of_contents

Source = str | os.PathLike[str] | Iterable[Any]
"""A file or folder, or documents as objects: Documents, dictionaries, tags, spans, columns, or objects of tools."""

Reader = Callable[[Problems], Iterable[Document]]
"""Reads documents, and is told whom to report problems to."""
_BLANKS = frozenset(("O", "_", "-", ""))
_CELLS = Want(mentions=False, lines=False, forms=False)
"""What facts look at that are told from cells."""


class Reading(msgspec.Struct, frozen=True):
    """How the files of one side are read: the format, if it is not to be recognised, and its options.

    An option whose name begins with ``gold.`` or ``system.`` holds for that side alone. With ``share_links`` mentions
    without a link take those of their chain.
    """

    format: str | None = None
    options: Mapping[str, Any] = {}
    share_links: bool = False


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
        self._shards, self._names = shards, names

    def __reduce__(self) -> tuple[Any, ...]:
        return ShardedCorpus, (self._shards, self._names)

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


class Way(NamedTuple):
    """How sources are read for a protocol: what is wanted, and the options that it demands of each."""

    want: Want
    demands: tuple[tuple[tuple[str, str], ...], ...]


def way_of(bound: Bound, formats: tuple[str | None, ...], *, lines: bool = False, texts: bool = False) -> Way:
    """Return how sides of these formats are read for a protocol; what is read in one way need be read only once."""
    asked = bound.demands
    cells_only = asked.columns is not None and all(name in asked.options for name in formats)
    cells = Want(mentions=False, lines=lines or asked.lines, columns=asked.columns, texts=texts)
    want = cells if cells_only else Want(lines=lines or asked.lines, beside=asked.beside)
    if not cells_only and asked.columns is not None:
        return Way(want, ((),) * len(formats))
    sides: list[Side] = ["gold", *["system"] * (len(formats) - 1)]  # type: ignore[list-item]
    demands = (asked.of(side, name or "conll") for side, name in zip(sides, formats, strict=True))
    return Way(want, tuple(tuple(sorted(demanded.items())) for demanded in demands))


def load(
    bound: Bound,
    sources: Sequence[Source],
    readings: Sequence[Reading] | None = None,
    *,
    lines: bool = False,
    texts: bool = False,
    again: bool = False,
    often: bool = False,
) -> list[Corpus]:
    """Return the sides of an evaluation, the gold first, which will be read no further than the protocol looks at them.

    They are held if they will be looked at again: ``again``, for facts, or as the gold of several systems; ``often``
    says that it will be so often that formats which are quick to read are packed as well. Where every
    side is a table of tokens that the protocol reads itself, mentions are not even built, and the tables are read as it
    says, with their texts only if ``texts`` asks for them; otherwise all sides are read in full, so that their texts
    agree.
    """
    readings = readings or [Reading()] * len(sources)
    sides = _sides_of(sources, readings)
    formats = formats_of(
        [side[0] if isinstance(side, _Files) else side for side in sides], readings, bound.demands.empty
    )
    want, demands = way_of(bound, formats, lines=lines, texts=texts)
    _check_options(formats, readings)
    corpora: list[Corpus] = []
    has_facts, in_cells = bound.facts is not no_facts, bound.demands.facts_in_cells
    for side_index, (source, reading, name) in enumerate(zip(sides, readings, formats, strict=True)):
        takes_texts = side_index and (name is None or format_named(name).takes_texts)
        side: Side = "system" if side_index else "gold"
        said_of = _of_side(name, reading.options, side)
        given = {option.removeprefix(f"{side}."): value for option, value in said_of.items()}
        options = _options(name, given, demands[side_index])
        if name is not None and isinstance(source, str | os.PathLike | _Files):
            paths = source if isinstance(source, _Files) else [os.fspath(source)]
            is_large = len(paths) > 1 or _is_large(paths[0])
            glimpse = _CELLS if has_facts and name in in_cells and is_large else None
            once_more: Holding = "once more" if has_facts and glimpse is None else "nothing"
            holding: Holding = "packed" if often else "some" if again or len(sources) > 2 else once_more
            if len(paths) > 1:
                holding = "nothing"  # of many shards none is held
            grounds = [_ground(shard) for shard in corpora[0].shards] if takes_texts else [None] * len(paths)
            files = []
            for path, ground in zip(paths, grounds, strict=True):
                recipe = Recipe(path, name, want, options, reading.share_links, glimpse)
                how: Holding = "everything" if path == STDIN else holding
                files.append(Corpus.of_file(recipe, name_of(path), how, ground))
        else:
            ground = _ground(corpora[0]) if takes_texts else None
            wanted = want if ground is None else msgspec.structs.replace(want, ground=lambda: corpora[0])
            documents = _objects(source, name, wanted, options, side)
            holding = "everything" if name else "objects"
            files = [Corpus(side, documents, holding=holding, builds_mentions=want.mentions)]
            files[0].kind, files[0].shares_links = name or "objects", reading.share_links
        said = [reading.format or "", *(f"{option}={value}" for option, value in sorted(said_of.items()))]
        said += ["share-links"] if reading.share_links else []
        for corpus in files:
            corpus.read_as, corpus.plug_in = ",".join(filter(None, said)), plug_in_of(name)
        names = [shard.name for shard in corpora[0].shards] if corpora else [file.name for file in files]
        corpora.append(files[0] if len(files) == 1 else ShardedCorpus(files, names))
    return corpora


class _Files(list[str]):
    """The paths of the shards of a side."""


def _sides_of(sources: Sequence[Source], readings: Sequence[Reading]) -> list[Any]:
    """Return sources that can be looked at more than once: files that are opened once, and the files of several.

    Those of a system are in the order of their partners in the gold.
    """
    sides: list[Any] = []
    golds = None
    for source, reading in zip(sources, readings, strict=True):
        paths = shard_paths(source, reading.format)
        if not sides:
            golds = paths
        elif (golds is None) != (paths is None) and len(paths or golds or ()) > 1:
            several, single = ("gold", "system") if paths is None else ("system", "gold")
            raise InputError(f"the {several} is several files, and the {single} is not; give one for each of them")
        elif golds is not None and paths is not None:
            paths = partners(golds, paths)
        sides.append(held_source(source) if paths is None else _Files([opened_once(paths[0]), *paths[1:]]))
    return sides


def _ground(gold: Corpus) -> Corpus:
    """Return the gold for a reader that may take texts from it; what comes only once is read at once."""
    if gold.path is None:
        deque(gold, maxlen=0)
    return gold


def _is_large(source: str | os.PathLike[str]) -> bool:
    """Say whether a file is so large that its documents will be read twice rather than held."""
    return is_file(source) and os.path.getsize(source) > MOST_HELD // 4  # noqa: PTH202 - small commands do without it


def _options(name: str | None, given: Mapping[str, Any], demands: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the options of a format that are given, and those that the protocol demands, which none may contradict."""
    demanded = {key: value for key, value in demands if key in _option_names(name)}
    for option, value in given.items():
        if demanded.get(option, value) != value:
            raise UsageError(f"{option}={value} contradicts the protocol, which reads {option}={demanded[option]}")
    return {**demanded, **given}


def named_systems(system: Any, format: str | None) -> dict[str, Source]:  # noqa: A002 - the word users know
    """Return systems by their names: those of a dictionary of systems, or one without a name.

    A dictionary with a key of a document, or that a format knows, is one; with a format that reads objects, it is what
    the format says.
    """
    is_several = isinstance(system, Mapping) and bool(system) and system.keys().isdisjoint(Document.__struct_fields__)
    reads_objects = format is not None and format_named(format).read_objects is not None
    if not is_several or reads_objects or _recognised(system, "") is not None:
        return {"": system}
    return {str(name): source for name, source in system.items()}


def held_source(source: Source) -> Any:
    """Return a source that can be looked at more than once; a file is opened once for all of it."""
    if isinstance(source, str | os.PathLike):
        return opened_once(source)
    from karat.formats.objects import held

    return held(source)


def _objects(
    source: Any,
    format: str | None,  # noqa: A002 - the word users know
    want: Want,
    options: Mapping[str, Any],
    side: Side,
) -> Reader:
    """Return what reads documents from Python objects, by a format if one is named."""
    if format is None:
        from karat.formats.objects import documents_from
        from karat.formats.plain import PlainOptions

        told = Problems()
        settings = build(PlainOptions, options, "objects")
        try:
            documents = documents_from(source, side=side, options=settings, problems=told, ground=want.ground)
        except InputError as error:
            raise InputError(error.message, path=error.path or side, line=error.line) from None

        def again(problems: Problems) -> Iterable[Document]:
            problems.found.extend(told.found)
            return documents

        return again
    declared = format_named(format)
    settings = build(declared.options, options, f"format {format}")
    if declared.read_objects is not None:
        read_objects = partial(declared.read_objects, source, want=want, options=settings)
        return lambda problems: read_objects(problems=problems)
    if not holds_json(format):
        raise UsageError(f"the format {format} is read from files; give a path, or documents without a format")
    from karat.formats.exported import read_exported

    return lambda problems: read_exported(source, declared, name=side, problems=problems, want=want, options=settings)


def _check_options(names: Sequence[str | None], readings: Sequence[Reading]) -> None:
    """Refuse an option that none of the formats has; sides of different formats may have different ones."""
    known = {option for name in names for option in _option_names(name)}
    sides = {"gold": names[:1], "system": names[1:] or names}  # a file beside the gold is read as that is
    known |= {f"{side}.{option}" for side in sides for name in sides[side] for option in _option_names(name)}
    for option in (option for reading in readings for option in reading.options):
        if option not in known:
            raise unknown("option of the input format", option, known)


def _of_side(name: str | None, options: Mapping[str, Any], side: Side) -> dict[str, Any]:
    """Return the options of a format that are said of a side; what is said of it alone goes before the others."""
    known = _option_names(name)
    alone = {option for option in options if option.removeprefix(f"{side}.") in known and option not in known}
    return {
        option: value
        for option, value in options.items()
        if option in alone or (option in known and f"{side}.{option}" not in alone)
    }


def _option_names(name: str | None) -> set[str]:
    """Return the options of a format, or of objects without one."""
    if name is None:
        from karat.formats.plain import PlainOptions

        return {declared.name for declared in fields(PlainOptions)}
    return {declared.name for declared in fields(format_named(name).options)}


def formats_of(sources: Sequence[Source], readings: Sequence[Reading], empty: str) -> tuple[str | None, ...]:
    """Return the names of the formats of files, given that of an empty one, and of objects that are exports of one."""
    pairs = zip(sources, readings, strict=True)
    return tuple(reading.format or _recognised(source, empty) for source, reading in pairs)


def _recognised(source: Source, empty: str) -> str | None:
    if isinstance(source, str | os.PathLike):
        return sniff(source, empty).name
    from karat.formats.exported import format_of

    return format_of(source)
