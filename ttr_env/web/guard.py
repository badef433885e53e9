"""Who may ask at all: requests to this server's own name, from its own pages, and, on a network, with its token."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

COOKIE = "ttr-token"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Guard:
    """Stands before the application, and turns away what does not belong here."""

    def __init__(self, app: ASGIApp, host: str = "127.0.0.1", token: str | None = None) -> None:
        """Args:
        app: the application.
        host: that the server was bound to.
        token: that every request needs; None where only this machine can ask.
        """
        self._app = app
        own = socket.gethostname().casefold()
        self._names = {"localhost", host.casefold(), own, f"{own.partition('.')[0]}.local"}
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            refuse = WebSocketClose(1008, "refused") if scope["type"] == "websocket" else refusal
            await refuse(scope, receive, send)
            return
        await self._app(scope, receive, _adding_headers(send, headers.get("host", "")))

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_here(host):
            return _sentence(f"This server is not called {host!r}; open the link that it printed.")
        if origin is not None and _place(origin) != host:
            return _sentence(f"A page of {origin} may ask nothing here.")
        if self._token is None or self._is_right(_cookie(headers)):
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        if not any(name == "token" and self._is_right(value) for name, value in query):
            return _sentence("This server wants its token: open the link that it printed, or the one you were sent.")
        return self._remember(scope, query) if scope["type"] == "http" else None

    def _is_here(self, host: str) -> bool:
        """Whether a request is for this server: a foreign name that leads here is no way in, an address is."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:  # brackets around what is no address
            return False
        return name in self._names or _is_address(name)

    def _is_right(self, token: str) -> bool:
        return self._token is not None and secrets.compare_digest(token.encode(), self._token.encode())

    def _remember(self, scope: Scope, query: Iterable[tuple[str, str]]) -> Response:
        """Ask again without the token in the address; it is in a cookie from now on.

        A link is often opened from elsewhere, such as a page with mail, and the cookie must come along then. Other
        sites cannot use it: whatever changes something is asked for with an Origin, which is checked.
        """
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        response = RedirectResponse(f"{scope['path']}{f'?{rest}' if rest else ''}", 303)
        response.set_cookie(COOKIE, str(self._token), httponly=True, samesite="lax")
        return response


def _sentence(text: str) -> Response:
    return PlainTextResponse(text + "\n", 403)


def _place(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _adding_headers(send: Send, host: str) -> Send:
    async def add(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["Content-Security-Policy"] = _POLICY.format(sockets=f"ws://{host}")
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Referrer-Policy"] = "no-referrer"
            headers["Cross-Origin-Opener-Policy"] = "same-origin"
            headers.setdefault("Cache-Control", "no-cache")
        await send(message)

    return add
