"""Whether an agent is legal, repeatable and honest: it plays whole games, with twins beside it that should agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ttr_env import maps
from ttr_env.agents.base import Agent, check_map, close
from ttr_env.agents.blind import chooses_for_many
from ttr_env.agents.chance import own_seed
from ttr_env.agents.registry import make
from ttr_env.errors import IllegalAction
from ttr_env.game import Game, SeatView
from ttr_env.options import MapLike, Variant

_ROW = np.zeros(1, np.int64)
_OTHERS = "planner"  # who sits in the other seats


@dataclass
class Report:
    """What was found. A finding is where something went wrong first, and empty where nothing did."""

    agent: str
    games: int = 0
    decisions: int = 0  # of the agent
    refused: tuple[str, ...] = ()  # maps that it says it cannot play
    illegal: str = ""
    unrepeatable: str = ""
    dishonest: str = ""

    @property
    def passed(self) -> bool:
        """Whether it has played, and nothing was wrong."""
        return self.decisions > 0 and not (self.illegal or self.unrepeatable or self.dishonest)


def check(
    agent: str,
    on: Sequence[MapLike] = (),
    games: int = 1,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Let an agent play whole games at every table of some maps, and see what it does.

    It is *legal* if it always chooses a legal action, and leaves the game that it is shown alone; *repeatable* if a
    twin that was made with the same seed chooses the same, also when asked as for many games at once; *honest* if a
    twin that is shown a `SeatView` chooses the same: there are other hands, other tickets and other cards to come, and
    no seed to know them from. Twins see the game from its beginning, so an agent may remember what it saw.

    Args:
        agent: as `ttr_env.agents.make` knows it.
        on: maps; by default all built-in ones.
        games: at each table, that is for each number of players and variant.
        seed: of deals and agents.
        progress: is told how many games have been played, and how many there are.

    >>> check("greedy", ["nordic"]).passed
    True
    """
    report, asked = Report(agent), make(agent, seed)
    tables: list[Variant] = []
    for map in on or maps.names():
        every = list(_variants(map))
        try:
            check_map(asked, every[0].map)
        except ValueError as error:
            report.refused += (f"{every[0].map.title}: {error}",)
        else:
            tables += every
    for number in range(games * len(tables)):
        _Trial(tables[number % len(tables)], seed + number, agent, report).play()
        report.games += 1
        if progress:
            progress(report.games, games * len(tables))
    return report


def _variants(map: MapLike) -> Iterator[Variant]:
    """Every table of a map: number of players, tolls and neutral player."""
    rules = maps.load(map).rules
    fewest, most = rules.players
    for players in range(fewest, most + 1):
        yield Variant.of(map, players=players)
        if rules.tolls:
            yield Variant.of(map, players=players, tolls=False)
        if rules.neutral and players == 2:
            yield Variant.of(map, players=players, neutral_player=True)


class _Trial:
    """One game of an agent and its twins, who are asked the same questions in other ways."""

    def __init__(self, variant: Variant, seed: int, spec: str, report: Report) -> None:
        self._game, self._seat = Game.deal(variant, seed), seed % variant.players
        self._where = ", ".join(f"{name}={value}" for name, value in {**variant.as_dict(), "seed": seed}.items())
        self._report, self._dealer = report, np.random.default_rng(seed)
        self._others = make(_OTHERS, seed)
        number = own_seed(seed, self._seat)
        self._agent, self._again, self._blind = (make(spec, number) for _ in range(3))
        self._many = make(spec, number) if chooses_for_many(self._agent) else None

    def play(self) -> None:
        """Play to the end, or to what makes the rest pointless."""
        try:
            while not self._game.over:
                if self._game.player != self._seat:
                    self._game.step(self._others.act(self._game))
                elif not self._decide():
                    return
        finally:
            close((self._agent, self._again, self._blind, self._many))

    def _decide(self) -> bool:
        """Ask for a decision, and take it; whether the game can go on."""
        report, shown = self._report, self._game.copy()
        try:
            action = self._agent.act(shown)
            if shown != self._game:
                return self._note("illegal", "it played in the game that it was shown")
            self._compare(action)
            self._game.step(action)
        except IllegalAction as error:
            return self._note("illegal", str(error))
        except Exception as error:  # whatever somebody's own class raises
            return self._note("illegal", f"it failed: {type(error).__name__}: {error}")
        report.decisions += 1
        return True

    def _compare(self, action: int) -> None:
        """Ask the twins, as long as they agree."""
        report, game = self._report, self._game
        if not report.unrepeatable:
            self._expect(action, self._again.act(game.copy()), "unrepeatable", "the same seed and game, once more")
            if isinstance(self._many, Agent):
                answer = self._many.act_batch(game.copy(), _ROW)[0]
                self._expect(action, answer, "unrepeatable", "asked as for many games at once")
        if not report.dishonest and not report.unrepeatable:
            how = "what its seat does not know dealt anew"
            try:
                answer = self._blind.act(SeatView.of(game, self._seat, self._dealer))
                self._expect(action, answer, "dishonest", how)
            except Exception as error:  # it asks for what is not there
                self._note("dishonest", f"with {how} it failed: {type(error).__name__}: {error}")

    def _expect(self, action: int, other: int, finding: str, how: str) -> None:
        if other != action:
            self._note(finding, f"it chose {self._told(action)}, and with {how} {self._told(other)}")

    def _told(self, action: int) -> str:
        try:
            return repr(self._game.text(action))
        except (IllegalAction, ValueError, TypeError):
            return repr(action)

    def _note(self, finding: str, what: str) -> bool:
        """Write down what was found first; nothing that comes of it can go on."""
        if not getattr(self._report, finding):
            setattr(self._report, finding, f"{what} ({self._where}, decision {len(self._game.actions)})")
        if finding == "unrepeatable":  # then its twins differ by chance, which tells nothing of what it looked at
            self._report.dishonest = ""
        return False
