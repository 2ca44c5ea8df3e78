"""`snakeden play`: a game in the terminal, or over a pipe with plain prompts."""

from __future__ import annotations

import argparse
import io
import os
import secrets
import shlex
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from snakeden.agents import BadAgent, effects, known_names, make
from snakeden.cli.draw import chosen_record
from snakeden.cli.game_options import add_settings, read_options
from snakeden.cli.output_files import check_output
from snakeden.cli.session import Session
from snakeden.core.errors import IllegalMove
from snakeden.core.game import Game
from snakeden.core.registry import game as find_game
from snakeden.core.registry import games
from snakeden.core.state import State, new_game
from snakeden.drawing.scene import Scene
from snakeden.drawing.terminal import text as scene_text
from snakeden.records import check_seed
from snakeden.words import word as worded

HELP = """\
A move is written as the game's notation says, and Tab completes it. Other words:
  pick         choose piece, turn and place with the arrow keys (also: Enter on an empty line)
  moves [X]    list the moves, or those that begin with X
  hint         ask an engine
  undo         take your last move back
  save FILE    write the game to a file; play on with --resume FILE
  show         draw the board again
  quit         stop"""
MOST_LISTED = 60
ROUND_A_BOARD = 12
"""Lines of a terminal that are kept for what stands below a board."""


class Quit(Exception):
    """Whoever sits at the keyboard has had enough, or the pipe has ended."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help=f"{', '.join(games())}; you are asked if it is left out"
    )
    add_settings(parser)
    parser.add_argument("--against", metavar="AGENT", help=f"an engine in all other seats: {known_names()}")
    parser.add_argument("--seat", type=int, default=0, help="with --against: the seat that is yours, from 0")
    parser.add_argument(
        "--name", action="append", default=[], dest="names", help="a player's name, seat by seat"
    )
    parser.add_argument("--seed", type=int, help="for dice and engines; random if left out")
    parser.add_argument("--save", metavar="FILE", type=Path, help="keep the game in this file, move by move")
    parser.add_argument(
        "--resume",
        metavar="FILE",
        type=Path,
        help="continue a saved game; name engines again with --against",
    )
    parser.add_argument("--plain", action="store_true", help="plain prompts, as over a pipe")


# ---- asking


class Plain:
    """Prompts and answers line by line: over a pipe, or where --plain says so."""

    def __init__(self) -> None:
        self.console = Console(file=sys.stdout, highlight=False, soft_wrap=True)

    def say(self, text: str = "") -> None:
        self.console.print(text, markup=False)

    def wait(self, text: str) -> None:
        """Something to look at while nothing happens; nobody looks at a pipe."""

    def show(self, scene: Scene) -> None:
        self.console.print(scene_text(scene, self.console.width))

    def ask(self, prompt: str) -> str:
        """A line of the answer; raises Quit where there are no more."""
        print(f"{prompt}> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise Quit
        return line.strip()

    def ask_move(self, prompt: str, session: Session) -> str:
        return self.ask(prompt)

    def pick(self, session: Session) -> str | None:
        self.say("Picking with the arrow keys needs a terminal; type a move, or `moves`.")
        return None


class Screen(Plain):
    """A terminal with a keyboard: completion, history and picking with arrow keys."""

    def wait(self, text: str) -> None:
        self.say(text)

    def show(self, scene: Scene) -> None:
        self.console.print(scene_text(scene, self.console.width, self.console.height - ROUND_A_BOARD))

    def ask(self, prompt: str) -> str:
        from prompt_toolkit import prompt as read

        try:
            return read(f"{prompt}> ").strip()
        except (EOFError, KeyboardInterrupt):
            raise Quit from None

    def ask_move(self, prompt: str, session: Session) -> str:
        from prompt_toolkit import prompt as read
        from prompt_toolkit.completion import WordCompleter

        words = [move.text for move in session.state.legal_moves()]
        words += ["pick", "moves", "hint", "undo", "save", "show", "help", "quit"]
        completer = WordCompleter(words, sentence=True)
        toolbar = " Enter: pick with the arrow keys   Tab: complete   help, hint, undo, quit "
        try:
            line = read(
                f"{prompt}> ", completer=completer, bottom_toolbar=toolbar, complete_while_typing=False
            )
        except (EOFError, KeyboardInterrupt):
            raise Quit from None
        return line.strip() or "pick"

    def pick(self, session: Session) -> str | None:
        from snakeden.cli.picker import pick

        return pick(session.state, self._coloured, session.names)

    def _coloured(self, scene: Scene) -> str:
        width = self.console.width
        file = io.StringIO()
        plain = "NO_COLOR" in os.environ
        console = Console(file=file, force_terminal=True, width=1000, no_color=plain, color_system="256")
        height = self.console.height - ROUND_A_BOARD
        console.print(scene_text(scene, width, height), soft_wrap=True)
        return file.getvalue()


# ---- the choice of game, options and players


def _ask_game(ui: Plain) -> Game:
    known = list(games().values())
    ui.say("Which game?")
    for i, game in enumerate(known, 1):
        ui.say(f"  {i}. {game.name}: {game.blurb}")
    while True:
        answer = ui.ask("number or name")
        for i, game in enumerate(known, 1):
            if answer.lower() in (str(i), game.id, game.name.lower()):
                return game
        ui.say(f"There is no {answer!r}. Give a number from 1 to {len(known)}.")


def _ask_options(ui: Plain, game: Game) -> dict[str, Any]:
    ui.say(f"{game.name} has these options:")
    for option in game.options:
        ui.say(f"  {option.name}: {option.help} ({option.allowed()}; default {option.default})")
    settings: list[str] = []
    while True:
        answer = ui.ask("NAME=VALUE, or nothing to begin")
        if not answer:
            return read_options(game, settings)
        try:
            new_game(game.id, **read_options(game, [*settings, *answer.split()]))
        except ValueError as error:
            ui.say(str(error))
        else:
            settings += answer.split()


def _ask_engine(ui: Plain, seats: int) -> str | None:
    if seats < 2:
        return None
    ui.say(f"Who else plays? Nothing for people at this keyboard, or an engine: {known_names()}")
    while True:
        answer = ui.ask("engine")
        try:
            if answer:
                make(answer)
        except BadAgent as error:
            ui.say(str(error))
        else:
            return answer or None


def _names(args: argparse.Namespace, seats: int, engines: dict[int, str]) -> tuple[str, ...]:
    if len(args.names) > seats:
        raise ValueError(f"{len(args.names)} names are given, and {seats} play")
    given = dict(enumerate(args.names))
    return tuple(given.get(i) or engines.get(i) or f"Player {i + 1}" for i in range(seats))


def _engines(args: argparse.Namespace, against: str | None, seats: int) -> dict[int, str]:
    if not 0 <= args.seat < seats:
        raise ValueError(f"--seat {args.seat}: the seats are 0 to {seats - 1}")
    if against and seats < 2:
        raise ValueError("--against: one plays alone here; give more players, as in --set players=2")
    return {seat: against for seat in range(seats) if seat != args.seat} if against else {}


def _start_session(args: argparse.Namespace, ui: Plain) -> Session:
    if args.resume is not None:
        if args.game or args.settings:
            raise ValueError("--resume takes game and options from the file: leave them out")
        old = chosen_record(args.resume, 1)
        if args.names and old.seats:
            raise ValueError(
                f"--resume takes the names from the file, {', '.join(old.seats)}: leave --name out"
            )
        start = new_game(old.game, **old.options)
        engines = _engines(args, args.against, start.seats)
        seed = (
            args.seed if args.seed is not None else old.seed if old.seed is not None else secrets.randbits(32)
        )
        session = Session(start, engines, old.seats or _names(args, start.seats, engines), seed)
        last = old.check()
        ended = old.outcome or last.outcome(old.withdrawn)
        if ended is not None and not last.is_over:
            raise ValueError(f"--resume {args.resume}: the game is over: {ended.describe(session.names)}")
        session.replay(old)
        return session
    against = args.against
    if args.game:
        game = find_game(args.game)
        start = new_game(game.id, **read_options(game, args.settings))
    else:
        game = _ask_game(ui)
        start = new_game(game.id, **(read_options(game, args.settings) or _ask_options(ui, game)))
        against = against or _ask_engine(ui, start.seats)
    engines = _engines(args, against, start.seats)
    seed = args.seed if args.seed is not None else secrets.randbits(32)
    return Session(start, engines, _names(args, start.seats, engines), seed)


# ---- playing


def _scene(session: Session) -> Scene:
    state = session.state
    scene: Scene = state.variant.game.view.scene(
        state, last_move=session.last, names=session.names, outcome=session.outcome
    )
    return scene


def _list_moves(ui: Plain, state: State, beginning: str) -> None:
    moves = [move.text for move in state.legal_moves() if move.text.startswith(beginning)]
    ui.say(f"{len(moves)} moves" + (f" that begin with {beginning}" if beginning else "") + ":")
    more = f" … and {len(moves) - MOST_LISTED} more" if len(moves) > MOST_LISTED else ""
    ui.say(" ".join(moves[:MOST_LISTED]) + more)


def _do(ui: Plain, session: Session, line: str) -> bool:
    """Obey one line; whether the position has changed."""
    word, _, rest = line.partition(" ")
    if word == "quit":
        raise Quit
    if word == "help" or not line:
        ui.say(HELP)
    elif word == "moves":
        _list_moves(ui, session.state, rest.strip())
    elif word == "hint":
        player = session.state.player
        assert player is not None
        choice = session.hint()
        does = [worded(one, names=session.names) for one in effects(session.state, choice.move)]
        if does:
            ui.say(f"{choice.move} {'; '.join(does)}.")
        for sentence in choice.words(player):
            ui.say(str(sentence))
    elif word == "show":
        ui.show(_scene(session))
    elif word == "undo":
        if session.undo():
            return True
        ui.say("There is no move of yours to take back.")
    elif word == "save":
        if rest.strip():
            session.save(Path(rest.strip()))
            ui.say(f"saved in {rest.strip()}")
        else:
            ui.say("Give the file too, as in: save my.game")
    elif word == "pick":
        picked = ui.pick(session)
        if picked is not None:
            session.play(picked)
            return True
    else:
        session.play(line)
        return True
    return False


def _between(ui: Plain, session: Session) -> None:
    """What the dice and the engines do until somebody at the keyboard is to move."""
    for played in session.go_on(lambda seat: ui.wait(f"{session.name(seat)} is thinking …")):
        who = "The dice" if played.seat is None else session.name(played.seat)
        ui.say(f"{who}: {played.move}")
        for sentence in played.words[:1]:
            ui.say(f"  {sentence}")


def _turn(ui: Plain, session: Session, save: Path | None) -> None:
    """One decision at the keyboard, however many lines it takes."""
    player = session.state.player
    assert player is not None
    while True:
        line = ui.ask_move(session.name(player), session)
        try:
            if _do(ui, session, line):
                break
        except IllegalMove as error:
            ui.say(str(error))
        except OSError as error:
            ui.say(f"That did not work: {error}")
    _keep(ui, session, save)


def _keep(ui: Plain, session: Session, save: Path | None) -> bool:
    """Write the game to its file, if it has one; whether that worked. A full disk must not end a game."""
    if save is None:
        return False
    try:
        session.save(save)
    except OSError as error:
        ui.say(f"The game could not be saved: {error}. Try another file, as in: save my.game")
        return False
    return True


def _to_play_on(session: Session, saved: Path) -> str:
    """The command that goes on with a saved game, the same engines in the same seats."""
    command = ["snakeden", "play", "--resume", str(saved), "--save", str(saved)]
    if session.engines:
        own = next(seat for seat in range(session.state.seats) if seat not in session.engines)
        command += ["--against", next(iter(session.engines.values())), "--seat", str(own)]
    return shlex.join(command)


def _check_save(save: Path | None, resume: Path | None) -> None:
    """Raises ValueError if nothing can be saved there, or something else would be lost by it."""
    if save is None:
        return
    check_output(save)
    if save.exists() and not (resume is not None and resume.exists() and save.samefile(resume)):
        raise ValueError(
            f"--save {save}: there is such a file already; play on with --resume {save}, or name another file"
        )


def run(args: argparse.Namespace) -> int:
    _check_save(args.save, args.resume)
    if args.seed is not None:
        check_seed(args.seed)
    screen = sys.stdin.isatty() and sys.stdout.isatty() and not args.plain
    ui = Screen() if screen else Plain()
    session = None
    try:
        session = _start_session(args, ui)
        while True:
            _between(ui, session)
            ui.show(_scene(session))
            if session.state.is_over:
                break
            _turn(ui, session, args.save)
    except Quit:
        if session is not None and _keep(ui, session, args.save):
            ui.say(f"Play on with: {_to_play_on(session, args.save)}")
        return 0
    outcome = session.outcome
    assert outcome is not None
    won = " and ".join(session.name(seat) for seat in outcome.winners)
    scores = " : ".join(map(str, outcome.scores))
    ui.say(f"The game is over with {scores}." + (f" Won by {won}." if len(outcome.scores) > 1 else ""))
    _keep(ui, session, args.save)
    return 0
