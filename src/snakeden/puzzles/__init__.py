"""Puzzles with proven solutions: find the only move that wins, or the best use of a roll.

>>> from snakeden import puzzles
>>> puzzle = puzzles.shipped("snekagon")[0]
>>> puzzles.judge(puzzle, puzzle.solutions[0]).right
True
"""

from snakeden.puzzles.judging import Verdict, judge, prove
from snakeden.puzzles.puzzle import Collection, Puzzle, collection, daily, find, finder, goal, shipped

__all__ = [
    "Collection",
    "Puzzle",
    "Verdict",
    "collection",
    "daily",
    "find",
    "finder",
    "goal",
    "judge",
    "prove",
    "shipped",
]
