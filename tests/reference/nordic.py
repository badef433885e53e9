"""Paying on the Nordic map: locomotives, ferries, sets and tunnels (S4 to S7)."""

from itertools import product
from typing import Any

from .board import CARDS, COLOURS, LOCOMOTIVE, Track, board_of
from .cards import draw_card, move_cards
from .state import Action, Counts, State, mover, no_cards, total

FERRY_SET, LONG_SET = 3, 4  # cards
LONG = 9  # the length of Murmansk-Lieksa
TURNED_UP = 3


def set_size(track: Track) -> int:
    """How many cards stand for one: on ferries (S5) and on Murmansk-Lieksa (S7); 0 elsewhere."""
    if track.ferry:
        return FERRY_SET
    return LONG_SET if track.length == LONG else 0


def nordic_payments(hand: Counts, track: Track) -> list[dict[str, str | int]]:
    """Every mix of cards, locomotives and sets, tried one by one."""
    found: list[dict[str, str | int]] = []
    for cards, locomotives, sets in product(range(track.length + 1), repeat=3):
        if cards + locomotives + sets != track.length or not _allowed(track, locomotives, sets):
            continue
        colours = (COLOURS if track.colour == "grey" else (track.colour,)) if cards else (LOCOMOTIVE,)
        for card in colours:
            rest = dict(hand)
            rest[card] -= cards
            rest[LOCOMOTIVE] -= locomotives
            if min(rest.values()) >= 0 and total(rest) >= sets * set_size(track):
                found.append({"card": card, "locomotives": locomotives, "sets": sets})
    return found


def _allowed(track: Track, locomotives: int, sets: int) -> bool:
    """S4: locomotives on tunnels and ferries alone. S5: enough of them, or sets, for the symbols of a ferry."""
    if locomotives and not (track.tunnel or track.ferry):
        return False
    if sets and not set_size(track):
        return False
    return locomotives + sets >= track.ferry


def announced(state: State, action: Action) -> Counts:
    """The cards that a claim names, all but those of its sets."""
    paid = no_cards()
    cards = board_of(state).tracks[action["track"]].length - action["locomotives"] - action.get("sets", 0)
    paid[action["card"]] += cards
    paid[LOCOMOTIVE] += action["locomotives"]
    return paid


def begin(state: State, action: Action) -> Counts | None:
    """Begin a claim: the cards that pay for it if nothing is left to decide, else None and a pending claim."""
    track = board_of(state).tracks[action["track"]]
    claim = {key: action[key] for key in ("track", "card", "locomotives")}
    if action.get("sets"):
        left = action["sets"] * set_size(track)
        state["pending"] = {"kind": "set", **claim, "sets": action["sets"], "chosen": no_cards(), "left": left}
        state["phase"] = "set"
        return None
    paid = announced(state, action)
    if track.tunnel:
        turned_up = _turn_up(state)
        extra = turned_up[LOCOMOTIVE] + (turned_up[action["card"]] if action["card"] != LOCOMOTIVE else 0)
        if extra:
            state["pending"] = {"kind": "tunnel", **claim, "turned_up": turned_up, "extra": extra}
            state["phase"] = "tunnel"
            return None
        move_cards(dict(turned_up), turned_up, state["discard"])
    return paid


def _turn_up(state: State) -> Counts:
    """S6: three cards, or as many as there are; they are not shuffled in again."""
    turned_up = no_cards()
    for _ in range(TURNED_UP):
        card = draw_card(state)
        if card is not None:
            turned_up[card] += 1
    return turned_up


def legal_extras(state: State) -> list[Action]:
    """S6: what is asked for in the colour or in locomotives, after locomotives alone only in these; or nothing."""
    pending = state["pending"]
    rest = _rest(state, announced(state, pending))
    actions: list[Action] = []
    for locomotives in range(pending["extra"] + 1):
        cards = pending["extra"] - locomotives
        in_colour = rest[pending["card"]] if pending["card"] != LOCOMOTIVE else 0
        if locomotives <= rest[LOCOMOTIVE] and cards <= in_colour:
            actions.append({"kind": "tunnel_pay", "locomotives": locomotives})
    return [*actions, {"kind": "tunnel_decline"}]


def _rest(state: State, paid: Counts) -> Counts:
    hand = mover(state)["hand"]
    return {card: hand[card] - paid[card] for card in CARDS}


def pay_extra(state: State, locomotives: int) -> Counts:
    """S6: all cards that are paid for the tunnel."""
    pending = state["pending"]
    paid = announced(state, pending)
    paid[pending["card"]] += pending["extra"] - locomotives
    paid[LOCOMOTIVE] += locomotives
    _put_away(state)
    return paid


def decline(state: State) -> None:
    """S6: the cards shown go back to the hand; everybody knows them now (K)."""
    seat, shown = mover(state), announced(state, state["pending"])
    seat["known"] = {card: max(number, shown[card]) for card, number in seat["known"].items()}
    _put_away(state)


def _put_away(state: State) -> None:
    """S6: the turned-up cards are discarded either way."""
    turned_up = state["pending"]["turned_up"]
    move_cards(dict(turned_up), turned_up, state["discard"])
    state["pending"] = None


def legal_set_cards(state: State) -> list[Action]:
    """S5, S7: any card of the hand that is not paid already."""
    rest = _rest(state, _laid_down(state, state["pending"]))
    return [{"kind": "set_card", "card": card} for card in CARDS if rest[card]]


def _laid_down(state: State, pending: dict[str, Any]) -> Counts:
    paid = announced(state, pending)
    return {card: paid[card] + pending["chosen"][card] for card in CARDS}


def choose_set_card(state: State, card: str) -> Counts | None:
    """The cards that pay for the claim if this was the last of its sets, else None."""
    pending = state["pending"]
    pending["chosen"][card] += 1
    pending["left"] -= 1
    if pending["left"]:
        return None
    state["pending"] = None
    return _laid_down(state, pending)
