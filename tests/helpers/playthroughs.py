"""Whole games in words, in each variant and on other maps: `python -m tests.helpers.playthroughs` writes them anew.

They are there to be read, and to be compared: whatever changes a rule, a draw or an action's number changes them.
"""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.helpers.sensible import choose
from tests.helpers.variants import variant_name
from tests.reference.scoring import is_done
from ttr_env import Game
from ttr_env.game.actions import Action

FOLDER = Path(__file__).parents[1] / "playthroughs"
GAMES: list[tuple[dict[str, Any], int]] = [
    ({"players": 2, "tolls": True, "neutral_player": False}, 0),
    ({"players": 3, "tolls": True, "neutral_player": False}, 4),
    ({"players": 4, "tolls": True, "neutral_player": False}, 5),
    ({"players": 5, "tolls": True, "neutral_player": False}, 3),
    ({"players": 2, "tolls": False, "neutral_player": False}, 10),
    ({"players": 3, "tolls": False, "neutral_player": False}, 3),
    ({"players": 2, "tolls": True, "neutral_player": True}, 4),
    ({"map": "mini", "players": 2, "tolls": False, "neutral_player": False}, 1),
    ({"map": "nordic", "players": 2, "tolls": False, "neutral_player": False}, 1),
    ({"map": "nordic", "players": 3, "tolls": False, "neutral_player": False}, 2),
    ({"map": "usa", "players": 2, "tolls": False, "neutral_player": False}, 1),
    ({"map": "usa", "players": 4, "tolls": False, "neutral_player": False}, 2),
]
FACTS_EVERY = 12  # rounds
WIDTH = 118
DRAWS = re.compile(r"player \d (takes|draws) \w+(, (takes|draws) \w+)?")

State = dict[str, Any]


def tell(options: dict[str, Any], seed: int) -> str:
    """The story of one game."""
    game = Game(seed=seed, **options)
    lines = [*_opening(game, seed), *_turns(game, random.Random(seed)), *_end(game)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


# The course of a game ---------------------------------------------------------------------------


def _opening(game: Game, seed: int) -> Iterator[str]:
    state = game.snapshot()
    kind = "tolls and the neutral player" if state["neutral"] else "tolls" if state["tolls"] else "no tolls"
    how = f", {kind}" if game.map.rules.tolls else ""
    yield f"{game.map.title}: {game.players} players{how}, seed {seed}"
    yield ""
    for number, seat in enumerate(state["seats"]):
        yield f"player {number} is dealt {_cards(seat['hand'])}"


def _turns(game: Game, chance: random.Random) -> Iterator[str]:
    """What every turn brings, under a line for each round."""
    while game.player >= 0:
        state, turns = game.snapshot(), []
        yield from [""] if state["setup"] else _round(game, state)
        while game.player >= 0 and _moment(game.snapshot()) == _moment(state):
            turns += _turn(game, chance)
        yield from _packed(turns)


def _moment(state: State) -> tuple[bool, int]:
    return state["setup"], state["round"]


def _turn(game: Game, chance: random.Random) -> list[str]:
    """A turn, however many decisions it takes, and what followed by itself."""
    player, setup, deeds, events = game.player, game.snapshot()["setup"], [], []
    while not deeds or (game.phase in ("second_card", "keep_tickets", "tunnel", "set") and not setup):
        before, action = game.snapshot(), game.describe(choose(game, chance))
        game.step(game.index(action))
        deeds += _deed(game, before, action, game.snapshot())
        events += _events(game, before, action, game.snapshot())
    return [f"player {player} {', '.join(deeds)}", *events]


def _packed(turns: list[str]) -> Iterator[str]:
    """Turns in which cards were drawn share a line, as far as they fit; all others have lines of their own."""
    line, is_open = "", False
    for turn in turns:
        is_draw = DRAWS.fullmatch(turn) is not None
        if is_open and is_draw and len(f"{line}; {turn}") <= WIDTH:
            line = f"{line}; {turn}"
        else:
            yield from _folded(line)
            line, is_open = f"  {turn}", is_draw
    yield from _folded(line)


def _round(game: Game, state: State) -> Iterator[str]:
    piles = f"deck {_size(state['deck'])}, discards {_size(state['discard'])}"
    tickets = f"tickets {len(state['ticket_pile'])} and {len(state['ticket_discard'])} discarded"
    if state["round"] % FACTS_EVERY == 0:
        yield from ["", *_facts(game, state)]
    if state["round"] % FACTS_EVERY == 0 or state["round"] == 1:
        yield ""
    yield f"round {state['round']}: row {_cards(state['face_up'])}; {piles}; {tickets}"


def _facts(game: Game, state: State) -> Iterator[str]:
    """Where everybody stands."""
    for number, seat in enumerate(state["seats"]):
        done = sum(is_done(state, number, ticket) for ticket in seat["tickets"])
        parts = [_count(seat["points"], "point"), _count(seat["trains"], "train")]
        parts += [f"tokens of {seat['tolls']}"] if state["tolls"] else []
        parts += [_count(seat["loans"], "loan")] if seat["loans"] else []
        parts += [f"{done} of {len(seat['tickets'])} tickets done"]
        yield from _folded(f"player {number} has {_list(parts)}; {_cards(seat['hand'])}")
    if state["neutral"]:
        neutral = state["neutral"]
        standing = _count(neutral["trains"], "train") if neutral["active"] else "nothing more to do"
        yield f"the neutral player has {standing}; player {neutral['marker']} has the marker"


def _end(game: Game) -> Iterator[str]:
    result, state = game.result(), game.snapshot()
    yield from ["", *_facts(game, state), ""]
    for number, seat in enumerate(state["seats"]):
        for did, done in (("completed", True), ("failed", False)):
            some = [ticket for ticket in seat["tickets"] if is_done(state, number, ticket) == done]
            yield from _folded(f"player {number} {did} {_tickets(game, some)}")
    yield ""
    columns = ["routes", "start", "tickets", "tickets_failed", "toll_bonus", "loans", "total", "completed", "rank"]
    if game.map.rules.tolls is None:
        bonuses = ["longest_path", "most_tickets", "total", "completed", "path", "rank"]
        columns = ["routes", "tickets", "tickets_failed", *bonuses]
    yield "          " + "  ".join(columns)
    for number, seat in enumerate(result["seats"]):
        yield f"player {number}  " + "  ".join(f"{seat[name]:{len(name)}}" for name in columns)
    yield ""
    yield f"won by {_list(f'player {winner}' for winner in result['winners'])}"
    yield f"random state at the end: {state['rng']}"
    yield ""
    yield "the actions by number:"
    yield from textwrap.wrap(" ".join(map(str, game.record()["actions"])), WIDTH)


# What happens -----------------------------------------------------------------------------------


def _deed(game: Game, before: State, action: Action, after: State) -> list[str]:
    """What the player did, and what it got; cards of sets are told when all are chosen."""
    if action.kind == "set_card":
        pending = before["pending"]
        chosen = {**pending["chosen"], action.card: pending["chosen"][action.card] + 1}
        return [] if after["pending"] else [f"puts {_cards(chosen)} into sets"]
    deed = _one_deed(game, before, action, after)
    tunnel = (after["pending"] or {}).get("turned_up")
    return [f"{deed}; turned up: {_cards(tunnel)}" if tunnel else deed]


def _one_deed(game: Game, before: State, action: Action, after: State) -> str:
    match action.as_dict():
        case {"kind": "draw_deck"}:
            return f"draws {_gained(before, after)}"
        case {"kind": "draw_face_up", "card": card}:
            return f"takes {card}"
        case {"kind": "draw_tickets"}:
            return f"is offered {_tickets(game, after['seats'][before['player']]['offered'])}"
        case {"kind": "keep_tickets", "tickets": kept}:
            refused = [t for t in before["seats"][before["player"]]["offered"] if t not in kept]
            others = f"; not {_tickets(game, refused)}" if before["setup"] and refused else ""
            return f"keeps {_tickets(game, kept)}{others}"
        case {"kind": "claim", "track": track, "card": card, "locomotives": locomotives, **rest}:
            sets = rest.get("sets", 0)
            cards = {card: game.map.tracks[track].length - locomotives - sets}
            cards["locomotive"] = locomotives
            paid = ", ".join([_cards(cards)] * any(cards.values()) + [_count(sets, "set")] * bool(sets))
            return f"claims {_track(game, track)} with {paid}{_payment(game, before, track, after)}"
        case {"kind": "tunnel_pay", "locomotives": locomotives}:
            pending = before["pending"]
            extra = {pending["card"]: pending["extra"] - locomotives, "locomotive": locomotives}
            return f"pays {_cards(extra)} more"
        case {"kind": "tunnel_decline"}:
            return "declines"
        case {"kind": "neutral_claim", "track": track}:
            return f"puts the neutral player on {_track(game, track)}"
        case _:
            return "passes"


def _gained(before: State, after: State) -> str:
    """The card that the mover did not have before."""
    was, now = (state["seats"][before["player"]]["hand"] for state in (before, after))
    return next(card for card in now if now[card] > was[card])


def _payment(game: Game, before: State, track: int, after: State) -> str:
    """N3, N5: who pays whom."""
    if not before["tolls"]:
        return ""
    me, toll = before["player"], game.map.tracks[track].toll
    twin = game.map.partners[track]
    owner = None if twin is None else before["owners"][twin]
    receiver = f"player {owner}" if isinstance(owner, int) else "the bank"
    if after["seats"][me]["loans"] == before["seats"][me]["loans"]:
        return f"; pays {toll} to {receiver}"
    return "; takes a loan" + (f", the bank pays {toll} to {receiver}" if isinstance(owner, int) else "")


def _events(game: Game, before: State, action: Action, after: State) -> Iterator[str]:
    """What followed by itself."""
    if after["seats"][before["player"]]["trains"] <= 2 and before["turns_left"] is None is not after["turns_left"]:
        yield f"the end begins: player {before['player']} has few trains left"
    if _size(after["deck"]) > _size(before["deck"]):
        yield "the discards become the deck"
    elif _size(after["discard"]) > _size(before["discard"]) + _size_of_payment(game, action):
        yield "too many locomotives: the row is dealt anew"
    if before["neutral"]:
        yield from _neutral_events(game, before, after)


def _size_of_payment(game: Game, action: Action) -> int:
    form = action.as_dict()
    if game.map.rules.tunnels:  # and no row is ever dealt anew
        return 1000
    return game.map.tracks[form["track"]].length if form["kind"] == "claim" else 0


def _neutral_events(game: Game, before: State, after: State) -> Iterator[str]:
    """N11: the ticket that was turned up, and what came of it without a choice."""
    if before["neutral"]["active"] and not after["neutral"]["active"]:
        yield "the neutral player is out"
    if after["neutral"]["ticket"] is not None:
        yield f"turned up: {_tickets(game, [after['neutral']['ticket']])}"
    elif before["phase"] != "neutral":
        refused = {ticket for seat in after["seats"] for ticket in seat["refused"]}
        for ticket in set(after["ticket_discard"]) - set(before["ticket_discard"]) - refused:
            pairs = enumerate(zip(before["owners"], after["owners"], strict=True))
            taken = [_track(game, i) for i, (was, now) in pairs if was != now and now == "neutral"]
            came = f"the neutral player takes {taken[0]}" if taken else "nothing happens"
            yield f"turned up: {_tickets(game, [ticket])}; {came}"


# Words ------------------------------------------------------------------------------------------


def _track(game: Game, track: int) -> str:
    it = game.map.tracks[track]
    kind = ", tunnel" if it.tunnel else f", ferry {it.ferry}" if it.ferry else ""
    return f"{game.map.cities[it.a]} to {game.map.cities[it.b]} ({it.colour}{kind})"


def _tickets(game: Game, tickets: Iterable[int]) -> str:
    cities, every = game.map.cities, game.map.tickets
    return _list(f"{cities[every[t].a]} to {cities[every[t].b]} ({every[t].points})" for t in tickets)


def _cards(cards: dict[str, int]) -> str:
    """Which cards, and how many of each."""
    return _list(_count(n, card) if card == "locomotive" else f"{n} {card}" for card, n in cards.items() if n)


def _list(parts: Iterable[str]) -> str:
    return ", ".join(parts) or "nothing"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _size(cards: dict[str, int]) -> int:
    return sum(cards.values())


def _folded(line: str, indent: str = "      ") -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def main() -> None:
    for options, seed in GAMES:
        (FOLDER / f"{variant_name(options)}.txt").write_text(tell(options, seed), encoding="utf-8")


if __name__ == "__main__":
    main()
