"""The ratings of all judges, read from the journal, and the one value that follows for each item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from karat.errors import InputError
from karat.judge.estimates import Domain, EstimatedShare, PoolSample
from karat.judge.journal import JournalLine
from karat.judge.pool import Pool, PooledItem
from karat.judge.scheme import AnswerCondition, Question, Scheme


class Rating(NamedTuple):
    """One judge's answer to one question about an item or a document; a value of None means unsure."""

    person: str
    target: str
    question: str
    value: float | None
    seconds: float | None = None
    line: int = 0


class Disagreement(NamedTuple):
    """A target and a question that judges answered differently, and the decision, or None.

    ``again`` says that the judges were asked again and that some have not answered since.
    """

    target: str
    question: str
    ratings: tuple[Rating, ...]
    decided: float | None
    again: bool = False

    @property
    def is_open(self) -> bool:
        """Whether a decision is needed."""
        return self.decided is None and not self.again


class Judgements:
    """A pool, its questions, and all current answers.

    The value of an item that several judges rated is the decision of an adjudicator, or else the mean of their answers.
    """

    def __init__(self, pool: Pool, scheme: Scheme, lines: Iterable[JournalLine]) -> None:
        self.pool, self.scheme = pool, scheme
        self.entries = {entry.id: entry for entry in pool.entries}
        self.documents = {page.id for page in pool.pages}
        self.ratings: dict[tuple[str, str], list[Rating]] = {}
        self.decisions: dict[tuple[str, str], float] = {}
        self.asked_again: dict[tuple[str, str], int] = {}
        self.facts: list[JournalLine] = []
        self.finished: dict[str, set[str]] = {}
        for line in lines:
            self._add(line)
        for question in scheme.question:
            if question.when is not None:
                self._leave_out(question, question.when)

    def _add(self, line: JournalLine) -> None:
        key = line.target, line.question
        if line.target and line.target not in self.entries and line.target not in self.documents:
            raise InputError(f"line {line.line} of the journal is about {line.target!r}, which the pool does not have")
        if line.act in ("answer", "unsure"):
            rating = Rating(line.person, line.target, line.question, line.value, line.seconds, line.line)
            self.ratings.setdefault(key, []).append(rating)
        elif line.act == "adjudicate" and line.value is not None:
            self.decisions[key] = line.value
        elif line.act == "again":
            self.asked_again[key] = line.line
        elif line.act == "fact" and line.text:
            self.facts.append(line)
        elif line.act == "done":
            self.finished.setdefault(line.target, set()).add(line.person)

    def _leave_out(self, question: Question, condition: AnswerCondition) -> None:
        """Remove answers to a conditional question whose condition is no longer met.

        A decision on the question it depends on applies to all judges.
        """
        for key in [key for key in (*self.ratings, *self.decisions) if key[1] == question.id]:
            earlier = key[0], condition.question
            given = {rating.person: rating.value for rating in self.ratings.get(earlier, ())}
            decided = self.decisions.get(earlier)
            asked = [
                rating
                for rating in self.ratings.pop(key, ())
                if (given.get(rating.person) if decided is None else decided) in condition.answers
            ]
            if asked:
                self.ratings[key] = asked
            else:
                self.decisions.pop(key, None)

    @cached_property
    def sample(self) -> PoolSample:
        """The sample that was drawn, with the documents that judges have reached."""
        reached = {self.entries[target].item.document for target, _ in self.ratings if target in self.entries}
        return PoolSample(self.pool, reached)

    @property
    def judges(self) -> list[str]:
        """The names of all people with ratings, sorted."""
        return sorted({rating.person for ratings in self.ratings.values() for rating in ratings})

    def value(self, target: str, question: Question) -> float | None:
        """Return the value of a target, or None if nobody rated it."""
        values = self._values(target, question)
        return sum(values) / len(values) if values else None

    def rightness(self, entry: PooledItem, question: Question) -> float | None:
        """Return the decision on an item, else the share of answers that call it right; None if there is no answer."""
        values = self._values(entry.id, question)
        return sum(value in question.right for value in values) / len(values) if values else None

    def _values(self, target: str, question: Question) -> list[float]:
        """Return the decision on a target, else the answers of the judges."""
        key = target, question.id
        if key in self.decisions:
            return [self.decisions[key]]
        return [rating.value for rating in self.ratings.get(key, ()) if rating.value is not None]

    def is_right(self, entry: PooledItem, question: Question) -> bool:
        """Return whether most answers call an item right; always False for a control."""
        return not entry.control and (self.rightness(entry, question) or 0) > 0.5

    def share(self, domain: Domain, question: Question, level: float) -> EstimatedShare:
        """Estimate the share of right items of a domain."""
        return self.sample.share(domain, lambda entry: self.rightness(entry, question), level)

    def disagreements(self) -> Iterator[Disagreement]:
        """Yield the disagreements, in the order of the pool and of the questions."""
        targets = [*self.entries, *(page.id for page in self.pool.pages)]
        for target in targets:
            for question in self.scheme.question:
                key = target, question.id
                ratings = self.ratings.get(key, [])
                if len({rating.value for rating in ratings}) > 1:
                    again = self.asked_again.get(key, 0) > min(rating.line for rating in ratings)
                    yield Disagreement(*key, tuple(ratings), self.decisions.get(key), again)

    def units(self, question: Question) -> list[tuple[str, dict[str, float | None]]]:
        """Return the document and the answer of each judge, for each target of a question."""
        rated = [(target, ratings) for (target, name), ratings in sorted(self.ratings.items()) if name == question.id]
        return [
            (
                self.entries[target].item.document if target in self.entries else target,
                {rating.person: rating.value for rating in ratings},
            )
            for target, ratings in rated
        ]
