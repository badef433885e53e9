"""Takes the pictures of pages in a browser anew, in docs/images: `python -m docs.pictures`.

It needs a Chromium (`make browser`), and plays the same games each time.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.helpers import chromium
from tests.helpers.serving import Running, serving
from ttr_env import Game, agents, render
from ttr_env.web.hall import Hall

IMAGES = Path(__file__).with_name("images")
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 375, "height": 812}
PAGE: ViewportSize = {"width": 1200, "height": 750}
SEED = 7


def main() -> int:
    """Take them all."""
    executable = chromium.find()
    if executable is None:
        print(chromium.HOW_TO_GET_ONE, file=sys.stderr)
        return 1
    with sync_playwright() as playwright, serving(Hall()) as running:
        browser = playwright.chromium.launch(executable_path=executable, args=list(chromium.FLAGS))
        _lobby(browser, running)
        _tickets(browser, running)
        _table(browser, running)
        _phone(browser, running)
        _page(browser)
        browser.close()
    return 0


def _lobby(browser: Browser, running: Running) -> None:
    page = _open(browser, running.url, dark=True)
    page.get_by_role("radio").first.wait_for()
    _take(page, "lobby")


def _tickets(browser: Browser, running: Running) -> None:
    [link] = running.deal(None, "champion", seed=SEED)
    page = _open(browser, link, dark=True)
    page.locator(".offered input").nth(1).check()
    page.locator(".offered input").nth(3).check()
    _take(page, "tickets")


def _table(browser: Browser, running: Running) -> None:
    """In the middle of a game of three, with a long hand."""
    game = Game("nederland", players=3, seed=SEED)
    players = [agents.make(name, seat) for seat, name in enumerate(("planner", "racer", "planner"))]
    while game.player != 0 or game.phase != "turn" or len(game.legal_actions()) < 60:
        game.step(players[game.player].act(game))
    link = _play_on(running, game, [(None, "Ann"), ("racer", ""), ("planner", "")])
    page = _open(browser, link)
    page.locator(".route").first.wait_for()
    _take(page, "table")


def _phone(browser: Browser, running: Running) -> None:
    """The end of a game."""
    game = agents.play(Game("nederland", players=2, seed=SEED), ["champion", "planner"])
    shown = running.post("/api/open", {"record": {**game.record(), "agents": ["Ann", "planner"]}})
    page = _open(browser, running.url + shown["watch"], PHONE)
    page.keyboard.press("End")
    expect(page.locator("#result")).to_be_visible()
    page.locator("#result").scroll_into_view_if_needed()
    _take(page, "phone")


def _page(browser: Browser) -> None:
    """A game in one file, with what the champion thinks."""
    game = agents.play(Game("nederland", players=2, seed=SEED), ["champion", "planner"])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "game.html"
        render.page(game, explain=["champion"]).save(file)
        page = _open(browser, file.as_uri(), PAGE)
        for _ in range(60):
            page.keyboard.press("ArrowRight")
        _take(page, "page")


def _play_on(running: Running, game: Game, seats: Sequence[tuple[str | None, str]]) -> str:
    """The link of the first seat at a table where a game goes on."""
    shown = running.post("/api/open", {"record": game.record()})["watch"]
    path, _, secret = shown.partition("#")
    form: dict[str, Any] = {"table": path.rpartition("/")[2], "secret": secret, "decision": len(game.actions)}
    form["seats"] = [{"agent": agent, "name": name} for agent, name in seats]
    link: str = running.post("/api/play-on", form)["seats"][0]["link"]
    return running.url + link


def _open(browser: Browser, url: str, size: ViewportSize = LAPTOP, dark: bool = False) -> Page:
    page = browser.new_context(viewport=size, color_scheme="dark" if dark else "light").new_page()
    page.goto(url)
    return page


def _take(page: Page, name: str) -> None:
    page.wait_for_timeout(500)  # until what moves has come to rest
    with Image.open(io.BytesIO(page.screenshot())) as picture:
        picture.convert("RGB").quantize(256).save(IMAGES / f"{name}.png", optimize=True)
    print(f"{name}.png")


if __name__ == "__main__":
    sys.exit(main())
