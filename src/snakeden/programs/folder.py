"""Where compiled programs are kept."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

FOLDER_VARIABLE = "SNAKEDEN_PROGRAMS"
"""Names the folder, if another than the user's cache is wanted."""
BOUNDS_VARIABLE = "SNAKEDEN_BOUNDSCHECK"
"""Set to 1, programs for this processor stop at an index outside its array, with a signal from the system."""
_KEPT_FILES = 256


def checks_bounds() -> bool:
    """Whether programs look at every index."""
    return os.environ.get(BOUNDS_VARIABLE) == "1"


@cache
def cache_folder() -> Path:
    """The folder of compiled programs; one for this process alone if none can be written."""
    named = os.environ.get(FOLDER_VARIABLE)
    folder = Path(named) if named else user_cache_path("snakeden") / "programs"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        for kind in ("*.o", "*.json", "*.cwasm", "*.cubin"):
            old = sorted(folder.glob(kind), key=lambda path: path.stat().st_mtime, reverse=True)
            for stale in old[_KEPT_FILES:]:
                stale.unlink(missing_ok=True)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="snakeden-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
