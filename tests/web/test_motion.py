"""What moves on the board: a snake grows along its line, and nobody has to wait for it."""

from __future__ import annotations

from browsing import Home, Server, sit_alone
from playing import move_list, wait_for_turn
from playwright.sync_api import Browser, Page, expect

SHARES = """async () => {
    const { knownShare } = await import("/js/growing.js");
    const line = (length, from = 0) => Array.from({ length }, (_, n) => [from + n, 0]);
    const body = (points, role = "seat0") => ({ kind: "path", role, points });
    const long = body(line(4));
    return {
        "from its start on": knownShare(long, [body(line(3))]),
        "from its end on": knownShare(long, [body(line(3, 1))]),
        "the other way round": knownShare(long, [body(line(3).reverse())]),
        "from two sides": knownShare(body(line(5)), [body(line(2)), body(line(2, 3))]),
        "somebody else's": knownShare(long, [body(line(3), "seat1")]),
        "new": knownShare(long, []),
        "empty": knownShare(body([]), [long]),
    };
}"""
HOLD = """() => {
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...how) {
        const motion = animate.apply(this, how);
        motion.pause();
        return motion;
    };
}"""
"""Every motion stays where it begins, until somebody ends it."""


def test_how_much_of_a_snake_was_there_before(page: Page, server: Server) -> None:
    page.goto(server.address)
    assert page.evaluate(SHARES) == {
        "from its start on": [0.75, 0],
        "from its end on": [0, 0.75],
        "the other way round": [0.75, 0],
        "from two sides": [0.4, 0.4],
        "somebody else's": [0, 0],
        "new": [0, 0],
        "empty": [0, 0],
    }


def lay(page: Page, piece: str, place: str) -> None:
    before = move_list(page)
    page.locator(f"[data-piece$='/{piece}'].possible").click()
    page.locator(f'.boards [data-id="1/{place}"]').click()
    wait_for_turn(page, before)


def test_a_move_is_taken_while_a_snake_still_grows(browser: Browser, home: Home) -> None:
    context = browser.new_context(viewport={"width": 1300, "height": 900}, locale="en-GB")
    page = context.new_page()
    page.add_init_script(f"({HOLD})()")
    sit_alone(page, home, "snekagon", "Ann", "Bob")
    lay(page, "1", "f6")
    lay(page, "2", "a1")
    lay(page, "2", "f7")
    growing = page.locator(".boards mask")
    expect(growing).to_have_count(1)
    lay(page, "3S", "k2")
    assert "4." in move_list(page), "what is clicked counts at once"
    expect(growing).to_have_count(0)

    lay(page, "3S", "f10")
    expect(growing).to_have_count(1)
    page.evaluate(
        '() => document.getAnimations().filter((one) => one.playState === "paused").forEach((one) => one.finish())'
    )
    expect(growing).to_have_count(0)
    assert page.locator(".boards [mask]").count() == 0, "a grown snake is seen whole"
    context.close()


def test_without_motion_a_snake_is_longer_at_once(page: Page, home: Home) -> None:
    page.add_init_script(f"({HOLD})()")
    sit_alone(page, home, "snekagon", "Ann", "Bob")
    lay(page, "1", "f6")
    lay(page, "2", "a1")
    lay(page, "2", "f7")
    assert page.locator(".boards mask").count() == 0
