"""Lobby and table in every size and for every reader, in a real browser; what a seat's page holds."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.helpers.serving import Running
from tests.helpers.table_page import (
    PHONE,
    PLAY,
    sit_down,
    table_of,
    violations,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_lobby_opens_a_table_and_asks_nobody_else(open_page: OpenPage, running: Running) -> None:
    page = open_page(running.url)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator(".map", has_text="USA").click()
    expect(page.locator("#tolls-label")).to_be_hidden()
    assert violations(page) == []
    page.locator("#more").click()
    page.locator("#start").click()
    page.locator(".offered").first.wait_for()
    expect(page.locator("#players tbody th")).to_have_count(3)
    assert violations(page) == []
    assert asked and all(url.startswith((running.url, running.url.replace("http", "ws"))) for url in asked)


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_the_lobby_on_a_phone(open_page: OpenPage, running: Running, scheme: str, dark: bool) -> None:
    page = open_page(running.url, PHONE, color_scheme=scheme, has_touch=True, is_mobile=True)
    page.locator(".picture svg").nth(2).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    ground = page.evaluate("getComputedStyle(document.querySelector('.picture svg rect')).fill")
    assert (max(int(shade) for shade in re.findall(r"\d+", ground)) < 64) == dark
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_has_everything_in_its_width(open_page: OpenPage, running: Running, scheme: str) -> None:
    [link] = running.deal(None, "planner", "racer")
    page = open_page(link, PHONE, color_scheme=scheme, has_touch=True, is_mobile=True)
    page.locator(".offered").first.wait_for()
    assert violations(page) == []
    assert page.evaluate(PLAY, 25) is False
    page.locator("#question.yours").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert violations(page) == []
    # What is for screen readers alone lies in its panel, and does not lengthen the page below the last one.
    unseen = (
        "[...document.querySelectorAll('.side .unseen')].map((each) => each.offsetParent.closest('.side') !== null)"
    )
    assert all(page.evaluate(unseen))
    page.locator("#nearer").click()
    assert page.evaluate("document.getElementById('board').scrollWidth") > 400


@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
def test_nothing_moves_for_those_who_do_not_want_it(
    open_page: OpenPage, running: Running, motion: str, moves: bool
) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link, reduced_motion=motion)
    sit_down(page)
    page.locator(".board .fresh, .route").first.wait_for()
    page.evaluate("document.querySelector('#board [data-track]').classList.add('fresh')")
    found = page.evaluate(
        "[...document.querySelectorAll('#board .fresh')].map((each) => getComputedStyle(each).animationName)"
    )
    assert all((name != "none") == moves for name in found) and found


def test_a_seat_s_page_holds_nothing_hidden(open_page: OpenPage, running: Running) -> None:
    """No leaks: all that comes over the line, searched for what only the other seat may know."""
    first, second = running.deal(None, None, seed=3)
    heard: list[str] = []
    anna = open_page("about:blank")
    anna.on("websocket", lambda line: line.on("framereceived", lambda text: heard.append(str(text))))
    anna.goto(first)
    ben = open_page(second)
    sit_down(anna)
    sit_down(ben)
    expect(anna.locator("#question")).to_have_text("Your turn")
    game = table_of(running, first).game
    bytes_sent = "".join(heard)
    secrets = [seat.secret for seat in table_of(running, first).seats]
    own, others = (set(game.snapshot()["seats"][seat]["tickets"]) for seat in (0, 1))
    told = {ticket["ticket"] for text in heard for ticket in json.loads(text).get("state", {}).get("tickets", [])}
    assert own <= told and not others & told
    assert (
        '"seed"' not in bytes_sent and '"rng"' not in bytes_sent and table_of(running, first).secret not in bytes_sent
    )
    assert secrets[1] in bytes_sent  # to invite with, by the one who opened the table
    for text in heard:
        players = json.loads(text).get("state", {}).get("players")
        assert players is None or players[1]["which"] == "known"
