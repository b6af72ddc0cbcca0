"""What the types of DKPro, WebAnno and INCEpTION become: layers of mentions, chains, or nothing."""

from __future__ import annotations

from collections.abc import Mapping

from karat.formats._assembly import links_of
from karat.model import Link

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


def layer_of_type(name: str) -> str | None:
    """Return the layer of a type, or nothing if its annotations are no mentions.

    >>> layer_of_type(ENTITY), layer_of_type("webanno.custom.Cue"), layer_of_type("uima.tcas.DocumentAnnotation")
    ('', 'Cue', None)
    """
    if name == ENTITY:
        return ""
    if name.startswith((*_NO_MENTIONS, _CHAINS)):
        return None
    return next((name.removeprefix(start) for start in _CUSTOM if name.startswith(start)), name.rpartition(".")[2])


def is_chain(name: str) -> bool:
    """Say whether a type is one of links in a chain, or of their beginning.

    >>> is_chain("de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink")
    True
    """
    return name.startswith(_CHAINS)


def parts_of(features: Mapping[str, str]) -> tuple[str, tuple[Link, ...], dict[str, str]]:
    """Return the label, the links and the attributes that the features of an annotation are.

    >>> parts_of({"kind": "NEG", "sure": "yes"})
    ('NEG', (), {'sure': 'yes'})
    """
    rest = dict(features)
    links = links_of(rest.pop(LINK, ""))
    key = LABEL if LABEL in rest else next(iter(rest), "")
    return rest.pop(key, ""), links, rest
