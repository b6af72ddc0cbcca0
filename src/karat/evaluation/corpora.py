"""Loads the sides of an evaluation from files, folders, shards or objects, read as the protocol and its user want."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any, NamedTuple

import msgspec

from karat.errors import InputError, UsageError, unknown
from karat.evaluation.cache import MOST_HELD, Holding
from karat.evaluation.corpus import Corpus, Reader, Recipe, ShardedCorpus
from karat.evaluation.protocol import Bound, Side, no_facts
from karat.evaluation.shards import partners, shard_paths
from karat.formats import format_named, sniff
from karat.formats.base import Problems, Want
from karat.formats.catalogue import holds_json, plug_in_of
from karat.io import STDIN, is_file, name_of, opened_once
from karat.model import Document
from karat.settings import build

Source = str | os.PathLike[str] | Iterable[Any]
"""A file or folder, or documents as objects: Documents, dictionaries, tags, spans, columns, or objects of tools."""

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
    compresses them, since there will be many looks. Where every side is a table of tokens that the protocol reads
    itself, mentions are not even built, and the tables are read as it says, with their texts only if ``texts`` asks for
    them; otherwise all sides are read in full, so that their texts agree.
    """
    readings = readings or [Reading()] * len(sources)
    sides = _sides_of(sources, readings)
    formats = formats_of(
        [_example(side) if isinstance(side, _Files) else side for side in sides], readings, bound.demands.empty
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
            recipes = [Recipe(path, name, want, options, reading.share_links, glimpse) for path in paths]
            files = _of_files(recipes, holding, corpora[0] if takes_texts else None)
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


def _example(paths: Sequence[str]) -> str:
    """Return the first file that has something in it, by which the format is recognised."""
    return next((path for path in paths if os.path.getsize(path)), paths[0])  # noqa: PTH202 - as below


def _of_files(recipes: Sequence[Recipe], holding: Holding, gold: Corpus | None) -> list[Corpus]:
    """Return the documents of each file of a side; of several files none are held, and each has its own gold."""
    grounds = [None] * len(recipes) if gold is None else list(map(_ground, gold.shards))
    if len(recipes) > 1:
        holding = "nothing"
    return [
        Corpus.of_file(recipe, name_of(recipe.path), "everything" if recipe.path == STDIN else holding, ground)
        for recipe, ground in zip(recipes, grounds, strict=True)
    ]


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
