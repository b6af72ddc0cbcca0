"""What the pages of the workbench show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from karat.errors import InputError
from karat.judge.desk import Desk
from karat.judge.headline import headline_of
from karat.judge.items import Item, fact_item
from karat.judge.journal import Line
from karat.judge.judgements import Disagreement, Judgements
from karat.judge.people import People, Person
from karat.judge.pool import Entry
from karat.judge.results import Figure, Results, results_of
from karat.judge.showing import VIEWS, show
from karat.judge.web.marking import Marked, marked

_TYPES = {"json": "application/json", "csv": "text/csv"}


class Shown(NamedTuple):
    """An item with its text: the claim, and where its parts stand."""

    entry: Entry
    item: Item
    text: Marked
    number: int
    of_document: tuple[int, int]


class Pages:
    """Renders pages from the state of a desk."""

    def __init__(self, desk: Desk, people: People, templates: Environment) -> None:
        self.desk, self.people, self.templates = desk, people, templates

    def _render(self, name: str, status: int = 200, **content: Any) -> Response:
        scheme = self.desk.project.scheme
        return HTMLResponse(self.templates.get_template(name).render(scheme=scheme, **content), status)

    def door(self, *, needs_token: bool, fault: str = "", status: int = 200) -> Response:
        """Return the page on which someone says who they are."""
        return self._render("login.html", status, needs_token=needs_token, fault=fault)

    def judge(self, request: Request, person: Person, seal: str) -> Response:
        """Return the item that waits for a judge, or one that they ask for."""
        target = request.path_params.get("target")
        entry = self.desk.entry_named(person.name, target) if target else self.desk.next_entry(person.name)
        common: dict[str, Any] = {"person": person, "seal": seal, "progress": self.desk.progress(person.name)}
        if entry is None:
            return self._render("done.html", aside=self.desk.aside(person.name), **common)
        asked = self.desk.asked(person.name, entry)
        active = next((place for place, question in enumerate(asked) if not question.answered), None)
        note = self.desk.held.get(person.name, {}).get((entry.id, "note"))
        return self._render("judge.html", shown=self._shown(entry), asked=asked, active=active, note=note, **common)

    def _shown(self, entry: Entry) -> Shown:
        page, members = self.desk.pages[entry.item.document], self.desk.members[entry.item.document]
        place = members.index(entry) + 1, len(members)
        number = self.desk.places[entry.id] + 1
        return Shown(entry, entry.item, marked(page.text, entry.item.parts), number, place)

    def discover(self, request: Request, person: Person, seal: str) -> Response:
        """Return a document in which a judge looks for facts, without anything that systems gave."""
        pages = self.desk.project.pool.pages
        done = self.desk.state(person.name).searched
        waiting = next((number for number, page in enumerate(pages, 1) if page.id not in done), len(pages))
        number = request.path_params.get("number") or waiting
        if not 1 <= number <= len(pages):
            raise InputError("there is no such document")
        page = pages[number - 1]
        lines = self.desk.about.get((person.name, page.id), {}).values()
        facts = [(line, fact_item(page.id, line.text)) for line in lines if line.act == "fact" and line.text]
        return self._render(
            "discover.html",
            person=person,
            seal=seal,
            page=page,
            number=number,
            pages=len(pages),
            done=len(done),
            finished=page.id in done,
            facts=facts,
            labels=self.desk.labels,
        )

    def adjudicate(self, request: Request, person: Person, seal: str) -> Response:
        """Return a disagreement with the answers of both sides, nameless, and the list of all."""
        judgements = self.desk.project.judgements()
        everything = list(judgements.disagreements())
        waiting = [number for number, found in enumerate(everything, 1) if found.is_open]
        number = request.path_params.get("number") or next(iter(waiting), 0)
        if number > len(everything):
            raise InputError("there is no such disagreement")
        current = everything[number - 1] if number else None
        return self._render(
            "adjudicate.html",
            person=person,
            seal=seal,
            everything=[(place, found, self._claim(found)) for place, found in enumerate(everything, 1)],
            waiting=len(waiting),
            number=number,
            current=current,
            question=self.desk.project.scheme.named(current.question) if current else None,
            shown=self._shown_target(current) if current else None,
            sides=self._sides(judgements, current) if current else [],
        )

    def _claim(self, found: Disagreement) -> Item | None:
        place = self.desk.places.get(found.target)
        return None if place is None else self.desk.entries[place].item

    def _shown_target(self, found: Disagreement) -> Shown | None:
        place = self.desk.places.get(found.target)
        return None if place is None else self._shown(self.desk.entries[place])

    def _sides(self, judgements: Judgements, found: Disagreement) -> list[dict[str, Any]]:
        """Return what each judge said of the item: all their answers, their note, and the time it took."""
        sides = []
        for rating in found.ratings:
            held: Mapping[tuple[str, str], Line] = self.desk.held.get(rating.person, {})
            answers = []
            for question in judgements.scheme.question:
                line = held.get((found.target, question.id))
                if line is not None:
                    labels = {answer.value: answer.label for answer in question.answers}
                    word = "unsure" if line.value is None else labels.get(line.value, f"{line.value:g}")
                    answers.append((question, word, question.id == found.question))
            note = held.get((found.target, "note"))
            sides.append({"answers": answers, "note": note.text if note else "", "seconds": rating.seconds})
        return sides

    def summary(self, request: Request, person: Person, seal: str) -> Response:
        """Return the summary; systems have numbers until the owner shows their names."""
        del request
        project = self.desk.project
        revealed = any(line.act == "reveal" for line in project.journal.lines())
        results = results_of(project.judgements())
        names = {source.name: source.name for source in project.pool.head.sources}
        if not revealed:
            names = {name: f"System {number}" for number, name in enumerate(names, 1)}
        return self._render(
            "summary.html",
            person=person,
            seal=seal,
            results=_renamed(results, names),
            headline=headline_of(project.judgements(), results),
            revealed=revealed,
            head=project.pool.head,
            items=len(project.pool.entries),
            waiting=sum(1 for found in project.judgements().disagreements() if found.is_open),
            judges=[(name, self.desk.progress(name)) for name in project.judgements().judges],
        )

    def download(self, request: Request, person: Person, seal: str) -> Response:
        """Return the summary in one of its views, as a file."""
        del person, seal
        view = request.path_params["view"]
        if view not in VIEWS:
            raise InputError(f"there is no view {view!r}")
        text = show(results_of(self.desk.project.judgements()), view)
        headers = {"Content-Disposition": f'attachment; filename="summary.{view}"'}
        return PlainTextResponse(text, media_type=_TYPES.get(view, "text/plain"), headers=headers)


def _renamed(results: Results, names: Mapping[str, str]) -> dict[str, list[Figure]]:
    """Return the figures by table, with the names under which systems are shown."""
    import msgspec

    tables: dict[str, list[Figure]] = {}
    for figure in results.figures:
        about = figure.about
        if figure.table == "comparison":
            about = " − ".join(names[name] for name in figure.about.split(" − "))
        shown = msgspec.structs.replace(figure, system=names.get(figure.system, figure.system), about=about)
        tables.setdefault(figure.table, []).append(shown)
    return tables
