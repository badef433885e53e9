"""A network that scores candidates by their features, evaluated in compiled code.

The first layer adds up what the state and what the action contribute, so that the state's part is worked out once for
all candidates; two small layers follow. `ttr_env.learning.scorer` is the same network in torch.
"""

from __future__ import annotations

import numpy as np

from ttr_env.bots.features.candidates import list_candidates
from ttr_env.bots.features.columns import ACTION, STATE
from ttr_env.bots.features.look import describe, look
from ttr_env.bots.features.space import MAX_CANDIDATES, VIEW
from ttr_env.bots.layers import add_rows, list_nonzero, list_positive
from ttr_env.bots.routes import FORGOTTEN, NETWORK
from ttr_env.engine.jit import entry, kernel
from ttr_env.engine.rng import advanced, output
from ttr_env.engine.scratch import whole_lines

MAX_FIRST, MAX_SECOND = 128, 64  # units of the two hidden layers

# A network. Layers may have fewer units than there is room for.
WEIGHTS = whole_lines(
    [
        ("state", "f4", (len(STATE), MAX_FIRST)),
        ("action", "f4", (len(ACTION), MAX_FIRST)),
        ("first_bias", "f4", MAX_FIRST),
        ("second", "f4", (MAX_FIRST, MAX_SECOND)),
        ("second_bias", "f4", MAX_SECOND),
        ("score", "f4", MAX_SECOND),
        ("first_units", "i8"),
        ("second_units", "i8"),
        ("temperature", "f8"),  # 0: the candidate with the highest score is taken; else they are drawn
    ]
)

# Space to work in.
SCORES = whole_lines(
    [
        ("score", "f4", MAX_CANDIDATES),
        ("from_state", "f4", MAX_FIRST),
        ("first", "f4", MAX_FIRST),
        ("second", "f4", MAX_SECOND),
        ("places", "i8", MAX_FIRST),  # of what is not 0 in a row
        ("factors", "f4", MAX_FIRST),
    ]
)

# All that a worker needs to let a network decide.
MIND = whole_lines([("routes", NETWORK), ("view", VIEW), ("scores", SCORES)])


@kernel
def score_candidates(net, view, space):
    """Write the score of every candidate."""
    first_units, second_units = net["first_units"], net["second_units"]
    from_state, first, second = space["from_state"], space["first"], space["second"]
    places, factors = space["places"], space["factors"]
    from_state[:] = net["first_bias"]
    used = list_nonzero(view["state_row"], places, factors)
    add_rows(from_state, net["state"], places, factors, used, first_units)
    for place in range(view["count"]):
        first[:] = from_state
        used = list_nonzero(view["action_rows"][place], places, factors)
        add_rows(first, net["action"], places, factors, used, first_units)
        second[:] = net["second_bias"]
        used = list_positive(first, first_units, places, factors)
        add_rows(second, net["second"], places, factors, used, second_units)
        score = np.float32(0.0)
        for unit in range(second_units):
            score += max(np.float32(0.0), second[unit]) * net["score"][unit]
        space["score"][place] = score


@kernel
def best_place(view, space):
    """The place of the candidate with the highest score."""
    best = 0
    for place in range(1, view["count"]):
        if space["score"][place] > space["score"][best]:
            best = place
    return best


@kernel
def uniform(source):
    """A random number from 0 up to 1."""
    source[0] = advanced(source[0])
    return float(output(source[0]) >> np.uint64(11)) / 9007199254740992.0


@kernel
def draw_place(view, space, temperature, source):
    """The place of a candidate drawn by its probability, and the logarithm of that."""
    top, total = float(space["score"][best_place(view, space)]), 0.0
    for place in range(view["count"]):
        total += np.exp((space["score"][place] - top) / temperature)
    left = uniform(source) * total
    chosen = 0
    left -= np.exp((space["score"][0] - top) / temperature)
    while left >= 0.0 and chosen < view["count"] - 1:
        chosen += 1
        left -= np.exp((space["score"][chosen] - top) / temperature)
    return chosen, (space["score"][chosen] - top) / temperature - np.log(total)


@kernel
def choose_place(net, view, space, urge, source):
    """The place of the candidate that a network takes, and the logarithm of its probability.

    An `urge` other than 0 is added to the score of drawing tickets, to see what comes of it.
    """
    score_candidates(net, view, space)
    if urge != 0.0:
        for place in range(view["count"]):
            space["score"][place] += urge * view["actions"][place]["draw_tickets"]
    if net["temperature"] == 0.0:
        return best_place(view, space), 0.0
    return draw_place(view, space, net["temperature"], source)


@kernel
def scorer_action(g, b, net, view, space, routes, source):
    """The action of a network for the player to move; `routes` is scratch space for the plan."""
    list_candidates(g, b, view)
    if view["count"] == 1:  # nothing to decide
        return int(view["index"][0])
    describe(g, b, routes, view)
    place, _ = choose_place(net, view, space, 0.0, source)
    return int(view["index"][place])


@entry
def act(games, index, boards, nets, routes, views, spaces, source):
    """The action of a network in one game."""
    routes[0]["surveyed"] = FORGOTTEN  # whose survey it was is not known
    return scorer_action(games[index], boards[0], nets[0], views[0], spaces[0], routes[0], source)


@entry
def act_rows(games, boards, rows, nets, routes, views, spaces, source, actions):
    """The actions of a network in some rows of a batch."""
    for place in range(rows.shape[0]):
        routes[0]["surveyed"] = FORGOTTEN
        g = games[rows[place]]
        actions[place] = scorer_action(g, boards[0], nets[0], views[0], spaces[0], routes[0], source)


@entry
def appraise(games, index, boards, nets, routes, views, spaces):
    """Write the candidates of one game, their features and their scores."""
    routes[0]["surveyed"] = FORGOTTEN
    look(games[index], boards[0], routes[0], views[0])
    score_candidates(nets[0], views[0], spaces[0])
