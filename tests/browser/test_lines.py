"""Lines that break, windows and tabs, and the server's end, in a real browser."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import OpenPage
from tests.helpers.serving import Running, serving
from tests.helpers.table_page import (
    look_at,
    sit_down,
    violations,
)
from ttr_env import Game, agents
from ttr_env.web import links
from ttr_env.web.app import Server
from ttr_env.web.hall import Hall

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_reloading_in_the_middle(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    sit_down(page)
    page.locator(".route").first.wait_for()
    before = page.locator("#log").inner_text()
    page.reload()
    page.locator(".route").first.wait_for()
    assert page.locator("#log").inner_text() == before
    expect(page.locator("#question")).to_have_text("Your turn")


def break_line(page: Page, running: Running) -> None:
    """Break all lines; the page says so, perhaps for a moment only, and has a new one."""
    page.evaluate(
        """() => {
          const banner = document.getElementById("banner");
          const note = () => { banner.dataset.said = (banner.dataset.said ?? "") + banner.textContent; };
          new MutationObserver(note).observe(banner, { childList: true });
        }"""
    )
    running.break_lines()
    expect(page.locator("#banner")).to_have_attribute("data-said", re.compile("trying again"))
    expect(page.locator("#banner")).to_be_hidden()


def test_a_line_that_breaks_is_mended(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    sit_down(page)
    page.locator(".route").first.wait_for()
    break_line(page, running)
    page.keyboard.press("d")
    expect(page.locator("#question")).to_have_text("Your second card")


def test_what_was_looked_at_is_shown_again_when_the_line_is_back(open_page: OpenPage, running: Running) -> None:
    game = agents.play(Game(seed=7), ["planner", "planner"])
    shown = running.post("/api/open", {"record": game.record()})
    page = open_page(running.url + shown["watch"])
    look_at(page, 40)
    page.locator("#eyes").select_option("1")
    expect(page.locator("#hand-head")).to_have_text("Hand of player 1")
    break_line(page, running)
    expect(page.locator("#where")).to_contain_text("40 /")
    expect(page.locator("#eyes")).to_have_value("1")


def test_another_link_in_the_same_window(open_page: OpenPage, running: Running) -> None:
    """Links that differ only in what follows the # do not make a browser load anything."""
    [link] = running.deal(None, "planner")
    path, _, secret = link.partition("#")
    page = open_page(path)
    expect(page.locator("#onlooker")).to_be_visible()
    page.evaluate("secret => { location.hash = secret; }", secret)
    expect(page.locator(".offered").first).to_be_visible()
    lobby = open_page(running.url)
    lobby.locator(".map").first.wait_for()
    code = links.pack(agents.play(Game(seed=7), ["planner", "planner"]).record())
    lobby.evaluate("code => { location.hash = `r=${code}&at=12`; }", code)
    expect(lobby.locator("#where")).to_contain_text("12 /")


def test_the_skip_link_leads_to_the_choices_and_nowhere_else(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    focused = "document.activeElement.id"
    page.locator(".offered").first.wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate(focused) == "choices" and page.url == link
    sit_down(page)
    page.locator(".route").first.wait_for()  # the seat is still played
    onlooker = open_page(link.partition("#")[0])
    expect(onlooker.locator("#onlooker")).to_be_visible()
    onlooker.keyboard.press("Tab")
    onlooker.keyboard.press("Enter")
    assert onlooker.evaluate(focused) == "question"


def test_who_opened_a_table_closes_it_with_two_clicks(open_page: OpenPage, running: Running) -> None:
    first, second = running.deal(None, None)
    anna, ben = open_page(first), open_page(second)
    for page in (anna, ben):
        expect(page.locator("#share")).to_be_enabled()
        page.locator("#share").click()
    expect(ben.get_by_role("button", name="Close this table")).to_have_count(0)
    anna.get_by_role("button", name="Close this table").click()
    assert violations(anna) == []
    anna.get_by_role("button", name="Close it for everybody").click()
    expect(ben.locator("#banner")).to_have_text("This table was closed.")
    expect(ben.locator("#question")).to_have_text("Not connected")
    anna.locator(".map").first.wait_for()


def test_a_table_that_there_is_not_is_named_and_shows_nothing(open_page: OpenPage, running: Running) -> None:
    page = open_page(f"{running.url}/table/none")
    expect(page.locator("#banner")).to_contain_text("not here any more")
    expect(page.locator("#question")).to_have_text("Not connected")
    expect(page.locator("#progress")).to_be_empty()
    expect(page.locator("main")).to_be_hidden()


def test_a_link_with_the_token_is_followed_from_another_site(browser: Browser) -> None:
    with guarded("right") as running:
        context = browser.new_context()
        page = context.new_page()
        mail = f'<a href="{running.url}/?token=right">A game</a>'
        context.route("http://mail.example/", lambda route: route.fulfill(body=mail, content_type="text/html"))
        page.goto("http://mail.example/")
        page.locator("a").click()
        page.locator(".map").first.wait_for()
        assert page.url == f"{running.url}/"
        context.close()


def test_a_server_with_another_token_says_so_and_is_left_alone(browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    with guarded("right") as running:
        page.goto(f"{running.url}/?token=right")
        page.locator("#start").click()
        page.locator(".offered").first.wait_for()
    with guarded("another", int(running.url.rpartition(":")[2])):
        expect(page.locator("#banner")).to_contain_text("This server wants its token")
        expect(page.locator("#question")).to_have_text("Not connected")
        asked: list[str] = []
        page.on("websocket", lambda line: asked.append(line.url))
        page.wait_for_timeout(6000)  # longer than a page ever waits before it tries again
        assert asked == []
    context.close()


class Guarded(Running):
    """A server whose requests need a token, and which is not waited for: requests wait themselves."""

    def start(self) -> None:
        self._thread.start()


@contextmanager
def guarded(token: str, port: int = 0) -> Iterator[Running]:
    """A server as it is on a network."""
    running = Guarded(Server(Hall(), token=token), socket.create_server(("127.0.0.1", port)))
    running.start()
    try:
        yield running
    finally:
        running.stop()


def test_a_second_tab_is_told_so(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    first = open_page(link)
    first.locator(".offered").first.wait_for()
    second = open_page(link)
    second.locator(".offered").first.wait_for()
    expect(first.locator("#banner")).to_contain_text("another tab")
    sit_down(second)
    expect(second.locator("#question")).to_have_text("Your turn")


def test_a_server_that_is_gone_is_named(browser: Browser) -> None:
    with serving(Hall()) as running:
        [link] = running.deal(None, "planner")
        context = browser.new_context()
        page, lobby = context.new_page(), context.new_page()
        page.goto(link)
        lobby.goto(running.url)
        page.locator(".offered").first.wait_for()
        lobby.locator(".picture svg").nth(2).wait_for()
        running.break_lines()
    expect(page.locator("#banner")).to_contain_text("cannot be reached")
    lobby.locator("#start").click()
    expect(lobby.locator("#banner")).to_contain_text("cannot be reached")
    context.close()
