"""The site without a server: built once a run of the tests, and served as any web server would."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import pytest
from filelock import FileLock
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parent.parent.parent
BUILDING_S = 300
"""The longest that building may take, also for those who wait for another process to do it."""
KEEPING_MS = 120_000


def built_site(shared: Path) -> Path:
    """The site's folder; the tests' processes share one. Without npm the test is skipped, but never where CI is set."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        reason = "there is no npm here; install it to build the site without a server"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    target = shared / "snakeden-site"
    with FileLock(shared / "snakeden-site.lock", timeout=BUILDING_S):
        if not (target / "sw.js").exists():
            command = [sys.executable, str(ROOT / "tools" / "site.py"), "-o", str(target)]
            made = subprocess.run(command, capture_output=True, text=True, check=False, timeout=BUILDING_S)
            assert made.returncode == 0, made.stderr[-2000:]
    return target


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *arguments: Any) -> None:
        pass

    def copyfile(self, source: Any, outputfile: Any) -> None:
        with suppress(ConnectionError):  # a browser that goes on to another page hangs up
            super().copyfile(source, outputfile)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a web server with these files, in a folder below its root as page hosts have it."""
    with TemporaryDirectory() as root:
        Path(root, "games").symlink_to(folder.resolve())
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=root)) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield f"http://127.0.0.1:{server.server_port}/games/"
            finally:
                server.shutdown()


def is_kept(page: Page) -> None:
    """Wait until all of the site is in the browser. By itself `ready` waits for ever where it cannot be kept."""
    page.evaluate(
        """(most) => Promise.race([
            navigator.serviceWorker.ready.then(() => true),
            new Promise((_, fail) => setTimeout(() => fail(new Error("the site is not kept")), most)),
        ])""",
        KEEPING_MS,
    )
