"""The pages of the workbench, rendered from templates."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from karat.errors import InputError
from karat.judge.desk import Desk
from karat.judge.items import ItemPart, fact_item, place_of
from karat.judge.judgements import Disagreement, Judgements
from karat.judge.people import Person
from karat.judge.pool import PooledItem
from karat.judge.summary_views import FILES
from karat.judge.web.overview import named_results, overview_of, revealed_by
from karat.model import Span

_TYPES = {
    "json": "application/json",
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class Pages:
    """Renders pages from the state of a desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        loader = PackageLoader("karat.judge.web")
        self.templates = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)

    def _render(self, name: str, status: int = 200, **content: Any) -> Response:
        scheme = self.desk.project.scheme
        return HTMLResponse(self.templates.get_template(name).render(scheme=scheme, **content), status)

    def door(self, *, needs_token: bool, fault: str = "", status: int = 200) -> Response:
        """Return the login page."""
        return self._render("login.html", status, needs_token=needs_token, fault=fault)

    def judge(self, request: Request, person: Person, seal: str) -> Response:
        """Return the page of the next waiting item, or of the item in the path."""
        target = request.path_params.get("target")
        entry = self.desk.entry_named(person.name, target) if target else self.desk.next_entry(person.name)
        common: dict[str, Any] = {"person": person, "seal": seal, "progress": self.desk.progress(person.name)}
        if entry is None:
            return self._render("done.html", aside=self.desk.aside(person.name), **common)
        asked = self.desk.asked(person.name, entry)
        active = min(range(len(asked)), key=lambda index: (asked[index].answered, not asked[index].is_unsure, index))
        note = self.desk.held(person.name, entry.id).get("note")
        claims = [self.desk.entries[index].item for index in self.desk.assignments.members[entry.item.document]]
        shown = self._shown(entry)
        return self._render("judge.html", shown=shown, asked=asked, active=active, claims=claims, note=note, **common)

    def _shown(self, entry: PooledItem) -> dict[str, Any]:
        """Return the template variables of an item: the claim, and its text with the parts marked."""
        page, members = self.desk.pages[entry.item.document], self.desk.assignments.members[entry.item.document]
        index = self.desk.places[entry.id]
        return {
            "entry": entry,
            "item": entry.item,
            "text": marked(page.text, entry.item.parts),
            "number": index + 1,
            "of_document": (members.index(index) + 1, len(members)),
        }

    def discover(self, request: Request, person: Person, seal: str) -> Response:
        """Return the page on which a judge marks facts in a document; items of systems are hidden."""
        self.desk.catch_up()
        pages = self.desk.project.pool.pages
        done = self.desk.assignments.marks_of(person.name).searched
        waiting = next((page_number for page_number, page in enumerate(pages, 1) if page.id not in done), len(pages))
        page_number = request.path_params.get("number") or waiting
        if not 1 <= page_number <= len(pages):
            raise InputError("there is no such document")
        page = pages[page_number - 1]
        acts = self.desk.held(person.name, page.id).values()
        kind = self.desk.project.pool.head.kind
        facts = [(act.question, fact_item(kind, page.id, act.text)) for act in acts if act.act == "fact" and act.text]
        return self._render(
            "discover.html",
            person=person,
            seal=seal,
            page=page,
            number=page_number,
            pages=len(pages),
            done=len(done),
            finished=page.id in done,
            facts=facts,
            kind=kind,
            labels=self.desk.labels,
            roles=self.desk.roles,
        )

    def adjudicate(self, request: Request, person: Person, seal: str) -> Response:
        """Return the page of a disagreement, with anonymous answers, and the list of all disagreements."""
        judgements = self.desk.project.judgements()
        everything = list(judgements.disagreements())
        waiting = [number for number, disagreement in enumerate(everything, 1) if disagreement.is_open]
        disagreement_number = request.path_params.get("number") or next(iter(waiting), 0)
        if disagreement_number > len(everything):
            raise InputError("there is no such disagreement")
        current = everything[disagreement_number - 1] if disagreement_number else None
        entry = judgements.entries.get(current.target) if current else None
        claims = {name: entry.item for name, entry in judgements.entries.items()}
        return self._render(
            "adjudicate.html",
            person=person,
            seal=seal,
            everything=[(place, each, claims.get(each.target)) for place, each in enumerate(everything, 1)],
            waiting=len(waiting),
            number=disagreement_number,
            current=current,
            question=self.desk.project.scheme.named(current.question) if current else None,
            shown=self._shown(entry) if entry else None,
            sides=self._sides(judgements, current) if current else [],
        )

    def _sides(self, judgements: Judgements, disagreement: Disagreement) -> list[dict[str, Any]]:
        """Return each judge's answers about an item, with their note and time."""
        sides = []
        for rating in disagreement.ratings:
            held = self.desk.held(rating.person, disagreement.target)
            answers = []
            for question in judgements.scheme.question:
                given = held.get(question.id)
                if given is not None:
                    labels = {answer.value: answer.label for answer in question.answers}
                    word = "unsure" if given.value is None else labels.get(given.value, f"{given.value:g}")
                    answers.append((question, word, question.id == disagreement.question))
            note = held.get("note")
            sides.append({"answers": answers, "note": note.text if note else "", "seconds": rating.seconds})
        return sides

    def summary(self, request: Request, person: Person, seal: str) -> Response:
        """Return the summary page; systems have numbers until the owner reveals their names."""
        del request
        pool, overview = self.desk.project.pool, overview_of(self.desk)
        return self._render("summary.html", person=person, seal=seal, pool=pool, overview=overview)

    def download(self, request: Request, person: Person, seal: str) -> Response:
        """Return the summary as a file, with the system names as on the page."""
        del person, seal
        ending, project = request.path_params["ending"], self.desk.project
        if ending not in FILES:
            raise InputError(f"there is no summary as {ending!r}")
        content = FILES[ending](named_results(project, project.judgements(), revealed_by(project)))
        headers = {"Content-Disposition": f'attachment; filename="summary.{ending}"'}
        return Response(content, media_type=_TYPES.get(ending, "text/plain"), headers=headers)


class MarkedPiece(NamedTuple):
    """A piece of text, with the indices of the parts that cover it and of those that end with it."""

    text: str
    parts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()


class MarkedText(NamedTuple):
    """The pieces of a text, and the indices of parts that were searched by their words, or are not in the text."""

    pieces: tuple[MarkedPiece, ...]
    searched: frozenset[int]
    absent: frozenset[int]


def marked(text: str, parts: Sequence[ItemPart]) -> MarkedText:
    """Return a text cut at the borders of all parts; a part without spans is searched by its words.

    >>> [piece.text for piece in marked("the left gear", [ItemPart("head", "LEFT")]).pieces]
    ['the ', 'left', ' gear']
    """
    places: list[tuple[Span, ...]] = []
    searched: set[int] = set()
    absent: set[int] = set()
    for index, part in enumerate(parts):
        spans = tuple(span for span in part.spans if 0 <= span[0] < span[1] <= len(text))
        if not spans:
            spans = place_of(text, part.surface)
            (searched if spans else absent).add(index)
        places.append(spans)
    return MarkedText(tuple(_pieces(text, places)), frozenset(searched), frozenset(absent))


def _pieces(text: str, places: Sequence[Sequence[Span]]) -> list[MarkedPiece]:
    borders = sorted({0, len(text), *(border for spans in places for span in spans for border in span)})
    pieces = []
    for start, end in pairwise(borders):
        inside = tuple(index for index, spans in enumerate(places) if any(a <= start and end <= b for a, b in spans))
        ends = tuple(index for index in inside if end == places[index][-1][1])
        pieces.append(MarkedPiece(text[start:end], inside, ends))
    return pieces
