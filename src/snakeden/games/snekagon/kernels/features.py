"""What a network sees of Snekagon beyond the observation: where each seat's tiles may lie, floor by floor.

Which cells a snake blocks depends on how it goes on far away, so a few layers of a network do not see it.
"""

from __future__ import annotations

from snakeden.core.kernel import kernel
from snakeden.core.learning import viewed
from snakeden.games.snekagon.kernels.layout import Tables
from snakeden.games.snekagon.kernels.observation import mark_set
from snakeden.games.snekagon.kernels.sight import sight


def planes(t: Tables) -> tuple[str, ...]:
    """What each plane means."""
    floors = [f" on floor {floor + 1}" for floor in range(t.floors)] if t.floors > 1 else [""]
    return tuple(
        f"{what}{floor}: {seat}"
        for floor in floors
        for seat in viewed(t.seats)
        for what in (
            "cells where no tile of several hexes may lie",
            "cells where no single hex may lie",
            "cells next to the snakes",
            "cells inside the snakes",
        )
    )


@kernel
def observe(t, s, seat, bits, values):
    """Write the planes as the seat sees them."""
    plane = 0
    for floor in range(t.floors):
        for ahead in range(t.seats):
            v = sight(t, s, (seat + ahead) % t.seats, floor)
            mark_set(t, v.blocked, bits, plane)
            mark_set(t, v.blocked_single, bits, plane + 1)
            mark_set(t, v.near_own, bits, plane + 2)
            mark_set(t, v.full, bits, plane + 3)
            plane += 4
