"""CAT XML with CROMER entities, the source of the NewsReader gold: tokens, mentions, entities and relations.

Follows NewsReader's own converter: only names (``NAM``, ``PRE.NAM``) that refer to an entity are mentions, with the
type and the external reference of the entity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from karat.annotations.faults import shown, surface
from karat.annotations.tokens import fragments, join_tokens
from karat.errors import InputError
from karat.formats._files import files_below
from karat.formats.base import Format, NoOptions, Problems, Want
from karat.formats.parts.heads import root_of
from karat.formats.parts.xml import Element, parse_xml, text_of
from karat.model import Document, Link, Mention, TokenTable

RESOURCE = "byCROMER"
_SUFFIX = ".xml"
_NAMES = frozenset({"NAM", "PRE.NAM"})
_RELATIONS = ("COREFERENCE", "REFERS_TO")
"""Which mention refers to which entity; of several answers the last counts."""


def read(path: str, *, problems: Problems, want: Want, options: NoOptions) -> Iterator[Document]:
    """Yield a document for each CAT file, by name; faulty ones are reported and skipped."""
    del want, options
    for file, name in files_below(path, _SUFFIX, problems):
        with problems.catching(file):
            yield _document(parse_xml(file), file, name.removesuffix(".txt"))


def sniff(head: str) -> bool:
    """Tell whether this is a CAT document: numbered tokens below ``Document``.

    >>> sniff('<?xml version="1.0"?><Document doc_name="a"><token t_id="1" sentence="0">A</token>')
    True
    """
    return root_of(head).name == "Document" and "<token " in head


def _document(root: Element, path: Path, name: str) -> Document:
    if root.tag != "Document":
        raise InputError(f"the root element is {shown(str(root.tag))}; expected 'Document'", path=path)
    tokens = [token for token in root.iter("token") if text_of(token)]
    for token in tokens:
        sentence = token.get("sentence", "")
        if not token.get("t_id") or not (sentence.isascii() and sentence.isdigit() and len(sentence) < 10):
            message = "a token has no t_id, or a sentence that is not an integer; expected both"
            raise InputError(message, path=path, line=token.sourceline)
    tokens.sort(key=lambda token: int(token.get("sentence", "0")))
    forms = [text_of(token) for token in tokens]
    text, starts = join_tokens(forms)
    ids = [token.get("t_id", "") for token in tokens]
    sentences = [str(int(token.get("sentence", "0")) + 1) for token in tokens]
    segments = [index for index, sentence in enumerate(sentences) if index == 0 or sentences[index - 1] != sentence]
    columns: dict[str, Sequence[str]] = {"ID": ids, "SENT": sentences, "PARA": ["1"] * len(ids)}
    table = TokenTable(forms, columns if ids else {}, segments, starts, dialect="cat")
    mentions = list(_mentions(root, path, {name: index for index, name in enumerate(ids)}, table, text))
    return Document(name, text, mentions, metadata={"lang": "en", "resource": RESOURCE}, table=table, source=str(path))


def _mentions(root: Element, path: Path, places: dict[str, int], table: TokenTable, text: str) -> Iterator[Mention]:
    entities = {entity.get("m_id", ""): entity for entity in root.iter("ENTITY")}
    refers = _references(root, path)
    mentions = {mention.get("m_id", ""): mention for mention in root.iter("ENTITY_MENTION")}
    for name, mention in mentions.items():
        if name not in refers or mention.get("syntactic_type") not in _NAMES:
            continue
        entity = entities.get(refers[name])
        tokens = sorted({places.get(anchor.get("t_id", ""), -1) for anchor in mention.iter("token_anchor")})
        if entity is None or not tokens or tokens[0] < 0:
            what = f"the entity {shown(refers[name])}" if entity is None else "a token"
            message = f"mention {shown(name)} refers to {what} that is not there"
            raise InputError(message, path=path, line=mention.sourceline)
        spans = fragments(tokens, table.starts, table.forms)
        label, target = entity.get("ent_type"), entity.get("external_ref")
        links = (Link(target, 1.0),) if target else ()
        yield Mention(name, spans, (label,) if label else (), surface(text, spans), links=links)


def _references(root: Element, path: Path) -> dict[str, str]:
    """Return the entity of each mention; all sources of a relation refer to its first target."""
    refers: dict[str, str] = {}
    for kind in _RELATIONS:
        for relation in root.iter(kind):
            sources = [source.get("m_id", "") for source in relation.iter("source")]
            target = next(relation.iter("target"), None)
            if sources and target is None:
                message = f"a {kind} has sources but no target; give it the entity that they refer to"
                raise InputError(message, path=path, line=relation.sourceline)
            if target is not None:
                refers |= dict.fromkeys(sources, target.get("m_id", ""))
    return refers


FORMAT = Format(
    name="cat",
    title="CAT XML with CROMER entities, as annotated for NewsReader",
    known_by="the root element `Document` with elements `token`",
    read=read,
    sniff=sniff,
    suffixes=(_SUFFIX,),
    folder=True,
    layers="named mentions with links, tokens",
)
