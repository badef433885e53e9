"""One session: a game against agents from one seat."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from ttr_env import __version__, agents, maps
from ttr_env.errors import did_you_mean
from ttr_env.llm.episode import Episode
from ttr_env.llm.openenv.models import TicketAction, TicketObservation, TicketState
from ttr_env.options import GameOptions
from ttr_env.text import Task, legal

_TASK = [field.name for field in fields(Task)]
_OPTIONS = ["map", "opponents", "seat", "snapshot", *GameOptions.__annotations__, *_TASK]


@dataclass(frozen=True)
class Offer:
    """What clients may ask for: never a file or a program of the server's that it was not started with.

    Args:
        maps: names or folders of maps, beside the built-in ones.
        opponents: agents as `ttr_env.agents.make` knows them, beside those that have a name.

    >>> Offer().check("opponents", "exec:rm")
    Traceback (most recent call last):
    ValueError: opponents: 'exec:rm' is not offered here; there are: random, greedy, ...
    """

    maps: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()

    def check(self, option: str, wanted: Any) -> None:
        """Refuse a map or an opponent that is not offered."""
        offered = [*maps.names(), *self.maps] if option == "map" else [*agents.names(), *self.opponents]
        if wanted not in offered:
            raise ValueError(f"{option}: {wanted!r} is not offered here; there are: {', '.join(offered)}")

    def check_position(self, snapshot: Any) -> None:
        """Refuse a position on a map that is not offered, before the map is looked for; the rest is for others."""
        if not isinstance(snapshot, Mapping) or "map" not in snapshot:
            return
        if snapshot["map"] not in [maps.load(each).name for each in self.maps]:
            self.check("map", snapshot["map"])


class TicketEnvironment(Environment[TicketAction, TicketObservation, TicketState]):
    """A game of Ticket to Ride: a step is a reply of the model, after which the others move.

    `reset` takes `map`, `players`, `tolls`, `neutral_player`, `opponents`, `seat`, `snapshot`, and what `Task` has:
    `legal`, `scope`, `form`, `retries`, `fallback`. The reward is 0 until the end, then from -1, lost, to 1, won.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, offer: Offer | None = None) -> None:
        super().__init__()
        self._offer = offer or Offer()
        self._episode: Episode | None = None
        self._episode_id = ""

    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> TicketObservation:
        """Begin a game; what the options do not say is as `Episode` and `Task` have it."""
        asked = {name: value for name, value in options.items() if value is not None}
        _check_names(asked)
        for name in ("map", "opponents"):
            if name in asked:
                self._offer.check(name, asked[name])
        self._offer.check_position(asked.get("snapshot"))
        task = Task(**{name: asked.pop(name) for name in _TASK if name in asked})
        begun = Episode(**asked, seed=seed, task=task)
        self.close()
        self._episode, self._episode_id = begun, episode_id or str(uuid.uuid4())
        reward = begun.reward  # where the others end the game before the model is asked
        text = f"{begun.rules}\n\n{begun.text}"
        return TicketObservation(text=text, seat=begun.seat, reward=reward, done=begun.done)

    def step(self, action: TicketAction, timeout_s: float | None = None, **options: Any) -> TicketObservation:
        """Take a reply of the model."""
        episode = self._begun()
        heard = episode.say(action.move)
        return TicketObservation(text=heard.text, seat=episode.seat, reward=heard.reward, done=heard.done)

    @property
    def state(self) -> TicketState:
        """Where the episode stands; before the first `reset` there is nothing to tell."""
        if self._episode is None:
            return TicketState()
        game, tally = self._episode.game, self._episode.tally
        return TicketState(
            episode_id=self._episode_id,
            step_count=tally.replies,
            map=game.map.name,
            players=game.players,
            seat=self._episode.seat,
            task=self._episode.task.name,
            legal_moves=[] if self._episode.done else [each["text"] for each in legal(game)],
            **tally.as_dict(),
        )

    def get_metadata(self) -> EnvironmentMetadata:
        """What the server says of itself."""
        about = "The board game Ticket to Ride in words, against agents: tickets, hidden cards, 2 to 5 players."
        return EnvironmentMetadata(name="ttr", description=about, version=__version__)

    def web_actions(self, observation: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
        """The legal moves as buttons of OpenEnv's own page."""
        return [(move, {"move": move}) for move in self.state.legal_moves]

    def close(self) -> None:
        """End what the opponents have started."""
        if self._episode is not None:
            self._episode.close()

    def _begun(self) -> Episode:
        if self._episode is None:
            raise ValueError("no game has begun; call reset first")
        return self._episode


def _check_names(options: Iterable[str]) -> None:
    for name in options:
        if name not in _OPTIONS:
            hint = did_you_mean(name, _OPTIONS)
            raise ValueError(f"reset has no option {name!r}{hint}; its options are: {', '.join(_OPTIONS)}")
