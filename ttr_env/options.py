"""What can be chosen: the game (`Variant`), what is seen of it (`Sight`), and an episode of it (`Episode`).

Every option is declared here, once: with its type and meaning in a `TypedDict`, whose keys constructors take as
keywords, and as a field of the value that they are checked and turned into.

>>> variant = Variant.of("nederland", players=3)
>>> variant.players, variant.tolls, variant.num_actions
(3, True, 616)
"""

from __future__ import annotations

import functools
import operator
import os
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, TypedDict, Unpack, cast, get_args, get_type_hints

import numpy as np

from ttr_env.engine import slices
from ttr_env.engine.board import board
from ttr_env.engine.layout import CLAIM, REWARDS
from ttr_env.errors import did_you_mean
from ttr_env.maps import Map, load
from ttr_env.maps.faults import shortened

MOST_BITS = 1000  # of a number; Python does not write thousands of digits, and a message would not tell more by them
VECTORS = ("base", "planning")  # what is seen is one array of numbers
FEATURES = (*VECTORS, "actions")
MAX_DECISIONS = 2000
MOST_PRICE = 2.0**63
DEFAULT_MAP = "nederland"

MapLike = str | os.PathLike[str] | Map


class Typed(NamedTuple):
    """How an option is typed and explained on command lines, where that does not follow from its name and meaning."""

    flag: str
    help: str


class GameOptions(TypedDict, total=False):
    """Which game is played on a map: the type, meaning and default of every option."""

    players: Annotated[int, "how many seats", 2]
    tolls: Annotated[
        bool | None,
        "whether bridge tolls are paid; by default as the map has it",
        None,
        Typed("--no-tolls", "play without tolls, on a map that has them"),
    ]
    neutral_player: Annotated[bool, "whether the neutral player joins 2 players", False]


class GameOption(NamedTuple):
    """What `GameOptions` declares of an option."""

    type: Any
    meaning: str
    default: Any
    typed: Typed | None = None


GAME_OPTIONS = {
    name: GameOption(*get_args(hint)) for name, hint in get_type_hints(GameOptions, include_extras=True).items()
}
GAME_DEFAULTS = cast(GameOptions, {name: option.default for name, option in GAME_OPTIONS.items()})


class SightOptions(TypedDict, total=False):
    """What is seen of a game."""

    features: Annotated[
        str,
        '"base", or "planning", which adds what the tickets still need, '
        'or "actions": a state, and candidate actions with features of their own',
    ]
    tolls_visible: Annotated[bool, "whether observations hold the other players' tolls"]


class EpisodeOptions(TypedDict, total=False):
    """What an episode pays, and when it is cut off."""

    reward: Annotated[str, '"win", "margin", "score" or "dense"']
    max_decisions: Annotated[int, "how many decisions, of all players together, a game has before it is truncated"]


class ViewOptions(SightOptions, EpisodeOptions, total=False):
    """What is seen of games that are given, and what an episode of them is."""


class TableOptions(GameOptions, ViewOptions, total=False):
    """The options of everything that plays game after game: batches and environments."""


class EnvOptions(TableOptions, total=False):
    """The options of environments that can be drawn."""

    render_mode: Annotated[str | None, '"human", "rgb_array" or "ansi"']
    perspective: Annotated[int | None, "the seat whose knowledge is drawn; None draws everything"]


class MaskOptions(TypedDict, total=False):
    """How Gymnasium's environments tell a learner what is legal, and what they do where it is not."""

    mask: Annotated[str, 'where the mask is: "info", or "observation", which makes observations dictionaries']
    observation_key: Annotated[str, 'what is beside "action_mask" there: RLlib and its kin want "observations"']
    illegal: Annotated[
        str,
        'what an illegal action does: "end" loses the episode, "replace" takes a random legal one in its place',
    ]
    illegal_price: Annotated[float, 'what the reward is lowered by for each that is replaced, with illegal="replace"']


@dataclass(frozen=True)
class Variant:
    """A game as it is known before it is dealt; make one with `Variant.of`, which checks it."""

    map: Map
    players: int
    tolls: bool
    neutral_player: bool

    @classmethod
    def of(cls, map: MapLike = DEFAULT_MAP, **options: Unpack[GameOptions]) -> Variant:
        """The variant with these options; `tolls=None` means as the map has it."""
        refuse_unknown(options, GameOptions.__annotations__)
        chosen, wanted = load(map), GAME_DEFAULTS | options
        players = whole_number(wanted["players"], "players")
        fewest, most = chosen.rules.players
        if not fewest <= players <= most:
            raise ValueError(f"players: {chosen.title} is for {fewest} to {most} players, not {players}")
        tolls = bool(chosen.rules.tolls) if wanted["tolls"] is None else flag(wanted["tolls"], "tolls")
        if tolls and not chosen.rules.tolls:
            raise ValueError(f"tolls: {chosen.title} has no tolls; leave the option out")
        neutral_player = flag(wanted["neutral_player"], "neutral_player")
        if neutral_player:
            _check_neutral_player(chosen, players, tolls)
        return cls(chosen, players, tolls, neutral_player)

    @functools.cached_property
    def num_actions(self) -> int:
        """The size of the action space, the same in every game on this map."""
        return int(board(self.map)[0]["actions"])

    @functools.cached_property
    def claims_end(self) -> int:
        """The first action after the claims."""
        return CLAIM + int(board(self.map)[0]["claims"])

    def observation_size(self, sight: Sight) -> int:
        """The length of an observation vector."""
        return observation_size(self.map, sight)

    def difference(self, other: Variant) -> str | None:
        """What is not the same in another variant, in words; None if nothing is.

        >>> Variant.of("nederland").difference(Variant.of("nederland", players=3))
        'players: 2 is needed here, not 3'
        """
        if self.map is not other.map and self.map.digest != other.map.digest:
            return f"map: {self.map.name} is needed here, not {other.map.name}, or another edition of it"
        for name in GAME_OPTIONS:
            if getattr(self, name) != getattr(other, name):
                return f"{name}: {getattr(self, name)} is needed here, not {getattr(other, name)}"
        return None

    def as_dict(self) -> dict[str, Any]:
        """The options as plain JSON types, the map by its name."""
        return {"map": self.map.name, **{name: getattr(self, name) for name in GAME_OPTIONS}}


def _check_neutral_player(map: Map, players: int, tolls: bool) -> None:
    if not map.rules.neutral:
        raise ValueError(f"neutral_player: {map.title} has no neutral player; leave the option out")
    if players != 2:
        raise ValueError(f"neutral_player: the neutral player joins 2 players, not {players}")
    if not tolls:
        raise ValueError("neutral_player: the neutral player needs tolls; leave out tolls=False")


@dataclass(frozen=True)
class Sight:
    """What is seen of a game: which features, whether the others' tolls, and the adviser whose choice is told."""

    features: str = "base"
    tolls_visible: bool = False
    adviser: str | None = None

    def __post_init__(self) -> None:
        check_choice(self.features, FEATURES, "features")
        if self.tolls_visible and self.with_actions:
            raise ValueError(
                'tolls_visible: with features="actions" the others\' tolls are estimated from the board; '
                "leave the option out"
            )

    @property
    def with_actions(self) -> bool:
        """Whether a state and candidate actions are seen, instead of a vector."""
        return self.features == "actions"

    @property
    def with_planning(self) -> bool:
        """Whether the planning features are seen."""
        return self.features == "planning"


@dataclass(frozen=True)
class Episode:
    """What an episode pays, and how many decisions it has at most."""

    reward: str = "win"
    max_decisions: int = MAX_DECISIONS

    def __post_init__(self) -> None:
        check_choice(self.reward, REWARDS, "reward")
        positive(self.max_decisions, "max_decisions")

    @property
    def reward_kind(self) -> int:
        """The number of the reward in the engine."""
        return REWARDS.index(self.reward)


@dataclass(frozen=True)
class Masking:
    """Where a learner finds what is legal, and what an illegal action does."""

    mask: str = "info"
    observation_key: str = "observation"
    illegal: str = "end"
    illegal_price: float = 0.01

    def __post_init__(self) -> None:
        check_choice(self.mask, ("info", "observation"), "mask")
        check_choice(self.illegal, ("end", "replace"), "illegal")
        if self.observation_key == "action_mask":
            raise ValueError('observation_key: "action_mask" is the other one; "observations" would do')
        if not self.in_observation and self.observation_key != "observation":
            raise ValueError('observation_key: it needs mask="observation"; with mask="info" there is no dictionary')
        price: Any = self.illegal_price
        if not isinstance(price, int | float | np.integer | np.floating) or not 0 <= price < MOST_PRICE:
            raise ValueError(f"illegal_price: a number from 0 on is needed, below 2**63, not {shortened(price)}")

    @property
    def in_observation(self) -> bool:
        """Whether the mask is part of the observation."""
        return self.mask == "observation"

    @property
    def replaces(self) -> bool:
        """Whether another action takes the place of an illegal one."""
        return self.illegal == "replace"


@dataclass(frozen=True)
class Table:
    """All that is fixed for one game after the other."""

    variant: Variant
    sight: Sight
    episode: Episode

    @classmethod
    def of(cls, map: MapLike, **options: Unpack[TableOptions]) -> Table:
        """The table with these options, each of them checked."""
        refuse_unknown(options, TableOptions.__annotations__)
        game, sight, episode = (of_kind(options, kind) for kind in (GameOptions, SightOptions, EpisodeOptions))
        if "tolls_visible" in sight:
            sight["tolls_visible"] = bool(sight["tolls_visible"])
        return cls(Variant.of(map, **game), Sight(**sight), Episode(**episode))


def of_kind(options: Any, kind: Any) -> Any:
    """Those of some values by name that a `TypedDict` declares."""
    return {name: value for name, value in options.items() if name in kind.__annotations__}


@functools.lru_cache(maxsize=64)
def observation_size(map: Map, sight: Sight) -> int:
    """The length of an observation vector on a map."""
    check_vector(sight.features)
    return slices.parts(map, sight.with_planning, sight.tolls_visible)[-1].end


class CommandLineOption(NamedTuple):
    """An option of a game as programs offer it on their command lines."""

    name: str  # as `GameOptions` has it
    flag: str  # what is typed: `int` takes a number, `bool` nothing
    type: type
    default: Any  # where it is not typed
    help: str

    @property
    def typed(self) -> bool:
        """What a flag that takes nothing means where it is typed."""
        return not self.flag.startswith("--no-")


def command_line_options() -> list[CommandLineOption]:
    """The options of a game for command lines.

    >>> [option.flag for option in command_line_options()]
    ['--players', '--no-tolls', '--neutral-player']
    """
    return [_command_line_option(name, option) for name, option in GAME_OPTIONS.items()]


def as_typed(game: Mapping[str, Any]) -> str:
    """The options of a game as they are typed on a command line, without those that go without saying.

    >>> as_typed({"map": "usa", "players": 3, "tolls": None, "neutral_player": False})
    '--map usa --players 3'
    >>> as_typed({"map": "nederland", "players": 2, "tolls": False})
    '--no-tolls'
    """
    words = [] if game["map"] == DEFAULT_MAP else ["--map", shlex.quote(str(game["map"]))]
    for option in command_line_options():
        value = game.get(option.name, option.default)
        if option.type is bool and value is option.typed:
            words.append(option.flag)
        elif option.type is not bool and value != option.default:
            words += [option.flag, str(value)]
    return " ".join(words)


def refuse_idle(map: MapLike, options: Mapping[str, Any]) -> None:
    """Raise a `ValueError` for what was typed and would change nothing on this map."""
    chosen = load(map)
    if options.get("tolls") is False and not chosen.rules.tolls:
        raise ValueError(f"--no-tolls: {chosen.title} has no tolls; leave the option out")


def _command_line_option(name: str, option: GameOption) -> CommandLineOption:
    kind, *_ = get_args(option.type) or (option.type,)  # of `bool | None` the first
    flag, help = option.typed or (f"--{name.replace('_', '-')}", option.meaning.removeprefix("whether "))
    return CommandLineOption(name, flag, kind, option.default, help)


# Checks of single values.


def refuse_unknown(options: Mapping[Any, Any], known: Iterable[str]) -> None:
    """Raise a `TypeError` for the first option that does not exist."""
    names = list(known)
    for name in options:
        if name not in names:
            near = did_you_mean(name[:100], names) if isinstance(name, str) else ""
            raise TypeError(f"there is no option {shortened(name)}{near}; the options are: {', '.join(names)}")


def check_choice(value: str, choices: tuple[str, ...], name: str) -> str:
    """`value`, if it is one of the choices."""
    if value not in choices:
        raise ValueError(f"{name}: {shortened(value)} is unknown; choose one of {', '.join(choices)}")
    return value


def check_vector(features: str) -> str:
    """`features`, if they are a vector."""
    if features == "actions":
        raise ValueError(
            'features: "actions" are no vector, but a state and a list of candidates; game.action_features() gives them'
        )
    return check_choice(features, FEATURES, "features")


def check_seed(seed: Any) -> int:
    """`seed`, if it is one: a whole number of 64 bits."""
    number = whole_number(seed, "seed")
    if not 0 <= number < 2**64:
        raise ValueError(f"seed: a whole number from 0 to 2**64 - 1 is needed, not {number}")
    return number


def check_perspective(perspective: int | str | None, players: int) -> int | None:
    """The seat that a perspective names; None, as also "all" does, for everything.

    >>> check_perspective(1, players=2), check_perspective("all", players=2)
    (1, None)
    """
    if perspective is None or perspective == "all":
        return None
    if isinstance(perspective, str):
        raise ValueError(
            f'perspective: a seat, or None or "all" for everything, is needed, not {shortened(perspective)}'
        )
    seat = whole_number(perspective, "perspective")
    if not 0 <= seat < players:
        raise ValueError(f"perspective: the seats are 0 to {players - 1}, not {seat}")
    return seat


def check_generator(rng: Any) -> np.random.Generator:
    """`rng`, if it is a generator of NumPy."""
    if not isinstance(rng, np.random.Generator):
        raise TypeError(f"rng: a numpy Generator is needed, such as np.random.default_rng(0), not {shortened(rng)}")
    return rng


def positive(value: Any, name: str) -> int:
    """`value` as an `int`, if it is a whole number from 1 up to what 63 bits hold."""
    number = whole_number(value, name)
    if not 1 <= number < 2**63:
        raise ValueError(f"{name}: at least 1 is needed, and less than 2**63, not {number}")
    return number


def flag(value: Any, name: str) -> bool:
    """`value` as a `bool`, if it is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name}: True or False is needed, not {shortened(value)}")
    return bool(value)


def whole_number(value: Any, name: str) -> int:
    """`value` as an `int`, if it is a whole number.

    >>> whole_number(3, "players")
    3
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: a whole number is needed, not {shortened(value)}")
    number = operator.index(value)
    if number.bit_length() > MOST_BITS:
        raise TypeError(f"{name}: a whole number is needed, and less than 2**{MOST_BITS}")
    return number
