"""coref_mt5: the answers of the model to each sentence, one document per line, or recorded CSV files.

An answer is ``None [+ E]`` or a list of ``mention ## context -> antecedent ## context ;;``, where a context is the
following words; ``[2`` in place of an antecedent is the second chain so far. Mentions are located by words and context.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools.base import DocumentNames, ToolReader, checked, each_record
from karat.formats.tools.chains import ChainOptions, TokenFile, WordRange
from karat.formats.tools.draft import Origin, chain_document
from karat.model import Document
from karat.settings import MORE, limit

_CHAIN = re.compile(r"\[([0-9]{1,6})\s*\]?")
_MARK = re.compile(r"\[[0-9]{1,6}|\]")
_NOTHING = "None [+ E]"
MAX_PLACES = limit(10_000_000)
"""Places of runs that may be kept for a document; only words that repeat themselves without end need more."""


class ModelMention(NamedTuple):
    """A mention as the model writes it: its words, and the words that follow."""

    words: list[str]
    context: list[str]


class ModelLink(NamedTuple):
    """A link that the model predicts: a mention, and its antecedent or the number of a chain."""

    mention: ModelMention
    antecedent: ModelMention | int


def parse_answers(result: str) -> list[ModelLink]:
    """Return the links in the answer to a sentence.

    >>> parse_answers("it ## off , -> heat ## on ;; he ## ran -> [1 ;;")[1]
    ModelLink(mention=ModelMention(words=['he'], context=['ran']), antecedent=1)
    """
    answers: list[ModelLink] = []
    for part in result.split(";;"):
        if part.strip() in ("", _NOTHING):
            continue
        mention, arrow, antecedent = part.partition("->")
        if not arrow:
            raise InputError(f"the answer {shown(part.strip())} has no '->'; expected mention ## context -> antecedent")
        chain = _CHAIN.fullmatch(antecedent.strip())
        answers.append(ModelLink(_phrase(mention), int(chain[1]) if chain else _phrase(antecedent)))
    return answers


def _phrase(text: str) -> ModelMention:
    words, _, context = text.partition("##")
    plain = [word for word in words.split() if not _MARK.fullmatch(word)]
    if not plain:
        raise InputError(f"the answer {shown(text.strip())} has no mention; expected mention ## context")
    return ModelMention(plain, [word for word in context.split() if not _MARK.fullmatch(word)])


class WordRun:
    """A sequence of words, with the ascending indices at which it begins."""

    __slots__ = ("longer", "places", "size")

    def __init__(self, places: Sequence[int], size: int) -> None:
        self.places, self.size = places, size
        self.longer: dict[str, WordRun] | None = None

    def within(self, first: int, end: int, *, but: int | None = None) -> Sequence[int]:
        """Return the first and last of the indices in a range, except ``but``.

        >>> WordRun([1, 4, 7, 9], 1).within(2, 10, but=4)
        [7, 9]
        """
        low, high = bisect_left(self.places, first), bisect_left(self.places, end)
        low += low < high and self.places[low] == but
        high -= low < high and self.places[high - 1] == but
        return [self.places[index] for index in dict.fromkeys((low, high - 1))] if low < high else []


class WordRuns:
    """Finds sequences of words in a document, with a tree of the sequences requested so far.

    A sequence is looked up word by word, and the indices of each are computed once, from those of the sequence without
    its last word, so that many requests with common prefixes cost little more than one.

    >>> runs = WordRuns(["the", "wing", "and", "the", "tail"])
    >>> [run.places for run in runs.of(["the", "wing", "tail"])]
    [[0, 3], [0]]
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.whole = WordRun(range(len(words)), 0)
        self._left = MAX_PLACES

    def of(self, words: Iterable[str], begun: WordRun | None = None) -> Iterable[WordRun]:
        """Yield the sequences of the first word, the first two, and so on, as long as they occur."""
        run: WordRun | None = begun or self.whole
        for word in words:
            run = None if run is None else self._longer(run).get(word)
            if run is None:
                return
            yield run

    def _longer(self, run: WordRun) -> dict[str, WordRun]:
        """Return the sequences with one more word, by that word."""
        if run.longer is None:
            self._left -= len(run.places)
            if self._left < 0:
                message = f"the same words stand in more than {MAX_PLACES:,} places that answers could mean"
                raise InputError(f"{message}; split the document, {MORE}")
            places: dict[str, list[int]] = {}
            for index in run.places[: bisect_left(run.places, len(self.words) - run.size)]:
                places.setdefault(self.words[index + run.size], []).append(index)
            run.longer = {word: WordRun(longer_places, run.size + 1) for word, longer_places in places.items()}
        return run.longer


class ChainBuilder:
    """Builds the chains of a document, sentence by sentence."""

    def __init__(self, name: str, sentences: Sequence[Sequence[str]], origin: Origin) -> None:
        self.words = [word for sentence in sentences for word in sentence]
        self.chains: list[dict[WordRange, None]] = []
        self._first_chains: dict[WordRange, int] = {}
        """The number of the first chain that has a mention."""
        self._runs = WordRuns([word.lower() for word in self.words])
        self._name, self._origin = name, origin

    def answer(self, answer: ModelLink, first: int, end: int) -> None:
        """Add a link that was predicted in the sentence of the words from ``first`` to the one before ``end``."""
        mention = self._find(answer.mention, first, end, last=False)
        if mention is None:
            return
        if isinstance(answer.antecedent, int):
            if 1 <= answer.antecedent <= len(self.chains):
                self._add(answer.antecedent - 1, mention)
            else:
                self._report(f"chain {answer.antecedent} is named before there is one")
            return
        antecedent = self._find(answer.antecedent, 0, end, last=True, before=mention)
        if antecedent is None:
            return
        new = len(self.chains)
        chain = min(self._first_chains.get(pair, new) for pair in (mention, antecedent))
        if chain == new:
            self.chains.append({})
        self._add(chain, mention)
        self._add(chain, antecedent)

    def _add(self, chain: int, mention: WordRange) -> None:
        self.chains[chain][mention] = None
        self._first_chains[mention] = min(chain, self._first_chains.get(mention, chain))

    def _find(
        self, phrase: ModelMention, first: int, end: int, *, last: bool, before: WordRange | None = None
    ) -> WordRange | None:
        """Return the first or last occurrence of a phrase in a range of words, by the longest match of its context.

        An occurrence before ``before``, if given, is preferred.
        """
        size = len(phrase.words)
        itself = before[0] if before is not None and before[1] - before[0] + 1 == size else None
        end += 1 - size
        runs = list(self._runs.of(word.lower() for word in phrase.words))
        places = runs[-1].within(first, end, but=itself) if len(runs) == size else []
        if not places:
            self._report(f"{shown(' '.join(phrase.words))} is hallucinated: the words do not have it there")
            return None
        if before is not None and places[0] < before[0]:
            end = min(end, before[0])
            places = runs[-1].within(first, end)
        for run in self._runs.of((word.lower() for word in phrase.context), begun=runs[-1]):
            agreeing = run.within(first, end, but=itself)
            if not agreeing:
                break
            places = agreeing
        if len(places) > 1:
            taken = "last" if last else "first"
            self._report(f"{shown(' '.join(phrase.words))} occurs there more than once; the {taken} is taken")
        start = places[-1 if last else 0]
        return start, start + size - 1

    def _report(self, message: str) -> None:
        self._origin.repair(f"document {shown(self._name)}: {message}")


def _native(path: str, problems: Problems, options: ChainOptions) -> Iterator[Document]:
    names, tokens = DocumentNames(path, problems), TokenFile(options.tokens)

    def build(record: dict[str, Any], line: int) -> Document:
        name, origin = names.of(record, line), Origin(path, line, problems)
        sentences = checked(record.get("sentences"), list[list[str]], "sentences")
        results = checked(record.get("results"), list[str], "results")
        if len(sentences) != len(results):
            fault = f"there are {len(results)} results for {len(sentences)} sentences"
            raise InputError(f"{fault}; expected one for each")
        chains = ChainBuilder(name, sentences, origin)
        segments: list[int] = []
        end = 0
        for sentence, result in zip(sentences, results, strict=True):
            segments.append(end)
            end += len(sentence)
            for answer in parse_answers(result):
                chains.answer(answer, segments[-1], end)
        words = tokens.words(name, chains.words, segments)
        return chain_document(name, [list(chain) for chain in chains.chains], words, origin)

    return each_record(path, problems, build)


COREF_MT5 = ToolReader(_native, ChainOptions)
