"""Large BRAT files of the usual form, from arrays: their annotations, or only how often each case occurs.

What is read here is read entry by entry in exactly the same way, but there a line takes 3 µs instead of 1; only to load
NumPy takes as long as 15,000 lines. What is judged item by item elsewhere is only counted here: both sides have the
same text, so that places are offsets in it, and the rules are those of the published programs. Whatever is unusual,
such as an id that comes twice, two gold entities in one place or a relation that leaves its sentence, is a
:class:`ValueError`, and left to who reads the entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from karat.formats.brat.arrays import read_arrays, texts_of
from karat.matching.classes import representatives
from karat.protocols.ehealthkd.annotations import Builder
from karat.protocols.ehealthkd.relations import SAME_AS

if TYPE_CHECKING:
    from karat.formats.brat.arrays import Arrays, Flags, Numbers, Words
    from karat.protocols.ehealthkd.sentences import EntityPlace, Sentences

NOBODY = -1
_SPREAD = 16
"""How many times larger than their count the numbers of entities may be."""
MOST_PAIRS = 1_000_000
"""Pairs of entities that may be looked at; where there are more, a sweep finds those that touch."""
_BITS = 32
"""Those of a key that tell places with the same start apart."""
_MIXERS = tuple(np.uint64(factor) for factor in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))
_SLOTS = 1 << 16
_TO_SLOTS = np.uint64(48)
"""Labels are told apart by the upper bits of what is mixed of them; if two meet, that is unusual."""
_MOST_BITS = 62
"""Of a key of a relation, which is a positive number."""


class Connections:
    """In which sentence each entity of a file is, and which of them its relations and attributes belong to."""

    def __init__(self, arrays: Arrays, ends: Numbers) -> None:
        entities, relations, attributes = arrays
        self.first = np.cumsum(entities.sizes) - entities.sizes
        """The first fragment of each entity."""
        self.sentences = np.searchsorted(ends, entities.starts[self.first], "right")
        if not len(entities.ids) or self.sentences.max() == len(ends):
            raise ValueError
        if entities.ids.max() > _SPREAD * len(entities.ids):
            raise ValueError
        self._index = np.full(entities.ids.max() + 1, NOBODY)
        self._index[entities.ids] = np.arange(len(entities.ids))
        if (self._index[entities.ids] != np.arange(len(entities.ids))).any():
            raise ValueError
        self.sources, self.targets = self._indices(relations.sources), self._indices(relations.targets)
        self.owners = self._indices(attributes.targets)
        if (self.sentences[self.sources] != self.sentences[self.targets]).any():
            raise ValueError

    def _indices(self, ids: Numbers) -> Numbers:
        """Return the places of entities that are referred to."""
        indices = self._index[np.minimum(ids, len(self._index) - 1)]
        if len(ids) and (ids.max() >= len(self._index) or (indices == NOBODY).any()):
            raise ValueError
        return indices


def read_bulk(blocks: Iterable[bytes], sentences: Sentences) -> Builder:
    """Read the annotations of a text from a file."""
    arrays = read_arrays(blocks)
    entities, relations, attributes = arrays
    connections = Connections(arrays, np.array(sentences.ends))
    if sentences.rules.corrected and entities.ends.max() > len(sentences.text):
        raise ValueError
    builder = Builder()
    builder.ids, builder.distinct = entities.ids.tolist(), True
    builder.labels = texts_of(entities.labels)
    fragments = list(zip(entities.starts.tolist(), entities.ends.tolist(), strict=True))
    for first, last in pairwise([*connections.first.tolist(), len(fragments)]):
        place = sentences.place(fragments[first:last])
        assert place is not None  # noqa: S101 - all are in sentences
        builder.places.append(place)
    ends = connections.sources.tolist(), connections.targets.tolist()
    builder.relations = list(zip(texts_of(relations.labels), *ends, strict=True))
    for name, owner in zip(texts_of(attributes.labels), connections.owners.tolist(), strict=True):
        builder.attributes[owner] = (*builder.attributes.get(owner, ()), name)
    return builder


def count(gold: Arrays, system: Arrays, sentences: Sentences) -> tuple[dict[str, int], dict[str, int]]:
    """Return how often each case occurs in a text, of entities and of relations."""
    labels = _Labels([column.labels for arrays in (gold, system) for column in arrays])
    text = _Text(sentences)
    golds, systems = _Side(gold, labels.codes[:3], text), _Side(system, labels.codes[3:], text)
    counts = np.zeros(len(sentences.texts), np.bool_)
    counts[golds.sentences] = True
    matched = _Matched(golds, systems, counts[systems.sentences])
    return matched.totals, _relation_totals(golds, systems, counts, matched.partners, labels.texts)


class _Labels:
    """Labels of several columns as codes, which are places in a list of texts."""

    def __init__(self, columns: Sequence[Words]) -> None:
        words = np.concatenate(columns)
        slots = ((words[:, 0] * _MIXERS[0] + words[:, 1] * _MIXERS[1]) >> _TO_SLOTS).astype(np.int64)
        is_met = np.zeros(_SLOTS, np.bool_)
        is_met[slots] = True
        codes = (np.cumsum(is_met) - 1)[slots]
        owners = np.empty(codes.max() + 1, np.int64)
        owners[codes] = np.arange(len(codes))
        examples = words[owners]
        if any((example[codes] != column).any() for example, column in zip(examples.T, words.T, strict=True)):
            raise ValueError
        self.texts = texts_of(examples)
        self.codes = np.split(codes, np.cumsum([len(column) for column in columns])[:-1])


class _Text:
    """Where the sentences of a text begin and end, and where its blanks are, the last one behind it."""

    def __init__(self, sentences: Sentences) -> None:
        self.begins, self.ends = np.array(sentences.begins), np.array(sentences.ends)
        self.blanks = np.flatnonzero(_characters("\n".join([*sentences.texts, " "])) == ord(" "))


def _characters(text: str) -> Any:
    """Return the numbers of the characters of a text, in little room if they are small."""
    try:
        return np.frombuffer(text.encode("latin-1"), np.uint8)
    except UnicodeEncodeError:
        return np.frombuffer(text.encode("utf-32-le"), "<u4")


class _Side(Connections):
    """The entities of a side in their places, and its relations between these."""

    def __init__(self, arrays: Arrays, codes: Sequence[Numbers], text: _Text) -> None:
        super().__init__(arrays, text.ends)
        self.labels, self.relation_labels, _ = codes
        _, _, sizes, starts, ends = arrays.entities
        first_starts, first_ends = starts[self.first], ends[self.first]
        if (first_starts > first_ends).any():
            raise ValueError
        if (first_starts < text.begins[self.sentences]).any() or (first_ends > text.ends[self.sentences]).any():
            raise ValueError
        self._cut(sizes, starts, ends, text)

    def _cut(self, sizes: Numbers, starts: Numbers, ends: Numbers, text: _Text) -> None:
        """Cut single fragments at their blanks; those of several are left as they are.

        A fragment with n blanks is repeated n + 1 times: its piece of rank k begins behind the blank before it, or
        where the fragment does, and ends at the next blank, or where the fragment does. Which blanks these are follows
        from how many the text has before the fragment.
        """
        is_single = np.repeat(sizes == 1, sizes)
        blanks_before = np.searchsorted(text.blanks, np.where(is_single, starts, 0))
        is_cut = is_single & (text.blanks[blanks_before] < ends)
        blanks = np.zeros(len(starts), np.int64)
        blanks[is_cut] = np.searchsorted(text.blanks, ends[is_cut]) - blanks_before[is_cut]
        self.sizes = sizes + np.add.reduceat(blanks, np.cumsum(sizes) - sizes)
        if blanks.any():
            owners = np.repeat(np.arange(len(starts)), blanks + 1)
            ranks = np.arange(len(owners)) - np.repeat(np.cumsum(blanks + 1) - blanks - 1, blanks + 1)
            cut_at = blanks_before[owners] + ranks
            is_last = ranks == blanks[owners]
            starts, ends = (
                np.where(ranks == 0, starts[owners], text.blanks[np.where(ranks == 0, 0, cut_at - 1)] + 1),
                np.where(is_last, ends[owners], text.blanks[np.where(is_last, 0, cut_at)]),
            )
        self.first = np.cumsum(self.sizes) - self.sizes
        self.starts, self.ends = starts, ends
        ranks = np.arange(len(starts)) - np.repeat(self.first, self.sizes)
        if ((starts[1:] < starts[:-1]) & (ranks[1:] > 0)).any():
            raise ValueError
        mixed = (starts.astype(np.uint64) * _MIXERS[0] + ends.astype(np.uint64)) * (
            _MIXERS[1] * ranks.astype(np.uint64) + _MIXERS[2]
        )
        mixed ^= mixed >> np.uint64(_BITS)
        rest = np.add.reduceat(mixed, self.first) & np.uint64((1 << _BITS) - 1)
        self.keys = (starts[self.first] << _BITS) | rest.astype(np.int64)
        """What equal places have in common, and others hardly ever."""

    def place(self, entity: int) -> EntityPlace:
        """Return where an entity is."""
        fragments = slice(self.first[entity], self.first[entity] + self.sizes[entity])
        return (int(self.sentences[entity]), *self.starts[fragments].tolist(), *self.ends[fragments].tolist())


class _Matched:
    """Which gold entity each system entity stands for, or nobody; and the totals."""

    def __init__(self, golds: _Side, systems: _Side, counts: Flags) -> None:
        gold_met = np.where(counts, _same_place(golds, systems), NOBODY)
        meets = np.flatnonzero(gold_met != NOBODY)
        is_right = golds.labels[gold_met[meets]] == systems.labels[meets]
        correct = _first_come(meets[is_right], gold_met, len(golds.labels))
        incorrect = np.where(correct == NOBODY, _first_come(meets, gold_met, len(golds.labels)), NOBODY)
        rest = counts.copy()
        for taken in (correct, incorrect):
            rest[taken[taken != NOBODY]] = False
        missed = (correct == NOBODY) & (incorrect == NOBODY)
        self.partners = np.full(len(systems.labels), NOBODY)
        right = np.flatnonzero(correct != NOBODY)
        self.partners[correct[right]] = right
        partial = _partial(golds, systems, np.flatnonzero(missed), np.flatnonzero(rest))
        self.partners[list(partial)] = list(partial.values())
        self.totals = {
            "correct": len(right),
            "incorrect": int((incorrect != NOBODY).sum()),
            "partial": len(partial),
            "spurious": int(rest.sum()) - len(partial),
            "missed": int(missed.sum()) - len(partial),
        }


def _same_place(golds: _Side, systems: _Side) -> Numbers:
    """Return for each system entity the gold entity in the same place, or nobody."""
    order = np.argsort(golds.keys, kind="stable")
    keys = golds.keys[order]
    if (keys[1:] == keys[:-1]).any():
        raise ValueError
    places = np.minimum(np.searchsorted(keys, systems.keys), len(keys) - 1)
    gold_met = np.where(keys[places] == systems.keys, order[places], NOBODY)
    pairs = np.flatnonzero(gold_met != NOBODY)
    sizes = systems.sizes[pairs]
    if (golds.sizes[gold_met[pairs]] != sizes).any():
        raise ValueError
    ranks = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    left, right = np.repeat(golds.first[gold_met[pairs]], sizes) + ranks, np.repeat(systems.first[pairs], sizes) + ranks
    if (golds.starts[left] != systems.starts[right]).any() or (golds.ends[left] != systems.ends[right]).any():
        raise ValueError
    return gold_met


def _first_come(systems: Numbers, gold_met: Numbers, size: int) -> Numbers:
    """Return for each gold entity the first of some system entities that meet it, or nobody."""
    first_systems = np.full(size, NOBODY)
    backwards = systems[::-1]
    first_systems[gold_met[backwards]] = backwards
    return first_systems


def _partial(golds: _Side, systems: _Side, missed: Numbers, rest: Numbers) -> dict[int, int]:
    """Pair each system entity left, in order, with the first gold entity left that it touches and has the label of.

    Only what has one sentence and one label can be paired. Sentence and label are one number, by which the gold is
    sorted, so that the candidates of a system entity stand in a row, from ``low`` to ``high``. Pairs of which neither
    side has another candidate stand; the few others are taken one after the other.
    """
    width = int(max(golds.labels.max(), systems.labels.max())) + 1
    gold_keys = golds.sentences[missed] * width + golds.labels[missed]
    order = np.argsort(gold_keys, kind="stable")
    missed, gold_keys = missed[order], gold_keys[order]
    keys = systems.sentences[rest] * width + systems.labels[rest]
    low, high = np.searchsorted(gold_keys, keys), np.searchsorted(gold_keys, keys, "right")
    sizes = high - low
    if sizes.sum() > MOST_PAIRS:
        raise ValueError
    left = np.repeat(rest, sizes)
    right = missed[np.arange(len(left)) - np.repeat(np.cumsum(sizes) - sizes - low, sizes)]
    left, right = _touching(systems, golds, left, right)
    is_contested = (np.bincount(left)[left] > 1) | (np.bincount(right)[right] > 1)
    sides = zip(left[is_contested].tolist(), right[is_contested].tolist(), strict=True)
    contested = sorted((systems.place(system), system, golds.place(gold), gold) for system, gold in sides)
    pairs = dict(zip(left[~is_contested].tolist(), right[~is_contested].tolist(), strict=True))
    taken: set[int] = set()
    for _, system, _, gold in contested:
        if system not in pairs and gold not in taken:
            pairs[system] = gold
            taken.add(gold)
    return pairs


def _touching(systems: _Side, golds: _Side, left: Numbers, right: Numbers) -> tuple[Numbers, Numbers]:
    """Return those pairs of which a fragment of one starts in a fragment of the other.

    Every fragment of the one with every fragment of the other: pair n is repeated as often, and the rank of each
    repetition, divided by the number of gold fragments, says which two are meant.
    """
    widths = golds.sizes[right]
    sizes = systems.sizes[left] * widths
    if sizes.sum() > MOST_PAIRS:
        raise ValueError
    pairs = np.repeat(np.arange(len(left)), sizes)
    ranks = np.arange(len(pairs)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    system_fragments = systems.first[left][pairs] + ranks // widths[pairs]
    gold_fragments = golds.first[right][pairs] + ranks % widths[pairs]
    start, end = systems.starts[system_fragments], systems.ends[system_fragments]
    gold_start, gold_end = golds.starts[gold_fragments], golds.ends[gold_fragments]
    touches = ((start <= gold_start) & (gold_start < end)) | ((gold_start <= start) & (start < gold_end))
    touching = _distinct(pairs[touches])
    return left[touching], right[touching]


def _relation_totals(
    golds: _Side, systems: _Side, counted: Flags, partners: Numbers, labels: Sequence[str]
) -> dict[str, int]:
    """Count relations, repeated ones once.

    Gold entities that ``same-as`` connects are equivalent: a relation between some is found as long as there is one of
    its label between equivalent ones that is free. So of equivalent relations as many are correct as both sides have.
    """
    bits = _Bits(max(len(golds.labels), len(systems.labels)).bit_length(), len(labels).bit_length())
    if 2 * bits.entity + bits.label > _MOST_BITS:
        raise ValueError
    keys = _Keys(_distinct(_keyed(golds.relation_labels, golds.sources, golds.targets, bits)), bits)
    chosen = counted[systems.sentences[systems.sources]]
    system_keys = _Keys(
        _distinct(_keyed(systems.relation_labels, systems.sources, systems.targets, bits)[chosen]), bits
    )
    is_same = keys.labels == labels.index(SAME_AS) if SAME_AS in labels else np.zeros(len(keys.all), np.bool_)
    standing = _standing(keys.sources[is_same], keys.targets[is_same], len(golds.labels))
    sources, targets = partners[system_keys.sources], partners[system_keys.targets]
    is_found = (sources != NOBODY) & (targets != NOBODY)
    gold_classes, gold_times = _tallied(_keyed(keys.labels, standing[keys.sources], standing[keys.targets], bits))
    system_classes, system_times = _tallied(
        _keyed(system_keys.labels[is_found], standing[sources[is_found]], standing[targets[is_found]], bits)
    )
    places = np.searchsorted(gold_classes, system_classes)
    meets = np.append(gold_classes, NOBODY)[places] == system_classes
    correct = int(np.minimum(gold_times[places[meets]], system_times[meets]).sum())
    return {"correct": correct, "spurious": len(system_keys.all) - correct, "missed": len(keys.all) - correct}


class _Bits(NamedTuple):
    """Of how many bits of a key an entity and a label are."""

    entity: int
    label: int


class _Keys:
    """Relations by their keys, and what these are made of."""

    def __init__(self, keys: Numbers, bits: _Bits) -> None:
        self.all = keys
        entity, label = (1 << bits.entity) - 1, (1 << bits.label) - 1
        self.labels, self.targets = keys & label, keys >> bits.label & entity
        self.sources = keys >> bits.label + bits.entity


def _keyed(labels: Numbers, sources: Numbers, targets: Numbers, bits: _Bits) -> Numbers:
    """Return keys of labels and entities, those that relations start from first, as files nearly have them in order."""
    return (sources << bits.entity | targets) << bits.label | labels


def _standing(sources: Numbers, targets: Numbers, size: int) -> Numbers:
    """Return for each of so many entities the one that stands for all that are equivalent to it."""
    standing = np.arange(size)
    same = zip(sources.tolist(), targets.tolist(), strict=True)
    for entity, representative in representatives(same).items():
        standing[entity] = representative
    return standing


def _sorted(values: Any) -> Any:
    """Return values in order; what is nearly so takes the stable sort a tenth of the time."""
    return np.sort(values, kind="stable")


def _distinct(values: Any) -> Any:
    """Return the distinct ones of some values, in order."""
    ordered = _sorted(values)
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))] if len(ordered) else ordered


def _tallied(values: Any) -> tuple[Any, Any]:
    """Return the distinct ones of some values, in order, and how often each is there."""
    ordered = _sorted(values)
    is_first = np.concatenate(([True], ordered[1:] != ordered[:-1]))[: len(ordered)]
    begins = np.flatnonzero(is_first)
    return ordered[begins], np.diff(begins, append=len(ordered))
