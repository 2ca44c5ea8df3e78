"""What requests and answers look like; the OpenAPI description is made from this."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

GameId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{20}$")]
UNSEEN = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # as they are, since not every reader of patterns knows an escape
)
"""Characters with which a name could look like another: controls, zero width, turning the direction of writing."""
Name = Annotated[str, StringConstraints(max_length=40, pattern=rf"^[^{UNSEEN}]*$", strip_whitespace=True)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Code = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{24}$")]
SeatNumber = Annotated[int, Field(ge=0, le=63)]
Seen = Annotated[int, Field(ge=0, le=2**31 - 1, description="how many entries of the game you have seen")]


_HALF = re.compile("[\ud800-\udfff]")


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _holds_whole_characters(cls, sent: Any) -> Any:
        """JSON can write half a character. It could be neither stored nor quoted in an answer, wherever it stands."""
        parts = [sent]
        while parts:
            part = parts.pop()
            if isinstance(part, dict):
                parts += [*part, *part.values()]
            elif isinstance(part, list):
                parts += part
            elif isinstance(part, str) and _HALF.search(part):
                raise PydanticCustomError(
                    "half_character", "there is half a character in the text; send whole ones of Unicode"
                )
        return sent


class Answer(BaseModel):
    pass


Words = str | dict[str, Any]
"""A message as {"key": …} with what fills its gaps, or a text that is the same in every language."""


class Problem(Answer):
    error: str = Field(description="what was wrong, for a person")
    message: dict[str, Any] = Field(description="the same as a message: its key, and what fills its gaps")


# -- the games of the house


class SquareAbout(Answer):
    text: str
    label: Words
    mark: str
    role: str


class NumberAbout(Answer):
    name: str
    label: Words


class EditorAbout(Answer):
    """How a map is drawn: its text has a line for each number, as in "blockades 6", then a line for each row."""

    squares: list[SquareAbout]
    numbers: list[NumberAbout]
    texts: dict[str, str] = Field(description="the choices as such texts")


class OptionAbout(Answer):
    name: str
    kind: Literal["bool", "int", "choice", "list", "text"]
    default: Any
    label: Words
    help: Words
    low: int | None
    high: int | None
    choices: list[str]
    allowed: Words = Field(description="the allowed values")
    file: bool = Field(description="whether the text of a file can be its value")
    editor: EditorAbout | None = Field(description="how a value of one's own is drawn, if it can be")


class GameAbout(Answer):
    id: str
    name: str
    blurb: Words
    credits: Words
    rules_version: int
    rules: str = Field(
        description="where the game's rules are, as Markdown: .en.md, .cs.md or .de.md follows"
    )
    options: list[OptionAbout]


class Catalogue(Answer):
    games: list[GameAbout]
    agents: list[str] = Field(description="names that an engine seat can have; some take settings")
    page_thinks: bool = Field(
        description="whether a page that has an engine is asked to look at studied positions itself"
    )


class OptionsRequest(Request):
    game: str = Field(default="", max_length=40, description="an id of the catalogue; not with a record")
    options: dict[Annotated[str, StringConstraints(max_length=40)], Any] = Field(
        default_factory=dict, max_length=32, description="those that are not the default"
    )
    record: str | None = Field(default=None, description="begin where this record ends")


class OptionsAnswer(Answer):
    game: str
    seats: int
    plies: int = Field(description="how many the record has")
    options: dict[str, Any] = Field(description="every option as it would be played")
    possible: dict[str, list[Any]] = Field(
        description="for each option the values, of those that can be listed, that go together with the others"
    )
    highest: Words = Field(description="what to know of the highest level here, with these options")
    scene: dict[str, Any] = Field(description="a picture of the first position")


# -- making and joining


class SeatRequest(Request):
    kind: Literal["me", "here", "link", "open", "engine"] = Field(
        description="me; another person at the same screen; a person with a link; anyone in the lobby; an engine"
    )
    name: Name = ""
    agent: Annotated[str, StringConstraints(max_length=60)] = Field(
        default="", description="of an engine seat"
    )


class CreateRequest(OptionsRequest):
    seats: list[SeatRequest] = Field(min_length=1, max_length=8)
    hints: bool = Field(default=False, description="whether players may ask an engine for advice")
    begins: SeatNumber | Literal["lot"] = Field(
        default=0,
        description="the seat, of those given, that begins and so becomes the first; lot: the server draws it",
    )


class Invitation(Answer):
    seat: int
    code: str
    path: str = Field(description="where the page opens for who is invited")


class Created(Answer):
    id: str
    you: list[int]
    path: str = Field(description="where the page shows the game")
    invitations: list[Invitation]


class JoinRequest(Request):
    code: Code | None = Field(default=None, description="from a join link; none for a seat in the lobby")
    name: Name = ""
    seat: SeatNumber | None = None


class TakeoverRequest(Request):
    code: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}-[A-Za-z0-9_-]{24}$")]


class Handover(Answer):
    code: str
    path: str = Field(description="where the page opens on the other device")
    picture: str = Field(description="a QR code of that address, as a data address")
    seconds: int = Field(description="how long it can be used")


class LinkRequest(Request):
    code: Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{8}-)?[A-Za-z0-9_-]{24}$")] = Field(
        description="from a join link, or from one for another device"
    )


class LinkAnswer(Answer):
    seats: list[int] = Field(description="the seats that it opens; none if it has been used, or is too old")


class InviteRequest(Request):
    seat: SeatNumber


class Seated(Answer):
    id: str
    you: list[int]
    path: str


# -- playing


class SeatChoice(Request):
    seat: SeatNumber | None = Field(default=None, description="which of your seats acts, if you hold several")


class PlayRequest(SeatChoice):
    move: MoveText
    seen: Seen


class UndoRequest(SeatChoice):
    seen: Seen


class UndoAnswerRequest(Request):
    allow: bool
    seen: Seen


class ResignRequest(SeatChoice):
    pass


class EngineOffer(Request):
    workers: int = Field(ge=1, le=16, description="how many questions the page thinks about at once")


class Empty(Request):
    pass


class PreviewRequest(Request):
    move: MoveText


class WhyRequest(Request):
    piece: Annotated[str, StringConstraints(max_length=80)] = ""
    turn: Annotated[int, Field(ge=0, le=1000)] = 0
    places: Annotated[
        list[Annotated[str, StringConstraints(max_length=40)]], Field(min_length=1, max_length=32)
    ]


class Why(Answer):
    reason: Words = Field(description="the rule it would break; empty if it breaks none")


class Position(Answer):
    scene: dict[str, Any]
    scores: list[int]


class AdviceLine(Answer):
    move: str
    does: list[Words] = Field(description="what the move does at once; of the first few lines only")
    wins: list[FiniteFloat] = Field(description="each seat's chance to win")
    scores: list[FiniteFloat] = Field(description="each seat's expected final score")
    proven: bool
    main: list[str] = Field(description="how the game would go on")


class Advice(Answer):
    seen: int
    seat: int
    move: str
    said: Words = Field(description="the move as people say it")
    words: list[Words] = Field(description="what the engine thinks of it")
    does: list[Words] = Field(description="what the move does at once")
    lines: list[AdviceLine]


class Outlook(Answer):
    seen: int
    wins: list[float] = Field(description="each seat's chance to win; empty if the engines were busy")
    scores: list[float] = Field(description="each seat's expected final score; empty likewise")


class Choice(Answer):
    """What an engine in a page chose."""

    move: MoveText
    words: list[Words]
    does: list[Words]
    lines: list[AdviceLine] = Field(min_length=1)


class Thought(Request):
    """An answer of the engine in a page."""

    number: int = Field(description="of the question")
    answer: Choice | None = Field(description="none if it has none")


class CurvePoint(Answer):
    ply: int = Field(description="after this many plies")
    wins: list[float] = Field(description="each seat's chance to win")


class BetterMove(Answer):
    ply: int = Field(description="played after this many plies")
    seat: int
    move: str
    better: str = Field(description="what the engine would have played at its best")
    said: Words = Field(description="the move as people say it")
    better_said: Words


class CurveAnswer(Answer):
    points: list[CurvePoint]
    better: list[BetterMove] = Field(
        description="where engines let their chances fall most, once all is known"
    )
    complete: bool = Field(description="whether nothing more will come")


class EntryAbout(Answer):
    number: int
    kind: str
    seat: int | None
    data: str
    at: float


class UndoAbout(Answer):
    seat: int
    remain: int
    missing: list[int]


class Facts(Answer):
    """How a game stands, without a picture."""

    seen: int = Field(description="how many entries there are")
    ply: int
    status: Literal["waiting", "running", "over"]
    player: int | None
    scores: list[int]
    winners: list[int]
    reason: Words
    resigned: list[int]
    undo: UndoAbout | None
    rematch: str | None


class EntriesAnswer(Facts):
    type: Literal["entries"]
    entries: list[EntryAbout]


class SeatAbout(Answer):
    kind: str
    name: str
    agent: str | None
    taken: bool


class Dice(Answer):
    commitment: str
    seed: str | None


class StateAnswer(Facts):
    type: Literal["state"]
    you: list[int]
    page_thinks: bool = Field(
        description="whether your page may think for the engines, see the live connection"
    )
    id: str
    game: str
    name: str
    options: dict[str, Any]
    rules_version: int
    hints: bool
    seats: list[SeatAbout]
    dice: Dice
    plies: list[tuple[int | None, str, Words]] = Field(
        description="of each the seat (none: dice decided), its notation, and how people say it"
    )
    scene: dict[str, Any] | None
    targets: dict[str, Any] | None = Field(description="none if there are too many: ask for them")


class TargetsAnswer(Answer):
    seen: int
    targets: dict[str, Any]


class ListedGame(Answer):
    id: str
    game: str
    name: str
    options: dict[str, Any]
    status: str
    created: float
    seats: list[SeatAbout]
    you: list[int]
    entries: int


class GameList(Answer):
    games: list[ListedGame]
