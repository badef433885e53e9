"""Lobby and table in every size and for every reader, in a real browser; what a seat's page holds."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import LAPTOP, OpenPage
from tests.helpers.serving import Running
from tests.helpers.table_page import (
    PHONE,
    PLAY,
    sit_down,
    table_of,
    violations,
)
from ttr_env import Game, agents

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


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_the_scores_of_five_players_are_all_to_be_seen(
    open_page: OpenPage, running: Running, size: ViewportSize
) -> None:
    record = agents.play(Game(players=5, seed=2), ["random"] * 5).record()
    shown = running.post("/api/open", {"record": {**record, "agents": ["my_package.agents:LongName"] * 5}})
    page = open_page(running.url + shown["watch"], size)
    expect(page.locator("#result .total")).to_have_count(5)
    reach = """[...document.querySelectorAll("#result *")].every((each) => {
      const panel = document.getElementById("result").getBoundingClientRect();
      const { left, right } = each.getBoundingClientRect();
      return each.matches(".unseen, .swatch *") || (left >= panel.left && right <= panel.right);
    })"""
    assert page.evaluate(reach)
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_signs_of_tickets_can_be_read(open_page: OpenPage, running: Running, scheme: str) -> None:
    shown = running.post("/api/open", {"record": agents.play(Game(seed=7), ["planner", "random"]).record()})
    page = open_page(running.url + shown["watch"], color_scheme=scheme)
    page.locator(".is-done .sign").first.wait_for()
    contrasts = page.evaluate(
        """() => {
          const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
          const luminance = (colour) => {
            pixel.fillStyle = colour;
            pixel.fillRect(0, 0, 1, 1);
            const [red, green, blue] = [...pixel.getImageData(0, 0, 1, 1).data].map((each) => {
              const part = each / 255;
              return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
          };
          const ground = luminance(getComputedStyle(document.querySelector(".tickets")).backgroundColor);
          return [".is-done .sign", ".is-failed .sign"].map((sign) => {
            const ink = luminance(getComputedStyle(document.querySelector(sign)).color);
            return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
          });
        }"""
    )
    assert min(contrasts) >= 4.5


def test_a_small_locomotive_card_can_be_read(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    page.locator(".offered").first.wait_for()
    strip = page.evaluate(
        """() => {
          const card = Object.assign(document.createElement("span"), { className: "card", textContent: "L 1" });
          card.dataset.card = "locomotive";
          document.querySelector(".players td[colspan]").append(card);
          const share = parseFloat(getComputedStyle(card).backgroundSize.split(",")[0].split(" ")[1]) / 100;
          return [card.clientHeight, card.clientHeight * share];
        }"""
    )
    assert 16 < strip[0] < 30 and 1 < strip[1] < 3.5  # below the letters


def test_the_neutral_player_has_trains_of_its_own(open_page: OpenPage, running: Running) -> None:
    seats = [{"agent": None, "name": "Anna"}, {"agent": "planner", "name": ""}]
    form = {"map": "nederland", "options": {"neutral_player": True}, "seed": 7, "seats": seats}
    page = open_page(running.url + running.post("/api/tables", form)["seats"][0]["link"])
    expect(page.locator("#players .swatch")).to_contain_text(["0", "1", "N"])


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
