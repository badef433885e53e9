"""What Python calls. A game is passed as an array and an index: passing the record itself costs ten times more."""

from __future__ import annotations

from ttr_env.engine.choices import random_action, write_mask
from ttr_env.engine.hidden import discards_are_public, redeal
from ttr_env.engine.jit import brief, entry
from ttr_env.engine.layout import OVER
from ttr_env.engine.legal import LEGAL, verdict
from ttr_env.engine.neutral import demand
from ttr_env.engine.observe import write_observation
from ttr_env.engine.planning import assess
from ttr_env.engine.play import apply, new_game
from ttr_env.engine.restore import restore_derived
from ttr_env.engine.rewards import advance, reward_end
from ttr_env.engine.rng import derived_seed, seeded
from ttr_env.engine.scoring import TOTAL, score, score_totals


@brief
def start(games, index, boards, seed, players, with_tolls, with_neutral):
    """Set up a game."""
    new_game(games[index], boards[0], seed, players, with_tolls, with_neutral)


@brief
def restore(games, index, boards):
    """Complete a record into which a position was written; returns a track that its owner cannot own, -1 if none."""
    return restore_derived(games[index], boards[0])


@brief
def step(games, index, boards, action):
    """Take an action if it is legal; returns who took it, or the verdict below 0 (`-OUT_OF_RANGE` and so on)."""
    g = games[index]
    b = boards[0]
    judged = verdict(g, b, action)
    if judged != LEGAL:
        return -int(judged)
    mover = int(g["player"])
    apply(g, b, action)
    return mover


@brief
def mask(games, index, boards, out):
    """Write 1 for every legal action and 0 for all others into `out` [actions]."""
    write_mask(games[index], boards[0], out)


@brief
def derive(seed, row, episode):
    """A seed that depends on these three alone."""
    return derived_seed(seed, row, episode)


@brief
def seed_source(source, seed):
    """Let a source of random numbers begin at a seed."""
    source[0] = seeded(seed)


@brief
def pick(games, index, boards, source):
    """A random legal action."""
    return random_action(games[index], boards[0], source)


@brief
def step_with_rewards(games, index, boards, action, kind, rewards, sheet):
    """`step`, which also writes what the action was worth to each player."""
    g = games[index]
    b = boards[0]
    judged = verdict(g, b, action)
    if judged != LEGAL:
        return -int(judged)
    mover = int(g["player"])
    advance(g, b, action, kind, rewards, sheet)
    return mover


@brief
def score_sheet(games, index, boards, sheet):
    """Score the position as if the game ended here."""
    score(games[index], boards[0], sheet)


@brief
def final_rewards(games, index, boards, kind, rewards, sheet):
    """Write what a game that is over was worth to each player."""
    reward_end(games[index], boards[0], kind, rewards, sheet)


@brief
def redeal_hidden(games, index, player, seed):
    """Deal anew what the player cannot see."""
    redeal(games[index], player, seed)


@brief
def observe(games, index, boards, player, with_planning, with_tolls_visible, plans, out):
    """Write a player's observation; `plans` is scratch space."""
    write_observation(games[index], boards[0], player, with_planning, with_tolls_visible, plans[0], out)


@brief
def assess_tickets(games, index, boards, player, plans, needs, useful):
    """Write how far a player is from its tickets (`planning.assess`); `plans` is scratch space."""
    assess(games[index], boards[0], player, plans[0], needs, useful)


@brief
def shows_discards(games, index):
    """Whether everybody sees the tickets that were not kept."""
    return discards_are_public(games[index])


@brief
def neutral_demand(games, index, boards, ticket):
    """What a turned-up ticket asks of the neutral player (`neutral.demand`)."""
    return demand(games[index], boards[0], ticket)


@entry
def play_out(games, boards, source, sheet, seed, players, with_tolls, with_neutral, totals):
    """Play `len(totals)` games of random legal actions; writes their totals and returns the decisions made."""
    g = games[0]
    b = boards[0]
    decisions = 0
    for index in range(totals.shape[0]):
        new_game(g, b, derived_seed(seed, index, 0), players, with_tolls, with_neutral)
        source[0] = seeded(derived_seed(seed, index, 1))
        while g["phase"] != OVER:
            apply(g, b, random_action(g, b, source))
            decisions += 1
        score_totals(g, b, sheet)
        for player in range(players):
            totals[index, player] = sheet[player, TOTAL]
    return decisions
