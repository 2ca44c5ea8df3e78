"""For who runs the server: is it well, how much does it do, what can be asked of it. And what the page draws with."""

from __future__ import annotations

from html import escape
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from snakeden.drawing.shapes import symbols_to_data
from snakeden.drawing.themes import style_sheet
from snakeden.server.api.context import ContextDep, Fixed, public_address
from snakeden.server.errors import NotFound
from snakeden.server.store import DATABASE_ERRORS

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz(context: ContextDep) -> Response:
    try:
        await context.store.ready()
    except (*DATABASE_ERRORS, TimeoutError):
        return JSONResponse({"status": "the database cannot be read or written to"}, 503)
    return JSONResponse({"status": "ok"})


@router.get("/metrics")
async def metrics(context: ContextDep) -> Response:
    return Response(context.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/")
async def front_page(context: ContextDep, request: Request) -> Response:
    """The page. Whoever shows a shared link needs the whole address of its picture."""
    file = context.settings.web / "index.html" if context.settings.web is not None else None
    if file is None or not file.is_file():
        raise NotFound("no-page")
    html = file.read_text(encoding="utf-8").replace(
        '"og:image" content="', f'"og:image" content="{escape(public_address(context, request))}/'
    )
    return HTMLResponse(html, headers={"cache-control": "no-cache"})


_COLOURS = Fixed(style_sheet, "text/css")
_SYMBOLS = Fixed(symbols_to_data)


@router.get("/theme.css")
async def colours() -> Response:
    return await _COLOURS.answer()


@router.get("/symbols.json")
async def symbols() -> Response:
    return await _SYMBOLS.answer()


@router.get("/api/openapi.json")
async def openapi(context: ContextDep) -> Response:
    return await context.openapi.answer()


@router.get("/api/docs")
async def docs(context: ContextDep) -> Response:
    return HTMLResponse((await context.docs.answer()).body)


def docs_page(description: dict[str, Any]) -> str:
    """The OpenAPI description as a page, without a script."""
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>Snakeden: the API</title>",
        "<h1>Snakeden: the API</h1>",
        "<p>As data: <a href=/api/openapi.json>openapi.json</a>. Live updates are described in docs/server-api.md.</p>",
    ]
    for path, methods in description["paths"].items():
        for method, about in methods.items():
            parts.append(
                f"<h2><code>{method.upper()} {escape(path)}</code></h2><p>{escape(about.get('description', ''))}</p>"
            )
            for place, held in (("Send", about.get("requestBody")), ("Get", _success(about["responses"]))):
                if held:
                    parts.append(f"<p>{place}: {_model(held)}</p>")
    parts.append("<h1>Models</h1>")
    for name, model in description["components"]["schemas"].items():
        parts.append(f"<h2 id={escape(name)}>{escape(name)}</h2><ul>")
        for field, about in model.get("properties", {}).items():
            meaning = escape(about.get("description", ""))
            needed = " (required)" if field in model.get("required", ()) else ""
            parts.append(f"<li><code>{escape(field)}</code>: {_kind(about)}{needed} {meaning}")
        parts.append("</ul>")
    return "\n".join(parts)


def _success(responses: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(held for status, held in responses.items() if status.startswith("2"))
    return found


def _model(held: dict[str, Any]) -> str:
    # A picture or a film has no schema.
    return _kind(next(iter(held["content"].values())).get("schema", {"type": "string"}))


def _kind(about: dict[str, Any]) -> str:
    if "$ref" in about:
        name = escape(about["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in about:
        return " or ".join(_kind(one) for one in about["anyOf"])
    if about.get("type") == "array":
        return "list of " + _kind(about.get("items", {}))
    if "enum" in about:
        return " or ".join(f"<code>{escape(str(one))}</code>" for one in about["enum"])
    return escape(str(about.get("const", about.get("type", "anything"))))
