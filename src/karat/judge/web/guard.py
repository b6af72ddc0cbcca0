"""Request checks of the workbench: allowed hosts and origins, body size, login attempts, and security headers."""

from __future__ import annotations

import hashlib
import hmac
import time
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 64 * 1024
COOKIE = "karat-judge"
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Middleware that refuses requests for other hosts, acts from other sites, and bodies that are too large."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it before its body is read."""

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        refusal = self._refusal(Request(scope)) if scope["type"] == "http" else None
        await (refusal or self.app)(scope, receive, send_guarded)

    def _refusal(self, request: Request) -> Response | None:
        host = request.headers.get("host", "")
        if _name_of(host) not in self.hosts:
            advice = "Its owner can name it: karat judge serve --host-name NAME."
            return PlainTextResponse(f"This address does not belong to the workbench. {advice}\n", 421)
        if request.method not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("Only pages and acts.\n", 405)
        if request.method == "POST":
            if (
                request.headers.get("origin", "") not in (f"http://{host}", f"https://{host}")
                or request.headers.get("sec-fetch-site", "same-origin") != "same-origin"
            ):
                return PlainTextResponse("Acts come from the workbench's own pages only.\n", 403)
            length = request.headers.get("content-length", "")
            is_known = length.isdecimal() and len(length) <= 9 and "transfer-encoding" not in request.headers
            if not is_known or int(length) > MAX_BODY:
                return PlainTextResponse(f"An act has at most {MAX_BODY} bytes, and says how many.\n", 413)
        return None


def _name_of(host: str) -> str | None:
    """Return the host name of a Host header without its port, or None if it is invalid."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def seal(session: str) -> str:
    """Return the token against cross-site requests that a page must send with each act."""
    return hmac.new(session.encode(), b"act", hashlib.sha256).hexdigest()


def is_sealed(session: str, given: str) -> bool:
    """Return whether an act has the seal of its session."""
    return hmac.compare_digest(seal(session).encode(), given.encode())


class Attempts:
    """Counts recent failed logins; after too many, a visitor has to wait."""

    def __init__(self, most: int = 5, seconds: float = 60) -> None:
        self.most, self.seconds = most, seconds
        self.failures: dict[str, list[float]] = {}

    def must_wait(self, visitor: str) -> bool:
        """Return whether a visitor had too many failures in the last minute."""
        now = time.monotonic()
        recent = [moment for moment in self.failures.pop(visitor, ()) if now - moment < self.seconds]
        if recent:
            self.failures[visitor] = recent
        return len(recent) >= self.most

    def failed(self, visitor: str) -> None:
        """Record a failure, and drop old ones."""
        if len(self.failures) > 10_000:
            self.failures.clear()
        self.failures.setdefault(visitor, []).append(time.monotonic())
