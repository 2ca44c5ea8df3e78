"""The table under the hand: pieces turned and dragged, boards panned and zoomed, sheets, how a game stands."""

from __future__ import annotations

import random

from browsing import Home, Server, sit_alone
from playing import DOABLE, PATIENCE, READY, is_over, middle, move_list, play_by_pointer, start, wait_for_turn
from playwright.sync_api import Browser, Page

import snakeden
from snakeden.core.game import CHANCE
from snakeden.records import record

DOTS = ".overlay .legal:not(.other)"


def test_a_piece_is_turned_mirrored_and_dragged(page: Page, home: Home) -> None:
    start(page, f"{home.address}/", "snekagon-5g")
    page.locator("[data-piece='hand/0/4SL']").click()
    held = page.locator(".in-hand")
    first = held.inner_html()
    page.mouse.move(*middle(page, DOTS, random.Random(1)))
    seen = {first}
    for _ in range(5):
        page.mouse.wheel(0, 100)
        page.wait_for_function("seen => document.querySelector('.in-hand').innerHTML !== seen", arg=first)
        seen.add(held.inner_html())
    assert len(seen) == 6, "a tile lies in six ways by turning"
    page.mouse.wheel(0, 100)
    page.wait_for_function("seen => document.querySelector('.in-hand').innerHTML === seen", arg=first)

    page.locator(".boards").focus()
    page.keyboard.press("m")
    mirrored = held.inner_html()
    assert mirrored not in seen, "its mirror image is another shape"
    page.locator("[data-key='do/mirror']").click()
    page.wait_for_function("seen => document.querySelector('.in-hand').innerHTML !== seen", arg=mirrored)
    assert held.inner_html() in seen

    before = move_list(page)
    page.locator("[data-piece='hand/0/3S']").hover()
    page.mouse.down()
    goal = middle(page, DOTS, random.Random(2))
    page.mouse.move(goal[0] - 20, goal[1] - 20, steps=3)
    page.mouse.move(*middle(page, DOTS, random.Random(2)), steps=3)
    page.wait_for_selector(".ghost.fits")
    page.mouse.up()
    wait_for_turn(page, before)
    assert page.locator("[data-piece='hand/0/3S']").count() == 0, "the tile has been laid"


def test_a_trackpad_turns_a_piece_no_faster_than_a_wheel(page: Page, home: Home) -> None:
    sit_alone(page, home, "snekagon-5g", "Ann", "Bob", players=2)
    page.locator("[data-piece='hand/0/4SL']").click()
    turns = page.evaluate(
        """() => {
            const held = () => document.querySelector(".in-hand").innerHTML;
            const turns = [];
            const roll = (how) => {
                const before = held();
                document.querySelector(".boards").dispatchEvent(new WheelEvent("wheel", { cancelable: true, ...how }));
                turns.push(held() !== before);
            };
            for (const deltaY of [20, 20, 20, 20, -50, 50, 120]) roll({ deltaY });
            roll({ deltaX: 100 });
            roll({ deltaX: 100, deltaY: 70 });
            roll({ deltaY: 3, deltaMode: WheelEvent.DOM_DELTA_LINE });
            return turns;
        }"""
    )
    assert turns == [False, False, True, False, False, False, True, False, False, True]


def test_the_ways_that_a_place_offers_stay_while_the_mouse_goes_to_them(page: Page, home: Home) -> None:
    sit_alone(page, home, "snekagon-5g", "Ann", "Bob", players=2)
    lay(page, "1", "1/e5")
    lay(page, "1", "1/g5")
    page.locator("[data-piece='hand/0/2']").click()
    show_floor(page, "floor/2")
    place = page.locator('.boards [data-id="2/e5"]')
    place.click()
    ways = page.locator(".choices button[data-move*='/1']")
    ways.first.wait_for()
    choices = page.locator(".choices").inner_text()
    goal = ways.first.bounding_box()
    assert goal is not None
    page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=20)
    assert page.locator(".choices").inner_text() == choices
    page.wait_for_selector(".boards.preview")

    other = page.locator('.boards [data-id="2/c4"]')
    before = move_list(page)
    other.click()
    page.wait_for_selector(".boards:not(.preview)")
    assert page.locator(".choices").count() == 0, "another place, other ways"
    assert move_list(page) == before
    place.click()
    ways.first.click()
    page.wait_for_function("seen => document.querySelector('.moves').innerText !== seen", arg=before)


def show_floor(page: Page, floor: str) -> None:
    """Look at this floor, if another is looked at."""
    page.evaluate(
        "floor => document.querySelector(`.frame[data-panel='${floor}']:not(.chosen)`)?.click()", floor
    )


def lay(page: Page, piece: str, place: str) -> None:
    """Lay a piece of whoever is to move, all being at this screen."""
    before = move_list(page)
    page.locator(f"[data-piece$='/{piece}'].possible").click()
    show_floor(page, f"floor/{place[0]}")
    page.locator(f'.boards [data-id="{place}"]').click()
    wait_for_turn(page, before)


def test_an_open_table_is_panned_and_zoomed_and_keeps_the_ends_in_view(page: Page, home: Home) -> None:
    start(page, f"{home.address}/", "schlangennest")
    dice = random.Random(4)
    play_by_pointer(page, dice)
    for _ in range(3):
        page.get_by_role("button", name="Bigger").click()
    assert ends_in_view(page)
    assert page.evaluate(
        "() => { const f = document.querySelector('.frame'); return f.scrollWidth > f.clientWidth + 50; }"
    )

    before = move_list(page)
    scrolled = page.evaluate("() => document.querySelector('.frame').scrollLeft")
    box = page.locator(".frame").bounding_box()
    assert box is not None
    page.evaluate(
        """() => {
            window.listening = 0;
            const [add, remove] = [window.addEventListener, window.removeEventListener];
            window.addEventListener = (...what) => { window.listening++; add.apply(window, what); };
            window.removeEventListener = (...what) => { window.listening--; remove.apply(window, what); };
        }"""
    )
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 - 120, box["y"] + box["height"] / 2 - 80, steps=4)
    page.mouse.up()
    assert page.evaluate("() => document.querySelector('.frame').scrollLeft") == scrolled + 120
    assert move_list(page) == before, "to drag the table is no move"
    assert page.evaluate("() => window.listening") == 0, "nothing waits for the end of what has ended"

    page.locator("[data-piece]").first.click()
    dots = page.locator(DOTS)
    dots.first.scroll_into_view_if_needed()
    page.mouse.click(*middle(page, DOTS, dice))
    if page.locator(".choices button").count():
        page.locator(".choices button").first.click()
    wait_for_turn(page, before)
    assert is_over(page) or ends_in_view(page)
    page.get_by_role("button", name="Fit").click()
    assert (
        page.evaluate(
            "() => { const f = document.querySelector('.frame'); return f.scrollWidth - f.clientWidth; }"
        )
        <= 1
    )


def ends_in_view(page: Page) -> bool:
    """Whether every place where one can go on lies within the frame of its board."""
    shown: bool = page.evaluate(
        """() => [...document.querySelectorAll(".overlay .legal")].every((dot) => {
            const [at, frame] = [dot, dot.closest(".frame")].map((one) => one.getBoundingClientRect());
            return at.left >= frame.left && at.right <= frame.right && at.top >= frame.top && at.bottom <= frame.bottom;
        })"""
    )
    return shown and page.locator(".overlay .legal").count() > 0


def test_coordinates_stay_in_view_and_readable(page: Page, home: Home) -> None:
    sit_alone(page, home, "schlangennest", "Ann", "Bob", border="fence", nest="5x9")
    seen = """() => [...document.querySelectorAll(".boards .labels > g")].map((label) => {
        const frame = label.closest(".frame").getBoundingClientRect();
        const texts = [...document.querySelectorAll(".boards .labels text")];
        const [box, text] = [label.getBoundingClientRect(), label.firstElementChild];
        const inside = (low, high, from, to) => (low + high) / 2 > from && (low + high) / 2 < to;
        return {
            across: inside(box.left, box.right, frame.left, frame.right),
            down: inside(box.top, box.bottom, frame.top, frame.bottom),
            column: texts.filter((other) => other.getAttribute("y") === text.getAttribute("y")).length > 1,
            size: parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a,
        };
    })"""
    before = page.evaluate(seen)
    assert all(label["across"] and label["down"] for label in before)
    for _ in range(3):
        page.get_by_role("button", name="Bigger").click()
    near = page.evaluate(seen)
    # Columns are named below, rows at the side: each stays at its edge of what is seen.
    assert all(label["down"] if label["column"] else label["across"] for label in near)
    assert all(label["size"] >= 11.9 for label in [*before, *near])


def test_a_sheet_is_filled_in_entry_by_entry(browser: Browser, home: Home) -> None:
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    start(page, f"{home.address}/", "snakey-dice", "alone")
    dice = random.Random(1)
    assert page.locator(".sheet .news").count() == 0
    page.mouse.click(*middle(page, ".overlay .legal", dice))
    page.locator(DOABLE).first.hover()
    page.wait_for_selector(".boards.preview")
    entries = page.locator(".sheet .news")
    foreseen = entries.all_text_contents()
    assert "114 × −2" in foreseen, "what a choice would write is shown before it is made"
    before = move_list(page)
    page.mouse.move(5, 5)  # or what can be chosen next would be shown already
    page.locator(DOABLE).first.press("Enter")
    wait_for_turn(page, before)
    assert entries.all_text_contents() == foreseen
    order = page.evaluate(
        "() => [...document.querySelectorAll('.sheet .news')].map((one) => one.style.getPropertyValue('--nth'))"
    )
    assert order == [str(n) for n in range(len(foreseen))]
    motion = "() => getComputedStyle(document.querySelector('.sheet .news')).animationName"
    assert page.evaluate(motion) == "none", "who wants no motion sees none"
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(motion) == "written"
    context.close()


def test_what_can_be_chosen_on_a_sheet_is_marked_after_a_preview_too(page: Page, home: Home) -> None:
    page.goto(f"{home.address}/")
    page.wait_for_selector(".cover")
    page.evaluate(
        """async (record) => {
            const { post } = await import("./js/api.js");
            const made = await post("api/games", { record, seats: [{ kind: "me", name: "Ann" }] });
            location.hash = made.path.replace("/#", "");
        }""",
        before_a_track_is_raised(),
    )
    page.wait_for_selector(READY, timeout=PATIENCE)
    marked = page.locator(".choosable.possible")
    before = [one.get_attribute("data-key") for one in marked.all()]
    assert before == [f"sheet/0/{track}" for track in ("reroll", "flip", "unlock", "ignore")]
    page.locator(DOABLE).first.hover()
    page.wait_for_selector(".boards.preview")
    page.mouse.move(5, 5)
    page.wait_for_selector(".boards:not(.preview)")
    assert [one.get_attribute("data-key") for one in marked.all()] == before
    played = move_list(page)
    marked.nth(1).click()
    page.wait_for_selector(".choosable.chosen[data-key='sheet/0/flip']")
    page.locator(DOABLE).click()
    wait_for_turn(page, played)
    assert "flip" in move_list(page).removeprefix(played), "a chosen line leaves one thing to do"


def before_a_track_is_raised() -> str:
    """A record of solo dice up to the first power-up."""
    dice = random.Random(1)
    first = state = snakeden.new_game("snakey-dice", players=1)
    moves: list[str] = []
    while not any(move.text.startswith("level:") for move in state.legal_moves()):
        move = state.roll(dice) if state.player == CHANCE else dice.choice(state.legal_moves())
        moves.append(move.text)
        state = state.play(move)
    return record(first, moves, seats=("Ann",)).write()


def test_the_chances_are_shown_where_hints_are_allowed(page: Page, home: Home) -> None:
    start(page, f"{home.address}/", "snekagon")
    page.wait_for_selector(".outlook .chances", timeout=PATIENCE)
    assert "You" in (page.locator(".outlook .chances").get_attribute("aria-label") or "")
    page.locator(".settings.of-page summary").click()
    page.locator("[name=outlook]").uncheck()
    assert page.locator(".outlook").is_hidden()
    page.reload()
    page.wait_for_selector(READY)
    assert not page.locator("[name=outlook]").is_checked(), "the choice is kept"
    page.locator(".settings.of-page summary").click()
    page.locator("[name=outlook]").check()
    page.wait_for_selector(".outlook .chances", timeout=PATIENCE)

    page.goto(f"{home.address}/#/new/snekagon")
    page.locator("#hints").uncheck()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(READY, timeout=PATIENCE)
    play_by_pointer(page, random.Random(1))
    assert page.locator(".outlook .chances, [name=outlook], [data-do=hint]").count() == 0
    assert not [url for url in asked if url.endswith("/outlook")]


def test_a_click_at_the_edge_of_a_button_counts(page: Page, server: Server) -> None:
    page.goto(f"{server.address}/#/learn")
    button = page.locator(".games .main").first
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 0.5)
    page.mouse.down()
    # It goes down by three pixels, away from the pointer.
    page.wait_for_function(
        "(top) => document.querySelector('.games .main').getBoundingClientRect().top > top + 2", arg=box["y"]
    )
    page.mouse.up()
    page.wait_for_url("**/#/learn/*")


def test_running_games_can_be_watched(page: Page, browser: Browser, server: Server) -> None:
    page.goto(f"{server.address}/#/new/snekagon")
    page.get_by_label("Name 1").fill("Ann of the table")
    page.locator("[name=seat1]").select_option("open")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector("text=Waiting for players", timeout=PATIENCE)
    others = browser.new_context(locale="en-GB")
    guest, watcher = others.new_page(), browser.new_context(locale="en-GB").new_page()
    guest.goto(server.address)
    guest.locator("li:has-text('Ann of the table')").get_by_role("link", name="Join").click()
    guest.get_by_label("Your name").fill("Bob of the table")
    guest.get_by_role("button", name="Sit down and play").click()
    page.wait_for_selector(".headline.yours")
    watcher.goto(server.address)
    watcher.locator("[data-list=running] li:has-text('Bob of the table') a").click()
    watcher.wait_for_selector("text=You are watching")
    page.locator('.boards [data-id="1/f6"]').click()
    watcher.wait_for_selector("text=1. f6")
    assert watcher.locator("button.thing, [data-do=hint], [data-do=resign]").count() == 0
    watcher.context.close()
    others.close()
