"""How many games of one client have an engine thinking at once."""

from __future__ import annotations

from collections import Counter, OrderedDict

_MOST_POSTPONED = 1000
"""Games of one client that are remembered to go on later; others go on when somebody looks at them."""


class Turns:
    """Games beyond the bound wait until others of the same client are done."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._thinking: Counter[str] = Counter()
        self._postponed: dict[str, OrderedDict[str, None]] = {}

    def enter(self, client: str, game_id: str) -> bool:
        """Whether the game's engine may think now; if not, `leave` will name the game."""
        if self._thinking[client] < self._most:
            self._thinking[client] += 1
            self._postponed.get(client, OrderedDict()).pop(game_id, None)
            return True
        waiting = self._postponed.setdefault(client, OrderedDict())
        if len(waiting) < _MOST_POSTPONED:
            waiting[game_id] = None
        return False

    def leave(self, client: str) -> list[str]:
        """One game less thinks; the game whose turn it is then."""
        self._thinking[client] -= 1
        if not self._thinking[client]:
            del self._thinking[client]
        waiting = self._postponed.get(client)
        if not waiting:
            self._postponed.pop(client, None)
            return []
        return [waiting.popitem(last=False)[0]]
