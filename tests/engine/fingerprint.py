"""What some games look like from beginning to end, as digests: `python -m tests.engine.fingerprint` prints them."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import gymnasium
import numpy as np

from tests.helpers.busy import rare_action
from tests.helpers.looking import look_at
from tests.helpers.variants import variant_name
from ttr_env import Batch, Game, agents, playouts
from ttr_env.agents.scorer import Scorer
from ttr_env.bots.built_in import BOTS
from ttr_env.engine.layout import REWARDS

OPTIONS = [
    {"players": 2, "tolls": True, "neutral_player": True},
    {"players": 3, "tolls": False, "neutral_player": False},
    {"players": 5, "tolls": True, "neutral_player": False},
    {"map": "nordic", "players": 2, "tolls": False, "neutral_player": False},
    {"map": "usa", "players": 3, "tolls": False, "neutral_player": False},
]


def digest(*parts: Any) -> str:
    text = json.dumps([part.tolist() if isinstance(part, np.ndarray) else part for part in parts])
    return hashlib.sha256(text.encode()).hexdigest()


def of_a_game(options: dict[str, Any]) -> str:
    """Random choices to the end; now and then every seat looks at the game."""
    game, rng = Game(seed=11, **options), random.Random(5)
    seen = []
    while game.player >= 0:
        actions = game.legal_actions()
        seen.append(digest(actions))
        if len(seen) % 15 == 0:
            for seat in range(game.players):
                seen.append(digest(game.observe(seat), game.observe(seat, "planning", tolls_visible=True)))
                other_deal = game.determinize(seat, np.random.default_rng(len(seen)))
                seen.append(digest(other_deal.snapshot()))
        game.step(rng.choice(actions.tolist()))
    return digest(seen, game.snapshot(), game.result())


def of_features(options: dict[str, Any]) -> str:
    """Candidates and features of some decisions of a game, half of whose actions are rare ones."""
    game, rng = Game(seed=13, **options), random.Random(7)
    seen = []
    while game.player >= 0:
        if len(game.actions) % 12 == 0 or game.phase in ("neutral", "tunnel"):
            seen.append(digest(*look_at(game)))
        rare = rng.random() < 0.5
        game.step(rare_action(game, rng) if rare else rng.choice(game.legal_actions().tolist()))
    return digest(seen)


def of_playouts(options: dict[str, Any]) -> str:
    played = playouts(games=1, seed=3, **options)
    return digest(played.decisions, played.totals)


def of_a_batch(options: dict[str, Any]) -> str:
    batch = Batch(games=2, seed=4, features="planning", reward="dense", max_decisions=15, **options)
    seen = []
    for _ in range(20):
        batch.step(batch.sample())
        seen.append(digest(batch.observations, batch.masks, batch.rewards, batch.done, batch.totals))
    return digest(seen)


def of_networks(options: dict[str, Any]) -> str:
    """A learner who sees action features, and networks that draw what they do."""
    networks = [Scorer.random(np.random.default_rng(seed), 8, 4).weights(1.0) for seed in range(options["players"] - 1)]
    batch = Batch(games=2, seed=4, features="actions", max_decisions=20, bots=[None, *networks], **options)
    seen = []
    for _ in range(10):
        batch.step(batch.sample())
        seen.append(digest(*batch.observations, *batch.final_observations, batch.movers))
    return digest(seen, batch.totals)


def of_agents(options: dict[str, Any]) -> str:
    """Each of the built-in agents at a table of its own kind."""
    return digest([played_by(name, options).record()["actions"] for name in BOTS])


def of_a_search(options: dict[str, Any]) -> str:
    """What a search chooses in the last decisions of a game, where playouts are short."""
    record = played_by("planner", options).record()
    searcher = agents.make("ismcts:iterations=60", seed=9)
    seen = []
    for left in (2, 5):
        game = Game.replay(record | {"actions": record["actions"][:-left]})
        seen.append(int(searcher.act(game)))
    return digest(seen)


def of_environments(options: dict[str, Any]) -> str:
    """Learners who take the last legal action, with each kind of reward; some episodes end and others are cut off."""
    seen = []
    for limit, reward in zip((1000, 1000, 1000, 70), REWARDS, strict=True):
        chosen = {"opponents": "racer", "reward": reward, "max_decisions": limit, **options}
        envs = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=2, **chosen)
        _, infos = envs.reset(seed=8)
        for _ in range(60):
            legal = infos["action_mask"]
            *told, infos = envs.step(legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1))
            seen.append(digest(*told, infos["action_mask"]))
    return digest(seen)


def played_by(name: str, options: dict[str, Any]) -> Game:
    """A game with the same agent in every seat."""
    game, agent = Game(seed=12, **options), agents.make(name, seed=6)
    while game.player >= 0:
        game.step(agent.act(game))
    return game


def all_fingerprints() -> dict[str, str]:
    return {
        f"{variant_name(options)} {kind.__name__}": kind(options)
        for options in OPTIONS
        for kind in (
            of_a_game,
            of_features,
            of_playouts,
            of_a_batch,
            of_networks,
            of_agents,
            of_a_search,
            of_environments,
        )
    }


if __name__ == "__main__":
    print(json.dumps(all_fingerprints()))
