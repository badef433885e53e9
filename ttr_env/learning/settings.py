"""What a training run can be told: every field of a configuration file, with its meaning and bounds."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt, ValidationError, model_validator

from ttr_env.errors import SettingsError as SettingsError  # it is imported from here too
from ttr_env.options import Variant


class Part(BaseModel):
    """A part of a configuration: unknown names are refused, values are checked, nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class GameSettings(Part):
    """Which game is played."""

    map: str = "nederland"  # a built-in map, or the folder of one's own
    players: int = Field(default=2, ge=2, le=5)
    tolls: bool | None = None  # null: as the map has it
    neutral_player: bool = False

    @model_validator(mode="after")
    def _can_be_dealt(self) -> GameSettings:
        Variant.of(self.map, players=self.players, tolls=self.tolls, neutral_player=self.neutral_player)
        return self


class SightSettings(Part):
    """What the network sees."""

    features: Literal["base", "planning"] = "planning"
    tolls_visible: bool = False  # whether it also sees the others' tolls
    adviser: Literal["greedy", "racer", "planner"] | None = None  # a built-in player whose choice it is told
    trust: float = Field(default=6.0, ge=0, le=20)  # how much the adviser is trusted at first: its action's logit


class NetworkSettings(Part):
    """The network: layers shared by policy and value."""

    layers: list[PositiveInt] = Field(default=[256, 128], min_length=1)
    activation: Literal["relu", "tanh"] = "relu"
    start_from: str | None = None  # a policy file to begin with; its layers must be the same


class RewardSettings(Part):
    """What the learner is rewarded for. The weights move in a straight line from the first value to the second."""

    points: tuple[float, float] = (1.0, 1.0)  # each 100 points, as they come in
    win: tuple[float, float] = (0.0, 0.0)  # a win; a loss costs as much


class PPOSettings(Part):
    """The algorithm, with the names of Stable-Baselines3. Two values: moves in a straight line from first to second."""

    games: PositiveInt = 512  # played side by side
    n_steps: PositiveInt = 32  # decisions in each of them between two updates
    batch_size: PositiveInt = 2048  # samples in a gradient step
    n_epochs: PositiveInt = 2  # passes over the samples in an update
    learning_rate: tuple[float, float] = (3e-4, 1e-5)
    gamma: float = Field(default=1.0, gt=0, le=1)  # what a reward one decision later is worth
    gae_lambda: float = Field(default=0.95, ge=0, le=1)
    clip_range: float = Field(default=0.2, gt=0)
    ent_coef: tuple[float, float] = (0.005, 0.001)
    vf_coef: float = Field(default=0.5, ge=0)
    max_grad_norm: float = Field(default=0.5, gt=0)
    target_kl: float | None = Field(default=None, gt=0)  # an update stops when the policy has moved so far


class LeagueSettings(Part):
    """The opponents."""

    opponents: dict[str, PositiveFloat] = Field(default={"random": 1.0}, min_length=1)  # how often each agent is met
    snapshot_every: int = Field(default=50, ge=0)  # updates between two snapshots of the learner; 0: none
    snapshot_weight: float = Field(default=0.3, ge=0)  # how often a snapshot is met
    active_snapshots: int = Field(default=3, ge=0)  # how many snapshots, the hardest ones, are met
    power: float = Field(default=1.0, ge=0)  # how much more often hard opponents are met; 0: all alike
    floor: float = Field(default=0.05, gt=0, le=1)  # how much an opponent that always loses still counts


class RunSettings(Part):
    """The run itself."""

    steps: PositiveInt  # decisions of the learner
    seed: int = Field(default=0, ge=0)
    threads: PositiveInt = 1  # of the processor
    checkpoint_minutes: float = Field(default=5.0, gt=0)
    evaluation_games: int = Field(default=1000, ge=2)  # against each baseline, at the end
    evaluation_opponents: list[str] = Field(default=["random", "greedy", "racer", "planner"], min_length=1)


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


class Settings(AnySettings):
    """A whole configuration file of `training.train`."""

    league: LeagueSettings = LeagueSettings()

    @property
    def updates(self) -> int:
        """How many updates the run makes."""
        return -(-self.run.steps // (self.ppo.games * self.ppo.n_steps))


Whole = TypeVar("Whole", bound=Part)


def read(path: str | os.PathLike[str], changes: list[str] | None = None) -> Settings:
    """The settings in a file, with changes such as `ppo.learning_rate=[1e-4, 1e-5]` made to it."""
    return read_as(Settings, path, changes)


def read_as(model: type[Whole], path: str | os.PathLike[str], changes: list[str] | None = None) -> Whole:
    """The settings in a file of a kind of its own."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"config {path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"config {path} is no text in UTF-8") from error
    try:
        values = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        raise SettingsError(f"config {path} is no YAML: {_in_one_line(error)}") from error
    if not isinstance(values, dict):
        raise SettingsError(f"config {path}: the file must hold sections such as run: and ppo:")
    for change in changes or []:
        _change(values, change)
    return check(model, values, str(path))


def check(model: type[Whole], values: dict[str, Any], origin: str) -> Whole:
    """Settings from plain values, or one error that names everything that is wrong with them."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        faults = "; ".join(_fault(model, fault) for fault in error.errors())
        raise SettingsError(f"config {origin}: {faults}") from error


def _change(values: dict[str, Any], change: str) -> None:
    name, equals, text = change.partition("=")
    keys = name.strip().split(".")
    if not equals or not all(keys):
        raise SettingsError(f"--set {change}: write section.field=value, such as ppo.n_epochs=4")
    for key in keys[:-1]:
        values = values.setdefault(key, {})
        if not isinstance(values, dict):
            raise SettingsError(f"--set {change}: {key} is a value, not a section")
    try:
        values[keys[-1]] = _value(text)
    except yaml.YAMLError as error:
        raise SettingsError(f"--set {change}: the value is no YAML: {_in_one_line(error)}") from error


def _in_one_line(error: yaml.YAMLError) -> str:
    """What is wrong, and where; the library would draw the place over several lines."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return " ".join(str(error).split())
    mark = error.problem_mark
    return f"{error.problem} in line {mark.line + 1}, column {mark.column + 1}"


def _value(text: str) -> Any:
    """A value as YAML has it; numbers such as 1e-4 are numbers here, which YAML takes for text."""
    value = yaml.safe_load(text)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _fault(model: type[Part], fault: Any) -> str:
    """One fault in words."""
    place = ".".join(str(part) for part in fault["loc"])
    if not place:
        return str(fault["msg"]).removeprefix("Value error, ")  # the whole file need not be repeated
    if fault["type"] == "missing":
        return f"{place}: is missing"
    if fault["type"] == "model_type":
        return f"{place}: fields are needed here: {', '.join(_fields(model, fault['loc']))} (it is {fault['input']!r})"
    if fault["type"] != "extra_forbidden":
        return f"{place}: {fault['msg'].removeprefix('Value error, ')} (it is {fault['input']!r})"
    known = _fields(model, fault["loc"][:-1])
    near = difflib.get_close_matches(str(fault["loc"][-1]), known, 1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
    return f"{place}: there is no such field; {hint}"


def _fields(model: Any, section: tuple[int | str, ...]) -> list[str]:
    """The fields of a section."""
    for name in section:
        model = model.model_fields[name].annotation
    return list(model.model_fields)
