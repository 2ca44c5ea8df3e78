"""Benchmarks that print ratios: each figure beside a peer's, measured in turns in the same run.

A subject is a module here with `rows(games, seconds) -> iterator of Row`, and `missing_peer() -> str`, which
says what to install if its peer is not there. `batch` can also be asked about a GPU.
"""

from snakeden.bench.measuring import Row, Task, measure_in_turns

SUBJECTS = {
    "rules": "moves generated and random playouts, against OpenSpiel's Havannah",
    "state": "random play through `State`, one position at a time, against python-chess",
    "batch": "plies of many games side by side, with masks, against pgx's Hex if pgx is installed",
    "clients": "turns in PettingZoo against its connect four, and steps of Gymnasium's make_vec against its own vector",
    "solver": "processor time to solve late positions",
    "search": "simulations of the tree search at several plies, against OpenSpiel's on Havannah",
}
"""Every subject and what it measures; the module has the subject's name."""

__all__ = ["SUBJECTS", "Row", "Task", "measure_in_turns"]
