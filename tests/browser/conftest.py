"""Pages in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.helpers import chromium

if TYPE_CHECKING:
    from tests.helpers.serving import Running

LAPTOP: ViewportSize = {"width": 1280, "height": 800}

OpenPage = Callable[..., Page]

expect.set_options(timeout=60_000)  # for what surely comes, but late where the machine is busy


@pytest.fixture(scope="module")  # and no longer: its event loop would be in the way of others'
def browser() -> Iterator[Browser]:
    """A Chromium."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens addresses, each in a window of its own; options are those of Playwright's contexts.

    Afterwards no page may have complained of anything.
    """
    complaints: list[str] = []
    contexts = []

    def open_page(url: str, viewport: ViewportSize = LAPTOP, **options: Any) -> Page:
        context = browser.new_context(viewport=viewport, **options)
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that keeps records."""
    from tests.helpers.serving import serving  # here, since it needs an extra, and other tests in this folder do not
    from ttr_env.web.hall import Hall
    from ttr_env.web.limits import Limits

    limits = Limits(grace=0.05)  # tests that take something back stop the agents before
    with serving(Hall(save=tmp_path_factory.mktemp("records"), limits=limits)) as running:
        yield running
