"""The columns of the state: where the player to move stands."""

from .board import COLOURS, LOCOMOTIVE
from .outlook import Columns, Outlook, longest_path
from .state import total


def state_columns(look: Outlook) -> Columns:
    return {
        **_phase(look),
        **_table(look),
        **_time(look),
        **_score(look),
        **_cards(look),
        **(_tolls(look) if look.seen.known["tolls"] else {}),
        **_tickets(look),
        **_plan(look),
        **(_path(look) if look.earns_path_bonus else {}),
    }


def _phase(look: Outlook) -> Columns:
    known, pending = look.seen.known, look.seen.known["pending"] or {}
    names = {"keep_tickets": "keeping"}
    return {
        names.get(known["phase"], known["phase"]): 1.0,
        "setup": float(known["setup"]),
        "asked": pending.get("extra", pending.get("left", 0)) / 6,
    }


def _table(look: Outlook) -> Columns:
    known, rules = look.seen.known, look.seen.rules
    numbers = {2: "two", 3: "three", 4: "four", 5: "five"}
    return {
        f"{numbers[known['players']]}_players": 1.0,
        "with_tolls": float(known["tolls"]),
        "neutral_active": float(known["neutral"] is not None and known["neutral"]["active"]),
        "locomotive_ends_draw": float(rules.cards.locomotive_ends_draw),
        "plain_locomotives": float(rules.cards.plain_locomotives),
        "path_bonus": (rules.longest_path.bonus if rules.longest_path else 0) / 20,
        "tickets_bonus": rules.most_tickets / 20,
    }


def _time(look: Outlook) -> Columns:
    known, of_all, trains = look.seen.known, look.seen.rules.trains, look.others_have("trains")
    return {
        "last_turns": float(known["turns_left"] is not None),
        "turns_left": (known["turns_left"] or 0) / 5,
        "round": known["round"] / 60,
        "turns_to_go": look.turns_to_go / 40,
        "trains": look.seen.trains / of_all,
        "fewest_trains": min(trains) / of_all,
        "mean_trains": _mean(trains) / of_all,
        "trains_lead": (look.seen.trains - min(trains)) / of_all,
        "reach": look.reach / of_all,
    }


def _score(look: Outlook) -> Columns:
    own, others = look.seen.seat["points"], look.others_have("points")
    return {
        "points": own / 200,
        "most_points": max(others) / 200,
        "mean_points": _mean(others) / 200,
        "points_lead": (own - max(others)) / 100,
    }


def _cards(look: Outlook) -> Columns:
    known, rules, hands = look.seen.known, look.seen.rules.cards, look.others_have("hand")
    of_all = len(COLOURS) * rules.per_colour + rules.locomotives
    return {
        "hand": total(look.seen.hand) / 30,
        "locomotives": look.seen.hand[LOCOMOTIVE] / 8,
        "most_held": max(look.seen.hand[colour] for colour in COLOURS) / 10,
        "most_others_cards": max(hands) / 30,
        "mean_others_cards": _mean(hands) / 30,
        "deck": known["deck"] / of_all,
        "discard": total(known["discard"]) / of_all,
    }


def _tolls(look: Outlook) -> Columns:
    assert look.seen.rules.tolls is not None
    own, of_all, seats = look.seen.seat["tolls"], look.seen.rules.tolls.tokens, look.seen.known["seats"]
    return {
        "tolls": own / of_all,
        "most_tolls": look.most_tolls / of_all,
        "tolls_lead": (own - look.most_tolls) / 15,
        "others_ahead": look.share(lambda seat: not seats[seat]["loans"] and look.tokens(seat) > own),
        "loans": look.seen.seat["loans"] / 4,
        "others_loans": look.share(lambda seat: bool(seats[seat]["loans"])),
    }


def _tickets(look: Outlook) -> Columns:
    known, tickets = look.seen.known, look.others_have("tickets")
    drawable = known["ticket_pile"]
    if look.seen.rules.tickets.discards != "out":
        discarded = known["ticket_discard"]
        drawable += discarded if isinstance(discarded, int) else len(discarded)
    return {
        "open_tickets": len(look.open_tickets) / 6,
        "completed": len(look.done_tickets) / 12,
        "completed_points": look.seen.points(look.done_tickets) / 150,
        "most_tickets": max(tickets) / 12,
        "mean_tickets": _mean(tickets) / 12,
        "pile": drawable / len(look.seen.map.tickets),
    }


def _plan(look: Outlook) -> Columns:
    plan, of_all = look.plan, look.seen.rules.trains
    served, unserved = look.seen.points(plan.served), look.seen.points(look.open_tickets - plan.served)
    hoped_for = look.seen.points(look.done_tickets) + served - unserved + plan.points
    return {
        "planned": float(bool(plan.tracks)),
        "plan_trains": plan.trains / of_all,
        "plan_tolls": look.of_tokens(plan),
        "plan_points": plan.points / 60,
        "served": len(plan.served) / 6,
        "served_points": served / 80,
        "unserved_points": unserved / 80,
        "lacking": look.lacking / 6,
        "wanted": sum(look.wanted.values()) / 30,
        "spare_trains": (look.reach - plan.trains) / of_all,
        "outlook": (look.seen.seat["points"] + hoped_for) / 300,
    }


def _path(look: Outlook) -> Columns:
    others = [longest_path(look.seen.map, look.seen.tracks_of[seat]) for seat in look.seen.others]
    return {"path": look.own_path / 45, "path_lead": (look.own_path - max(others)) / 20}


def _mean(numbers: list[int]) -> float:
    return sum(numbers) / len(numbers)
