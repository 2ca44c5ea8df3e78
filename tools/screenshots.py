"""Screenshots of the page: every game in the middle and at the end, on phones and desktops, light and dark.

    python tools/screenshots.py                        # into build/screenshots, with contact sheets
    python tools/screenshots.py --only duel --widths 390 1400 --themes dark
    python tools/screenshots.py --page-picture         # the README's picture of the page

Games are played by agents with fixed seeds, so that two runs show the same positions. The contact sheets lay all
screenshots of one width and theme side by side.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from rich.progress import track

import snakeden

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "helpers"))
from browsing import FLAGS, Server, find_chromium  # noqa: E402
from positions import middle_of, played, record_text  # noqa: E402

HEIGHTS = {360: 740, 390: 844, 800: 1100, 1300: 900, 1400: 900}
TOUCH_BELOW = 900
SHEET_HEIGHT = 700
"""Pixels of a screenshot on a contact sheet."""
PATIENCE = 120_000
"""Milliseconds; the chances of a first position may wait for a compilation."""


@dataclass(frozen=True)
class Table:
    """A game to be looked at: yourself on the first seat, engines on the others."""

    name: str
    game: str
    options: dict[str, Any] = field(default_factory=dict)
    agent: str = "mcts:sims=150,threads=1,memory=16"


TABLES = [
    Table("snekagon", "snekagon"),
    Table("fiveg-two", "snekagon-5g"),
    Table("fiveg-five", "snekagon-5g", {"players": 5}, agent="greedy"),
    Table("nest", "schlangennest"),
    Table("solo", "snakey-dice"),
    Table("duel", "snakey-dice", {"players": 2}),
]


def sit_down(page: Page, server: Server, text: str, seats: int) -> None:
    """A game that goes on where this record ends, against engines."""
    page.goto(server.address)
    page.evaluate(
        """async ([record, seats]) => {
            const { post } = await import("/js/api.js");
            const others = Array.from({ length: seats - 1 }, () => ({ kind: "engine", agent: "level:2" }));
            const all = [{ kind: "me", name: "" }, ...others];
            const { path } = await post("api/games", { record, hints: true, seats: all });
            location.hash = path.replace("/#", "");
        }""",
        [text, seats],
    )
    page.wait_for_selector(".headline.yours, .headline.over", timeout=PATIENCE)
    page.wait_for_selector(
        ".outlook .chances, .outlook[hidden], .outlook:not(:empty)", state="attached", timeout=PATIENCE
    )
    # Pictures move in and numbers are counted.
    page.evaluate(
        """() => Promise.all(document.getAnimations()
            .filter((one) => Number.isFinite(one.effect.getTiming().iterations)).map((one) => one.finished))"""
    )


def shots(
    browser: Browser, server: Server, table: Table, widths: list[int], themes: list[str]
) -> Iterator[tuple[str, int, str, bytes]]:
    """Screenshots of a game: which position, the width, the theme, and the picture as PNG."""
    moves = played(table.game, table.options, table.agent)
    seats = snakeden.new_game(table.game, **table.options).seats
    for name, ply in (("middle", middle_of(table.game, table.options, moves)), ("end", len(moves))):
        text = record_text(table.game, table.options, moves[:ply])
        for width in widths:
            for theme in themes:
                with opened(browser, width, theme) as page:
                    sit_down(page, server, text, seats)
                    yield name, width, theme, page.screenshot()


@contextmanager
def opened(browser: Browser, width: int, theme: str) -> Iterator[Page]:
    small = width < TOUCH_BELOW
    context = browser.new_context(
        viewport={"width": width, "height": HEIGHTS.get(width, 900)},
        locale="en-GB",
        color_scheme="dark" if theme == "dark" else "light",
        has_touch=small,
        is_mobile=small,
    )
    page = context.new_page()
    page.on("pageerror", lambda error: print(f"the page failed: {error}", file=sys.stderr))
    yield page
    context.close()


def contact_sheet(pictures: list[bytes]) -> Image.Image:
    """Pictures of one size side by side, in rows of similar length."""
    opened = [Image.open(io.BytesIO(one)).convert("RGB") for one in pictures]
    scaled = [one.resize((round(one.width * SHEET_HEIGHT / one.height), SHEET_HEIGHT)) for one in opened]
    columns = max(1, 2400 // (scaled[0].width + 8))
    rows = -(-len(scaled) // columns)
    sheet = Image.new("RGB", (columns * (scaled[0].width + 8), rows * (SHEET_HEIGHT + 8)), "#777")
    for n, one in enumerate(scaled):
        sheet.paste(one, (n % columns * (one.width + 8), n // columns * (SHEET_HEIGHT + 8)))
    return sheet


def take_all(browser: Browser, server: Server, chosen: argparse.Namespace) -> None:
    tables = [table for table in TABLES if not chosen.only or table.name in chosen.only]
    taken: dict[tuple[int, str], list[bytes]] = {}
    for table in track(tables, description="Playing and looking"):
        for name, width, theme, picture in shots(browser, server, table, chosen.widths, chosen.themes):
            (chosen.output / f"{table.name}-{name}-{width}-{theme}.png").write_bytes(picture)
            taken.setdefault((width, theme), []).append(picture)
    for (width, theme), pictures in taken.items():
        contact_sheet(pictures).save(chosen.output / f"sheet-{width}-{theme}.png")
    print(f"{sum(map(len, taken.values()))} screenshots in {chosen.output}")


def page_picture(browser: Browser, server: Server) -> None:
    """The middle of a game of Snekagon, as the README shows it."""
    file = ROOT / "docs" / "pictures" / "page.webp"
    [(_, _, _, picture), *_] = shots(browser, server, TABLES[0], [1400], ["light"])
    shown = Image.open(io.BytesIO(picture)).convert("RGB")
    shown.resize((1120, 720), Image.Resampling.LANCZOS).save(file, quality=82, method=6)
    print(file)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "screenshots")
    parser.add_argument("--only", nargs="+", choices=[table.name for table in TABLES], metavar="TABLE")
    parser.add_argument("--widths", nargs="+", type=int, default=[360, 390, 800, 1400])
    parser.add_argument("--themes", nargs="+", choices=["light", "dark"], default=["light", "dark"])
    parser.add_argument("--page-picture", action="store_true", help="make docs/pictures/page.webp instead")
    chosen = parser.parse_args()
    chosen.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        try:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
            if chosen.page_picture:
                page_picture(browser, server)
            else:
                take_all(browser, server, chosen)
            browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
