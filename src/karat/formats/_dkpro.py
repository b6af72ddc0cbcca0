"""What the types of DKPro, WebAnno and INCEpTION become: layers of mentions, chains, or nothing."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

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
_NO_TEXT = re.compile(r"true|false|[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?(?: [-+0-9.eE]+)*|\[.*\]", re.DOTALL)
"""What truth values, numbers and arrays look like."""


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


def parts_of(
    features: Mapping[str, str], texts: Container[str] | None = None
) -> tuple[str, tuple[Link, ...], dict[str, str]]:
    """Return the label, the links and the attributes that the features of an annotation are.

    Without a feature ``value`` the label is the first that is a text. ``texts`` are the features that are; where a file
    does not say which, those count that do not look like something else, or all if all do.

    >>> parts_of({"score": "0.5", "kind": "NEG", "sure": "yes"})
    ('NEG', (), {'score': '0.5', 'sure': 'yes'})
    """
    rest = dict(features)
    links = links_of(rest.pop(LINK, ""))
    if texts is None:
        texts = {name for name, value in rest.items() if not _NO_TEXT.fullmatch(value)} or rest.keys()
    key = LABEL if LABEL in rest else next((name for name in rest if name in texts), "")
    return rest.pop(key, ""), links, rest
