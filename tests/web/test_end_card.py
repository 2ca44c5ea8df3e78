"""The end of a game against a level: where it played worse than it can."""

from __future__ import annotations

import random

from browsing import Server
from playing import PATIENCE, READY, is_over, play_by_pointer
from playwright.sync_api import Page

import snakeden
from snakeden.core.state import State
from snakeden.records import record
from snakeden.search.solver import Solver


def lost_by(seat: int, state: State, solver: Solver) -> dict[str, bool]:
    """The legal moves of a seat, and whether the other wins after each."""
    sign = 1 if seat == 1 else -1
    return {move.text: sign * solver.solve(state.play(move)).value > 0 for move in state.legal_moves()}


def test_the_end_card_says_what_a_level_would_have_played(page: Page, server: Server) -> None:
    start = snakeden.new_game("snekagon", side=3)
    solver = Solver(start)
    moves = [solver.solve(start).line[0].text]
    state = start.play(moves[0])
    lost = lost_by(1, state, solver)
    assert not all(lost.values())  # with best play seat 1 wins
    blunder = next(move for move, given_away in lost.items() if given_away)
    moves.append(blunder)
    state = state.play(blunder)
    # Best play from there on, up to seat 0's last move.
    rest = [(one.player, move.text) for one, move in _line(state, solver)]
    last = max(n for n, (seat, _) in enumerate(rest) if seat == 0)
    moves += [move for _, move in rest[:last]]
    page.goto(server.address)
    page.wait_for_selector(".cover")
    page.evaluate(
        """async (record) => {
            const { post } = await import("./js/api.js");
            const seats = [{ kind: "me", name: "" }, { kind: "engine", agent: "level:1" }];
            const { path } = await post("api/games", { record, seats, hints: true });
            location.hash = path.replace("/#", "");
        }""",
        record(start, moves).write(),
    )
    page.wait_for_selector(READY, timeout=PATIENCE)
    while not is_over(page):
        play_by_pointer(page, random.Random(1))
    told = page.locator(".end .at-best li:has-text('Move 2:')")
    told.wait_for(timeout=PATIENCE)
    text = told.inner_text()
    assert f"The engine played {blunder}; at its best " in text
    better = text.removesuffix(".").rpartition(" ")[2]
    assert not lost[better]
    # Whatever the card holds, the result above it is not squeezed.
    page.set_viewport_size({"width": 1300, "height": 500})
    assert page.evaluate(
        """() => {
            const box = (what) => document.querySelector(what).getBoundingClientRect();
            const [headline, lid, card] = [box(".headline"), box(".ended .now"), box(".ended .end")];
            return headline.bottom <= lid.bottom && lid.bottom <= card.top;
        }"""
    )


def _line(state: State, solver: Solver) -> list[tuple[State, snakeden.Move]]:
    found = []
    for move in solver.solve(state).line:
        found.append((state, move))
        state = state.play(move)
    return found
