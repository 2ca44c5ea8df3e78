"""Matches between agents, and ratings with error bars."""

from snakeden.arena.matches import Match, Played, play_all
from snakeden.arena.ratings import Standing, sprt, standings

__all__ = ["Match", "Played", "Standing", "play_all", "sprt", "standings"]
