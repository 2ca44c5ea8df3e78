"""Studies of the games: what a file asks for is played, kept, and reported."""

from snakeden.lab.running import run
from snakeden.lab.study import Setting, Study, read_study

__all__ = ["Setting", "Study", "read_study", "run"]
