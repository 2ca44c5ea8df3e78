"""Played games as a table, a row a position, for pandas, Polars, Hugging Face datasets and whoever reads Parquet.

| column | type | |
| --- | --- | --- |
| `game`, `options`, `rules` | text, text, int | what is played; options as in a record's header |
| `record`, `ply` | int, int | which game of the export, and how many moves came before |
| `state` | text | the position, for `snakeden.restore` |
| `player` | int | the seat to move, -1 where dice decide |
| `legal` | list of int | the legal actions, or the possible outcomes |
| `action`, `move` | int, text | what was played |
| `visits` | list of int | how often a search visited each of `legal`, where the record says so; else null |
| `observation` | list of float32 | the planes as the player sees them, if asked for |
| `observation_shape` | list of int | the planes' shape |
| `scores`, `winners`, `rewards` | lists | how the game ended; null where it did not |
| `headers` | text | all headers of the record; in the row of ply 0 only |

pyarrow is imported only here: `pip install 'snakeden[data]'`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from snakeden.adapters.observations import observe
from snakeden.core.errors import BadRecord
from snakeden.core.game import CHANCE
from snakeden.records import Record, read

ROWS_AT_ONCE = 4096
"""Rows that are written together: as many are held in memory."""

SCHEMA = pa.schema(
    [
        ("game", pa.string()),
        ("options", pa.string()),
        ("rules", pa.int32()),
        ("record", pa.int64()),
        ("ply", pa.int32()),
        ("state", pa.string()),
        ("player", pa.int8()),
        ("legal", pa.list_(pa.int32())),
        ("action", pa.int32()),
        ("move", pa.string()),
        ("visits", pa.list_(pa.int32())),
        ("observation", pa.list_(pa.float32())),
        ("observation_shape", pa.list_(pa.int32())),
        ("scores", pa.list_(pa.int64())),
        ("winners", pa.list_(pa.int8())),
        ("rewards", pa.list_(pa.float32())),
        ("headers", pa.string()),
    ]
)


def rows(record: Record, number: int = 0, *, observations: bool = False) -> Iterator[dict[str, Any]]:
    """A row for every move of a record, in order; raises BadRecord. A record without moves has none."""
    last = record.check()
    outcome = record.outcome or last.outcome(record.withdrawn)
    visits = record.visits()
    given = " ".join(
        f"{name}={last.variant.game.option(name).write(value)}" for name, value in record.options.items()
    )
    for ply, (state, move) in enumerate(zip(record.states(), record.moves, strict=False)):
        chance = state.player == CHANCE
        planes = observe(state) if observations and not chance else None
        legal = state.codes().tolist()
        yield {
            "game": record.game,
            "options": given,
            "rules": record.rules_version,
            "record": number,
            "ply": ply,
            "state": state.text,
            "player": state.player,
            "legal": legal,
            "action": state.move(move).code,
            "move": move,
            "visits": [visits[ply].get(code, 0) for code in legal] if visits[ply] else None,
            "observation": None if planes is None else planes.ravel(),
            "observation_shape": None if planes is None else list(planes.shape),
            "scores": None if outcome is None else list(outcome.scores),
            "winners": None if outcome is None else list(outcome.winners),
            "rewards": None if outcome is None else list(outcome.rewards),
            "headers": record.write().partition("\n\n")[0] if ply == 0 else None,
        }


def write(path: Path, records: Iterable[Record], *, observations: bool = False) -> int:
    """Write records to a Parquet file, and return how many rows that were. What was there before stays whole until
    the new file is; raises BadRecord, and leaves it, at a record that does not replay."""
    fresh, count = path.with_name(path.name + ".new"), 0
    try:
        with pq.ParquetWriter(fresh, SCHEMA, compression="zstd") as writer:
            waiting: list[dict[str, Any]] = []
            for number, record in enumerate(records):
                waiting += rows(record, number, observations=observations)
                if len(waiting) >= ROWS_AT_ONCE:
                    writer.write_table(pa.Table.from_pylist(waiting, SCHEMA))
                    count, waiting = count + len(waiting), []
            writer.write_table(pa.Table.from_pylist(waiting, SCHEMA))
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    return count + len(waiting)


def records(path: Path) -> Iterator[Record]:
    """The records that a file was made of, every move checked again; raises BadRecord."""
    file = pq.ParquetFile(path)
    wanted = ["record", "ply", "move", "headers"]
    missing = set(wanted) - set(file.schema_arrow.names)
    if missing:
        raise BadRecord(1, f"{path} is no table of games: it has no column {', '.join(sorted(missing))}")
    found = (row for some in file.iter_batches(columns=wanted) for row in some.to_pylist())
    for number, game in groupby(found, key=lambda row: row["record"]):
        moves = list(game)
        if moves[0]["ply"] != 0 or [row["ply"] for row in moves] != list(range(len(moves))):
            raise BadRecord(1, f"{path}: the moves of game {number} are not complete and in order")
        record = read(f"{moves[0]['headers']}\n\n{' '.join(row['move'] for row in moves)}\n")
        record.check()
        yield record
