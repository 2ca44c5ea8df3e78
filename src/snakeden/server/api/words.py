"""The catalogues, so that a client can word messages itself, and the rules for players."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import PlainTextResponse, Response

from snakeden.core.registry import games
from snakeden.server.api.context import Fixed
from snakeden.server.errors import NotFound
from snakeden.words import catalogue, languages, rules_file

router = APIRouter(prefix="/words", include_in_schema=False)


_LANGUAGES = Fixed(languages)
_CATALOGUES: dict[str, Fixed] = {}


@router.get("/languages.json")
async def known_languages() -> Response:
    return await _LANGUAGES.answer()


@router.get("/{language}.json")
async def templates(language: str) -> Response:
    _check(language)
    if language not in _CATALOGUES:
        _CATALOGUES[language] = Fixed(lambda: dict(catalogue(language)))
    return await _CATALOGUES[language].answer()


@router.get("/{language}/rules/{game}.md")
async def rules(language: str, game: str) -> PlainTextResponse:
    _check(language)
    if game not in games():
        raise NotFound("no-page")
    text = rules_file(game, language).read_text(encoding="utf-8")
    return PlainTextResponse(text, media_type="text/markdown; charset=utf-8")


def _check(language: str) -> None:
    if language not in languages():
        raise NotFound("no-page")
