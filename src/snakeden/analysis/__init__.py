"""What the engine thinks of a played game: chances along the moves, better moves, and what each move gave away.

>>> import snakeden
>>> from snakeden import analysis
>>> start = snakeden.new_game("snekagon", side=3)
>>> from snakeden.records import record
>>> played = record(start, ["c3", "a1-b1", "c4-d4", "e1"])
>>> found = analysis.analyse(played, simulations=200)
>>> [ply.move for ply in found.plies]
['c3', 'a1-b1', 'c4-d4', 'e1', None]
"""

from snakeden.analysis.measure import MARKS, Mark, mark_of
from snakeden.analysis.plies import Analysis, Candidate, Ply, analyse, analyse_ply

__all__ = ["MARKS", "Analysis", "Candidate", "Mark", "Ply", "analyse", "analyse_ply", "mark_of"]
