"""What a game's end is worth: victories and scores, and from them each seat's reward."""

from __future__ import annotations

from snakeden.core.kernel import inline


@inline
def lead_of(scores, seats, seat):
    """How far a seat is ahead of the best other; in a game for one, its score."""
    lead = scores[seat]
    for other in range(seats):
        if other != seat:
            lead = min(lead, scores[seat] - scores[other])
    return lead


@inline
def write_outcome(scores, seats, outcome):
    """Write the outcome (victories, shared ones in parts, then scores) that final scores make."""
    most, sharing = scores[0], 0
    for seat in range(seats):
        most = max(most, scores[seat])
    for seat in range(seats):
        sharing += scores[seat] == most
    for seat in range(seats):
        outcome[seat] = 1.0 / sharing if scores[seat] == most else 0.0
        outcome[seats + seat] = scores[seat]


@inline
def write_decided(limits, seats, outcome):
    """Write the outcome that lowest and highest scores leave, if one seat wins for certain or all scores are;
    whether that is so. Scores that are not certain are the least the winner has and the most the others have."""
    leader, exact = 0, True
    for seat in range(seats):
        exact &= limits[0, seat] == limits[1, seat]
        if limits[0, seat] > limits[0, leader]:
            leader = seat
    sharing, clear = 0, True
    for seat in range(seats):
        sharing += limits[0, seat] == limits[0, leader]
        clear &= seat == leader or limits[1, seat] < limits[0, leader]
    if not (exact or clear):
        return False
    for seat in range(seats):
        first = limits[0, seat] == limits[0, leader]
        outcome[seat] = 1.0 / sharing if first else 0.0
        outcome[seats + seat] = limits[0 if first else 1, seat]
    return seats > 1 or exact


@inline
def reward(outcome, seats, seat, parameters):
    """What an outcome is worth to a seat, about 0 to 1: winning first, and then the margin over the best other; in a
    game for one, the score, which is not cut off: a crash must count as much as it costs."""
    if seats == 1:
        return 0.5 + 0.5 * (outcome[1] - parameters.centre) / parameters.scale
    other = -1e300
    for k in range(seats):
        if k != seat:
            other = max(other, outcome[seats + k])
    lead = (outcome[seats + seat] - other) / parameters.scale
    share = parameters.margin_weight
    return (1.0 - share) * outcome[seat] + share * (0.5 + 0.5 * min(max(lead, -1.0), 1.0))
