"""Who plays: agents by name, and choices that come with their reasons.

>>> import snakeden
>>> from snakeden import agents
>>> agent = agents.make("greedy", seed=1)
>>> choice = agent.choose(snakeden.new_game("snekagon", side=3))
>>> len(choice.move.text)
2
"""

from snakeden.agents.choice import Choice, Reasons
from snakeden.agents.effects import effects
from snakeden.agents.levels import LEVELS, about_highest, resolve, thinks_with_net, uses_net
from snakeden.agents.naming import Agent, BadAgent, known_names, make

__all__ = [
    "LEVELS",
    "Agent",
    "BadAgent",
    "Choice",
    "Reasons",
    "about_highest",
    "effects",
    "known_names",
    "make",
    "resolve",
    "thinks_with_net",
    "uses_net",
]
