"""Games in a real browser: by clicks and by keys, alone and with others."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.browser.conftest import LAPTOP, OpenPage
from tests.helpers.serving import Running
from tests.helpers.table_page import (
    PHONE,
    PLAY,
    decide_by_keys,
    look_at,
    room_of,
    sit_down,
    stop_agents,
    tab_to,
    table_of,
    violations,
)
from ttr_env import Game, agents

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("map", ["mini", "nederland", "nordic", "usa"])
def test_a_whole_game_by_clicks(open_page: OpenPage, running: Running, map: str) -> None:
    [link] = running.deal(None, "racer", map=map)
    page = open_page(link)
    assert page.evaluate(PLAY, 10_000)
    table = table_of(running, link)
    expect(page.locator("#question")).to_have_text("The game is over")
    best = max(seat["total"] for seat in table.game.result()["seats"])
    expect(page.locator("#result .total").first).to_have_text(f"{best} points")
    expect(page.locator("#result-head")).to_have_text("Scores")
    expect(page.locator("#tickets .owner")).to_have_count(2)
    expect(page.locator("#tickets .is-done, #tickets .is-failed")).to_have_count(
        sum(len(seat["tickets"]) for seat in table.game.snapshot()["seats"])
    )
    expect(page.locator("#log li")).to_have_count(table.decisions)
    page.locator("#eyes").select_option("")
    expect(page.locator("#hand-head")).not_to_have_text("Your hand")


def test_a_whole_game_by_keys_alone(open_page: OpenPage, running: Running) -> None:
    """The test looks at the page, but does nothing to it except press keys."""
    [link] = running.deal(None, "planner", map="mini")
    page = open_page(link)
    press = page.keyboard.press
    expect(page.locator("#pace")).to_be_enabled()
    tab_to(page, "pace")
    press("End")  # at once
    expect(page.locator("#pace")).to_have_value("0")
    over, lines = page.locator("#result"), page.locator("#log li")
    while True:
        expect(page.locator("#question.yours").or_(over).first).to_be_visible()
        if over.is_visible():
            break
        decided = lines.count()
        decide_by_keys(page, decided)
        expect(lines.nth(decided)).to_be_attached()
    expect(page.locator("#question")).to_have_text("The game is over")
    assert table_of(running, link).game.over
    press("Home")
    expect(page.locator("#where")).to_contain_text("0 /")


def test_the_keys_of_a_table(open_page: OpenPage, running: Running) -> None:
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
    expect(page.locator("#question")).to_have_text("Your turn")
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


def test_keys_work_wherever_the_focus_is(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    sit_down(page)
    track = page.locator(".board .legal polygon").first
    track.wait_for()
    stop_agents(page)
    track.click(force=True)
    expect(page.locator("#undo")).to_be_enabled()
    assert page.evaluate("document.activeElement.id") == "board"
    page.keyboard.press("u")
    expect(page.locator("#question")).to_have_text("Your turn")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#where")).to_have_text("1 / 2")
    page.locator("#slider").focus()
    page.keyboard.press("ArrowRight")  # which moves the slider itself
    expect(page.locator("#where")).to_have_text("2 / 2")
    page.keyboard.press("d")
    expect(page.locator("#question")).to_have_text("Your second card")


def test_an_enlarged_map_is_moved_with_the_mouse(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    sit_down(page)
    page.locator(".route").first.wait_for()
    for _ in range(2):
        page.locator("#nearer").click()
    scrolled = "[board.scrollLeft, board.scrollTop]"
    before = page.evaluate(scrolled)
    x, y = page.evaluate(
        """() => {
          const frame = document.getElementById("board").getBoundingClientRect();
          const boxes = [...document.querySelectorAll(".legal polygon")].map((each) => each.getBoundingClientRect());
          const inside = boxes.find(
            (box) =>
              box.x > frame.x + 200 && box.right < frame.right - 60 &&
              box.y > frame.y + 200 && box.bottom < frame.bottom - 60,
          );
          return [inside.x + inside.width / 2, inside.y + inside.height / 2];
        }"""
    )
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 150, y - 100, steps=8)
    page.mouse.up()
    assert page.evaluate(scrolled) == [before[0] + 150, before[1] + 100]
    assert page.evaluate("getSelection().toString()") == ""
    assert table_of(running, link).decisions == 2 and page.locator("#pay[open]").count() == 0
    stop_agents(page)
    page.mouse.click(x - 150, y - 100)  # there lies the track now
    expect(page.locator("#latest")).to_contain_text("You claimed")


def test_a_turn_that_comes_while_one_looks_back_is_told(open_page: OpenPage, running: Running) -> None:
    first, second = running.deal(None, None)
    anna, ben = open_page(first), open_page(second)
    sit_down(anna)
    expect(anna.locator("#where")).to_have_text("1 / 1")
    expect(anna.locator("#return")).to_be_hidden()
    anna.keyboard.press("Home")
    expect(anna.locator("#return")).to_have_text("Back to the game")
    assert not anna.title().startswith("●")
    sit_down(ben)
    expect(anna.locator("#return")).to_have_text("Back to the game: it is your turn")
    expect(anna.locator("#told")).to_contain_text("It is your turn")
    expect(anna).to_have_title(re.compile("^● "))
    expect(anna.locator("#where")).to_have_text("0 / 2")
    assert violations(anna) == []
    anna.locator("#return").click()
    expect(anna.locator("#question")).to_have_text("Your turn")
    expect(anna.locator("#return")).to_be_hidden()


def test_it_is_told_when_no_route_can_be_claimed(open_page: OpenPage, running: Running) -> None:
    game = agents.play(Game(seed=7), ["planner", "planner"])
    poor = next(
        number
        for number, each in enumerate(game.history())
        if each.phase == "turn" and not any(each.describe(int(act)).kind == "claim" for act in each.legal_actions())
    )
    shown = running.post("/api/open", {"record": game.record()})
    table, _, secret = shown["watch"].rpartition("/")[2].partition("#")
    seats = [{"agent": None, "name": f"person {seat}"} for seat in range(2)]
    found = running.post("/api/play-on", {"table": table, "secret": secret, "decision": poor, "seats": seats})
    mover = list(game.history())[poor].player
    page = open_page(running.url + found["seats"][mover]["link"])
    expect(page.locator("#choices")).to_contain_text("you cannot claim any route now")


def test_all_that_happened_since_one_decided_is_told(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "racer", "greedy", "planner", "blocker")
    page = open_page(link)
    sit_down(page)
    page.locator("#question.yours").wait_for()
    for name in ("Racer", "Greedy", "Planner", "Blocker"):
        expect(page.locator("#latest")).to_contain_text(f"{name} kept")
    lost = """() => {
      const { scrollHeight, clientHeight } = document.getElementById("latest");
      return scrollHeight > clientHeight;
    }"""
    assert not page.evaluate(lost)


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


def test_a_finger_is_asked_before_it_claims(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link, PHONE, has_touch=True, is_mobile=True)
    sit_down(page)
    page.locator(".route").first.wait_for()
    stop_agents(page)
    x, y = page.evaluate(
        """() => {
          scrollTo(0, 0);
          const routes = [...document.querySelectorAll(".route")];
          const clear = routes.find((route) => !route.textContent.includes("ways to pay"));
          const track = clear.dataset.id.replace("track-", "");
          const box = document.querySelector(`#board [data-track="${track}"] polygon`).getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }"""
    )
    page.touchscreen.tap(x, y)
    expect(page.locator("#pay")).to_contain_text("Claim")
    assert violations(page) == []
    page.locator("#pay .way").tap()
    expect(page.locator("#latest")).to_contain_text("You claimed")


def test_two_people_at_a_table(open_page: OpenPage, running: Running) -> None:
    first, second = running.deal(None, None)
    anna, ben = open_page(first), open_page(second)
    expect(anna.locator("#invite")).to_be_visible()
    expect(ben.locator("#question")).to_have_text("Person 0 is thinking")
    sit_down(anna)
    expect(ben.locator("#latest")).to_have_text("Person 0 kept 3 tickets.")
    sit_down(ben)
    expect(anna.locator("#question")).to_have_text("Your turn")
    anna.keyboard.press("d")
    expect(anna.locator("#latest")).to_contain_text("You drew a")
    expect(ben.locator("#latest")).to_have_text("Person 0 drew a card from the deck.")
    anna.keyboard.press("d")
    expect(ben.locator("#latest")).to_have_text("Person 0 drew a card from the deck twice.")


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
    expect(player.locator("#sharing")).to_contain_text("These links work on this machine alone")
    expect(player.locator("#sharing")).to_contain_text("ttr serve --host 0.0.0.0")
    player.context.grant_permissions(["clipboard-read", "clipboard-write"])
    player.get_by_role("button", name="Copy the link: Looking on").click()
    expect(player.locator("#sharing .invitation").last).to_contain_text("copied")
    assert player.evaluate("navigator.clipboard.readText()") == link.partition("#")[0]
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


def test_a_hint_that_comes_too_late_is_not_told(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal(None, "planner")
    page = open_page(link)
    answers: list[str] = []
    page.on("websocket", lambda line: line.on("framereceived", lambda text: answers.append(str(text))))
    page.reload()
    sit_down(page)
    page.locator(".route").first.wait_for()
    stop_agents(page)
    page.evaluate("for (const each of ['#hint', '[data-id=pile-deck]']) document.querySelector(each).click()")
    expect(page.locator("#question")).to_have_text("Your second card")
    page.wait_for_timeout(100)
    while not any('"opinion"' in text for text in answers):
        page.wait_for_timeout(100)
    expect(page.locator("#advice")).to_be_hidden()
    expect(page.locator(".board .suggested")).to_have_count(0)


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_nothing_moves_from_one_decision_to_the_next(open_page: OpenPage, running: Running, size: ViewportSize) -> None:
    seats = [{"agent": None, "name": "Bartholomew Featherstone"}, {"agent": "ticket_hoarder", "name": ""}]
    form = {"map": "nederland", "options": {}, "seed": 7, "seats": seats}
    page = open_page(running.url + running.post("/api/tables", form)["seats"][0]["link"], size)
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
    expect(page.locator("#question")).to_have_text("Ticket_hoarder is thinking")
    assert page.evaluate(boxes) == before
    page.keyboard.press("Home")
    expect(page.locator("#return")).to_be_visible()
    assert page.evaluate(boxes) == before


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_nothing_moves_while_a_table_is_loaded(browser: Browser, running: Running, size: ViewportSize) -> None:
    [link] = running.deal(None, "planner")
    context = browser.new_context(viewport=size)
    page = context.new_page()
    page.add_init_script(
        """window.moved = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) window.moved += entry.value;
        }).observe({ type: "layout-shift", buffered: true });"""
    )
    page.goto(link)
    page.locator(".offered").first.wait_for()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert page.evaluate("moved") < 0.1
    context.close()


def test_long_names_wrap(open_page: OpenPage, running: Running) -> None:
    [link] = running.deal("planner", "racer")
    room_of(running, link).paused = True
    page = open_page(link, PHONE)
    page.locator("#opinions summary").click()
    page.locator("#ask button").click()
    expect(page.locator(".answer")).to_have_count(2)
    page.evaluate("document.querySelector('.answer h3').textContent = 'my_package.agents:VeryLongName'.repeat(4)")
    assert page.evaluate(
        "[...document.querySelectorAll('.answer')].every((each) => each.scrollWidth <= each.clientWidth)"
    )
