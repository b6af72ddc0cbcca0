"""What the judges said, read off the journal: their ratings, and the one value that each item has in the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from karat.errors import InputError
from karat.judge.estimates import Domain, EstimatedShare, PoolSample
from karat.judge.journal import JournalLine
from karat.judge.pool import Pool, PooledItem
from karat.judge.scheme import AskedIf, Question, Scheme


class Rating(NamedTuple):
    """One judge's answer to one question about an item or a document; without a value, the judge is not sure."""

    person: str
    target: str
    question: str
    value: float | None
    seconds: float | None = None
    line: int = 0


class Disagreement(NamedTuple):
    """A target and a question that judges answered differently, and what was decided, if anything was.

    ``again`` says that they were asked again, and that not all of them have answered since.
    """

    target: str
    question: str
    ratings: tuple[Rating, ...]
    decided: float | None
    again: bool = False

    @property
    def is_open(self) -> bool:
        """Whether someone has to decide."""
        return self.decided is None and not self.again


class Judgements:
    """A pool, the questions, and the answers that stand.

    An item that several judges rated has the value that was decided for it; as long as nothing was, the mean of theirs.
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

    def _leave_out(self, question: Question, condition: AskedIf) -> None:
        """Leave out answers to a question that is not asked: its judge has changed the answer it depends on since.

        What was decided about the question it depends on holds for all judges.
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
        """What was drawn, and how far judges have come."""
        reached = {self.entries[target].item.document for target, _ in self.ratings if target in self.entries}
        return PoolSample(self.pool, reached)

    @property
    def judges(self) -> list[str]:
        """Everyone who rated something, by name."""
        return sorted({rating.person for ratings in self.ratings.values() for rating in ratings})

    def value(self, target: str, question: Question) -> float | None:
        """Return the value of a target in the end; nothing if nobody gave one."""
        values = self._values(target, question)
        return sum(values) / len(values) if values else None

    def rightness(self, entry: PooledItem, question: Question) -> float | None:
        """Return the share of answers that call an item right, or what was decided; nothing if there is no answer."""
        values = self._values(entry.id, question)
        return sum(value in question.right for value in values) / len(values) if values else None

    def _values(self, target: str, question: Question) -> list[float]:
        """Return what was decided about a target or, as long as nothing was, what judges answered."""
        key = target, question.id
        if key in self.decisions:
            return [self.decisions[key]]
        return [rating.value for rating in self.ratings.get(key, ()) if rating.value is not None]

    def is_right(self, entry: PooledItem, question: Question) -> bool:
        """Say whether most answers call an item right; a control is nobody's item."""
        return not entry.control and (self.rightness(entry, question) or 0) > 0.5

    def share(self, domain: Domain, question: Question, level: float) -> EstimatedShare:
        """Estimate the share of right items of a domain."""
        return self.sample.share(domain, lambda entry: self.rightness(entry, question), level)

    def disagreements(self) -> Iterator[Disagreement]:
        """Yield what judges answered differently, in the order of the pool and of the questions."""
        targets = [*self.entries, *(page.id for page in self.pool.pages)]
        for target in targets:
            for question in self.scheme.question:
                key = target, question.id
                ratings = self.ratings.get(key, [])
                if len({rating.value for rating in ratings}) > 1:
                    again = self.asked_again.get(key, 0) > min(rating.line for rating in ratings)
                    yield Disagreement(*key, tuple(ratings), self.decisions.get(key), again)

    def units(self, question: Question) -> list[tuple[str, dict[str, float | None]]]:
        """Return each target that was asked a question about: its document, and what each judge answered."""
        rated = [(target, ratings) for (target, name), ratings in sorted(self.ratings.items()) if name == question.id]
        return [
            (
                self.entries[target].item.document if target in self.entries else target,
                {rating.person: rating.value for rating in ratings},
            )
            for target, ratings in rated
        ]
