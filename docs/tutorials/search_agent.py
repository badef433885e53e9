# %% [markdown]
# # A search agent of your own
#
# An agent is a class with `act(game)`. This one tries each of its candidates in worlds that agree with what it knows,
# and lets compiled planners play them to their end.

# %%
import numpy as np

from ttr_env import SCORES, Batch, Game, agents

RANK = SCORES.index("rank")


class Rollouts:
    """Takes the candidate that wins most."""

    def __init__(self, seed: int = 0, worlds: int = 4, candidates: int = 6) -> None:
        self.rng = np.random.default_rng(seed)
        self.worlds, self.candidates = worlds, candidates

    def act(self, game: Game) -> int:
        """The candidate that wins most, by its mean margin where that is the same."""
        actions = self.rng.permutation(game.legal_actions())[: self.candidates]
        worlds = [game.determinize(game.player, self.rng) for _ in range(self.worlds)]
        trials = [world.copy() for _ in actions for world in worlds]
        for trial, action in zip(trials, np.repeat(actions, len(worlds)), strict=True):
            trial.step(int(action))
        played = Batch.from_games(trials, bots=["planner"] * game.players, autoreset=False, views=False)
        margins = played.totals[:, game.player] - played.totals.mean(axis=1)
        values = (played.scores[:, game.player, RANK] == 1) + margins / 1000
        return int(actions[values.reshape(len(actions), -1).mean(axis=1).argmax()])


# %% [markdown]
# `determinize` is what makes it honest: what its seat cannot see is dealt anew, so it cannot use it.

# %%
game, rng = Game("nederland", players=2, seed=7), np.random.default_rng(1)
hidden = game.determinize(game.player, rng)
assert Rollouts(seed=3).act(game) == Rollouts(seed=3).act(hidden)

# %% [markdown]
# Against a bot:

# %%
played = agents.play(Game("nederland", players=2, seed=7), [Rollouts(worlds=2, candidates=4), "random"])
print(played.result()["winners"], [seat["total"] for seat in played.result()["seats"]])

# %% [markdown]
# In a file `mine.py`, `ttr check mine:Rollouts` says whether it is legal, repeatable and honest, and
# `ttr evaluate --agents mine:Rollouts --against planner --games 40` how strong it is. `ismcts` and `champion+search`
# are searches that come with the package.
