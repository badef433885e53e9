"""The learner's games as Stable-Baselines3 sees them."""

import random
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

from training.examples.aec_learner import AECLearner
from ttr_env import Game, agents
from ttr_env.agents.base import Agent
from ttr_env.engine.scoring import PARTS
from ttr_env.learning.sb3.policy import Policy
from ttr_env.learning.sb3.vec_env import LearnerVecEnv


def legal_actions(env: Any, rng: np.random.Generator) -> np.ndarray:
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in get_action_masks(env)])


def test_masks_are_one_array() -> None:
    env = LearnerVecEnv(games=5, seed=1)
    env.reset()
    masks = env.env_method("action_masks")
    assert isinstance(masks, np.ndarray) and masks.shape == (5, env.action_space.n) and masks.dtype == bool
    assert env.env_method("action_masks", indices=[3]).shape == (1, env.action_space.n)
    assert is_masking_supported(env) and is_masking_supported(VecMonitor(env))
    with pytest.raises(AttributeError, match="no method 'undo'"):
        env.env_method("undo")


@pytest.mark.parametrize("players", [2, 4])
def test_monitors_win_rate_and_parts_of_the_score(players: int) -> None:
    env = VecMonitor(
        LearnerVecEnv(games=16, players=players, opponents={"greedy": 1.0, "planner": 1.0}, win=0.5, seed=1),
        info_keywords=("is_success", *PARTS),
    )
    env.reset()
    rng, ended = np.random.default_rng(0), []
    while len(ended) < 20:
        _, _, dones, infos = env.step(legal_actions(env, rng))
        ended += [infos[row] for row in np.flatnonzero(dones)]
    for info in ended:
        episode = info["episode"]
        assert episode["r"] == pytest.approx(episode["total"] / 100 + (0.5 if info["is_success"] else -0.5), abs=0.06)
        assert episode["l"] > 10
        assert info["terminal_observation"].shape == env.observation_space.shape
        assert episode["total"] == sum(episode[part] for part in PARTS if part not in ("total", "completed"))


class Recorded(Agent):
    """A planner that counts how often it is asked, and for how many games."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []
        self._planner = agents.make("planner")

    def act(self, game: Game) -> int:
        return self._planner.act(game)

    def act_batch(self, batch: Any, rows: np.ndarray) -> np.ndarray:
        self.asked.append(len(rows))
        return self._planner.act_batch(batch, rows)


def test_outside_opponents_are_asked_for_many_games_at_once() -> None:
    env, agent, rng = LearnerVecEnv(games=64, seed=1), Recorded(), np.random.default_rng(0)
    env.add_snapshot("now", agent, weight=1000.0)
    env.reset()
    for _ in range(10):
        env.step(legal_actions(env, rng))
    assert len(agent.asked) < 45 and np.mean(agent.asked) > 15


def test_the_same_seed_gives_the_same_games() -> None:
    envs = [LearnerVecEnv(games=4, opponents={"random": 1.0, "racer": 1.0}, adviser="racer", seed=5) for _ in range(2)]
    seen = [env.reset() for env in envs]
    for _ in range(80):
        assert np.array_equal(*seen)
        seen = [env.step(env.action_masks().argmax(axis=1))[0] for env in envs]


def test_goes_on_from_a_state() -> None:
    one, other = (LearnerVecEnv(games=4, opponents={"random": 1.0, "racer": 1.0}, seed=5) for _ in range(2))
    one.reset()
    other.reset()
    for _ in range(30):
        one.step(one.action_masks().argmax(axis=1))
    other.restore(one.state())
    for _ in range(150):
        results = [env.step(env.action_masks().argmax(axis=1)) for env in (one, other)]
        for first, second in zip(results[0][:3], results[1][:3], strict=True):
            assert np.array_equal(first, second)
    assert one.league.state() == other.league.state()


class Plain:
    """An opponent of one's own that draws chance in its own way."""

    def __init__(self) -> None:
        self.rng = random.Random(0)

    def act(self, game: Game) -> int:
        return self.rng.choice(game.legal_actions().tolist())


def test_an_opponent_may_draw_chance_in_its_own_way() -> None:
    one, other = LearnerVecEnv(games=2), LearnerVecEnv(games=2)
    for env in (one, other):
        env.add_snapshot("plain", Plain(), weight=1.0)
        env.reset()
    other.restore(one.state())
    assert np.array_equal(one.action_masks(), other.action_masks())


class Ended(BaseCallback):
    """Keeps the infos of finished games."""

    def __init__(self) -> None:
        super().__init__()
        self.infos: list[dict[str, Any]] = []

    def _on_step(self) -> bool:
        self.infos += [info for info, done in zip(self.locals["infos"], self.locals["dones"], strict=True) if done]
        return True


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["MlpPolicy", Policy], ids=["sb3", "own"])
@pytest.mark.parametrize("monitored", [False, True])
def test_training_never_picks_an_illegal_action(policy: Any, monitored: bool) -> None:
    env: Any = LearnerVecEnv(games=32, opponents={"random": 1.0}, seed=0)
    model = MaskablePPO(policy, VecMonitor(env) if monitored else env, n_steps=80, batch_size=640, n_epochs=1, seed=0)
    ended = Ended()
    model.learn(5120, ended)
    assert len(ended.infos) > 20
    assert not any(info["illegal_action"] for info in ended.infos)


def test_an_illegal_action_loses() -> None:
    env = LearnerVecEnv(games=2, win=0.5, seed=0)
    env.reset()
    _, rewards, dones, infos = env.step((~env.action_masks()).argmax(axis=1))
    assert dones.all() and rewards.tolist() == [-1.5, -1.5]
    assert infos[0]["illegal_action"] and not infos[0]["is_success"]


def test_works_with_the_evaluation_of_sb3_contrib() -> None:
    env = LearnerVecEnv(games=8, opponents={"random": 1.0}, seed=0)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=0)
    mean, _ = evaluate_policy(model, VecMonitor(LearnerVecEnv(games=8, seed=1)), n_eval_episodes=8)
    assert -6 < mean < 3


def test_maskable_ppo_learns_through_pettingzoo() -> None:
    env = AECLearner(players=2)
    model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=64, n_epochs=1, seed=0)
    model.learn(256)
    observation, _ = env.reset(seed=3)
    rewards, ended = [], False
    while not ended:
        action, _ = model.predict(observation, action_masks=env.action_masks())
        assert env.action_masks()[action]
        observation, reward, terminated, truncated, info = env.step(int(action))
        assert "illegal_action" not in info
        rewards.append(reward)
        ended = terminated or truncated
    assert rewards[-1] in (-1, 0, 1) and not any(rewards[:-1])


def test_the_loser_sees_the_loss_through_pettingzoo() -> None:
    planner = agents.make("planner")
    env = AECLearner(lambda seen: planner.act(env.env.unwrapped.game), players=2)
    lost = []
    for seed in range(3):
        env.reset(seed=seed)
        ended = False
        while not ended:
            _, reward, terminated, truncated, _ = env.step(int(env.action_masks().argmax()))
            ended = terminated or truncated
        lost.append(reward)
    assert lost == [-1, -1, -1]


def test_an_unknown_option_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"no option 'player' .*; the options are: .*players.*adviser"):
        LearnerVecEnv(games=2, player=3)  # type: ignore[call-arg]
