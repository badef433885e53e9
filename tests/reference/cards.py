"""Train cards: the deck, the face-up row and drawing from them (B3 to B5, S3)."""

from .board import CARDS, COLOURS, LOCOMOTIVE, board_of
from .chance import below
from .state import Action, Counts, State, mover, no_cards, total

ROW = 5


def move_cards(paid: Counts, source: Counts, target: Counts) -> None:
    for card, number in paid.items():
        source[card] -= number
        target[card] += number


def deck_can_give(state: State) -> bool:
    """B5: the discard pile is as good as a deck, for it becomes one when a card is needed."""
    return total(state["deck"]) + total(state["discard"]) > 0


def draw_card(state: State) -> str | None:
    """Take one card off the deck, if there is any.

    B5: the discard pile becomes the deck now, when a card is needed, and not earlier. The deck has counts
    but no order: the card drawn is the one at a random place of the deck sorted by colour.
    """
    if total(state["deck"]) == 0:
        state["deck"], state["discard"] = state["discard"], no_cards()
    deck = state["deck"]
    if total(deck) == 0:
        return None
    sorted_deck = [card for card in CARDS for _ in range(deck[card])]
    card = sorted_deck[below(state, len(sorted_deck))]
    deck[card] -= 1
    return card


def fill_row(state: State) -> None:
    """Fill the row as far as cards go, and deal it anew while it shows too many locomotives (B4, B5)."""
    _deal_row(state)
    while _row_must_go(state):
        move_cards(dict(state["face_up"]), state["face_up"], state["discard"])
        _deal_row(state)


def _deal_row(state: State) -> None:
    while total(state["face_up"]) < ROW:
        card = draw_card(state)
        if card is None:
            return
        state["face_up"][card] += 1


def _row_must_go(state: State) -> bool:
    """B4: three locomotives, unless fewer than three other cards are left to replace them with. S3 knows no B4."""
    if not board_of(state).numbers.three_locomotives:
        return False
    places = (state["deck"], state["discard"], state["face_up"])
    others = sum(place[colour] for place in places for colour in COLOURS)
    return state["face_up"][LOCOMOTIVE] >= 3 and others >= 3


def legal_draws(state: State) -> list[Action]:
    """B3, B5: blind while deck or discard pile last; face up any card, but no locomotive as the second."""
    actions: list[Action] = [{"kind": "draw_deck"}] if deck_can_give(state) else []
    restricted = state["phase"] == "second_card" and board_of(state).numbers.locomotive_is_whole_draw
    wanted = COLOURS if restricted else CARDS
    return actions + [{"kind": "draw_face_up", "card": card} for card in wanted if state["face_up"][card]]


def draw_blind(state: State) -> None:
    card = draw_card(state)
    assert card is not None
    mover(state)["hand"][card] += 1


def draw_face_up(state: State, card: str) -> None:
    """B3: the card is replaced at once. Everybody has seen it, so it is known to be in the hand (K)."""
    seat = mover(state)
    state["face_up"][card] -= 1
    seat["hand"][card] += 1
    seat["known"][card] += 1
    fill_row(state)
