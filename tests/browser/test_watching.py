"""Watching, looking back and sharing, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import OpenPage
from tests.helpers.serving import Running
from tests.helpers.table_page import (
    look_at,
    room_of,
    stop_agents,
    violations,
)
from ttr_env import Game, agents, render

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_watching_stepping_and_asking_agents(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal("planner", "racer")
    room_of(running, link).paused = True
    page = open_page(link)
    expect(page.locator("#run")).to_have_attribute("aria-label", "Play")
    for decision in (1, 2):
        page.locator("#forth").click()
        expect(page.locator("#where")).to_have_text(f"{decision} / {decision}")
    page.locator("#back").click()
    expect(page.locator("#where")).to_have_text("1 / 2")
    page.locator("#last").click()
    expect(page.locator("#where")).to_have_text("2 / 2")
    page.locator("#run").click()
    expect(page.locator("#log li").nth(4)).to_be_visible()
    stop_agents(page)
    look_at(page, 3)
    page.locator("#opinions summary").click()
    page.locator("#ask button").click()
    expect(page.locator(".answer")).to_have_count(2)
    expect(page.locator(".answer").last).to_contain_text("%")
    assert violations(page) == []


def test_an_answer_says_its_scale_and_shows_its_route(open_page: OpenPage, running: Running) -> None:
    game = agents.play(Game(seed=7), ["planner", "planner"])
    claims = [number for number, each in enumerate(game.history()) if each.last and each.last.action.kind == "claim"]
    shown = running.post("/api/open", {"record": game.record()})
    page = open_page(running.url + shown["watch"])
    look_at(page, claims[3] - 1)
    page.locator("#opinions summary").click()
    for agent in ("planner", "champion"):
        page.locator(f"#ask input[value={agent}]").set_checked(agent == "planner")
    page.locator("#ask button").click()
    expect(page.locator(".board .suggested")).to_have_count(1)  # where the planner would build
    page.locator(".answer button.name").focus()
    expect(page.locator(".board .pointed")).to_have_count(1)
    page.locator("#ask input[value=planner]").set_checked(False)
    page.locator("#ask input[value=random]").set_checked(True)
    page.locator("#ask button").click()
    expect(page.locator(".answer h3")).to_have_text("random")
    page.evaluate("() => document.activeElement.blur()")
    drawn = page.locator(".answer .choice button.name").count()
    expect(page.locator(".board .suggested")).to_have_count(drawn)
    page.locator("#hint").click()
    expect(page.locator("#advice")).to_contain_text("0 is a clear loss and 1 a clear win")


def test_more_agents_than_can_be_asked_at_once(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal("planner", "racer")
    room_of(running, link).paused = True
    page = open_page(link)
    page.locator("#opinions summary").click()
    boxes = page.locator("#ask input")
    for place in range(7):
        boxes.nth(place).check()
    chosen = page.locator("#ask input:checked").count()
    page.locator("#ask button").click()
    expect(page.locator("#answers")).to_have_text(f"At most 6 agents can be asked at once, and you chose {chosen}.")


def test_agents_play_on_while_one_asks_about_a_position(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal("planner", "racer")
    page = open_page(link)
    page.locator("#pace").select_option("0.25")
    expect(page.locator("#log li").nth(3)).to_be_visible()
    page.locator("#opinions summary").click()
    page.locator("#ask button").click()
    expect(page.locator(".answer")).to_have_count(2)
    before, seen = page.locator("#log li").count(), page.locator("#where").inner_text().partition(" ")[0]
    expect(page.locator("#log li").nth(before + 1)).to_be_visible()
    expect(page.locator(".answer")).to_have_count(2)
    expect(page.locator("#where")).to_contain_text(f"{seen} /")
    page.locator("#last").click()
    expect(page.locator(".answer")).to_have_count(0)


def test_a_slider_can_be_pulled_as_fast_as_one_likes(open_page: OpenPage, running: Running) -> None:
    game = agents.play(Game(seed=7), ["planner", "planner"])
    shown = running.post("/api/open", {"record": game.record()})
    page = open_page(running.url + shown["watch"])
    look_at(page, 1)
    page.evaluate(
        """async () => {
          const slider = document.getElementById("slider");
          for (let number = 0; number < 400; number++) {
            slider.value = number % 90;
            slider.dispatchEvent(new Event("input"));
            await new Promise((done) => setTimeout(done, 5));
          }
          slider.value = 33;
          slider.dispatchEvent(new Event("input"));
        }"""
    )
    expect(page.locator("#where")).to_contain_text("33 /")
    expect(page.locator("#banner")).to_be_hidden()


def test_a_link_holds_the_game(open_page: OpenPage, running: Running) -> None:
    game = agents.play(Game(seed=7), ["planner", "planner"])
    shown = running.post("/api/open", {"record": {**game.record(), "agents": ["planner", "mine"]}})
    page = open_page(running.url + shown["watch"])
    look_at(page, 40)
    page.locator("#share").click()
    page.get_by_role("button", name="Copy link").click()
    link = page.locator("#sharing input").input_value()
    assert len(link) < 700
    with page.expect_download() as download:
        page.get_by_role("button", name="Save record").click()
    assert json.loads(Path(download.value.path()).read_text())["actions"] == game.actions
    again = open_page(link)
    expect(again.locator("#where")).to_have_text(f"40 / {len(game.actions)}")
    drawn = again.locator("#board svg").inner_html()
    position = Game.replay({**game.record(), "actions": game.actions[:40]})
    tracks = re.findall(r'<g data-track="\d+">', render.to_svg(position))
    assert len(tracks) == len(game.map.tracks) == len(re.findall(r'<g data-track="\d+"', drawn))


def test_a_damaged_link_is_named(browser: Browser, running: Running) -> None:
    page = browser.new_context().new_page()
    page.goto(f"{running.url}/#r=nonsense")
    expect(page.locator("#banner")).to_contain_text("copy the whole of it")
    expect(page.locator(".map")).to_have_count(4)  # and a game can be begun
    page.context.close()


def test_a_file_that_is_no_record_is_named(browser: Browser, running: Running) -> None:
    page = browser.new_context().new_page()
    page.goto(running.url)
    page.locator(".map").first.wait_for()
    old = {**Game(seed=7).record(), "map_digest": "0"}
    for content, told in ((b"no game", "it is not JSON"), (json.dumps(old).encode(), "another version of Nederland")):
        page.locator("#file").set_input_files({"name": "game.json", "mimeType": "application/json", "buffer": content})
        expect(page.locator("#banner")).to_contain_text(told)
    page.context.close()


@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_with_a_record_on_one_line_or_on_many(open_page: OpenPage, running: Running, indent: int | None) -> None:
    game = Game(seed=7)
    text = json.dumps({**game.record(), "agents": ["Anna", "planner"], "people": [0]}, indent=indent)
    several = text if indent else f"{text}\n{text}\n"
    page = open_page(running.url)
    page.locator(".map").first.wait_for()
    page.locator("#file").set_input_files({"name": "game.json", "mimeType": "", "buffer": several.encode()})
    expect(page.locator("#where")).to_have_text("0 / 0")


def test_the_drawing_is_the_renderer_s(open_page: OpenPage, running: Running) -> None:
    game = agents.play(Game(seed=7), ["planner", "planner"])
    shown = running.post("/api/open", {"record": game.record()})
    page = open_page(running.url + shown["watch"])
    page.locator("#board svg g").first.wait_for()
    expect(page.locator("#question")).to_have_text("The game is over")
    told = """([whole, keys]) => {
      const drawn = document.createElement("template");
      drawn.innerHTML = whole;
      const inside = (place, key) => place.querySelector(key).innerHTML;
      return keys.filter((key) => inside(drawn.content, key) !== inside(document.getElementById("board"), key));
    }"""
    keys = [f'[data-track="{track}"]' for track in range(len(game.map.tracks))]
    keys += [f'[data-city="{city}"]' for city in range(len(game.map.cities))]
    assert page.evaluate(told, [render.to_svg(game), keys]) == []
