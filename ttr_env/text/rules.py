"""The rules in a page, for who has to play by them: in words of our own, with the numbers of the map.

They tell what the engine plays and decide nothing; `docs/rules.md` has every case.
"""

from __future__ import annotations

from collections.abc import Iterator

from ttr_env.game import words
from ttr_env.game.actions import Claim, KeepTickets, NeutralClaim, table
from ttr_env.game.positions import Positions
from ttr_env.maps import Map, Track
from ttr_env.maps.model import COLOURS, Rules
from ttr_env.options import Variant


def rules(game: Positions) -> str:
    """The rules of the game that is played, and its board: what a player knows before the first card is dealt.

    >>> from ttr_env import Game
    >>> rules(Game("nederland", players=2, seed=7)).splitlines()[0]
    'TICKET TO RIDE: Nederland, 2 players, with tolls'
    """
    variant = game.variant
    sections = (_aim, _cards, _turns, _claims, _special_tracks, _tolls, _neutral, _tickets, _end)
    lines = [_heading(variant), ""]
    for section in sections:
        lines += section(variant)
    return "\n".join([*lines, "", *_moves(variant), "", *_board(variant)])


def _heading(variant: Variant) -> str:
    way = ""
    if variant.neutral_player:
        way = ", with tolls and the neutral player"
    elif variant.map.rules.tolls:
        way = ", with tolls" if variant.tolls else ", without tolls"
    return f"TICKET TO RIDE: {variant.map.title}, {variant.players} players{way}"


def _aim(variant: Variant) -> Iterator[str]:
    yield "Aim: score more points than the others, by claiming tracks and by connecting the cities of your tickets."
    rules = variant.map.rules
    start = rules.start_points[: variant.players]
    if any(start):
        told = ", ".join(f"player {seat} has {points}" for seat, points in enumerate(start))
        yield f"Players move in the order of their numbers, from 0. To make up for it they start with points: {told}."
    yield f"Everybody has {rules.trains} trains."


def _cards(variant: Variant) -> Iterator[str]:
    cards = variant.map.rules.cards
    total = cards.per_colour * len(COLOURS) + cards.locomotives
    yield (
        f"Cards: {total} train cards, {cards.per_colour} each of {', '.join(COLOURS)}, "
        f"and {cards.locomotives} locomotives. Everybody starts with {cards.hand}; {cards.row} lie face up in a row, "
        "which is filled from the deck at once."
    )
    if cards.row_reset:
        yield f"When the row shows {cards.row_reset} locomotives, it is discarded and dealt anew."


def _turns(variant: Variant) -> Iterator[str]:
    rules = variant.map.rules
    yield "In your turn you do one of these:"
    draw = "- Draw two cards, one after the other, each from the row or unseen from the deck."
    if rules.cards.locomotive_ends_draw:
        draw += " A locomotive from the row counts as both: it cannot be the second card."
    yield draw
    yield "- Claim one free track between two neighbouring cities, and pay for it with cards."
    tickets = rules.tickets
    yield f"- Draw tickets: {tickets.draw} are offered, and you keep at least {tickets.draw_keep}."
    yield "If you can do none of these, you pass."


def _claims(variant: Variant) -> Iterator[str]:
    rules = variant.map.rules
    yield (
        "Claims: a track of length L costs L cards of its colour and L trains; for a grey track choose any one colour. "
        + _jokers(rules)
    )
    scale = ", ".join(f"{points} for length {length}" for length, points in sorted(rules.route_points.items()))
    yield f"A claim scores at once: {scale}."
    yield "A double route has two tracks. Nobody may own both" + (
        "." if _both_open(variant) else "; with so few players, a claim of one closes the other to everybody."
    )


def _jokers(rules: Rules) -> str:
    if rules.cards.plain_locomotives:
        return "A locomotive stands for a card of any colour."
    return "A locomotive stands for a card of any colour, but only on tunnels and ferries."


def _both_open(variant: Variant) -> bool:
    rules = variant.map.rules
    tolls = rules.tolls if variant.tolls else None
    return variant.players >= (tolls.doubles_open_from if tolls else rules.doubles_open_from)


def _special_tracks(variant: Variant) -> Iterator[str]:
    rules, tracks = variant.map.rules, variant.map.tracks
    if any(track.ferry for track in tracks):
        ferry = "Ferries: a ferry shows locomotives; that many of the cards paid must be locomotives"
        yield ferry + (
            f", or sets of any {rules.sets.ferry} cards, each for one." if rules.sets and rules.sets.ferry else "."
        )
    for length, size in sorted(rules.sets.length.items()) if rules.sets else ():
        yield f"On a track of length {length}, any {size} cards (a set) may stand for one card of the colour."
    if rules.sets:
        yield "The cards of a set are chosen one by one, after the claim is named."
    if rules.tunnels:
        yield (
            f"Tunnels: you lay down the cards, then {rules.tunnels.turned_up} cards are turned up. Each of your "
            "colour, and each locomotive, asks for one more card of that colour or locomotive. If you laid down "
            "locomotives alone, only locomotives count. Pay, or take your cards back and end the turn."
        )


def _tolls(variant: Variant) -> Iterator[str]:
    tolls = variant.map.rules.tolls if variant.tolls else None
    if tolls is None:
        return
    yield (
        f"Tolls: everybody has tokens worth {tolls.tokens}, unseen by the others. A claim pays the toll of its route: "
        "to the bank, or, for the second track of a double route, to the owner of the first. Who cannot pay the whole "
        "toll pays nothing and "
        f"takes a loan, which costs {tolls.loan_penalty} points at the end."
    )
    bonus = ", ".join(map(str, tolls.bonus[variant.players]))
    yield f"At the end those without a loan are ranked by their tokens, and score by rank: {bonus} points."


def _neutral(variant: Variant) -> Iterator[str]:
    neutral = variant.map.rules.neutral if variant.neutral_player else None
    if neutral is None:
        return
    yield (
        f"The neutral player has {neutral.trains} trains. After each round from the {neutral.first_round}th on a "
        "ticket is turned up; it may show a double route. If one of its tracks is yours or the other player's, the "
        "neutral player gets the other track, and the bank pays the toll to the owner of the first. If both are free, "
        "the holder of the marker (player 1 at first) says which one it gets, and passes the marker on."
    )


def _tickets(variant: Variant) -> Iterator[str]:
    tickets = variant.map.rules.tickets
    yield (
        f"Tickets: at the start {tickets.deal} are dealt to you, and you keep at least {tickets.keep}. "
        "A ticket names two cities. If your own tracks connect them at the end, it scores its points; if not, it costs "
        "as many. Others do not see your tickets."
    )


def _end(variant: Variant) -> Iterator[str]:
    rules = variant.map.rules
    yield "End: when somebody finishes a turn with 2 trains or fewer, everybody has one more turn, that player too."
    if rules.longest_path and rules.longest_path.bonus:
        yield f"The longest continuous path of one player's tracks scores {rules.longest_path.bonus} points."
    if rules.most_tickets:
        yield f"Whoever has completed most tickets scores {rules.most_tickets} points."
    path = ", and after that the longer path" if rules.longest_path else ""
    yield f"The highest total wins; if totals are equal, more completed tickets decide{path}."


def _moves(variant: Variant) -> Iterator[str]:
    """How each kind of move is said."""
    map = variant.map
    claim = words.sentence(map, next(meant for meant in table(map).meanings.values() if isinstance(meant, Claim)))
    yield "How moves are said:"
    yield "- Draw a card from the deck / Take a red card / Take a locomotive / Draw tickets / Pass"
    yield f"- {claim}"
    yield f"- {words.sentence(map, KeepTickets((0, 1)))}"
    if variant.neutral_player:
        double = next(index for index, partner in enumerate(map.partners) if partner is not None)
        yield f"- {words.sentence(map, NeutralClaim(double))}"
    if map.rules.tunnels:
        yield "- Pay 1 red and 1 locomotive more for the tunnel / Take back the cards laid down at the tunnel"
    if map.rules.sets:
        yield "- Put a red card into the set"


def _board(variant: Variant) -> Iterator[str]:
    """Every track of the map."""
    map = variant.map
    yield "The board, track by track: length, colour" + (", toll" if variant.tolls else "")
    for index in range(len(map.tracks)):
        yield f"- {words.track_name(map, index)}: {track_facts(map, map.tracks[index], variant.tolls)}"


def track_facts(map: Map, track: Track, with_toll: bool) -> str:
    """What is printed on a track.

    >>> from ttr_env import maps
    >>> track_facts(maps.load("nederland"), maps.load("nederland").tracks[4], with_toll=True)
    '1 green, toll 1'
    """
    facts = [f"{track.length} {track.colour}"]
    facts += [f"toll {track.toll}"] if with_toll else []
    facts += ["tunnel"] if track.tunnel else []
    facts += [f"ferry with {words.count(track.ferry, 'locomotive')}"] if track.ferry else []
    return ", ".join(facts)
