"""Damage to XML: tags and texts left out, repeated and exchanged, attributes changed, elements nested."""

from __future__ import annotations

import re
from random import Random

from tests.fuzz.grammar import raw
from tests.fuzz.grammar.values import hostile, near, times

_PIECE = re.compile(r"<[^>]*>|[^<]+|<")
_ATTRIBUTE = re.compile(r'([\w:.-]+)="([^"]*)"')
_DECLARATIONS = (
    '<!DOCTYPE a [<!ENTITY x "y">]>',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<?xml version="1.1"?>',
    "<?pi?>",
    "<!--",
    "<![CDATA[",
)


def mutate(content: bytes, random: Random) -> bytes:
    """Return the content with its elements or attributes changed."""
    text = content.decode("utf-8", "surrogateescape")
    pieces = _PIECE.findall(text)
    if len(pieces) < 3:
        return raw.mutate(content, random)
    if random.random() < 0.5:
        _change_pieces(pieces, random)
    else:
        _change_attribute(pieces, random)
    return "".join(pieces).encode("utf-8", "surrogatepass")


def _change_pieces(pieces: list[str], random: Random) -> None:
    place, other = (random.randrange(len(pieces)) for _ in range(2))
    first, last = _element(pieces, place)
    kind = random.randrange(9)
    if kind == 0:
        del pieces[place]
    elif kind == 1:
        del pieces[first:last]
    elif kind == 2:
        pieces[last:last] = pieces[first:last] * times(random)
    elif kind == 3:
        pieces[place], pieces[other] = pieces[other], pieces[place]
    elif kind == 4:
        pieces.insert(random.choice((0, 1, place)), random.choice(_DECLARATIONS))
    elif kind == 5:
        moved = pieces[first:last]
        del pieces[first:last]
        pieces[other:other] = moved
    elif kind == 6:
        deep = times(random)
        pieces[first:last] = ["<x>"] * deep + pieces[first:last] + ["</x>"] * deep
    elif kind == 7:
        pieces[place] = hostile(random)
    else:
        pieces[place] = pieces[place].replace("<", "<x", 1) if pieces[place] != "<" else "<x>"


def _element(pieces: list[str], place: int) -> tuple[int, int]:
    """Return where the element that begins at a piece begins and ends; other pieces are elements of their own."""
    name = re.match(r"<([\w:.-]+)", pieces[place])
    if name is None or pieces[place].endswith("/>"):
        return place, place + 1
    closing = f"</{name[1]}"
    for last in range(place, len(pieces)):
        if pieces[last].startswith(closing):
            return place, last + 1
    return place, place + 1


def _change_attribute(pieces: list[str], random: Random) -> None:
    tags = [place for place, piece in enumerate(pieces) if _ATTRIBUTE.search(piece)]
    if not tags:
        _change_pieces(pieces, random)
        return
    place = random.choice(tags)
    found = random.choice(list(_ATTRIBUTE.finditer(pieces[place])))
    name, value = found.groups()
    kind = random.randrange(6)
    if kind == 0:
        new = ""
    elif kind == 1:
        new = f'{name}="{near(int(value), random) if value.isdecimal() else hostile(random)}"'
    elif kind == 2:
        new = f'{name}="{random.choice(_ATTRIBUTE.findall(pieces[random.choice(tags)]))[1]}"'
    elif kind == 3:
        new = f'{found[0]} {name}="{value}"'
    elif kind == 4:
        new = f'{hostile(random)}="{value}"'
    else:
        new = f'{name}="{value}{hostile(random)}"'
    pieces[place] = pieces[place][: found.start()] + new + pieces[place][found.end() :]
