"""The addresses of the server."""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator
from importlib import resources
from typing import Any

from PIL import Image
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from ttr_env import render
from ttr_env.errors import AgentFailed, RecordError, TableError
from ttr_env.maps.model import CARDS
from ttr_env.render import svg
from ttr_env.render.picture import compose_empty
from ttr_env.render.telling import told_apart
from ttr_env.web import links, look, minds, warm
from ttr_env.web.guard import Guard
from ttr_env.web.hall import Hall, people
from ttr_env.web.minds import Mind
from ttr_env.web.pages import Page
from ttr_env.web.reading import read_json
from ttr_env.web.tables import Role, Table

_WIDTH = 1200  # of a picture
_FILM_WIDTH = 720
_SHARED = ("board.js", "figures.js")  # with pages in one file


class Server:
    """A hall with its addresses."""

    def __init__(self, hall: Hall, host: str = "127.0.0.1", token: str | None = None) -> None:
        """Args:
        hall: the tables.
        host: that the server is bound to.
        token: that every request needs; None where only this machine can ask.
        """
        self.hall = hall
        self._token = token
        self._pages = 0
        self._films = asyncio.Semaphore(hall.limits.films)
        self.app = Starlette(
            routes=self._routes(),
            middleware=[Middleware(Guard, host=host, token=token), Middleware(GZipMiddleware, minimum_size=1000)],
            exception_handlers=dict.fromkeys((TableError, RecordError, AgentFailed), _complain),
            lifespan=self._lifespan,
        )

    def _routes(self) -> list[Any]:
        return [
            Route("/", _file("lobby.html")),
            Route("/table/{table}", _file("table.html")),
            Route("/look.css", self.stylesheet),
            Route("/maps/{map}.svg", self.map_picture),
            Route("/api/lobby", self.lobby),
            Route("/api/tables", self.new_table, methods=["POST"]),
            Route("/api/play-on", self.play_on, methods=["POST"]),
            Route("/api/open", self.open_record, methods=["POST"]),
            Route("/api/close", self.close, methods=["POST"]),
            Route("/api/record", self.record, methods=["POST"]),
            Route("/api/picture", self.picture, methods=["POST"]),
            Route("/api/film", self.film, methods=["POST"]),
            WebSocketRoute("/socket", self.socket),
            Mount("/static", _static()),
        ]

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        minds.prepare()
        self._engine = asyncio.create_task(asyncio.to_thread(warm.for_tables))
        yield
        self.hall.close_all()

    async def _ready(self) -> None:
        """Wait until compiled code is there, while others are answered; the first time ever that takes a minute."""
        await asyncio.shield(self._engine)

    # The lobby.

    async def stylesheet(self, request: Request) -> Response:
        return Response(look.stylesheet(), media_type="text/css")

    async def map_picture(self, request: Request) -> Response:
        board = self.hall.map(request.path_params["map"])
        drawing = await asyncio.to_thread(lambda: svg.draw(compose_empty(board), 300))
        return Response(drawing, media_type="image/svg+xml")

    async def lobby(self, request: Request) -> Response:
        return JSONResponse(self.hall.offers())

    async def new_table(self, request: Request) -> Response:
        form = await self._body(request)
        await self._ready()
        return JSONResponse(self._links(self.hall.deal(form)))

    async def play_on(self, request: Request) -> Response:
        return JSONResponse(self._links(self.hall.play_on(await self._body(request))))

    async def open_record(self, request: Request) -> Response:
        form = await self._body(request)
        await self._ready()
        try:
            table = await self.hall.open(form)
        except RecordError as error:
            raise RecordError(f"This is damaged or no game: {error}.") from error
        return JSONResponse(self._links(table))

    async def close(self, request: Request) -> Response:
        self.hall.close_for(await self._body(request))
        return JSONResponse({})

    def _links(self, table: Table) -> dict[str, Any]:
        """Where the table is: for each person, for whoever leads a game of agents, and for those who look on."""
        token = f"?token={self._token}" if self._token else ""
        address = f"/table/{table.id}{token}"
        seats = [
            {"seat": number, "name": seat.name, "link": f"{address}#{seat.secret}"} for number, seat in people(table)
        ]
        return {"seats": seats, "watch": f"{address}#{table.secret}" if table.is_open else None, "look_on": address}

    # What can be taken home.

    async def record(self, request: Request) -> Response:
        table, form = self._asked_for(await self._body(request))
        record = table.record()
        return JSONResponse({"record": record, "code": links.pack(record), "decision": form.get("decision")})

    async def picture(self, request: Request) -> Response:
        form = await self._body(request)
        room, role = self.hall.room(str(form.get("table")), str(form.get("secret")))
        table = room.table
        if role.seat is None and not table.is_open:
            raise TableError("Pictures are of what somebody sees: who looks on can have them when the game is over.")
        game = table.at(_decision(form, table))
        perspective = _eyes(form, table) if table.is_open else role.seat
        names = [seat.name for seat in table.seats]
        if form.get("kind") == "png":
            pixels = await asyncio.to_thread(render.to_rgb, game, perspective, _WIDTH, names)
            file = io.BytesIO()
            Image.fromarray(pixels).save(file, "PNG", optimize=True)
            return Response(file.getvalue(), media_type="image/png")
        return Response(render.to_svg(game, perspective, _WIDTH, names), media_type="image/svg+xml")

    async def film(self, request: Request) -> Response:
        table, form = self._asked_for(await self._body(request))
        limits = self.hall.limits
        if table.decisions > limits.film_positions:
            raise TableError(f"A film has at most {limits.film_positions} positions; this game has {table.decisions}.")
        if self._films.locked():
            raise TableError("Other films are being made just now; try again in a minute.")
        async with self._films:
            mind = Mind()
            names = [seat.name for seat in table.seats]
            try:
                film = await mind.ask_for_bytes(
                    "film", table.game, _eyes(form, table), _FILM_WIDTH, 2.0, names, seconds=limits.film_seconds
                )
            finally:
                mind.close()
        return Response(film, media_type="image/gif")

    def _asked_for(self, form: Any) -> tuple[Table, dict[str, Any]]:
        return self.hall.readable(str(form.get("table")), str(form.get("secret"))), form

    async def _body(self, request: Request) -> dict[str, Any]:
        """What a request brings, if that is JSON, and not too much of it."""
        most, body = self.hall.limits.body_bytes, b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise TableError(f"That is too much: at most {most // 1024} kB are taken.")
        try:
            form = read_json(body)
        except (ValueError, RecursionError) as error:
            raise TableError("That is no JSON.") from error
        if not isinstance(form, dict):
            raise TableError("The page sent something that is no form.")
        return form

    # A page that shows a table.

    async def socket(self, socket: WebSocket) -> None:
        await socket.accept()
        if self._pages >= self.hall.limits.pages:
            await socket.close(4003, f"{self._pages} pages are open already, which is the most. Try again later.")
            return
        self._pages += 1
        try:
            await self._show(socket)
        finally:
            self._pages -= 1

    async def _show(self, socket: WebSocket) -> None:
        limit = self.hall.limits.greeting
        try:
            first = read_json(await asyncio.wait_for(socket.receive_text(), limit))
            room, role = self.hall.room(str(first["table"]), str(first["secret"]))
        except WebSocketDisconnect:
            return
        except TimeoutError:  # or whoever says nothing would keep a place from others
            await socket.close(1008, f"The page did not say within {limit:g} seconds which table it shows. Reload it.")
            return
        except TableError as error:
            await socket.close(4004, str(error))
            return
        except (ValueError, KeyError, TypeError, RecursionError):
            await socket.close(1008, "The page did not say which table it shows. Open it by its link.")
            return
        page = Page(socket, room, role, self.hall.agents)
        await socket.send_json(self._introduction(room.table, role))
        room.enter(page)
        page.refresh()
        reading, writing = asyncio.create_task(page.read()), asyncio.create_task(page.write())
        try:
            done, _ = await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                with contextlib.suppress(WebSocketDisconnect):
                    task.result()
        finally:
            reading.cancel()
            writing.cancel()
            page.close()
            room.leave(page)

    def _introduction(self, table: Table, role: Role) -> dict[str, Any]:
        """What a page has to know once; who can invite others is the first of the people."""
        closes = self.hall.may_close(table, role)
        invites = closes and role.seat is not None
        seats = [
            {"name": each.name, "whole": whole, "person": each.is_person}
            for each, whole in zip(table.seats, told_apart([seat.name for seat in table.seats]), strict=True)
        ]
        return {
            "type": "table",
            "map": table.game.map.title,
            "seat": role.seat,
            "leads": role.leads,
            "seats": seats,
            "replayed": table.replayed,
            "kinds": list(CARDS),
            "letters": look.letters(),
            "swatches": look.swatches(),
            "agents": list(self.hall.agents),
            "links": self._links(table) if invites else None,
            "closes": closes,
            "reach": "machine" if self._token is None else "network",  # from where links work
        }


def _complain(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 400)


def _decision(form: dict[str, Any], table: Table) -> int:
    decision: Any = form.get("decision")
    return max(0, decision) if _is_whole(decision) else table.decisions


def _eyes(form: dict[str, Any], table: Table) -> int | None:
    eyes: Any = form.get("eyes")
    return eyes if _is_whole(eyes) and 0 <= eyes < len(table.seats) else None


def _is_whole(value: Any) -> bool:
    """Whether it is a whole number; Python takes true and false for such."""
    return isinstance(value, int) and not isinstance(value, bool)


def static_files() -> list[str]:
    """The names of the files that pages are made of."""
    folder = resources.files("ttr_env.web") / "static"
    return [*(file.name for file in folder.iterdir() if not file.name.endswith(".html")), *_SHARED]


def _static() -> StaticFiles:
    return StaticFiles(packages=[("ttr_env.web", "static"), ("ttr_env.render", "static")])


def _file(name: str) -> Any:
    path = str(resources.files("ttr_env.web") / "static" / name)

    async def answer(request: Request) -> Response:
        return FileResponse(path, media_type="text/html")

    return answer
