"""Small documents with relations, written in one line each."""

from __future__ import annotations

from karat.model import Argument, Chain, Document, Mention, Relation

TEXT = "Ada Lovelace met Charles Babbage in London. She admired him."


def document(
    mentions: str, relations: str = "", chains: str = "", *, name: str = "d", text: str = TEXT, roles: str = "Arg1 Arg2"
) -> Document:
    """Return a document; a mention is ``TYPE:words``, a relation ``label(1,2)`` with the numbers of mentions.

    A mention that occurs several times is meant where it occurs first; ``words#2`` means the second time.
    Arguments may have roles of their own: ``label(Theme=1,trigger=2)``.
    """
    found = []
    for number, part in enumerate(filter(None, mentions.split("; ")), 1):
        kind, _, words = part.partition(":")
        words, _, nth = words.partition("#")
        at = -1
        for _ in range(int(nth or 1)):
            at = text.index(words, at + 1)
        found.append(Mention(f"T{number}", ((at, at + len(words)),), (kind,)))
    groups = [Chain(f"*{at}", tuple(f"T{n}" for n in one.split(","))) for at, one in enumerate(chains.split())]
    return Document(
        name, text, found, groups, [_relation(*one, roles.split()) for one in enumerate(relations.split(), 1)]
    )


def _relation(number: int, text: str, roles: list[str]) -> Relation:
    label, _, inside = text.rstrip(")").partition("(")
    trigger, arguments = None, []
    for at, part in enumerate(filter(None, inside.split(","))):
        role, equals, target = part.rpartition("=")
        target = target if target.startswith("R") else f"T{target}"
        if role == "trigger":
            trigger = target
        else:
            arguments.append(Argument(role if equals else roles[at], target))
    return Relation(f"R{number}", label, tuple(arguments), trigger)
