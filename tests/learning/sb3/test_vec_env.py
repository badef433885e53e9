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

from tests.helpers.networks import random_scorer
from tests.helpers.seen import row, same
from training.examples.aec_learner import AECLearner
from ttr_env import Game, agents
from ttr_env.agents.base import Agent
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.bots.built_in import FIRST_NETWORK
from ttr_env.bots.features.columns import ACTION, HIDDEN, VERSION, names
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


def test_games_begin_in_positions_for_one_reset() -> None:
    env, rng = (
        LearnerVecEnv(games=3, players=3, opponents={"greedy": 1.0, "racer": 1.0}, seed=5),
        np.random.default_rng(0),
    )
    game = Game("nederland", players=3, seed=5)
    while len(game.actions) < 31:
        game.step(game.sample(rng))
    env.set_options([{"snapshot": game.snapshot()}, {}, {"snapshot": game.snapshot()}])
    seen = env.reset()
    assert env.games.game(0) == env.games.game(2) == game != env.games.game(1)
    assert np.array_equal(seen[0], game.observe(game.player)) and np.array_equal(
        env.action_masks()[2], game.action_mask()
    )
    env.step(env.action_masks().argmax(axis=1))
    env.reset()
    assert game not in [env.games.game(row) for row in range(3)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"snapshot": Game("usa", seed=1).snapshot()}, "map: nederland is needed here, not usa"),
        ({"snapshots": {}}, r"'snapshots' is unknown; reset\(\) takes snapshot"),
    ],
)
def test_bad_options_of_a_reset_are_refused_and_nothing_changes(options: dict[str, Any], message: str) -> None:
    one, other = (LearnerVecEnv(games=2, opponents={"random": 1.0, "racer": 1.0}, seed=5) for _ in range(2))
    for env in (one, other):
        env.reset()
    one.set_options(options)
    with pytest.raises(ValueError, match=message):
        one.reset()
    one.set_options()
    for _ in range(2):
        assert [one.games.game(row) for row in range(2)] == [other.games.game(row) for row in range(2)]
        one.reset()
        other.reset()


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


# Action features --------------------------------------------------------------------------------


def ended_games(env: LearnerVecEnv, games: int) -> list[dict[str, Any]]:
    """Infos of so many finished games."""
    rng, ended = np.random.default_rng(0), []
    env.reset()
    while len(ended) < games:
        _, _, dones, infos = env.step(legal_actions(env, rng))
        ended += [infos[place] for place in np.flatnonzero(dones)]
    return ended


def test_observations_are_what_the_running_games_show() -> None:
    env = LearnerVecEnv(games=4, players=3, opponents={"planner": 1.0}, features="actions", seed=1)
    observations = env.reset()
    for _ in range(80):
        for place in range(4):
            assert same(row(observations, place), env.games.game(place).action_features()._asdict())
        assert row(observations, 0) in env.observation_space
        observations, *_ = env.step(env.action_masks().argmax(axis=1))
    with pytest.raises(AttributeError, match="no vector"):
        _ = env.sight


@pytest.mark.parametrize("critic", [None, "hidden"])
def test_terminal_observations_have_the_form_of_all_others(critic: str | None) -> None:
    env = LearnerVecEnv(games=8, features="actions", critic=critic, seed=1)
    for info in ended_games(env, 10):
        last = info["terminal_observation"]
        assert last in env.observation_space
        assert not last["state"].any() and (last["index"] == -1).all()
        assert set(last) == {"state", "actions", "index"} | ({"hidden"} if critic else set())


def test_the_critic_alone_is_told_where_the_others_stand() -> None:
    plain, told = (LearnerVecEnv(games=4, features="actions", critic=critic, seed=1) for critic in (None, "hidden"))
    assert told.observation_space["hidden"].shape == (len(HIDDEN),)
    seen = [plain.reset(), told.reset()]
    for _ in range(60):
        hidden = seen[1].pop("hidden")
        assert same(*seen), "the rest is the same"
        for place in range(4):
            game = told.games.game(place)
            seats = game.snapshot()["seats"]
            own, other = seats[game.player], seats[1 - game.player]
            assert hidden[place, names(HIDDEN).index("true_tolls")] == pytest.approx(
                other["tolls"] / 30 if other["loans"] == 0 else 0
            )
            assert own["points"] / 300 <= hidden[place, 0] + 1e-6
        seen = [env.step(env.action_masks().argmax(axis=1))[0] for env in (plain, told)]


def test_an_adviser_marks_its_action() -> None:
    env, planner = (
        LearnerVecEnv(games=4, features="actions", adviser="planner", seed=1),
        agents.make("planner:version=1"),
    )
    observations, found = env.reset(), 0
    for _ in range(60):
        advised = observations["actions"][:, :, names(ACTION).index("advised")]
        for place in range(4):
            wanted = planner.act(env.games.game(place))
            assert np.array_equal(advised[place] == 1, observations["index"][place] == wanted)
            found += wanted in observations["index"][place]
        observations, *_ = env.step(env.action_masks().argmax(axis=1))
    assert found > 200


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"critic": "hidden"}, 'needs features="actions"'),
        ({"critic": "all", "features": "actions"}, "critic: 'all' is unknown"),
    ],
)
def test_bad_critics(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LearnerVecEnv(games=2, **options)


def test_goes_on_from_a_state_with_action_features_and_networks() -> None:
    envs = [LearnerVecEnv(games=4, features="actions", critic="hidden", seed=5) for _ in range(2)]
    for env in envs:
        env.add_snapshot("past", ScoringAgent(random_scorer(1), temperature=1.0), weight=1000.0)
        env.reset()
    for _ in range(60):
        envs[0].step(envs[0].action_masks().argmax(axis=1))
    assert FIRST_NETWORK in envs[0].games.facing and not envs[0].games.outside
    envs[1].restore(envs[0].state())
    for _ in range(100):
        one, other = (env.step(env.action_masks().argmax(axis=1)) for env in envs)
        assert all(same(a, b) for a, b in zip(one[:3], other[:3], strict=True))


def test_sb3_learns_from_action_features_saves_and_loads(tmp_path: Any) -> None:
    env = VecMonitor(LearnerVecEnv(games=4, features="actions", critic="hidden", seed=0))
    model = MaskablePPO("MultiInputPolicy", env, n_steps=16, batch_size=32, n_epochs=1, seed=0)
    model.learn(64)
    model.save(tmp_path / "model.zip")
    loaded = MaskablePPO.load(tmp_path / "model.zip")
    assert loaded.observation_space == env.observation_space
    assert loaded.observation_space.sight == {"features": "actions", "version": VERSION, "adviser": None}
    observations = env.reset()
    actions, _ = loaded.predict(observations, action_masks=get_action_masks(env))
    assert get_action_masks(env)[np.arange(4), actions].all()
