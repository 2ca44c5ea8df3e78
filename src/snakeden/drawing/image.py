"""SVG pictures as PNG, PDF and moving pictures. The libraries that do it are loaded only here."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

FORMATS = ("svg", "png", "pdf", "gif", "webp")
"""What a file's ending can be; the last two move."""


def png(svg: str, scale: float = 2.0) -> bytes:
    """The picture in pixels, this many to each of the SVG's own."""
    import vl_convert

    return bytes(vl_convert.svg_to_png(svg, scale=scale))


def pdf(pages: Iterable[str]) -> bytes:
    """A document of vector pages, one a picture; the SVG's width and height are in points."""
    import vl_convert
    from pypdf import PdfReader, PdfWriter

    document = PdfWriter()
    for page in pages:
        document.append(PdfReader(io.BytesIO(vl_convert.svg_to_pdf(page))))
    document.compress_identical_objects()
    written = io.BytesIO()
    document.write(written)
    return written.getvalue()


def film(
    frames: Sequence[str], form: str, milliseconds: int, step: Callable[[], None] = lambda: None
) -> bytes:
    """Pictures one after the other, over and over, the last one four times as long; calls `step` at each."""
    from PIL import Image

    images = []
    for frame in frames:
        images.append(Image.open(io.BytesIO(png(frame, 1.0))).convert("RGB"))
        step()
    if form == "gif":
        # One palette for the whole film, from its last and fullest picture: colours do not flicker.
        palette = images[-1].quantize(colors=128, dither=Image.Dither.NONE)
        images = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    written = io.BytesIO()
    durations = [milliseconds] * (len(images) - 1) + [4 * milliseconds]
    images[0].save(
        written, form.upper(), save_all=True, append_images=images[1:], duration=durations, loop=0, quality=80
    )
    return written.getvalue()


def form_of(file: Path) -> str:
    """The format that a file's ending asks for; raises ValueError."""
    form = file.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise ValueError(f"{file}: a picture's name ends in one of {', '.join('.' + f for f in FORMATS)}")
    return form
