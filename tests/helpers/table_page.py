"""A table's page in a browser, and what tests do with it again and again."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize, expect

from tests.helpers.serving import Running
from ttr_env.web.rooms import Room
from ttr_env.web.tables import Table

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


def sit_down(page: Page) -> None:
    """Choose the first three tickets."""
    boxes = page.locator(".offered input")
    for place in range(3):
        boxes.nth(place).check()
    page.locator("#keep").click()


def tab_to(page: Page, name: str) -> None:
    """Press Tab until something has the focus whose name begins so."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if str(page.evaluate("document.activeElement.dataset.id ?? document.activeElement.id")).startswith(name):
            return
    raise AssertionError(f"no key leads to {name}")


def decide_by_keys(page: Page, variety: int) -> None:
    """Keep the tickets, claim the first route, or else draw this or that, by the keys that the page says it has."""
    press = page.keyboard.press
    offered = page.locator(".offered").count()
    if offered:
        for _ in range(offered):
            tab_to(page, "keep-")
            press("Space")
        tab_to(page, "keep")
        press("Enter")
    elif page.locator(".route").count():
        press("/")
        press("Tab")
        press("Enter")
        if page.locator("#pay[open]").count():
            press("Enter")  # the first way to pay has the focus
    else:
        draws = page.locator("#supply button:enabled").all()
        press(str(draws[variety % len(draws)].get_attribute("aria-keyshortcuts")))


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
