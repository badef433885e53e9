"""`ttr serve` in a real browser: games by clicks and by keys, people who meet, lines that break."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.conftest import OpenPage
from tests.helpers.serving import Running, serving
from ttr_env import Game, agents, render
from ttr_env.web.hall import Hall
from ttr_env.web.rooms import Room
from ttr_env.web.tables import Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE: ViewportSize = {"width": 375, "height": 812}

# Clicks whatever is offered, as a hasty person would, until the game is over or has come to some decisions.
PLAY = """async (decisions) => {
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  while (document.querySelector("#board svg") === null) await pause(10);
  const pace = document.getElementById("pace");
  pace.value = "0";
  pace.dispatchEvent(new Event("input"));
  const click = (selector) => {
    const found = document.querySelector(selector);
    found?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return found !== null;
  };
  const patience = Date.now() + 240_000;
  while (Date.now() < patience) {
    if (!document.getElementById("result").hidden) return true;
    if (Number(document.getElementById("slider").max) >= decisions) return false;
    for (const box of document.querySelectorAll(".offered input:not(:checked)")) box.click();
    click("#pay[open] .way") || click("#keep:not(:disabled)") || click(".board .legal polygon") ||
      click(".others button") || click("[data-id=pile-deck]:not(:disabled)") || click(".row button:not(:disabled)");
    await pause(10);
  }
  throw new Error(`the game does not end: ${document.body.innerText}`);
}"""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(Hall(save=tmp_path_factory.mktemp("records"))) as running:
        yield running


def sit_down(page: Page) -> None:
    """Choose the first three tickets."""
    boxes = page.locator(".offered input")
    for place in range(3):
        boxes.nth(place).check()
    page.locator("#keep").click()


def stop_agents(page: Page) -> None:
    """Pause, so that agents wait however long the next clicks take."""
    page.locator("#run").click()
    expect(page.locator("#run")).to_have_attribute("aria-label", "Play")


def look_at(page: Page, decision: int) -> None:
    """Pull the slider, and wait until the position is there: what is clicked then means that position."""
    page.locator("#slider").fill(str(decision))
    expect(page.locator("#where")).to_contain_text(f"{decision} /")


def room_of(running: Running, link: str) -> Room:
    return running.server.hall.rooms[link.partition("#")[0].rpartition("/")[2]]


def table_of(running: Running, link: str) -> Table:
    return room_of(running, link).table


def violations(page: Page) -> list[str]:
    """What makes a page hard to use, by WCAG 2 A and AA."""
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]})
    return [f"{each['id']}: {each['nodes'][0]['target']}" for each in found.response["violations"]]


# Playing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("map", ["mini", "nederland", "nordic", "usa"])
def test_a_whole_game_by_clicks(open_page: OpenPage, running: Running, map: str) -> None:
    [link] = running.deal(None, "racer", map=map)
    page = open_page(link)
    assert page.evaluate(PLAY, 10_000)
    table = table_of(running, link)
    expect(page.locator("#question")).to_have_text("The game is over")
    expect(page.locator("#result .total td").first).to_have_text(
        str(max(seat["total"] for seat in table.game.result()["seats"]))
    )
    expect(page.locator("#log li")).to_have_count(table.decisions)
    page.locator("#eyes").select_option("")
    expect(page.locator("#hand-head")).not_to_have_text("Your hand")


def test_a_game_by_keys_alone(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    keyboard = page.keyboard
    page.locator(".offered").first.wait_for()
    focused = "document.activeElement.dataset.id ?? document.activeElement.id"
    for _ in range(40):
        keyboard.press("Tab")
        name = str(page.evaluate(focused))
        if name.startswith("keep-"):
            keyboard.press("Space")
        if name == "keep":
            break
    keyboard.press("Enter")
    page.locator(".route").first.wait_for()
    page.evaluate("document.activeElement.blur()")
    keyboard.press(" ")
    expect(page.locator("#run")).to_have_attribute("aria-label", "Play")  # so agents wait, however slow this is
    keyboard.press("/")
    keyboard.type("sneek")
    expect(page.locator(".routes li:visible")).to_have_count(1)
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(page.locator("#undo")).to_be_enabled()
    keyboard.press("u")
    expect(page.locator("#latest")).to_contain_text("kept")
    page.locator("body").press("Escape")
    page.evaluate("document.activeElement.blur()")
    keyboard.press("d")
    expect(page.locator("#question")).to_have_text("Your second card")
    keyboard.press("1")
    expect(page.locator("#log li")).to_have_count(4)
    keyboard.press("Home")
    expect(page.locator("#where")).to_contain_text("0 /")
    keyboard.press("End")
    expect(page.locator("body")).not_to_have_class(re.compile("looking-back"))


def test_the_mouse_finds_a_track_and_hears_what_it_costs(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    sit_down(page)
    track = page.locator(".board .legal polygon").first
    track.wait_for()
    stop_agents(page)
    track.hover(force=True)
    expect(page.locator("#tip")).to_contain_text("toll")
    expect(page.locator("#tip")).to_contain_text("point")
    track.click(force=True)
    expect(page.locator("#latest")).to_contain_text("You claimed")
    page.locator("#undo").click()
    expect(page.locator("#question")).to_have_text("Your turn")
    assert table_of(running, link).decisions == 2


def test_tickets_show_their_cities_and_what_lies_between(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    page.locator(".offered").first.hover()
    expect(page.locator(".board .goal")).to_have_count(2)
    expect(page.locator(".board .way").nth(2)).to_be_attached()
    expect(page.locator("#keep")).to_be_disabled()


def test_a_payment_is_chosen_where_there_is_a_choice(open_page: OpenPage, running: Running) -> None:
    game = agents.play(Game("usa", players=2, seed=3), ["planner", "planner"])
    turns = [number for number, each in enumerate(game.history()) if each.phase == "turn" and each.player == 0]
    shown = running.post("/api/open", {"record": game.record()})
    page = open_page(running.url + shown["watch"])
    look_at(page, turns[8])
    page.locator("#on").click()
    page.locator("#going-on select").nth(0).select_option("")
    page.locator("#going-on select").nth(1).select_option("")
    page.get_by_role("button", name="Play on", exact=True).click()
    page.locator(".route", has_text="ways to pay").first.click()
    expect(page.locator("#pay .way").nth(1)).to_be_visible()
    expect(page.locator("#pay")).to_contain_text("How do you pay for")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#pay")).to_be_hidden()


def test_two_people_at_a_table(open_page: OpenPage, running: Running) -> None:
    first, second = running.deal(None, None)
    anna, ben = open_page(first), open_page(second)
    expect(anna.locator("#invite")).to_be_visible()
    expect(ben.locator("#question")).to_contain_text("Person 0 (player 0) is thinking")
    sit_down(anna)
    expect(ben.locator("#latest")).to_have_text("Person 0 kept 3 tickets.")
    sit_down(ben)
    expect(anna.locator("#question")).to_have_text("Your turn")
    anna.keyboard.press("d")
    expect(anna.locator("#latest")).to_contain_text("You drew a")
    expect(ben.locator("#latest")).to_have_text("Person 0 drew a card from the deck.")


def test_somebody_who_looks_on(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    player, onlooker = open_page(link), open_page(link.partition("#")[0])
    expect(onlooker.locator("#onlooker")).to_be_visible()
    expect(onlooker.locator("#run")).to_be_disabled()
    for hidden in ("#hand", "#tickets", "#choices", "#invite"):
        expect(onlooker.locator(hidden)).to_be_hidden()
    assert violations(onlooker) == []
    sit_down(player)
    expect(onlooker.locator("#log li").first).to_contain_text("Person 0 kept 3 tickets")
    player.locator("#invite").click()
    expect(player.locator("#sharing input").last).to_have_value(link.partition("#")[0])
    assert violations(player) == []


def test_a_hint_is_told_where_one_looks(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    sit_down(page)
    page.locator(".route").first.wait_for()
    page.locator("#hint").click()
    expect(page.locator("#advice")).to_contain_text("%")
    expect(page.locator("#advice")).to_contain_text("champion")
    expect(page.locator("#advice")).to_be_in_viewport()
    page.keyboard.press("d")
    expect(page.locator("#question")).to_have_text("Your second card")
    expect(page.locator("#advice")).to_be_hidden()


def test_nothing_moves_from_one_decision_to_the_next(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    sit_down(page)
    boxes = """() => ["supply", "hand", "choices", "tickets"].map((id) => {
      const box = document.getElementById(id).getBoundingClientRect();
      return [box.x, box.y].map(Math.round);
    })"""
    page.locator(".route").first.wait_for()
    stop_agents(page)
    before = page.evaluate(boxes)
    page.keyboard.press("d")
    expect(page.locator("#question")).to_have_text("Your second card")
    assert page.evaluate(boxes) == before
    page.keyboard.press("d")
    expect(page.locator("#question")).to_contain_text("is thinking")
    assert page.evaluate(boxes) == before


# Lines that break, tabs, and the server's end ---------------------------------------------------


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


def test_a_line_that_breaks_is_mended(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    sit_down(page)
    page.locator(".route").first.wait_for()
    page.evaluate(
        """() => {
          window.said = "";
          const banner = document.getElementById("banner");
          new MutationObserver(() => { window.said += banner.textContent; }).observe(banner, { childList: true });
        }"""
    )
    running.break_lines()
    page.wait_for_function("window.said.includes('trying again')")  # though it may be gone again
    expect(page.locator("#banner")).to_be_hidden()
    page.keyboard.press("d")
    expect(page.locator("#question")).to_have_text("Your second card")


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


# Watching, looking back, sharing ----------------------------------------------------------------


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


# Every size, every reader -----------------------------------------------------------------------


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
    page.locator("#nearer").click()
    assert page.evaluate("document.getElementById('board').scrollWidth") > 400


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
