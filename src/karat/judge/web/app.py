"""The routes of the workbench: its pages, and the acts that pages send."""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import wraps
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from karat.errors import KaratError
from karat.judge.desk import Desk
from karat.judge.journal import Act
from karat.judge.people import People, Person, Role
from karat.judge.project import Project
from karat.judge.web.guard import COOKIE, Attempts, Guard, is_sealed, seal
from karat.judge.web.pages import Pages

THREADS = 8
"""The number of concurrent requests; each has a database connection, and further ones wait."""
_STATIC = {"judge.css": "text/css", "judge.js": "text/javascript"}


class SentAct(msgspec.Struct, forbid_unknown_fields=True):
    """The body of an act as a page sends it."""

    act: str
    nonce: str
    target: str = ""
    question: str = ""
    value: float | None = None
    text: str = ""
    seconds: float | None = None


class Workbench:
    """The application of one project."""

    def __init__(self, project: Project, people: People, *, host: str, names: frozenset[str] = frozenset()) -> None:
        self.people = people
        self.desk = Desk(project)
        self.is_local = all(map(is_loopback, (host, *names)))
        self.attempts = Attempts()
        self.pages = Pages(self.desk)
        own = {"localhost", "127.0.0.1", "::1"} if is_loopback(host) else set[str]()
        hosts = frozenset(own | {host} | names)
        guard = Middleware(Guard, hosts=hosts)
        self.app = Starlette(routes=self._routes(), middleware=[guard], lifespan=_few_threads)

    def _routes(self) -> list[Route]:
        pages = self.pages
        return [
            Route("/", lambda request: RedirectResponse("/judge")),
            Route("/login", self.login, methods=["GET", "POST"]),
            Route("/static/{name}", self.static),
            Route("/judge", self.page("judge", pages.judge)),
            Route("/judge/{target}", self.page("judge", pages.judge)),
            Route("/discover", self.page("judge", pages.discover)),
            Route("/discover/{number:int}", self.page("judge", pages.discover)),
            Route("/adjudicate", self.page("adjudicator", pages.adjudicate)),
            Route("/adjudicate/{number:int}", self.page("adjudicator", pages.adjudicate)),
            Route("/summary", self.page("owner", pages.summary)),
            Route("/summary.{ending}", self.page("owner", pages.download)),
            Route("/act", self.acting(self.act), methods=["POST"]),
            Route("/undo", self.acting(self.undo), methods=["POST"]),
            Route("/reveal", self.acting(self.reveal), methods=["POST"]),
            Route("/logout", self.acting(self.logout), methods=["POST"]),
        ]

    # sessions

    def _person(self, request: Request) -> Person | None:
        session = request.cookies.get(COOKIE, "")
        return self.people.whose(session) if session else None

    def page(self, role: Role, handler: Callable[[Request, Person, str], Response]) -> Callable[[Request], Any]:
        """Return the handler of a page for people of a role; others get the login page or status 403."""

        async def answer(request: Request) -> Response:
            person = await run_in_threadpool(self._person, request)
            if person is None:
                return RedirectResponse("/login", 303)
            if not person.may(role):
                return PlainTextResponse("This page is not for your role.\n", 403)
            try:
                return await run_in_threadpool(handler, request, person, seal(request.cookies[COOKIE]))
            except KaratError as error:
                return PlainTextResponse(f"{error}\n", 404)

        return answer

    def acting(self, handler: Callable[[Request, Person, bytes], Response]) -> Callable[[Request], Any]:
        """Return the handler of an act: it checks the session and its seal, and answers once the act is durable."""

        @wraps(handler)
        async def answer(request: Request) -> Response:
            person = await run_in_threadpool(self._person, request)
            if person is None or not is_sealed(request.cookies[COOKIE], request.headers.get("x-karat", "")):
                return JSONResponse({"error": "your session is over; log in again"}, 403)
            body = await request.body()
            try:
                return await run_in_threadpool(handler, request, person, body)
            except (KaratError, msgspec.DecodeError, RecursionError) as error:
                return JSONResponse({"error": str(error)}, 400)

        return answer

    async def login(self, request: Request) -> Response:
        """Show the login page, or begin a session for someone with a valid token."""
        if request.method == "GET":
            return self.pages.door(needs_token=not self.is_local)
        fields = dict(parse_qsl((await request.body()).decode("utf-8", "replace"), max_num_fields=4))
        name, token = fields.get("name", "").strip(), fields.get("token", "").strip()
        address = request.client.host if request.client else ""
        if self.attempts.must_wait(address) or self.attempts.must_wait(f"name {name[:64]}"):
            return self.pages.door(needs_token=not self.is_local, fault="Too many attempts. Wait a minute.", status=429)
        try:
            session = await run_in_threadpool(self.people.enter, name, token, without_token=self.is_local)
        except KaratError as error:
            return self.pages.door(needs_token=not self.is_local, fault=str(error), status=400)
        if session is None:
            self.attempts.failed(address)
            self.attempts.failed(f"name {name[:64]}")
            return self.pages.door(needs_token=not self.is_local, fault="Name and token do not match.", status=403)
        response = RedirectResponse("/judge", 303)
        response.set_cookie(COOKIE, session, httponly=True, samesite="strict", path="/")
        return response

    def static(self, request: Request) -> Response:
        """Return one of our own files, by its name in a list."""
        name = request.path_params["name"]
        if name not in _STATIC:
            return PlainTextResponse("There is no such file.\n", 404)
        content = (resources.files("karat.judge.web") / "static" / name).read_bytes()
        return Response(content, media_type=_STATIC[name])

    # acts

    def act(self, request: Request, person: Person, body: bytes) -> Response:
        """Add an answer, a note, a fact or a decision to the journal."""
        del request
        given = msgspec.json.decode(body, type=SentAct)
        allowed = {"answer", "unsure", "skip", "note", "fact", "done"}
        if person.may("adjudicator"):
            allowed |= {"adjudicate", "again"}
        if given.act not in allowed:
            return JSONResponse({"error": "your role does not allow this"}, 403)
        line = self.desk.act(Act(person.name, **msgspec.structs.asdict(given)))
        return JSONResponse({"line": line.line})

    def undo(self, request: Request, person: Person, body: bytes) -> Response:
        """Undo the last act."""
        del request
        line = self.desk.undo(person.name, msgspec.json.decode(body, type=SentAct).nonce)
        return JSONResponse({"line": line.line, "target": line.target})

    def reveal(self, request: Request, person: Person, body: bytes) -> Response:
        """Reveal the names of the systems, permanently; the journal records who did it."""
        del request
        if not person.may("owner"):
            return JSONResponse({"error": "your role does not allow this"}, 403)
        nonce = msgspec.json.decode(body, type=SentAct).nonce
        line = self.desk.project.journal.add(Act(person.name, "reveal", nonce))
        return JSONResponse({"line": line.line})

    def logout(self, request: Request, person: Person, body: bytes) -> Response:
        """End the session."""
        del body
        self.desk.leave(person.name)
        self.people.leave(request.cookies[COOKIE])
        response = JSONResponse({})
        response.delete_cookie(COOKIE, path="/")
        return response


@asynccontextmanager
async def _few_threads(app: Starlette) -> AsyncIterator[None]:
    """Limit the number of threads, and with it the memory, whatever the number of judges."""
    del app
    current_default_thread_limiter().total_tokens = THREADS
    yield


def is_loopback(host: str) -> bool:
    """Return whether an address is reachable only from this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
