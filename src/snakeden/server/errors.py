"""Errors of the network, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def in_words(errors: Sequence[Any]) -> str:
    """What a validator found wrong, as one sentence."""
    told = []
    for error in errors[:5]:
        place = ".".join(str(part) for part in error["loc"] if part != "body")
        told.append(f"{place}: {error['msg']}" if place else str(error["msg"]))
    return "; ".join(told)
