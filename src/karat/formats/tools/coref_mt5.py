"""coref_mt5: what the model answers to each sentence, one document a line, or recorded CSV files.

An answer is ``None [+ E]`` or a list of ``mention ## context -> antecedent ## context ;;``, where the context are the
words behind; ``[2`` in place of an antecedent is the second chain so far. Mentions are found by both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from karat.annotations.faults import shown
from karat.errors import InputError
from karat.formats.base import Problems
from karat.formats.tools.base import Names, checked, each_record
from karat.formats.tools.chains import ChainOptions as Options
from karat.formats.tools.chains import Pair, TokenFile
from karat.formats.tools.draft import Origin
from karat.formats.tools.words import chain_document
from karat.model import Document

_CHAIN = re.compile(r"\[([0-9]{1,6})\s*\]?")
_MARK = re.compile(r"\[[0-9]{1,6}|\]")
_NOTHING = "None [+ E]"
MAX_STEPS = 50_000_000
"""Words that may be looked at to find the mentions of a document."""


class Phrase(NamedTuple):
    """A mention as the model writes it: its words, and those behind them."""

    words: list[str]
    context: list[str]


class Answer(NamedTuple):
    """One link that the model makes: a mention, and its antecedent or the number of a chain."""

    mention: Phrase
    antecedent: Phrase | int


def parse_answers(result: str) -> list[Answer]:
    """Return the links of the answer to a sentence.

    >>> parse_answers("it ## off , -> heat ## on ;; he ## ran -> [1 ;;")[1]
    Answer(mention=Phrase(words=['he'], context=['ran']), antecedent=1)
    """
    answers: list[Answer] = []
    for part in result.split(";;"):
        if part.strip() in ("", _NOTHING):
            continue
        mention, arrow, antecedent = part.partition("->")
        if not arrow:
            raise InputError(f"the answer {shown(part.strip())} has no '->'; expected mention ## context -> antecedent")
        chain = _CHAIN.fullmatch(antecedent.strip())
        answers.append(Answer(_phrase(mention), int(chain[1]) if chain else _phrase(antecedent)))
    return answers


def _phrase(text: str) -> Phrase:
    words, _, context = text.partition("##")
    plain = [word for word in words.split() if not _MARK.fullmatch(word)]
    if not plain:
        raise InputError(f"the answer {shown(text.strip())} has no mention; expected mention ## context")
    return Phrase(plain, [word for word in context.split() if not _MARK.fullmatch(word)])


class Chains:
    """Builds the chains of a document, sentence by sentence."""

    def __init__(self, name: str, sentences: Sequence[Sequence[str]], origin: Origin) -> None:
        self.words = [word for sentence in sentences for word in sentence]
        self.chains: list[list[Pair]] = []
        self._lowered = [word.lower() for word in self.words]
        self._name, self._origin = name, origin

    def answer(self, answer: Answer, first: int, end: int) -> None:
        """Add a link that was made in the sentence of the words from the first to the one before the end."""
        mention = self._find(answer.mention, first, end, last=False)
        if mention is None:
            return
        if isinstance(answer.antecedent, int):
            if not 1 <= answer.antecedent <= len(self.chains):
                self._report(f"chain {answer.antecedent} is named before there is one")
                return
            chain = self.chains[answer.antecedent - 1]
        else:
            antecedent = self._find(answer.antecedent, 0, end, last=True, before=mention)
            if antecedent is None:
                return
            chain = next((one for one in self.chains if antecedent in one or mention in one), [])
            if not chain:
                self.chains.append(chain)
            chain += [one for one in (mention, antecedent) if one not in chain]
            return
        chain += [mention] if mention not in chain else []

    def _find(self, phrase: Phrase, first: int, end: int, *, last: bool, before: Pair | None = None) -> Pair | None:
        """Return a phrase among some words by the longest part of its context that is there: the first or the last."""
        wanted = [word.lower() for word in phrase.words]
        places = [
            start
            for start in range(first, end - len(wanted) + 1)
            if self._lowered[start : start + len(wanted)] == wanted and (start, start + len(wanted) - 1) != before
        ]
        if before is not None and any(start < before[0] for start in places):
            places = [start for start in places if start < before[0]]
        if not places:
            self._report(f"{shown(' '.join(phrase.words))} is hallucinated: the words do not have it there")
            return None
        context = [word.lower() for word in phrase.context]
        agreement = [self._agreement(start + len(wanted), context) for start in places]
        best = [start for start, number in zip(places, agreement, strict=True) if number == max(agreement)]
        start = best[-1 if last else 0]
        if len(best) > 1:
            taken = "last" if last else "first"
            self._report(f"{shown(' '.join(phrase.words))} stands there more than once; the {taken} is taken")
        return start, start + len(wanted) - 1

    def _agreement(self, start: int, context: Sequence[str]) -> int:
        number = 0
        while number < len(context) and self._lowered[start + number : start + number + 1] == [context[number]]:
            number += 1
        return number

    def _report(self, message: str) -> None:
        self._origin.repair(f"document {shown(self._name)}: {message}")


def native(path: str, problems: Problems, options: Options) -> Iterator[Document]:
    """Yield the documents of native output."""
    names, tokens = Names(path, problems), TokenFile(options.tokens)

    def build(record: dict[str, Any], line: int) -> Document:
        name, origin = names.of(record, line), Origin(path, line, problems)
        sentences = checked(record.get("sentences"), list[list[str]], "sentences")
        results = checked(record.get("results"), list[str], "results")
        if len(sentences) != len(results):
            found = f"there are {len(results)} results for {len(sentences)} sentences"
            raise InputError(f"{found}; expected one for each")
        chains = Chains(name, sentences, origin)
        if len(chains.words) * sum(result.count("->") for result in results) > MAX_STEPS:
            raise InputError("there are too many answers about so many words; split the document")
        segments: list[int] = []
        end = 0
        for sentence, result in zip(sentences, results, strict=True):
            segments.append(end)
            end += len(sentence)
            for answer in parse_answers(result):
                chains.answer(answer, segments[-1], end)
        return chain_document(name, chains.chains, tokens.words(name, chains.words, segments), origin)

    return each_record(path, problems, build)
