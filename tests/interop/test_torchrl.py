"""TorchRL's own check of the environments, and games played through its wrappers by their masks alone."""

from typing import Any

import gymnasium
import pytest
import torch
from tensordict.nn import TensorDictModule
from torchrl.data import Binary
from torchrl.envs import ActionMask, TransformedEnv, default_info_dict_reader
from torchrl.envs.libs.gym import GymWrapper
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType, check_env_specs

import ttr_env
from tests.helpers.variants import VARIANTS, variant_name

ID = "ttr_env/Nederland-v0"


@pytest.fixture(autouse=True)
def one_thread_and_one_seed() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_pettingzoo_specs(options: dict[str, Any]) -> None:
    check_env_specs(PettingZooWrapper(ttr_env.env(**options), use_mask=True), seed=0)


@pytest.mark.parametrize("make", [ttr_env.env, ttr_env.raw_env])
@pytest.mark.parametrize(
    "wrapping",
    [
        {"group_map": MarlGroupMapType.ALL_IN_ONE_GROUP},
        {"return_state": True},
        {"categorical_actions": False},
        {"done_on_any": True},
    ],
    ids=lambda wrapping: next(iter(wrapping)),
)
def test_pettingzoo_specs_however_it_is_wrapped(wrapping: dict[str, Any], make: Any) -> None:
    env = PettingZooWrapper(make(players=3, features="planning"), use_mask=True, **wrapping)
    check_env_specs(env, seed=0, break_when_any_done="both")


@pytest.mark.parametrize("players", [2, 5])
def test_pettingzoo_game_of_legal_actions(players: int) -> None:
    table = ttr_env.raw_env(players=players, reward="dense")  # raises an error when an action is not legal
    env = PettingZooWrapper(table, use_mask=True)
    env.set_seed(3)
    game = env.rollout(10_000)
    ends = game["next", "terminated"].flatten()
    assert ends[-1] and not ends[:-1].any() and not game["next", "truncated"].any()
    movers = torch.stack([game[agent, "mask"].flatten() for agent in table.possible_agents])
    assert (movers.sum(0) == 1).all()
    for seat, agent in enumerate(table.possible_agents):
        total = table.game.result()["seats"][seat]["total"]
        assert game["next", agent, "reward"].sum().item() == pytest.approx(total / 100, abs=1e-4)


def test_pettingzoo_seed_decides_the_game() -> None:
    env = PettingZooWrapper(ttr_env.env(players=3), use_mask=True)
    games = []
    for _ in range(2):
        env.set_seed(5)
        torch.manual_seed(0)
        games.append(env.rollout(200, break_when_any_done=False))
    assert (games[0] == games[1]).all()


def test_pettingzoo_truncation() -> None:
    env = PettingZooWrapper(ttr_env.raw_env(players=2, max_decisions=10), use_mask=True)
    game = env.rollout(100)
    assert len(game) == 10
    assert game["next", "truncated"][-1].all() and not game["next", "terminated"].any()


def masked(reward: str = "win", categorical: bool = True) -> TransformedEnv:
    """The single-agent environment, with its masks read from `info`."""
    env = GymWrapper(gymnasium.make(ID, players=2, reward=reward), categorical_action_encoding=categorical)
    mask = Binary(env.unwrapped.action_space.n, dtype=torch.int8)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=[mask]))
    return TransformedEnv(env, ActionMask())


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_gymnasium_specs(options: dict[str, Any]) -> None:
    check_env_specs(GymWrapper(gymnasium.make(ID, **options)), seed=0)


@pytest.mark.parametrize("categorical", [True, False])
def test_gymnasium_specs_with_masks(categorical: bool) -> None:
    check_env_specs(masked(categorical=categorical), seed=0, break_when_any_done="both")


def test_gymnasium_game_of_legal_actions() -> None:
    env = masked(reward="score")
    env.set_seed(3)
    game = env.rollout(10_000)
    legal = game["action_mask"].gather(-1, game["action"].unsqueeze(-1))
    assert legal.all() and game["next", "terminated"][-1]
    single = env.base_env.unwrapped
    total = single.game.result()["seats"][single.seat]["total"]  # an illegal action would have left no result
    assert game["next", "reward"].sum().item() == pytest.approx(total / 100)


def test_gymnasium_vector_env_by_its_masks() -> None:
    envs = gymnasium.make_vec(ID, num_envs=4, players=2, reward="score", max_decisions=60)
    env = GymWrapper(envs, categorical_action_encoding=True)
    check_env_specs(env, seed=0)

    def policy(observation: torch.Tensor, action_mask: torch.Tensor) -> torch.Tensor:
        assert torch.equal(action_mask.bool(), torch.as_tensor(envs.action_masks()))
        return torch.multinomial(action_mask.float(), 1).squeeze(-1)

    module = TensorDictModule(policy, in_keys=["observation", "action_mask"], out_keys=["action"])
    games = env.rollout(150, module, break_when_any_done=False)
    assert (games["next", "truncated"].sum(dim=1) >= 4).all()
    assert not games["next", "terminated"].any(), "an illegal action"
