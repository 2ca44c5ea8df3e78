"""What a study has found: a folder with a row for every game.

`results.parquet` holds the rows, ordered by setting and number. While games are played they are appended to
`running.jsonl`, a line each, and taken over into the table when the run ends. A run that was killed leaves that file
behind, and the next run reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from snakeden.lab.study import BadStudy, Study, parse
from snakeden.workers.folders import locked

Row = dict[str, Any]
Key = tuple[str, int]


def _schema() -> Any:
    import pyarrow as pa

    return pa.schema(
        [
            ("setting", pa.string()),
            ("number", pa.int32()),
            ("game", pa.string()),
            ("options", pa.string()),
            ("seating", pa.list_(pa.string())),
            ("opening", pa.int16()),
            ("first_moves", pa.string()),
            ("scores", pa.list_(pa.int32())),
            ("points", pa.list_(pa.float64())),
            ("plies", pa.int32()),
            ("movers", pa.list_(pa.int8())),
            ("legal", pa.list_(pa.int32())),
            ("leads", pa.list_(pa.int32())),
            ("chances", pa.list_(pa.float32())),
            ("matters", pa.list_(pa.bool_())),
            ("record", pa.string()),
        ]
    )


class Results:
    """The folder of one study, while it is open."""

    def __init__(self, folder: Path, study: Study) -> None:
        self._folder, self._study = folder, study
        self._table, self._log = folder / "results.parquet", folder / "running.jsonl"
        self.rows: dict[Key, Row] = {(row["setting"], row["number"]): row for row in read_rows(folder)}
        self._written = len(self.rows)
        for row in self._logged():
            self.rows[row["setting"], row["number"]] = row
        self._file: IO[str] | None = None

    def _logged(self) -> Iterator[Row]:
        """The games of a run that was killed; a last line that was cut short is dropped."""
        if not self._log.exists():
            return
        lines = self._log.read_text(encoding="utf-8").split("\n")
        for number, line in enumerate(lines, 1):
            try:
                yield json.loads(line)
            except json.JSONDecodeError:
                if number < len(lines):
                    raise BadStudy(f"{self._log}, line {number}: this is not a game; remove it") from None
        self._log.write_text("".join(line + "\n" for line in lines[:-1]), encoding="utf-8")

    def add(self, row: Row) -> None:
        """Keep a game, on disk before anything else happens to it."""
        if self._file is None:
            self._file = self._log.open("a", encoding="utf-8")
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
        self._file.flush()
        self.rows[row["setting"], row["number"]] = row

    def close(self) -> None:
        """Take the games over into the table. What the study does not ask for any more stays in it, behind the rest."""
        if self._file is not None:
            self._file.close()
        if len(self.rows) > self._written:
            write_rows(self._table, self._ordered())
        self._log.unlink(missing_ok=True)

    def _ordered(self) -> list[Row]:
        places = {setting.key: place for place, setting in enumerate(self._study.settings)}
        last = len(places)
        return sorted(
            self.rows.values(),
            key=lambda row: (places.get(row["setting"], last), row["setting"], row["number"]),
        )


@contextmanager
def opened(folder: Path, study: Study) -> Iterator[Results]:
    """The study's folder, for this process alone; raises BadStudy where it holds another study."""
    if find_spec("pyarrow") is None:
        raise BadStudy("results are kept with pyarrow, which is not installed: pip install 'snakeden[data]'")
    kept = folder / "study.toml"
    with locked(folder, BadStudy(f"{folder} is in use: another process runs this study")):
        if kept.exists() and parse(kept.read_text(encoding="utf-8")).seed != study.seed:
            raise BadStudy(f"{folder} holds games of another seed: continue those, or name another folder")
        kept.write_text(study.text, encoding="utf-8")
        results = Results(folder, study)
        try:
            yield results
        finally:
            results.close()


def read_rows(folder: Path) -> list[Row]:
    """The rows of a folder's table; none where there is none. Raises BadStudy."""
    table = folder / "results.parquet"
    if not table.exists():
        return []
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows: list[Row] = pq.read_table(table, schema=_schema()).to_pylist()
    except (pa.ArrowInvalid, OSError) as error:
        raise BadStudy(f"{table} cannot be read: {error}") from None
    return rows


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as a table; what was there before stays whole until the new file is."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    fresh = path.with_name(path.name + ".new")
    try:
        pq.write_table(pa.Table.from_pylist(list(rows), _schema()), fresh, compression="zstd")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
