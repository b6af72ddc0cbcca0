"""How spaCy writes texts as numbers: names that it has built in by their number, all others by a hash of 64 bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_MIX, _ROTATION, _SEED, _WORD = 0xC6A4A7935BD1E995, 47, 1, 0xFFFFFFFFFFFFFFFF

_FLAGS = """IS_ALPHA IS_ASCII IS_DIGIT IS_LOWER IS_PUNCT IS_SPACE IS_TITLE IS_UPPER LIKE_URL LIKE_NUM LIKE_EMAIL IS_STOP
IS_OOV_DEPRECATED IS_BRACKET IS_QUOTE IS_LEFT_PUNCT IS_RIGHT_PUNCT IS_CURRENCY"""
_ATTRIBUTES = """ID ORTH LOWER NORM SHAPE PREFIX SUFFIX LENGTH CLUSTER LEMMA POS TAG DEP ENT_IOB ENT_TYPE HEAD
SENT_START SPACY PROB LANG"""
_CLASSES = "ADJ ADP ADV AUX CONJ CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X EOL SPACE"
_ENTITIES = """PERSON NORP FACILITY ORG GPE LOC PRODUCT EVENT WORK_OF_ART LANGUAGE LAW DATE TIME PERCENT MONEY QUANTITY
ORDINAL CARDINAL"""
_DEPENDENCIES = """acomp advcl advmod agent amod appos attr aux auxpass cc ccomp complm conj cop csubj csubjpass dep det
dobj expl hmod hyph infmod intj iobj mark meta neg nmod nn npadvmod nsubj nsubjpass num number oprd obj obl parataxis
partmod pcomp pobj poss possessive preconj prep prt punct quantmod relcl rcmod root xcomp acl"""
_LATER = "ENT_KB_ID MORPH ENT_ID IDX _"


def _built_in() -> Iterator[str]:
    """Yield the names that are built in, in the order of their numbers."""
    yield ""
    yield from _FLAGS.split()
    yield from (f"FLAG{number}" for number in range(19, 64))
    yield from _ATTRIBUTES.split()
    yield from _CLASSES.split()
    yield from (f"DEPRECATED{number:03}" for number in range(1, 277))
    yield from _ENTITIES.split()
    yield from _DEPENDENCIES.split()
    yield from _LATER.split()


def hash_of(text: str) -> int:
    """Return the number of a text that is not built in: MurmurHash64A of its UTF-8.

    >>> hash_of("coffee")
    3197928453018144401
    """
    data = text.encode("utf-8")
    value = _SEED ^ (len(data) * _MIX & _WORD)
    whole = len(data) // 8 * 8
    for place in range(0, whole, 8):
        part = int.from_bytes(data[place : place + 8], "little") * _MIX & _WORD
        part = (part ^ (part >> _ROTATION)) * _MIX & _WORD
        value = (value ^ part) * _MIX & _WORD
    if whole < len(data):
        value = (value ^ int.from_bytes(data[whole:], "little")) * _MIX & _WORD
    value = (value ^ (value >> _ROTATION)) * _MIX & _WORD
    return value ^ (value >> _ROTATION)


def names_of(strings: Iterable[str]) -> dict[int, str]:
    """Return all texts by their numbers: those that are built in, and these.

    >>> names = names_of(["coffee"])
    >>> names[380], names[3197928453018144401]
    ('PERSON', 'coffee')
    """
    return {hash_of(text): text for text in strings} | dict(enumerate(_built_in()))
