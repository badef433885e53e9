"""The games of a data set, many at a time, and what a teacher thinks of their decisions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ttr_env.agents import Explanation, explain, make
from ttr_env.agents.base import Actor, act_in_rows, close
from ttr_env.agents.chance import own_seed
from ttr_env.batch import Batch
from ttr_env.bots.built_in import BOTS
from ttr_env.data.columns import LARGEST
from ttr_env.data.manifest import THOUGHTS, Manifest
from ttr_env.errors import BadAgent, IllegalAction
from ttr_env.game import Game
from ttr_env.options import GameOptions, Variant, of_kind

_TEACHER = 100  # counts as a place beyond all players', so that it has chance of its own
_DIGITS = 6  # of what a teacher thinks


def play(
    manifest: Manifest, variant: Variant, number: int, progress: Callable[[int], None]
) -> Iterator[dict[str, Any]]:
    """The records of a shard's games; `progress` is told how many of them are finished.

    They depend on the manifest and the shard's number alone, unless agents do not repeat themselves.
    """
    games = manifest.shard_games(number)
    seats = [
        None if name in BOTS else _made(manifest, name, number, place) for place, name in enumerate(manifest.agents)
    ]
    try:
        actions = _play_out(manifest, variant, games, seats, progress if manifest.teacher is None else _silently)
    finally:
        close(seats)
    teacher = None if manifest.teacher is None else _made(manifest, manifest.teacher, number, _TEACHER)
    try:
        for done, (game, taken) in enumerate(zip(games, actions, strict=True), start=1):
            record = Game.deal(variant, manifest.deal_seed(game)).record()
            told: dict[str, Any] = {**record, "actions": taken, "agents": manifest.seated(game)}
            if teacher is not None:
                told["teacher"] = _opinions(teacher, manifest.teacher or "", told)
                progress(done)
            yield told
    finally:
        close([teacher])


def _silently(finished: int) -> None:
    """Nothing to tell: the teacher's part takes longer, and is told."""


def _made(manifest: Manifest, name: str, number: int, place: int) -> Actor:
    return make(name, own_seed(manifest.deal_seed(0), number, place))


def _play_out(
    manifest: Manifest, variant: Variant, games: range, agents: Sequence[Actor | None], progress: Callable[[int], None]
) -> list[list[int]]:
    """The actions of each game. Bots play inside the batch; others are asked for all games that wait for them."""
    options = of_kind(variant.as_dict(), GameOptions)
    bots = [name if agent is None else None for name, agent in zip(manifest.agents, agents, strict=True)]
    batch = Batch(variant.map, len(games), bots=bots, autoreset=False, views=False, **options)
    batch.keep_history()
    assert batch.history is not None
    rows = np.arange(len(games))
    batch.deal(rows, [manifest.deal_seed(game) for game in games], np.array(games) % manifest.players)
    while not batch.done.all():
        waiting = np.flatnonzero(~batch.done)
        places = (batch.movers[waiting] - batch.seats[waiting]) % manifest.players
        chosen = np.empty(len(waiting), np.int64)
        for place, agent in enumerate(agents):
            mine = np.flatnonzero(places == place)
            if agent is not None and len(mine):
                chosen[mine] = act_in_rows(agent, batch, waiting[mine])
        try:
            batch.step(chosen, waiting)
        except IllegalAction as error:
            assert error.row is not None  # a batch names it
            place = int(places[waiting.tolist().index(error.row)])
            raise BadAgent(f"agent {manifest.agents[place]!r} returned an illegal action: {error}") from error
        progress(int(batch.done.sum()))
    progress(len(games))
    return [batch.history[row, : int(batch.lengths[row])].tolist() for row in rows.tolist()]


def _opinions(teacher: Actor, name: str, record: dict[str, Any]) -> dict[str, Any]:
    """What a teacher thinks of each decision of a game: columns, those of actions in one long list each."""
    game, explanations = Game.replay({**record, "actions": []}), []
    for action in record["actions"]:
        explanations.append(explain(teacher, game))
        try:
            _check(explanations[-1], game)
        except BadAgent as error:
            raise BadAgent(f"teacher {name!r}: step {len(explanations) - 1}: {error}") from error
        game.step(action)
    thoughts = list(itertools.chain.from_iterable(each.options for each in explanations))
    columns = {each: [_rounded(getattr(thought, each)) for thought in thoughts] for each in THOUGHTS}
    return {
        "choices": [each.choice for each in explanations],
        "values": [_rounded(each.value) for each in explanations],
        "counts": [len(each.options) for each in explanations],
        "actions": [thought.action for thought in thoughts],
        **{kind: column for kind, column in columns.items() if any(each is not None for each in column)},
    }


def _check(explanation: Explanation, game: Game) -> None:
    """Refuse what `load` would not take, and nobody could learn from."""
    actions = [each.action for each in explanation.options]
    illegal = {explanation.choice, *actions}.difference(game.legal_actions().tolist())
    if illegal:
        raise BadAgent(f"it thinks of action {min(illegal)}, which is illegal there")
    if len(set(actions)) < len(actions):
        raise BadAgent("it thinks of an action twice")
    numbers = [explanation.value, *(getattr(each, name) for each in explanation.options for name in THOUGHTS)]
    if not all(number is None or abs(number) <= LARGEST for number in numbers):  # which no NaN is either
        raise BadAgent("what it thinks are not finite numbers")


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, _DIGITS)
