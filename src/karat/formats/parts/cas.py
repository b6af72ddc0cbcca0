"""A UIMA CAS from any file format: a text, and structures with features, some of which are references.

The types of DKPro, WebAnno and INCEpTION become layers of mentions, or chains, or are ignored. Offsets count UTF-16
units.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from karat.annotations.faults import shown
from karat.errors import InputError, many
from karat.formats.base import Problems
from karat.formats.parts.assembly import HEAD, TAIL, Assembly, links_of
from karat.formats.parts.offset_units import Offsets, Unit
from karat.formats.parts.unread_names import NearNames
from karat.model import Document, Link, Span
from karat.settings import option

ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
_CUSTOM = ("webanno.custom.", "custom.")
_NO_MENTIONS = (
    "uima.",
    "de.tudarmstadt.ukp.dkpro.core.api.segmentation.",
    "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.",
    "de.tudarmstadt.ukp.dkpro.core.api.syntax.",
    "de.tudarmstadt.ukp.dkpro.core.api.metadata.",
    "de.tudarmstadt.ukp.dkpro.core.api.transform.",
    "de.tudarmstadt.ukp.clarin.webanno.api.type.",
    "de.tudarmstadt.ukp.inception.api.type.",
)
"""Packages of tokens, sentences, parts of speech, lemmas, morphology, dependencies and descriptions."""
_CHAINS = "de.tudarmstadt.ukp.dkpro.core.api.coref.type."
LABEL, LINK = "value", "identifier"
_NO_TEXT = re.compile(r"true|false|[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?(?: [-+0-9.eE]+)*|\[.*\]", re.DOTALL)
"""What truth values, numbers and arrays look like."""
INITIAL = "_InitialView"
UNIT: Unit = "utf16"
ARRAY = "uima.cas.FSArray"
"""The type of an array of structures."""
_SOFA = "uima.cas.Sofa"
_ANNOTATION = "uima.tcas.Annotation"
_METADATA = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
_OWN = frozenset(("sofa", "begin", "end"))
_ENDS = ("Governor", "Dependent")
_READ = (*_OWN, *_ENDS, LABEL, LINK, "first", "next", "target", "role")
"""Features that are read by their names."""


def layer_of_type(name: str) -> str | None:
    """Return the layer of a type, or None if its annotations are not mentions.

    >>> layer_of_type(ENTITY), layer_of_type("webanno.custom.Cue"), layer_of_type("uima.tcas.DocumentAnnotation")
    ('', 'Cue', None)
    """
    if name == ENTITY:
        return ""
    if name.startswith((*_NO_MENTIONS, _CHAINS)):
        return None
    return next((name.removeprefix(start) for start in _CUSTOM if name.startswith(start)), name.rpartition(".")[2])


def is_chain(name: str) -> bool:
    """Tell whether a type is that of links in a chain, or of chains.

    >>> is_chain("de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink")
    True
    """
    return name.startswith(_CHAINS)


def parts_of(
    features: Mapping[str, str], texts: Container[str] | None = None
) -> tuple[str, tuple[Link, ...], dict[str, str]]:
    """Return the label, the links and the attributes for the features of an annotation.

    Without a feature ``value`` the label is the first textual feature. ``texts`` names the textual features; if it is
    unknown, they are those that do not look like numbers or booleans, or all if all do.

    >>> parts_of({"score": "0.5", "kind": "NEG", "sure": "yes"})
    ('NEG', (), {'score': '0.5', 'sure': 'yes'})
    """
    rest = dict(features)
    links = links_of(rest.pop(LINK, ""))
    if texts is None:
        texts = {name for name, value in rest.items() if not _NO_TEXT.fullmatch(value)} or rest.keys()
    key = LABEL if LABEL in rest else next((name for name in rest if name in texts), "")
    return rest.pop(key, ""), links, rest


@dataclass(frozen=True)
class CasOptions:
    """Which view is read."""

    view: str = option(INITIAL, "the view whose text and annotations are read", metavar="NAME")


class Structure(NamedTuple):
    """A structure of some type: its features as texts; references are ids separated by blanks."""

    name: str
    type: str
    features: dict[str, str]
    references: tuple[str, ...] | None = None
    """The features that refer to structures; nothing if the file does not say which do."""
    texts: frozenset[str] | None = None
    """The features that are texts; nothing if the file does not say which are."""
    line: int | None = None

    def get(self, feature: str) -> str:
        """Return a feature, ``""`` if it is missing."""
        return self.features.get(feature, "")

    @property
    def is_relation(self) -> bool:
        """Whether this relates two annotations, even if one of them is missing."""
        return any(self.get(end) for end in _ENDS)

    @property
    def values(self) -> dict[str, str]:
        """The features that describe the annotation itself: neither offsets nor references."""
        own_names = _OWN.union(_ENDS, self.references or ())
        return {name: value for name, value in self.features.items() if name not in own_names}

    def referred(self) -> Iterable[list[str]]:
        """Yield the ids of each feature that may refer to several structures."""
        names = self.features.keys() if self.references is None else self.references
        return (self.get(name).split() for name in names if name not in _OWN and name not in _ENDS)


class Cas:
    """The annotations of one view."""

    def __init__(self, structures: Iterable[Structure], path: str, problems: Problems, view: str) -> None:
        self.path, self.problems = path, problems
        self.structures: dict[str, Structure] = {}
        for structure in structures:
            if self.structures.setdefault(structure.name, structure) is not structure:
                raise self._fault(structure, "has an id that is used twice, or none; each needs its own")
            if not structure.type:
                raise self._fault(structure, "has no type")
        sofas = {
            structure.get("sofaID"): structure for structure in self.structures.values() if structure.type == _SOFA
        }
        if view not in sofas:
            known = ", ".join(map(shown, sofas)) or "no text at all (no sofa)"
            raise InputError(f"there is no view {shown(view)}; the file has {known}", path=path)
        for other in sofas:
            if other not in (view, INITIAL):
                message = f"the view {shown(other)} is left out: name it with --read view={other}"
                problems.drop(path, None, f"the view {shown(other)}", message)
        self.text = sofas[view].get("sofaString")
        inside = [structure for structure in self.structures.values() if structure.get("sofa") == sofas[view].name]
        self.members = [structure for structure in inside if structure.get("begin")]
        self._refuse_astray()
        self.chains = [structure for structure in inside if structure.get("first")]
        self.metadata = [structure for structure in self.structures.values() if structure.type == _METADATA]
        self.offsets = Offsets(self.text, UNIT)
        self.mentions: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        self.empty = 0

    def _refuse_astray(self) -> None:
        """Refuse an annotation without a text, a begin or an end."""
        for structure in self.structures.values():
            told = [key for key in ("sofa", "begin", "end") if structure.get(key)]
            if "begin" in told or "end" in told:
                missing = {"sofa", "begin", "end"}.difference(told)
                if missing:
                    raise self._fault(
                        structure, f"has no {' and no '.join(sorted(missing))}; an annotation needs all three"
                    )

    def document(self, name: str) -> Document:
        """Return the document, named by the metadata of the file, or else by this name."""
        ids = [structure.get(key) for key in ("documentId", "documentTitle") for structure in self.metadata]
        self.assembly = Assembly(next(filter(None, ids), name), self.text, source=self.path)
        members = [structure for structure in self.members if layer_of_type(structure.type) is not None]
        for structure in members:
            if not structure.is_relation:
                self._add(structure)
        for structure in members:
            if structure.name in self.mentions:
                self._slots(structure)
            elif structure.is_relation:
                self._relate(structure)
        places = {mention.spans: mention.id for mention in reversed(self.assembly.document.mentions)}
        linked = sum(self._chain(structure, places) for structure in self.chains if is_chain(structure.type))
        if loose := sum(is_chain(structure.type) for structure in self.members) - linked:
            message = f"{many(loose, 'link')} of coreference in no chain, left out"
            self.problems.drop(self.path, None, "links in no chain", message, loose)
        self._report()
        return self.assembly.document

    def _report(self) -> None:
        near = NearNames(_READ)
        for structure in self.structures.values():
            near.look(structure.features.keys())
        near.report(self.path, self.problems, "feature")
        if self.empty:
            message = f"{many(self.empty, 'annotation')} of zero width left out"
            self.problems.drop(self.path, None, "annotations of zero width", message, self.empty)
        if plain := sum(structure.type == _ANNOTATION for structure in self.members):
            message = f"{many(plain, 'annotation')} of the type {_ANNOTATION}, which has no layer, left out"
            self.problems.drop(self.path, None, f"annotations of the type {_ANNOTATION}", message, plain)

    def _span(self, structure: Structure) -> Span | None:
        """Return the span of an annotation, empty if it has no width."""
        begin, end = structure.get("begin"), structure.get("end")
        if not all(word.isascii() and word.isdigit() and len(word) < 19 for word in (begin, end)):
            raise self._fault(structure, f"begins at {shown(begin)} and ends at {shown(end)}; expected whole numbers")
        if begin == end:
            return None
        try:
            return self.offsets.span(int(begin), int(end))
        except InputError as error:
            raise self._fault(structure, error.message) from None

    def _fault(self, structure: Structure, message: str) -> InputError:
        name = f"{structure.type.rpartition('.')[2]} {shown(structure.name)}"
        return InputError(f"{name}: {message}", path=self.path, line=structure.line)

    def _add(self, structure: Structure) -> None:
        span = self._span(structure)
        if span is None:
            self.empty += 1
            return
        values = {key: value for key, value in structure.values.items() if not self._links(value.split())}
        label, links, attributes = parts_of(values, structure.texts)
        layer = layer_of_type(structure.type) or ""
        name = self.assembly.mention([span], (label,), layer=layer, links=links, attributes=attributes)
        self.mentions[structure.name] = name
        self.labels[name] = label

    def _links(self, names: list[str]) -> list[Structure]:
        """Return the links with role and target that these ids are, if all are, or that their only array contains."""
        array = self.structures.get(names[0]) if len(names) == 1 else None
        if array is not None and array.type == ARRAY:
            names = array.get("elements").split()
        links = [self.structures.get(name) for name in names]
        whole = [link for link in links if link is not None and link.get("target") and not link.get("begin")]
        return whole if len(whole) == len(links) else []

    def _slots(self, structure: Structure) -> None:
        """Add the event whose trigger is an annotation with slots."""
        for names in structure.referred():
            links = self._links(names)
            if links:
                trigger = self.mentions[structure.name]
                ends = [(link.get("role"), self._target(link, link.get("target"))) for link in links]
                for role, _ in ends:
                    if not role:
                        self.problems.count("slot without a role")
                self.assembly.tuple(self.labels[trigger], ends, trigger=trigger)

    def _target(self, structure: Structure, name: str) -> str:
        """Return the mention of a reference; another annotation becomes a mention without a label."""
        target = self.structures.get(name)
        if target is None or not target.get("begin"):
            raise self._fault(structure, f"refers to {shown(name)}, which is not an annotation")
        if name not in self.mentions:
            span = self._span(target)
            if span is None:
                raise self._fault(structure, f"refers to {shown(name)}, which has no width")
            self.mentions[name] = self.assembly.mention([span])
        return self.mentions[name]

    def _relate(self, structure: Structure) -> None:
        ends = (self._target(structure, structure.get(end)) for end in _ENDS)
        label, _, attributes = parts_of(structure.values, structure.texts)
        self.assembly.tuple(label, zip((HEAD, TAIL), ends, strict=True), attributes=attributes)

    def _chain(self, structure: Structure, places: dict[tuple[Span, ...], str]) -> int:
        """Add a chain of links, and return their number; a link over a mention uses that mention."""
        members: dict[str, None] = {}
        seen: set[str] = set()
        name = structure.get("first")
        while name:
            link = self.structures.get(name)
            if link is None or name in seen:
                raise self._fault(structure, f"refers to {shown(name)}, which is not a link, or a repeated one")
            seen.add(name)
            span = self._span(link)
            if span is None:
                self.empty += 1
            else:
                if (span,) not in places:
                    places[(span,)] = self.assembly.mention([span], (link.get("referenceType"),))
                members.setdefault(places[(span,)])
            name = link.get("next")
        if members:
            self.assembly.chain(members)
        return len(seen)
