"""One game by the rules: its phases, whose turn it is, and when it ends (B2, B9, B12)."""

from copy import deepcopy
from typing import Any

from . import cards, chance, claims, knowledge, neutral, nordic, scoring, tickets
from .board import LOCOMOTIVE, board_of
from .state import Action, Counts, State, mover, undealt

HAND = 4  # B1
LAST_TRAINS = 2  # B9


class ReferenceGame:
    """A game whose whole position is one dict in the form of a snapshot."""

    def __init__(self, state: State) -> None:
        self._state = state

    @classmethod
    def new(
        cls,
        players: int = 2,
        seed: int = 0,
        tolls: bool | None = None,
        neutral_player: bool = False,
        map: str = "nederland",
    ) -> "ReferenceGame":
        with_tolls = map == "nederland" if tolls is None else tolls
        state = undealt(map, players, with_tolls, neutral_player, chance.seeded(seed))
        _deal(state)
        return cls(state)

    @classmethod
    def from_snapshot(cls, snapshot: dict[str, Any]) -> "ReferenceGame":
        """Play on from a position, which is trusted."""
        return cls(deepcopy(snapshot))

    @property
    def player(self) -> int:
        """Whose decision it is; -1 when the game is over."""
        return self._state["player"]

    @property
    def phase(self) -> str:
        return self._state["phase"]

    def legal(self) -> list[Action]:
        state = self._state
        match self.phase:
            case "keep_tickets":
                return tickets.legal_keeps(state)
            case "turn":
                return _legal_turns(state)
            case "second_card":
                return cards.legal_draws(state)
            case "neutral":
                return neutral.legal_neutral_claims(state)
            case "tunnel":
                return nordic.legal_extras(state)
            case "set":
                return nordic.legal_set_cards(state)
        return []

    def apply(self, action: Action) -> None:
        if action not in self.legal():
            raise ValueError(f"illegal in phase {self.phase}: {action}")
        _apply(self._state, action)

    def snapshot(self) -> dict[str, Any]:
        return deepcopy(self._state)

    def result(self) -> dict[str, Any]:
        if self.phase != "over":
            raise ValueError("the game is not over")
        return scoring.score(self._state)

    def information_state(self, player: int) -> dict[str, Any]:
        return knowledge.information_state(self._state, player)


def _deal(state: State) -> None:
    """B1, N2: the hands seat by seat, the face-up row, then the first offers seat by seat."""
    for seat in state["seats"]:
        for _ in range(HAND):
            card = cards.draw_card(state)
            assert card is not None
            seat["hand"][card] += 1
    cards.fill_row(state)
    for player in range(state["players"]):
        tickets.offer_tickets(state, player)


def _legal_turns(state: State) -> list[Action]:
    """B2: draw cards, claim a track or draw tickets. B12: pass, but only if there is nothing else to do."""
    actions = cards.legal_draws(state) + claims.legal_claims(state) + tickets.legal_ticket_draws(state)
    return actions or [{"kind": "pass"}]


def _apply(state: State, action: Action) -> None:
    match action["kind"]:
        case "keep_tickets":
            tickets.keep_tickets(state, action["tickets"])
            _end_keep(state)
        case "draw_tickets":
            tickets.offer_tickets(state, state["player"])
            state["phase"] = "keep_tickets"
        case "draw_deck":
            cards.draw_blind(state)
            _end_draw(state, whole_draw=False)
        case "draw_face_up":
            cards.draw_face_up(state, action["card"])
            _end_draw(state, whole_draw=_is_whole_draw(state, action["card"]))
        case "claim":
            _complete(state, action["track"], nordic.begin(state, action))
        case "tunnel_pay":
            track = state["pending"]["track"]
            _complete(state, track, nordic.pay_extra(state, action["locomotives"]))
        case "tunnel_decline":
            nordic.decline(state)
            _end_turn(state)
        case "set_card":
            track = state["pending"]["track"]
            _complete(state, track, nordic.choose_set_card(state, action["card"]))
        case "pass":
            _end_turn(state, passed=True)
        case "neutral_claim":
            neutral.neutral_claim(state, action["track"])
            _end_round(state)


def _complete(state: State, track: int, paid: Counts | None) -> None:
    """A claim whose cards are all chosen is made; one that waits for a decision (None) is not yet."""
    if paid is not None:
        claims.claim(state, track, paid)
        _end_turn(state)


def _is_whole_draw(state: State, card: str) -> bool:
    """B3, S3: whether a card from the row is a draw by itself."""
    return card == LOCOMOTIVE and board_of(state).numbers.locomotive_is_whole_draw


def _end_keep(state: State) -> None:
    """The first keeps go round the table before the first turn (N2); a later keep is the end of a turn."""
    if not state["setup"]:
        _end_turn(state)
    elif state["player"] + 1 < state["players"]:
        state["player"] += 1
    else:
        state["setup"] = False
        _begin_turn(state, 0)


def _end_draw(state: State, whole_draw: bool) -> None:
    """B3: a second card follows, unless the first was a face-up locomotive. B5: or none is legal."""
    was_first = state["phase"] == "turn"
    state["phase"] = "second_card"
    if whole_draw or not was_first or not cards.legal_draws(state):
        _end_turn(state)


def _begin_turn(state: State, player: int) -> None:
    state["phase"], state["player"] = "turn", player


def _end_turn(state: State, passed: bool = False) -> None:
    state["passes"] = state["passes"] + 1 if passed else 0
    _count_last_turns(state)
    if state["turns_left"] == 0 or state["passes"] == state["players"]:  # B9, B12
        state["phase"], state["player"] = "over", -1
    elif state["player"] + 1 < state["players"]:
        _begin_turn(state, state["player"] + 1)
    elif not (neutral.has_neutral_phase(state) and neutral.turn_up_ticket(state)):
        _end_round(state)


def _count_last_turns(state: State) -> None:
    """B9: once a player is down to two trains everybody has one more turn, that player included."""
    if state["turns_left"] is not None:
        state["turns_left"] -= 1
    elif mover(state)["trains"] <= LAST_TRAINS:
        state["turns_left"] = state["players"]


def _end_round(state: State) -> None:
    state["round"] += 1
    _begin_turn(state, 0)
