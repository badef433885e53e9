"""What a training run can be told: every field of a configuration file, with its meaning, bounds and default.

`configs/base.yaml` is written from these classes.
"""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal, Self, cast

from pydantic import AfterValidator, Field, PositiveFloat, PositiveInt, create_model, model_validator

from ttr_env.agents.built_in import ADVISERS
from ttr_env.bots.features.columns import GROUPS
from ttr_env.bots.scorer import MAX_FIRST, MAX_SECOND
from ttr_env.errors import SettingsError
from ttr_env.learning.reading import Part, read_as
from ttr_env.maps.generating import GENERATED, series
from ttr_env.options import GAME_OPTIONS, GameOptions, Variant, of_kind
from ttr_env.tasks.reserved import refuse_held_out, refuse_reserved

__all__ = ["AnySettings", "Part", "Settings", "SettingsError", "read", "read_as"]


def along(ends: tuple[float, float], passed: float) -> float:
    """Where something that moves in a straight line from the first value to the second is after this part of a run.

    >>> along((1.0, 3.0), 0.25)
    1.5
    """
    return ends[0] + passed * (ends[1] - ends[0])


class RunSettings(Part):
    """The run itself."""

    steps: PositiveInt = Field(description="decisions of the learner; on RLlib, of all players", examples=[8_000_000])
    seed: Annotated[int, AfterValidator(refuse_reserved)] = Field(
        default=0, ge=0, description="everything random follows from it"
    )
    threads: PositiveInt = Field(
        default=1, description="processor threads; more than one pays off for larger networks on an idle machine"
    )
    checkpoint_minutes: float = Field(default=5.0, gt=0, description="time between two checkpoints")
    appraisal_games: int = Field(
        default=0,
        ge=0,
        description="against itself at the end, from which it learns what positions are worth; for actions",
    )
    evaluation_games: int = Field(default=2000, ge=2, description="against each of the opponents below, at the end")
    evaluation_opponents: list[str] = Field(
        default=["random", "greedy", "racer", "planner:version=1", "planner"],
        min_length=1,
        description="who it plays at the end, in all other seats",
    )


_FIELDS: dict[str, Any] = {
    "map": (str, Field(default="nederland", description="a built-in map, or the folder of your own")),
    **{
        name: (option.type, Field(default=option.default, description=option.meaning))
        for name, option in GAME_OPTIONS.items()
    },
}
_Chosen: Any = create_model("_Chosen", __base__=Part, **_FIELDS)  # so that no option of a game is declared twice


class GameSettings(_Chosen):
    """Which game is played."""

    mix: list[dict[str, Any]] = Field(
        default=[],
        description="other tables, each played as often: what differs, as in [{players: 3}, {map: usa}]; for actions",
    )
    boards: int = Field(
        default=1, ge=1, le=256, description="of each map from a seed: as many boards, of the next seeds; for actions"
    )

    @model_validator(mode="after")
    def _is_there(self) -> GameSettings:
        try:
            variants = self.variants  # it refuses what cannot be played
        except TypeError as error:
            raise ValueError(str(error)) from error
        if self.boards > 1 and not any(table.map.name.startswith(GENERATED) for table in variants):
            raise ValueError("boards: more of them need a map from a seed, as in map: generate:seed=1,cities=30")
        return self

    @property
    def variants(self) -> list[Variant]:
        """All kinds of games, checked."""
        tables = [{"map": self.map, **self.options, **other} for other in ({}, *self.mix)]
        return [Variant.of(board, **_without_map(table)) for table in tables for board in self._boards(table["map"])]

    @property
    def variant(self) -> Variant:
        """The game, checked."""
        return Variant.of(self.map, **self.options)

    @property
    def options(self) -> GameOptions:
        """What is chosen on the map, as keywords."""
        return cast(GameOptions, of_kind(self.model_dump(), GameOptions))

    def _boards(self, map: Any) -> list[Any]:
        """The map, or as many from a seed as are wanted."""
        if not (isinstance(map, str) and map.startswith(GENERATED)):
            return [map]
        return series(map, self.boards)


def _without_map(table: dict[str, Any]) -> Any:
    return {name: value for name, value in table.items() if name != "map"}


def _adviser(name: str) -> str:
    if refuse_held_out(name) not in ADVISERS:
        raise ValueError(f"choose one of {', '.join(ADVISERS)}, or null")
    return name


def _group(name: str) -> str:
    if name not in GROUPS:
        raise ValueError(f"choose of {', '.join(GROUPS)}")
    return name


def _met_in_training(opponents: dict[str, float]) -> dict[str, float]:
    for name in opponents:
        refuse_held_out(name)
    return opponents


class SightSettings(Part):
    """What the network sees."""

    features: Literal["base", "planning", "actions"] = Field(
        default="planning",
        description="base; planning, which adds what the tickets still need; or actions, whose features are scored",
    )
    tolls_visible: bool = Field(default=False, description="whether it sees the others' tolls, which the rules hide")
    adviser: Annotated[str, AfterValidator(_adviser)] | None = Field(
        default="planner", description="a bot whose choice it is told, or null"
    )
    trust: float = Field(
        default=7.5, ge=0, le=20, description="how much it trusts the adviser at first: the logit of the advised action"
    )
    blind_to: list[Annotated[str, AfterValidator(_group)]] = Field(
        default=[], description="groups of columns that it does not read, to see what they are worth; for actions"
    )


class NetworkSettings(Part):
    """The network: layers shared by policy and value."""

    layers: list[PositiveInt] = Field(default=[128, 128], min_length=1, description="units of each of them")
    activation: Literal["relu", "tanh"] = Field(default="relu", description="relu or tanh")
    critic: list[PositiveInt] = Field(
        default=[64, 64], min_length=1, description="units of the layers of the value network, for actions"
    )
    critic_knows: Literal["seen", "hidden"] = Field(
        default="hidden", description="whether it knows, in training alone, what is hidden from the player, for actions"
    )
    start_from: str | None = Field(
        default=None, description="a policy file of the same shape to begin with, or null; for actions also champion"
    )


class RewardSettings(Part):
    """What the learner is rewarded for. Weights move in a straight line."""

    points: tuple[float, float] = Field(
        default=(0.3, 0.3), description="for each 100 points, as they come in: at the start of the run, and at its end"
    )
    win: tuple[float, float] = Field(default=(0.7, 0.7), description="for a win; a loss costs as much")
    margin: tuple[float, float] = Field(
        default=(0.0, 0.0),
        description="for the margin to the best other, squeezed to -1 to 1: a half at 20 points; for actions",
    )
    lead: tuple[float, float] = Field(default=(0.0, 0.0), description="for each 100 points of that margin; for actions")


class PPOSettings(Part):
    """The algorithm, with the names of Stable-Baselines3. What has two values moves in a straight line."""

    games: PositiveInt = Field(default=512, description="played side by side; on RLlib, by each env runner")
    n_steps: PositiveInt = Field(
        default=32, description="decisions in each of them between two updates; for actions, of a whole game, about"
    )
    batch_size: PositiveInt = Field(default=2048, description="samples in a gradient step; on RLlib, of each learner")
    n_epochs: PositiveInt = Field(default=2, description="passes over the samples in an update")
    learning_rate: tuple[float, float] = Field(
        default=(1e-3, 1e-5), description="at the start of the run, and at its end"
    )
    gamma: float = Field(default=1.0, gt=0, le=1, description="what a reward one decision later is worth")
    gae_lambda: float = Field(
        default=0.95, ge=0, le=1, description="how far advantages look ahead before they trust the value network"
    )
    clip_range: float = Field(default=0.2, gt=0, description="how far an update may move the policy")
    ent_coef: tuple[float, float] = Field(
        default=(3e-4, 3e-4), description="the weight of the entropy bonus: at the start of the run, and at its end"
    )
    vf_coef: float = Field(default=0.5, ge=0, description="the weight of the value network's error")
    max_grad_norm: float = Field(default=0.5, gt=0, description="longer gradients are clipped")
    target_kl: float | None = Field(
        default=None, gt=0, description="an update stops when the policy has moved so far; null: never"
    )


class LeagueSettings(Part):
    """The opponents, for `training.train` alone: on RLlib every seat learns."""

    opponents: Annotated[dict[str, PositiveFloat], AfterValidator(_met_in_training)] = Field(
        default={"planner:version=1": 1.0, "racer": 0.1}, min_length=1, description="agents, and how often each is met"
    )
    self_play: float = Field(
        default=0.0, ge=0, le=1, description="share of games against itself, from which all seats learn; for actions"
    )
    urge_share: float = Field(
        default=0.0, ge=0, le=1, description="share of games in which it has an urge to draw tickets; for actions"
    )
    urge: float = Field(default=3.0, ge=0, description="how strong that is at most, in logits; it fades")
    urge_until: float = Field(default=0.7, gt=0, le=1, description="the part of the run after which it is gone")
    snapshot_every: int = Field(
        default=100, ge=0, description="updates between two snapshots, past selves of the learner; 0: none"
    )
    snapshot_weight: float = Field(default=0.2, ge=0, description="how often a snapshot is met")
    active_snapshots: int = Field(default=3, ge=0, description="how many of them are met: the hardest ones")
    power: float = Field(default=1.0, ge=0, description="how much more often hard opponents are met; 0: all alike")
    floor: float = Field(default=0.05, gt=0, le=1, description="how much an opponent that always loses still counts")


class AnySettings(Part):
    """What every configuration file has."""

    run: RunSettings
    game: GameSettings = GameSettings()
    sight: SightSettings = SightSettings()
    network: NetworkSettings = NetworkSettings()
    reward: RewardSettings = RewardSettings()
    ppo: PPOSettings = PPOSettings()

    @model_validator(mode="after")
    def _can_be_evaluated(self) -> Self:
        if self.run.evaluation_games < self.game.players:
            raise ValueError(f"run.evaluation_games: at least {self.game.players} play a deal from every seat")
        return self

    @model_validator(mode="after")
    def _suits_its_features(self) -> Self:
        if self.sight.features == "actions":
            _check_scoring(self)
            return self
        for name, value in self.only_for_actions().items():
            if value:
                raise ValueError(f"{name}: it needs sight.features=actions")
        return self

    def only_for_actions(self) -> dict[str, Any]:
        """What only learning from whole games knows, by its name: something where it is asked for."""
        return {
            "run.appraisal_games": self.run.appraisal_games,
            "game.mix": self.game.mix,
            "game.boards": self.game.boards > 1,
            "reward.margin": any(self.reward.margin),
            "reward.lead": any(self.reward.lead),
        }


def _check_scoring(settings: AnySettings) -> None:
    """Refuse what a network that scores candidates has no use for."""
    if settings.sight.adviser is not None or settings.sight.tolls_visible:
        raise ValueError("sight: with features actions there is no adviser and no tolls_visible")
    if settings.sight.blind_to and settings.network.start_from:
        raise ValueError("sight.blind_to: a network to start from has read all columns; begin from nothing")
    layers = settings.network.layers
    if len(layers) != 2 or layers[0] > MAX_FIRST or layers[1] > MAX_SECOND:
        raise ValueError(f"network.layers: actions are scored by two layers of at most {MAX_FIRST} and {MAX_SECOND}")
    if settings.network.activation != "relu":
        raise ValueError(f"network.activation: actions are scored with relu, not with {settings.network.activation}")


class Settings(AnySettings):
    """A whole configuration file of `training.train`."""

    league: LeagueSettings = LeagueSettings()

    def only_for_actions(self) -> dict[str, Any]:
        """Also what only a league of whole games knows."""
        league = {"league.self_play": self.league.self_play, "league.urge_share": self.league.urge_share}
        return {**super().only_for_actions(), **league}

    @property
    def updates(self) -> int:
        """How many updates the run makes."""
        return -(-self.run.steps // (self.ppo.games * self.ppo.n_steps))


def read(path: str | os.PathLike[str], changes: list[str] | None = None) -> Settings:
    """The settings in a file, with changes such as `ppo.learning_rate=[1e-4, 1e-5]` made to it."""
    return read_as(Settings, path, changes)
