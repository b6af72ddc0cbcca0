"""Which assessment is about an answer: the same line, or under looser disciplines the same value.

An assessment of the very same line always comes first; of several, a correct one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from karat.protocols.coldstart.classes import LAST_CLASS, AssessedClasses
from karat.protocols.coldstart.fills import CORRECT, Fill
from karat.vocabularies.coldstart.problems import Stop
from karat.vocabularies.coldstart.text import lower

ASSESSED = "ASSESSED"
DISCIPLINES: dict[str, Callable[[str], str] | None] = {ASSESSED: None, "STRING_EXACT": str, "STRING_CASE": lower}
"""How values are compared where no assessment is of the same line; nothing where they are not."""

_Key = tuple[object, ...]


class Matcher:
    """Finds the assessment of an answer under a discipline, in constant time."""

    def __init__(self, pool: AssessedClasses, discipline: str) -> None:
        self.pool = pool
        self.discipline = discipline
        self._form = DISCIPLINES.get(discipline)
        self._lines: dict[_Key, Fill] = {}
        self._values: dict[_Key, Fill] = {}
        self._known: set[str] = set()

    def find(self, answer: Fill) -> Fill | None:
        """Return the assessment of an answer, if there is one."""
        if self.discipline not in DISCIPLINES:
            raise Stop(f"No matcher called {self.discipline}")
        question = answer.question
        if question.base not in self._known:
            self._known.add(question.base)
            self._learn(self.pool.assessments.get(question.base, ()))
        name = self.pool.name(question.id)
        assessment = self._lines.get(_line_key(answer))
        if assessment is None and self._form is not None:
            assessment = self._values.get((question.base, name, question.level, self._form(answer.value)))
        return assessment

    def _learn(self, assessments: Iterable[Fill]) -> None:
        if self.pool.mends(LAST_CLASS):
            assessments = reversed(list(assessments))  # the best comes last there
        for line in assessments:
            question = line.question
            _put(self._lines, _line_key(line), line)
            name = self.pool.name(question.id)
            if self._form is not None:
                _put(self._values, (question.base, name, question.level, self._form(line.value)), line)


def _line_key(line: Fill) -> _Key:
    return line.question.id, line.value, line.relation, line.place


def _put(table: dict[_Key, Fill], key: _Key, line: Fill) -> None:
    """Keep the first line of a key, and before it the first correct one."""
    held = table.setdefault(key, line)
    if line.judgment == CORRECT and held.judgment != CORRECT:
        table[key] = line
