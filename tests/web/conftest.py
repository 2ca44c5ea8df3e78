from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from browsing import FLAGS, Home, Server, find_chromium, running
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright
from pytest import MonkeyPatch
from static_site import built_site, served

WAITING_MS = 120_000
"""The longest wait for what is not said to take long: machines may be slow, and busy."""
LATENCY_MS = int(os.environ.get("SNAKEDEN_LATENCY_MS", "0"))
"""With this, everything that a page hears is late by a random time up to it: no test may depend on who is quicker."""
LATE_ANSWERS = Path(__file__).parents[1] / "helpers" / "late_answers.js"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_chromium()
    expect.set_options(timeout=WAITING_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        with MonkeyPatch.context() as patch:
            patch.setattr(browser, "new_context", partial(new_context, browser.new_context))
            yield browser
        browser.close()


def new_context(make: Callable[..., BrowserContext], **options: Any) -> BrowserContext:
    context = make(**options)
    context.set_default_timeout(WAITING_MS)
    if LATENCY_MS:
        context.add_init_script(f"({LATE_ANSWERS.read_text(encoding='utf-8').strip()})({LATENCY_MS});")
    return context


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(Server(tmp_path_factory.mktemp("server"))) as server:
        yield server


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Snakeden without a server, as built by `make site`."""
    base = tmp_path_factory.getbasetemp()
    return built_site(base if worker_id == "master" else base.parent)


@pytest.fixture(scope="session")
def site(site_folder: Path) -> Iterator[str]:
    """Its address."""
    with served(site_folder) as address:
        yield address


@pytest.fixture(params=["server", "site"])
def home(request: pytest.FixtureRequest) -> Home:
    """A page to be tested the same way with a server and without one."""
    if request.param == "site":
        return Home(request.getfixturevalue("site").rstrip("/"), small=True)
    return Home(request.getfixturevalue("server").address, small=False)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    # Without motion moves are not played back step by step: what is tested does not wait for it.
    context = browser.new_context(
        viewport={"width": 1300, "height": 900}, locale="en-GB", reduced_motion="reduce"
    )
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that must not complain."""
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.extend(complaint(said)))
    yield page
    assert complaints == []


def complaint(said: ConsoleMessage) -> list[str]:
    """What the page complains of and where; a request that failed is named by its address alone."""
    if "WebSocket is closed before the connection is established" in said.text:
        return []  # what a browser remarks when a page is left while it connects
    return [f"{said.text} ({said.location['url']})"] if said.type in ("error", "warning") else []
