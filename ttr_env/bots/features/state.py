"""The state: where the player to move stands, whatever it does next."""

from __future__ import annotations

from ttr_env.bots.features.outlook import TOLL_COST, reachable_trains, read_board, read_plan, turns_to_go
from ttr_env.bots.planner import open_tickets, total_points
from ttr_env.bots.routes import plan_tickets, survey_if_changed
from ttr_env.engine.bits import popcount
from ttr_env.engine.cards import total
from ttr_env.engine.claims import cards_of_colour
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import (
    COLOURS,
    GREY,
    KEEP_TICKETS,
    LOCOMOTIVE,
    NEUTRAL,
    OUT,
    SECOND_CARD,
    SET,
    TUNNEL,
    TURN,
)
from ttr_env.engine.paths import longest_path
from ttr_env.engine.scoring import ticket_points


@kernel
def write_state(g, b, player, net, view):
    """Write the state of the player to move; the plan stays in `net`, and what actions need in `view`."""
    net["toll_cost"] = TOLL_COST
    survey_if_changed(g, b, player, net)
    view["reach"] = reachable_trains(g, player)
    unfinished = open_tickets(g, b, player, g["tickets"][player])
    plan_tickets(g, b, player, net, unfinished, view["reach"])
    read_board(g, b, player, view)
    s = view["state"]
    write_table(g, b, s)
    write_time(g, b, player, view["reach"], s)
    write_points(g, player, s)
    write_cards(g, b, player, s)
    view["most_tolls"] = write_tolls(g, b, player, view["tolls"], s)
    write_tickets(g, b, player, unfinished, s)
    lacking = read_plan(g, b, player, net, view)
    write_plan(g, b, player, net, view, unfinished, lacking, s)
    view["own_path"] = write_path(g, b, player, net["stack"], s)


@kernel
def write_table(g, b, s):
    """Phase, players and rules."""
    phase, players = g["phase"], g["players"]
    s["keeping"] = int(phase == KEEP_TICKETS)
    s["turn"] = int(phase == TURN)
    s["second_card"] = int(phase == SECOND_CARD)
    s["neutral"] = int(phase == NEUTRAL)
    s["tunnel"] = int(phase == TUNNEL)
    s["set"] = int(phase == SET)
    s["setup"] = float(g["setup"])
    s["asked"] = g["pending_left"] / 6.0
    s["two_players"] = int(players == 2)
    s["three_players"] = int(players == 3)
    s["four_players"] = int(players == 4)
    s["five_players"] = int(players == 5)
    s["with_tolls"] = float(g["with_tolls"])
    s["neutral_active"] = int(g["with_neutral"] and g["neutral_active"])
    s["locomotive_ends_draw"] = float(b["locomotive_ends_draw"])
    s["plain_locomotives"] = float(b["plain_locomotives"])
    s["path_bonus"] = b["path_bonus"] / 20.0
    s["tickets_bonus"] = b["most_tickets"] / 20.0


@kernel
def write_time(g, b, player, reach, s):
    """How long the game goes on."""
    fewest, trains = 1000, 0
    for seat in range(g["players"]):
        if seat != player:
            fewest = min(fewest, int(g["trains"][seat]))
            trains += int(g["trains"][seat])
    own, all_trains = int(g["trains"][player]), float(b["trains"])
    s["last_turns"] = int(g["turns_left"] >= 0)
    s["turns_left"] = max(0, int(g["turns_left"])) / 5.0
    s["round"] = g["round"] / 60.0
    s["turns_to_go"] = turns_to_go(g, player) / 40.0
    s["trains"] = own / all_trains
    s["fewest_trains"] = fewest / all_trains
    s["mean_trains"] = trains / (g["players"] - 1.0) / all_trains
    s["trains_lead"] = (own - fewest) / all_trains
    s["reach"] = reach / all_trains


@kernel
def write_points(g, player, s):
    """The points on the board."""
    most, points = -1000, 0
    for seat in range(g["players"]):
        if seat != player:
            most = max(most, int(g["points"][seat]))
            points += int(g["points"][seat])
    own = int(g["points"][player])
    s["points"] = own / 200.0
    s["most_points"] = most / 200.0
    s["mean_points"] = points / (g["players"] - 1.0) / 200.0
    s["points_lead"] = (own - most) / 100.0


@kernel
def write_cards(g, b, player, s):
    """Hands and piles."""
    most, cards = 0, 0
    for seat in range(g["players"]):
        if seat != player:
            held = total(g["hand"][seat])
            most = max(most, held)
            cards += held
    hand = g["hand"][player]
    s["hand"] = total(hand) / 30.0
    s["locomotives"] = hand[LOCOMOTIVE] / 8.0
    s["most_held"] = cards_of_colour(hand, GREY) / 10.0
    s["most_others_cards"] = most / 30.0
    s["mean_others_cards"] = cards / (g["players"] - 1.0) / 30.0
    s["deck"] = g["deck_size"] / float(b["cards"])
    s["discard"] = total(g["discard"]) / float(b["cards"])


@kernel
def write_tolls(g, b, player, tolls, s):
    """Tokens and loans; returns the most tokens that another without a loan seems to have, 0 where nobody is."""
    most, ahead, borrowers, others = -1000.0, 0, 0, g["players"] - 1.0
    for seat in range(g["players"]):
        if seat == player:
            continue
        if g["loans"][seat] > 0:
            borrowers += 1
        else:
            most = max(most, tolls[seat])
            ahead += int(tolls[seat] > tolls[player])
    if borrowers == others:
        most = 0.0
    if g["with_tolls"]:
        s["tolls"] = tolls[player] / b["tokens"]
        s["most_tolls"] = most / b["tokens"]
        s["tolls_lead"] = (tolls[player] - most) / 15.0
        s["others_ahead"] = ahead / others
        s["loans"] = g["loans"][player] / 4.0
        s["others_loans"] = borrowers / others
    return most


@kernel
def write_tickets(g, b, player, unfinished, s):
    """Tickets, and how many can be drawn."""
    most, tickets = 0, 0
    for seat in range(g["players"]):
        if seat != player:
            held = popcount(g["tickets"][seat])
            most = max(most, held)
            tickets += held
    completed = g["tickets"][player] & ~unfinished
    drawable = popcount(g["ticket_pile"])
    if g["discards"] != OUT:
        drawable += popcount(g["ticket_discard"])
    s["open_tickets"] = popcount(unfinished) / 6.0
    s["completed"] = popcount(completed) / 12.0
    s["completed_points"] = total_points(b, completed) / 150.0
    s["most_tickets"] = most / 12.0
    s["mean_tickets"] = tickets / (g["players"] - 1.0) / 12.0
    s["pile"] = drawable / float(b["tickets"])


@kernel
def write_plan(g, b, player, net, view, unfinished, lacking, s):
    """The plan for the open tickets."""
    served = int(total_points(b, net["served"]))
    unserved = int(total_points(b, unfinished & ~net["served"]))
    completed = int(total_points(b, g["tickets"][player] & ~unfinished))
    wanted = 0
    for colour in range(COLOURS):
        wanted += int(view["wanted"][colour])
    all_trains = float(b["trains"])
    s["planned"] = int(net["trains"] > 0)
    s["plan_trains"] = net["trains"] / all_trains
    s["plan_tolls"] = tokens_of(g, b, net["tolls"])
    s["plan_points"] = net["points"] / 60.0
    s["served"] = popcount(net["served"]) / 6.0
    s["served_points"] = served / 80.0
    s["unserved_points"] = unserved / 80.0
    s["lacking"] = lacking / 6.0
    s["wanted"] = wanted / 30.0
    s["spare_trains"] = (view["reach"] - net["trains"]) / all_trains
    s["outlook"] = (int(g["points"][player]) + completed + served - unserved + net["points"]) / 300.0


@kernel
def tokens_of(g, b, tolls):
    """Tolls as a part of the tokens that everybody starts with, nothing where none are paid."""
    return tolls / float(b["tokens"]) if g["with_tolls"] else 0.0


@kernel
def write_path(g, b, player, stack, s):
    """The longest paths, where they earn a bonus; returns the own one, -1 where they do not."""
    if b["path_bonus"] == 0:
        return -1
    own, most = longest_path(g, b, player, stack), 0
    for seat in range(g["players"]):
        if seat != player:
            most = max(most, longest_path(g, b, seat, stack))
    s["path"] = own / 45.0
    s["path_lead"] = (own - most) / 20.0
    return own


@kernel
def write_hidden(g, b, player, hidden):
    """What only a critic in training may know: where the others really stand."""
    won, _, _ = ticket_points(g, b, player)
    own = int(g["points"][player]) + won
    best, best_open, tolls = -1000, 0, 0
    for seat in range(g["players"]):
        if seat == player:
            continue
        won, failed, _ = ticket_points(g, b, seat)
        standing = int(g["points"][seat]) + won
        if standing > best or (standing == best and failed < best_open):
            best, best_open = standing, failed
        if g["loans"][seat] == 0:
            tolls = max(tolls, int(g["tolls"][seat]))
    hidden["own_standing"] = own / 300.0
    hidden["best_standing"] = best / 300.0
    hidden["standing_lead"] = (own - best) / 100.0
    hidden["best_open"] = best_open / 80.0
    if g["with_tolls"]:
        hidden["true_tolls"] = tolls / float(b["tokens"])
        hidden["true_tolls_lead"] = (int(g["tolls"][player]) - tolls) / 15.0
