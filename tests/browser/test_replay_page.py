"""A game as a page in one file, in a real browser: stepped through, looked at, and asked who else hears of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests.browser.conftest import LAPTOP, OpenPage
from ttr_env import Game, agents, render

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE: ViewportSize = {"width": 375, "height": 812}


@pytest.fixture(scope="module")
def game() -> Game:
    return agents.play(Game(players=3, seed=7), ["planner", "racer", "planner"])


@pytest.fixture(scope="module")
def url(game: Game, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the page of the game is, with what the champion thinks of it."""
    file = tmp_path_factory.mktemp("pages") / "game.html"
    render.page({**game.record(), "agents": ["planner", "racer", "mine"]}, explain=["champion"]).save(file)
    return file.as_uri()


def expect_position(page: Page, number: int) -> None:
    """Wait until the position with this number is shown."""
    expect(page.locator("#count")).to_have_text(re.compile(rf"^{number} of \d+$"))


def moves(page: Page) -> Any:
    return page.locator("#moves .move")


# Stepping -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_keys_lead_through_the_game(open_page: OpenPage, url: str, game: Game) -> None:
    page, last = open_page(url), len(game.actions)
    keyboard = page.keyboard
    for key, expected in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("PageDown", 11),
        ("PageUp", 1),
        ("End", last),
        ("ArrowRight", last),
        ("Home", 0),
        ("ArrowLeft", 0),
    ]:
        keyboard.press(key)
        expect_position(page, expected)
    for _ in range(last):
        keyboard.press("ArrowRight")
    expect_position(page, last)
    winner = game.result()["winners"][0]
    expect(page.locator("#now")).to_contain_text(f"{['planner', 'racer', 'mine'][winner]} wins")
    expect(page.locator("#picture")).to_contain_text("Final scores")


def test_buttons_slider_moves_and_chart_lead_through_the_game(open_page: OpenPage, url: str, game: Game) -> None:
    page, last = open_page(url), len(game.actions)
    for button, expected in [("forward", 1), ("forward", 2), ("back", 1), ("last", last), ("first", 0)]:
        page.locator(f"#{button}").click()
        expect_position(page, expected)
    page.locator("#slider").fill("30")
    expect_position(page, 30)
    moves(page).nth(44).click()
    expect_position(page, 45)
    expect(page.locator("[aria-current=step]")).to_have_text(moves(page).nth(44).inner_text().replace("\n", ""))
    page.locator("#chart").click(position={"x": 1, "y": 50})
    expect_position(page, 0)


def test_a_link_leads_to_a_position(open_page: OpenPage, url: str) -> None:
    page = open_page(f"{url}#12")
    expect_position(page, 12)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{url}#13")
    page.evaluate("location.hash = '#20'")  # as when somebody changes the address
    expect_position(page, 20)
    expect_position(open_page(f"{url}#nowhere"), 0)


def test_it_plays_by_itself_until_somebody_steps_in(open_page: OpenPage, url: str, game: Game) -> None:
    page, last = open_page(url), len(game.actions)
    page.locator("#speed").select_option("20")
    page.keyboard.press("Escape")  # nothing to do with it
    page.locator("body").press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    expect(page.locator("#back")).to_have_attribute("aria-disabled", "false")  # so it has come somewhere
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    page.locator("#slider").fill(str(last - 2))
    page.locator("#play").click()
    expect(page.locator("#count")).to_have_text(f"{last} of {last}")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")


def test_the_keyboard_reaches_everything(open_page: OpenPage, url: str) -> None:
    page = open_page(url)
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    reached = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
    wanted = {"first", "back", "play", "forward", "last", "slider", "speed", "opinions", "move", "save", "shown"}
    assert wanted <= reached
    moves(page).first.focus()
    page.keyboard.press("ArrowDown")
    expect_position(page, 2)
    assert page.evaluate("document.activeElement === document.querySelector('[aria-current=step]')")


# What is shown --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("map", "players"), [("nederland", 4), ("nordic", 3), ("usa", 2)])
def test_the_pictures_are_those_of_to_svg(open_page: OpenPage, tmp_path: Path, map: str, players: int) -> None:
    game = agents.play(Game(map, players=players, seed=3), ["planner"] * players)
    render.page(game).save(tmp_path / "game.html")
    page = open_page((tmp_path / "game.html").as_uri())
    drawings = [render.to_svg(position) for position in game.history()]
    # The browser writes both down in its own way. Back and forth, as elements are used again.
    last = len(game.actions)
    for number in (*range(0, last, 7), last, *range(last, 0, -31)):
        page.locator("#slider").fill(str(number))
        assert page.evaluate(
            """(drawing) => {
              const apart = new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement;
              const written = (nodes) => [...nodes].map((node) => new XMLSerializer().serializeToString(node)).join("");
              return written(apart.children) === written(document.getElementById("pieces").children);
            }""",
            drawings[number],
        ), number


def test_moves_scores_and_thoughts_are_told(open_page: OpenPage, url: str, game: Game) -> None:
    page = open_page(url)
    expect(moves(page)).to_have_count(len(game.actions))
    page.keyboard.press("End")
    totals = [str(seat["total"]).replace("-", "\u2212") for seat in game.result()["seats"]]
    expect(page.locator("#sheet tbody td:nth-child(2)")).to_have_text(totals)
    expect(page.locator("#sheet tbody th")).to_have_text(["0 planner", "1 racer", "2 mine"])
    expect(page.locator("#opinions")).to_have_text("There is nothing to decide here.")
    page.keyboard.press("Home")
    explained = agents.explain("champion", next(game.history()))
    expect(page.locator(".opinion .worth")).to_contain_text(f"Worth {explained.value:.2f}")
    expect(page.locator(".opinion .worth")).to_contain_text("0 is a clear loss and 1 a clear win")
    expect(page.locator("#now")).to_have_text("Planner chooses tickets.")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#now")).to_have_text(re.compile(r"^Planner kept \d tickets\. Racer chooses tickets\.$"))
    page.keyboard.press("Home")
    first = page.locator(".option").first
    expect(first).to_contain_text(next(game.history()).text(explained.options[0].action))
    expect(first).to_contain_text("its choice")
    expect(page.locator(".option.played")).to_have_count(1)


def test_pointing_at_an_option_shows_its_track(open_page: OpenPage, url: str, game: Game) -> None:
    page = open_page(url)
    number, track = next(
        (number, position.describe(action).track)
        for number, (position, action) in enumerate(zip(game.history(), game.actions, strict=False))
        if position.describe(action).kind == "claim"
    )
    page.locator("#slider").fill(str(number))
    page.locator(".option.played").hover()
    pointed = page.locator("#pieces .pointed")
    expect(pointed).to_have_attribute("data-track", str(track))
    page.keyboard.press("ArrowRight")
    expect(pointed).to_have_count(0)


def test_one_can_jump_to_where_an_agent_differs(open_page: OpenPage, url: str, game: Game) -> None:
    page = open_page(url)
    champion = agents.make("champion")
    taken = zip(game.history(), game.actions, strict=False)
    differing = [number for number, (position, action) in enumerate(taken) if champion.act(position) != action]
    assert len(differing) > 3
    page.keyboard.press("Shift+ArrowRight")
    expect_position(page, next(number for number in differing if number > 0))
    page.keyboard.press("End")
    page.locator("#differs-back").click()
    expect_position(page, differing[-1])
    expect(page.locator("#differs-forward")).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".move .differs")).to_have_count(len(differing))


def test_the_record_can_be_saved(open_page: OpenPage, url: str, game: Game) -> None:
    page = open_page(url)
    with page.expect_download() as download:
        page.locator("#save").click()
    record = json.loads(download.value.path().read_text())
    assert Game.replay(record) == game and record["agents"] == ["planner", "racer", "mine"]


# Where and how --------------------------------------------------------------------------------


def test_it_asks_nobody_for_anything(open_page: OpenPage, url: str) -> None:
    asked: list[str] = []
    page = open_page("about:blank")

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        if route.request.url == url:
            route.continue_()
        else:
            route.abort()

    page.route("**/*", refuse)
    page.goto(url)
    page.locator("#speed").select_option("20")
    page.locator("#play").click()
    page.keyboard.press("End")
    page.wait_for_load_state("networkidle")
    assert [each for each in asked if not each.startswith("data:")] == [url]


def test_only_its_own_script_runs(browser: Browser, url: str) -> None:
    page = browser.new_page()
    page.goto(url)
    assert page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.intruded = true";
          const refused = new Promise((tell) => document.addEventListener("securitypolicyviolation", tell));
          document.body.append(script);
          return refused.then(() => window.intruded === undefined);
        }"""
    )
    page.close()


@pytest.mark.parametrize("width", [320, 375, 768, 1024, 2560])
def test_it_fits_the_screen(open_page: OpenPage, url: str, width: int) -> None:
    page = open_page(url, viewport={"width": width, "height": 812})
    for key in ("Home", "PageDown", "End"):
        page.keyboard.press(key)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (LAPTOP, "light")], ids=["phone", "laptop"])
def test_it_is_easy_to_use(open_page: OpenPage, url: str, viewport: ViewportSize, scheme: str) -> None:
    page = open_page(url, viewport=viewport, color_scheme=scheme)
    page.keyboard.press("PageDown")
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize(("scheme", "dark"), [("light", False), ("dark", True)])
def test_it_is_dark_where_the_system_is(open_page: OpenPage, url: str, scheme: str, dark: bool) -> None:
    page = open_page(url, color_scheme=scheme)
    paper = "getComputedStyle(document.querySelector('#pieces rect:last-of-type')).fill"
    ground = "getComputedStyle(document.body).backgroundColor"
    for colour in (page.evaluate(paper), page.evaluate(ground)):
        shades = [int(shade) for shade in re.findall(r"\d+", colour)]
        assert (max(shades) < 64) == dark and (min(shades) > 192) == (not dark)


def test_nothing_moves_when_one_steps(open_page: OpenPage, url: str) -> None:
    page = open_page(url)
    boxes = """() => [...document.querySelectorAll(".panel, .controls, .picture")].map((part) => {
      const box = part.getBoundingClientRect();
      return [box.x, box.y, box.width, box.height].map(Math.round);
    })"""
    before = page.evaluate(boxes)
    for _ in range(3):
        page.keyboard.press("PageDown")
        assert page.evaluate(boxes) == before
    page.keyboard.press("End")
    assert page.evaluate(boxes) == before


def test_a_wide_board_can_be_pushed_aside_on_a_phone(open_page: OpenPage, tmp_path: Path) -> None:
    game = Game("usa", players=2, seed=1)
    game.step(int(game.legal_actions()[0]))
    render.page(game).save(tmp_path / "game.html")
    page = open_page((tmp_path / "game.html").as_uri(), viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".picture").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#count")).to_have_text("0 of 1")
    page.set_viewport_size(LAPTOP)
    expect(page.locator("#picture")).to_have_attribute("viewBox", "0 0 1200 1160")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#count")).to_have_text("1 of 1")


def test_a_piece_keeps_its_element(open_page: OpenPage, url: str, game: Game) -> None:
    page = open_page(url)
    claimed = next(position.last.track for position in game.history() if position.last and position.last.track)
    page.evaluate(f"window.kept = document.querySelector('#pieces [data-track=\"{claimed}\"]')")
    page.keyboard.press("End")
    assert page.evaluate("window.kept.isConnected && window.kept.textContent.includes('owned by')")


def test_a_game_that_has_not_begun(open_page: OpenPage, tmp_path: Path) -> None:
    render.page(Game(seed=1), perspective=0, explain=["planner"]).save(tmp_path / "game.html")
    page = open_page((tmp_path / "game.html").as_uri())
    expect(page.locator("#count")).to_have_text("0 of 0")
    expect(page.locator("#moves")).to_contain_text("No decision has been taken yet.")
    for key in ("ArrowRight", "End", " ", "Shift+ArrowRight"):
        page.keyboard.press(key)
    expect_position(page, 0)


def test_a_notebook_shows_it_in_a_frame(open_page: OpenPage, tmp_path: Path) -> None:
    game = Game(players=2, seed=1)
    game.step(int(game.legal_actions()[0]))
    (tmp_path / "notebook.html").write_text(f"<!doctype html><title>Notebook</title>{game._repr_html_()}")
    frame = open_page((tmp_path / "notebook.html").as_uri()).frame_locator("iframe")
    frame.locator("#forward").click()
    expect(frame.locator("#count")).to_have_text("1 of 1")
