"""The WebAssembly modules in a real browser: they play and search as the compiled programs do."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from in_javascript import PLAY_MJS, PROGRAM_JS, SEARCHED, check, job, variants_of
from playwright.sync_api import Browser, Page

import snakeden
from snakeden.programs import ready_made


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Page]:
    """A page of Chromium on a site with the modules of all games."""
    site = tmp_path_factory.mktemp("site")
    for file in (
        PROGRAM_JS,
        PLAY_MJS,
        *(file for game in snakeden.games() for file in ready_made.module_files(game)),
    ):
        shutil.copy(file, site)
    (site / "index.html").write_text("<!doctype html><title>modules</title>")
    handler = partial(QuietHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
        yield page
        page.close()
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012 - as in the class it extends
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


IN_CHROMIUM = """async ({ game, jobs }) => {
  const { Program } = await import("/program.js");
  const { play } = await import("/play_program.mjs");
  const module = await WebAssembly.compileStreaming(fetch(`/${game}.wasm`));
  const description = await (await fetch(`/${game}.json`)).json();
  return jobs.map((job) => {
    job.block = Uint8Array.from(atob(job.block), (letter) => letter.charCodeAt(0));
    return play(Program, module, description, job);
  });
}"""


@pytest.mark.parametrize("game", snakeden.games())
def test_chromium_plays_and_searches_as_the_cpu_does(game: str, tab: Page) -> None:
    variants = variants_of(game)
    jobs = [job(variant, [1, 2], SEARCHED) for variant in variants]
    for variant, found in zip(variants, tab.evaluate(IN_CHROMIUM, {"game": game, "jobs": jobs}), strict=True):
        check(found, variant)
