"""The application: everything put together."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from functools import partial

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles

from snakeden.core.registry import games as known_games
from snakeden.server.answers import answer_of, invalid, status_of
from snakeden.server.api import games, lobby, operations, socket, study, words
from snakeden.server.api.context import Context, Fixed
from snakeden.server.catalogue import about_games
from snakeden.server.engines import Engines
from snakeden.server.errors import NotFound, NotPossible, Refused, TooOften
from snakeden.server.guard import Guard
from snakeden.server.limits import Allowance, OpenGames, Sockets
from snakeden.server.live import Hub
from snakeden.server.metrics import Metrics
from snakeden.server.pictures import Pictures
from snakeden.server.settings import Settings
from snakeden.server.store import Store

log = logging.getLogger("snakeden.server")

_FILE_THREADS = 4
"""Threads that read files of the page. With the usual 40, those who ask for many files would leave the threads that
draw and store hardly any time."""


def create_app(settings: Settings) -> FastAPI:
    """An ASGI application. The database must have been made ready by `database.upgrade`."""
    app = FastAPI(
        title="Snakeden",
        version="1",
        description="Snake-building board games: make, join, play and watch them.",
        openapi_url=None,  # both are written once, by `operations`
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
    )
    metrics = Metrics()
    app.state.settings = settings
    app.state.metrics = metrics
    for room in (lobby, games, study, socket, operations, words):
        app.include_router(room.router)
    if settings.engine_files is not None:
        app.mount("/python", StaticFiles(directory=settings.engine_files))
    if settings.web is not None and settings.web.is_dir():
        app.mount("/", StaticFiles(directory=settings.web, html=True))
    app.add_middleware(Guard, settings=settings, metrics=metrics)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _no_such_page)
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    store = Store(settings.database)
    policy = settings.engines_in_page if settings.engine_files is not None else "forbid"
    engines = Engines(
        settings.engine_workers,
        settings.engine_seconds,
        settings.engine_megabytes,
        settings.engine_queue,
        settings.engine_queue_per_client,
    )
    remembered = settings.clients_remembered
    stored_per_second = settings.requests_per_second / 5  # moves that one client stores, steadily
    hub = Hub(
        store,
        engines,
        Pictures(),
        settings.cached_games,
        settings.cached_bytes,
        settings.thinking_games,
        policy,
        Allowance(stored_per_second, max(1000, round(3600 * stored_per_second)), remembered),
    )
    metrics: Metrics = app.state.metrics
    app.state.context = Context(
        settings,
        store,
        engines,
        hub,
        metrics,
        Allowance(settings.games_per_hour / 3600, settings.games_burst, remembered),
        Allowance(settings.hints_per_minute / 60, settings.hints_burst, remembered),
        Sockets(settings.sockets_per_client),
        OpenGames(
            settings.open_games_per_client,
            remembered,
            lambda games: TooOften("too-many-open-games", games=games),
        ),
        OpenGames(
            settings.joined_games_per_client,
            remembered,
            lambda games: TooOften("too-many-joined-games", games=games),
        ),
        Allowance(settings.requests_per_second, settings.requests_burst, remembered),
        Fixed(partial(about_games, page_thinks=policy == "prefer")),
        Fixed(app.openapi),
        Fixed(lambda: operations.docs_page(app.openapi())),
    )
    _show_figures(metrics, store, engines, hub)
    current_default_thread_limiter().total_tokens = _FILE_THREADS
    store.start()
    background = [
        asyncio.create_task(hub.resume()),
        asyncio.create_task(metrics.watch_loop()),
        asyncio.create_task(_describe(app.state.context)),
    ]
    if settings.compile_at_start:
        background.append(asyncio.create_task(engines.prepare(list(known_games()))))
    if store.shared:
        background.append(asyncio.create_task(hub.follow()))
    for task in background:
        task.add_done_callback(_report)
    try:
        yield
    finally:
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        await hub.stop()
        await engines.stop()
        await store.stop()
        log.info("ended", extra={"writes": store.writes, "commits": store.commits})


async def _describe(context: Context) -> None:
    """Write what describes the API. It takes half a second of a thread, which nobody who plays is to notice when it is
    first asked for."""
    await context.openapi.answer()
    await context.docs.answer()


def _show_figures(metrics: Metrics, store: Store, engines: Engines, hub: Hub) -> None:
    metrics.show("snakeden_moves_stored", "Moves stored since the start", lambda: hub.moves_stored)
    metrics.show("snakeden_games_cached", "Games replayed in memory", lambda: hub.cached)
    metrics.show("snakeden_cached_bytes", "About how much memory they take", lambda: hub.cached_bytes)
    metrics.show("snakeden_drawing_waiting", "Pictures that wait to be drawn", lambda: hub.pictures.waiting)
    metrics.show("snakeden_watchers", "Open live connections", lambda: hub.watchers)
    metrics.show("snakeden_store_writes", "Writes since the start", lambda: store.writes)
    metrics.show("snakeden_store_commits", "Transactions since the start", lambda: store.commits)
    metrics.show("snakeden_store_waiting", "Writes waiting for a transaction", lambda: store.waiting)
    metrics.show("snakeden_engine_waiting", "Engine questions waiting for a worker", lambda: engines.waiting)
    metrics.show("snakeden_engine_idle", "Workers without a question", lambda: engines.idle)
    metrics.show("snakeden_engine_replaced", "Workers that had to be replaced", lambda: engines.replaced)


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.error("a background task failed", exc_info=task.exception())


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return JSONResponse(answer_of(error), status_of(error))


async def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return await _refused(request, invalid(error.errors()))


async def _no_such_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return await _refused(request, NotFound("no-page"))
    answer = answer_of(NotPossible("invalid", reason=str(error.detail)))
    return JSONResponse(answer, error.status_code, headers=error.headers)
