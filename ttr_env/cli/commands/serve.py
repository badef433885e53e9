"""`ttr serve`: the game in the browser."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import secrets
import socket
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import typer

from ttr_env.cli.errors import UserError, blame_the_user
from ttr_env.errors import AgentFailed, MapError, install_command

_NEEDED = ("starlette", "uvicorn", "websockets")
_EVERYWHERE = {  # to listen on all addresses: their kind, and one for examples, to which only a way is looked for
    "0.0.0.0": (socket.AF_INET, "192.0.2.1"),
    "::": (socket.AF_INET6, "2001:db8::1"),
}


@dataclass(frozen=True)
class Address:
    """Where to listen, and whether to show that in the browser."""

    host: str
    port: int
    opens: bool

    @property
    def is_private(self) -> bool:
        """Whether only this machine can ask."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def name(self) -> str:
        """How others call this machine, where it listens on all its addresses."""
        return socket.gethostname() if self.host in _EVERYWHERE else self.host

    @property
    def number(self) -> str | None:
        """The address of this machine in its network, where it listens on all of them; None if it is in none."""
        if self.host not in _EVERYWHERE:
            return None
        family, elsewhere = _EVERYWHERE[self.host]
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as line:
                line.connect((elsewhere, 9))  # which sends nothing, but chooses the way
                address: str = line.getsockname()[0]
        except OSError:
            return None
        return address


def serve(agents: Sequence[str], boards: Sequence[str], address: Address, save: Path | None, thinking: float) -> None:
    """Serve until Ctrl-C."""
    for module in _NEEDED:
        if find_spec(module) is None:
            raise UserError(f"`ttr serve` needs {module}, which comes with an extra: {install_command('web')}")
    if save is not None and save.exists() and not save.is_dir():
        raise UserError(f"--save {save}: that is a file; name a folder")

    import uvicorn

    from ttr_env import maps
    from ttr_env.web.app import Server
    from ttr_env.web.hall import Hall
    from ttr_env.web.limits import Limits

    listener = _listen(address)
    limits = replace(Limits(), thinking=thinking)
    _check(agents, limits.thinking)
    token = None if address.is_private else secrets.token_urlsafe(16)
    with blame_the_user(MapError):
        hall = Hall(agents, save, limits, [maps.load(board) for board in boards])
    server = Server(hall, address.host, token)
    config = uvicorn.Config(
        server.app,
        log_level="warning",
        ws_max_size=4 * limits.message_bytes,
        ws_max_queue=limits.messages,
        timeout_graceful_shutdown=2,
    )
    port = listener.getsockname()[1]
    link = _link(address.name, port, token)
    typer.echo(f"The game is at {link} (Ctrl-C ends it)")
    if address.number is not None:  # not every network knows the names of its machines
        typer.echo(f"Where that name is not known, it is at {_link(address.number, port, token)}")
    if address.opens:
        # What it asks waits until the server answers. One in the terminal comes back only when it is left.
        threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
    uvicorn.Server(config).run([listener])


def _listen(address: Address) -> socket.socket:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        return socket.create_server((address.host, address.port), family=family, backlog=128)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise UserError(
                f"port {address.port} is in use, perhaps by another `ttr serve`; choose another with --port N, or any "
                "that is free with --port 0"
            ) from error
        raise UserError(f"--host {address.host} --port {address.port}: {error.strerror or error}") from error


def _link(host: str, port: int, token: str | None) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/{f'?token={token}' if token else ''}"


def _check(agents: Sequence[str], seconds: float) -> None:
    """Complain now about an agent that cannot be made; in a process of its own, as at a table."""
    if not agents:
        return
    from ttr_env.web.minds import Mind

    async def check_all() -> None:
        mind = Mind()
        try:
            for spec in agents:
                await mind.ask("check", spec, seconds=seconds)
        finally:
            mind.close()

    try:
        asyncio.run(check_all())
    except AgentFailed as error:
        raise UserError(f"--agents: {error}") from error
