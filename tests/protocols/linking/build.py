"""Documents from short lines, for the tests of the linking protocols."""

from __future__ import annotations

from karat.model import Document, Link, Mention

TEXT = "Ada Lovelace met Bo in Bern on the Aare near Thun."


def documents(lines: str) -> list[Document]:
    """Read lines of document, start, end, links (or a hyphen for none) and type (or nothing).

    A line with nothing but a name is a document without mentions.
    """
    found: dict[str, list[Mention]] = {}
    for line in lines.strip().splitlines():
        name, *fields = line.split()
        mentions = found.setdefault(name, [])
        if fields:
            start, end, links, *labels = fields
            targets = () if links == "-" else tuple(map(Link, links.split("|")))
            mentions.append(Mention(f"m{len(mentions)}", ((int(start), int(end)),), tuple(labels), links=targets))
    return [Document(name, TEXT, mentions) for name, mentions in found.items()]
