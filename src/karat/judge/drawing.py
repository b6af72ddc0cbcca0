"""Which items of a pool are judged: all, those of some documents, or some of each stratum, always by a seed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Literal, NamedTuple

from karat.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

Strata = Literal["", "relation", "system"]


class Draw(NamedTuple):
    """How much is drawn: whole documents or single items, at random or by name; nothing given means everything."""

    documents: int | None = None
    names: tuple[str, ...] = ()
    items: int | None = None
    strata: Strata = ""


def shuffled(names: Iterable[str], seed: int, purpose: str) -> list[str]:
    """Return names in an order that depends on nothing but the seed, the purpose and the names themselves.

    What is added or left out does not move the others, so that a pool that grows keeps its order.

    >>> shuffled(["a", "b", "c"], seed=1, purpose="order") == shuffled(["c", "a", "b"], seed=1, purpose="order")
    True
    """
    return sorted(names, key=lambda name: (hashlib.sha256(f"{seed}\0{purpose}\0{name}".encode()).digest(), name))


def drawn_documents(known: Sequence[str], draw: Draw, seed: int) -> list[str]:
    """Return the documents whose items may be judged, in their order."""
    if draw.names:
        missing = sorted(set(draw.names) - set(known))
        if missing:
            raise UsageError(f"no system has a document {missing[0]!r}")
        chosen = set(draw.names)
    elif draw.documents is not None:
        if not 1 <= draw.documents <= len(known):
            raise UsageError(f"{draw.documents} documents cannot be drawn: the systems have {len(known)}")
        chosen = set(shuffled(known, seed, "documents")[: draw.documents])
    else:
        return list(known)
    return [name for name in known if name in chosen]


def drawn_items(strata: Mapping[str, Sequence[str]], wanted: int | None, seed: int) -> dict[str, list[str]]:
    """Return the items that are drawn in each stratum: its share of the number wanted, but at least two."""
    sizes = {name: len(keys) for name, keys in strata.items()}
    if wanted is not None and not 1 <= wanted <= sum(sizes.values()):
        raise UsageError(f"{wanted} items cannot be drawn: there are {sum(sizes.values())}")
    shares = sizes if wanted is None else _shares(sizes, wanted)
    return {name: shuffled(keys, seed, "items")[: shares[name]] for name, keys in strata.items()}


def _shares(sizes: Mapping[str, int], wanted: int) -> dict[str, int]:
    """Divide a number among strata by their size, by largest remainders, none below two or all that it has."""
    least = {name: min(2 if len(sizes) > 1 else 1, size) for name, size in sizes.items()}
    if sum(least.values()) > wanted:
        needed = sum(least.values())
        raise UsageError(f"{wanted} items are too few for {len(sizes)} strata: two of each make {needed}")
    total = sum(sizes.values())
    exact = {name: size * wanted / total for name, size in sizes.items()}
    shares = {name: max(least[name], int(exact[name])) for name in sizes}
    by_remainder: Callable[[str], tuple[float, str]] = lambda name: (shares[name] - exact[name], name)  # noqa: E731
    while sum(shares.values()) < wanted:
        shares[min((name for name in sizes if shares[name] < sizes[name]), key=by_remainder)] += 1
    while sum(shares.values()) > wanted:
        shares[max((name for name in sizes if shares[name] > least[name]), key=by_remainder)] -= 1
    return shares
