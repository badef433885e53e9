"""Replies in words: every action's sentence reads back, however it is spelled; what is unclear is refused."""

from __future__ import annotations

import json
import os
import re

import numpy as np
import pytest

from tests.helpers.busy import LAKES, TABLES, some_decisions, table_name
from ttr_env import Game, maps, text
from ttr_env.errors import UnreadableReply
from ttr_env.text.spelling import plain


def turned_round(game: Game, sentence: str) -> str:
    """A sentence with the two cities of every track and ticket in the other order, without its dash."""
    city = "|".join(re.escape(name) for name in sorted(game.map.cities, key=len, reverse=True))
    return re.sub(f"({city}) - ({city})", r"\2/\1", sentence)


def spellings(game: Game, sentence: str) -> list[str]:
    other = turned_round(game, sentence)
    return [sentence, sentence.lower(), plain(sentence), other, plain(other), json.dumps({"move": other.upper()})]


@pytest.mark.parametrize("options", TABLES, ids=table_name)
def test_every_legal_action_reads_back_however_it_is_spelled(options: dict) -> None:
    for game in some_decisions(options, seed=4, every=25):
        for action in game.legal_actions().tolist():
            for spelling in spellings(game, text.to_text(game, action)):
                assert text.parse(game, spelling) == action, spelling


@pytest.mark.slow
@pytest.mark.parametrize("name", [*maps.names(), LAKES, "generate:seed=7,cities=20,tunnels=4,ferries=3,tolls=true"])
def test_actions_of_random_games_read_back(name: str) -> None:
    """Of `TTR_TEXT_GAMES` games on each map, 30 by default; `make text` plays a thousand."""
    rng = np.random.default_rng(0)
    fewest, most = maps.load(name).rules.players
    for seed in range(int(os.environ.get("TTR_TEXT_GAMES", "30"))):
        game = Game(name, players=fewest + seed % (most - fewest + 1), seed=seed)
        while not game.over:
            action = game.sample(rng)
            for spelling in spellings(game, game.text(action)):
                assert text.parse(game, spelling) == action, spelling
            game.step(action)


def in_turn() -> Game:
    game = Game("nederland", players=2, seed=7)
    for _ in range(2):
        game.step(text.parse(game, "Keep all"))
    return game


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        ("Take a white card", "Take a white card"),
        ("I would like to take a white card, please.", "Take a white card"),
        ("<think>Take a green card</think>\nTake a white card", "Take a white card"),
        ("White is best.\n**Move:** take white", "Take a white card"),
        ("Let me think.\n\n- Draw tickets", "Draw tickets"),
        ('```json\n{"action": "Draw tickets"}\n```', "Draw tickets"),
        ('{"action": {"kind": "draw_deck"}}', "Draw a card from the deck"),
        ('{"action": 0}', "Draw a card from the deck"),
        ("0", "Draw a card from the deck"),
        ("draw blind", "Draw a card from the deck"),
        ("Action: 0", "Draw a card from the deck"),
        ("[0]", "Draw a card from the deck"),
        ("White would be nice.\n<answer>\nDraw tickets\n</answer>", "Draw tickets"),
        ("So I play \\boxed{\\text{Draw tickets}}.", "Draw tickets"),
        ("My final answer is: I'd take the white one.", "Take a white card"),
        ('{"action": 2, "move": "take white", "answer": null}', "Take a white card"),
        ('{"action": 2}\nMove: take white', "Take a white card"),
        ('{"thought": "white is rare"}\nMove: take white', "Take a white card"),
        ('Move: {"action": 2}', "Take a white card"),
        ('<answer>{"action": [2]}</answer>', "Take a white card"),
        ("<answer>White.\nMove: \\boxed{take white}</answer>", "Take a white card"),
        ('{"moves": ["take white"]}', "Take a white card"),
        ("Answer: [2]", "Take a white card"),
        ("```json\n[2]\n```", "Take a white card"),
        ("As in [2], I draw.\nMove: Draw tickets", "Draw tickets"),
        ("Take a black card\nDraw tickets\nMove: take white", "Take a white card"),
        ("I want to take a card.\n\nTake a white card", "Take a white card"),
        ("Black is gone, so take white is left.\n- take white", "Take a white card"),
        ("Let me think.\ntake\nwhite", "Take a white card"),
    ],
)
def test_what_is_read(reply: str, meant: str) -> None:
    game = in_turn()
    assert text.to_text(game, text.parse(game, reply)) == meant


WHITE_OR_TICKETS = "it names several actions: 'Take a white card', 'Draw tickets'"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "it is empty"),
        ("fly to the moon", "it names no action"),
        ("do not take a white card", "'do' means nothing here"),
        ("take a white or a green card", "two cards"),
        ("take a card", "it can mean .* actions: 'Draw a card from the deck', 'Take a purple card'"),
        ("Take a white card\nDraw tickets", "it names several actions"),
        ("<move>Take a white card</move> <move>Draw tickets</move>", "it names several actions"),
        ("[0, 1]", "names several actions|not legal"),
        ('{"move": "Draw tickets"} {"move": "Pass"}', "passing is only for a player who can do nothing else"),
        ("Take a red card", "no such card lies face up"),
        ("Claim Aarschot - Liège with 5 red", "the hand does not hold these cards"),
        ("Claim Aarschot - Groningen", "there is no such action on this map"),
        ("Claim Aarschot - Liège - Groningen", "more than two cities"),
        ("Keep Breda - Eindhoven", "the phase is turn"),
        ("99999", "there is no such action"),
        ('{"kind": "fly"}', "no kind of action"),
        ("x" * 30_000, "20,000 are read at most"),
        ('{"action": 2, "move": "Draw tickets"}', WHITE_OR_TICKETS),
        ('{"move": "Draw tickets", "answer": "Take a white card"}', WHITE_OR_TICKETS),
        ('{"move": "Draw tickets", "moves": ["Take a white card"]}', WHITE_OR_TICKETS),
        ('{"action": 2}\nMove: Draw tickets', WHITE_OR_TICKETS),
        ("<move>Draw tickets</move>\nMove: Take a white card", WHITE_OR_TICKETS),
        ("\\boxed{Draw tickets} <move>take white</move>", WHITE_OR_TICKETS),
        ('{"action": 2, "Action": "Draw tickets"}', WHITE_OR_TICKETS),
        ('{"action": 2, "action": 10}', "it has two values for 'action': 2 and 10"),
        ('[{"action": 2}, 0]', "it names several actions: 'Draw a card from the deck', 'Take a white card'"),
        ("Move: Draw tickets [2]", "'2' means nothing here"),
        ("I choose\n[2]", "none of its 2 lines is a legal move"),
        ("Take a black card\nTake a white card", r"'Take a white card', 'Take a black card' \(that is not legal now"),
        ("Claim Amsterdam - Maastricht\nDraw tickets", "'Draw tickets', 'Claim Amsterdam - Maastricht'"),
        ("Draw tickets\n12", "it has several answers: 'Draw tickets', 12"),
        ("<move>fly</move>\nMove: Draw tickets", "'Draw tickets', 'fly'"),
        ("I will not\ndraw tickets\nthis turn.", "'not' means nothing here"),
        ("Draw tickets\nis a bad idea", "'bad' means nothing here"),
        ('{"rejected":\n"draw tickets"\n}', "'rejected' means nothing here"),
        ("Move: Pass\nAnswer: pass", "^.* that is not legal now: passing"),
    ],
)
def test_what_is_refused_and_why(reply: str, reason: str) -> None:
    game = in_turn()
    before = game.copy()
    with pytest.raises(UnreadableReply, match=reason) as refused:
        text.parse(game, reply)
    assert refused.value.reply == reply and refused.value.reason
    assert game == before


def test_a_whole_turn_is_taken_apart() -> None:
    assert text.steps("Move: Take a red card, then draw a card from the deck") == [
        "Take a red card",
        "draw a card from the deck",
    ]
    assert text.steps("<move>Pass; pass</move>") == ["Pass", "pass"]
    assert text.steps('{"moves": ["Take a red card", 0]}') == ["Take a red card", "0"]


@pytest.mark.parametrize(
    ("reply", "steps"),
    [
        ('{"Moves": ["A", 0]}', ["A", "0"]),
        ('{"move": "A, then B"}', ["A", "B"]),
        ('{"thought": "x"}\nMove: A, then B', ["A", "B"]),
        ('{"moves": ["A", "B"]}\nMove: a; then b', ["A", "B"]),
        ("[2] says A; then B", ["[2] says A", "B"]),
        ("Answer: [0, 2]", ["0", "2"]),
        ("A,\nthen B", ["A", "B"]),
        ("a\nb", ["a", "b"]),
        ("A\nis a bad idea", ["A is a bad idea"]),
        ('{"move": "A", "moves": ["B"]}', ['{"move": "A", "moves": ["B"]}']),
        ('{"moves": []}', []),
        ('{"moves": [], "move": "A"}', ["A"]),
    ],
)
def test_a_whole_turn_is_looked_for_in_all_forms(reply: str, steps: list[str]) -> None:
    assert text.steps(reply) == steps


@pytest.mark.parametrize(
    "reply",
    [
        '{"moves": ["A", "B"]}\nMove: A, then C',
        '{"moves": ["A", "B"], "turn": ["A", "C"]}',
        '<move>A; B</move> {"actions": ["A", "C"]}',
    ],
)
def test_two_turns_in_one_reply_are_refused(reply: str) -> None:
    with pytest.raises(UnreadableReply, match=r"several turns: 'A; .' and 'A; .'; describe one"):
        text.steps(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "9" * 5000,
        "take " + "9" * 5000 + " red cards",
        '{"move": "' + "9" * 5000 + '"}',
        "[" * 400 + "]" * 400,
        "[" * 19_000,
        "pay ² red",
    ],
    ids=["number", "words", "JSON", "deep", "deeper", "superscript"],
)
def test_numbers_of_thousands_of_digits_and_deep_lists_are_refused_in_few_words(reply: str) -> None:
    game = Game(seed=7)
    with pytest.raises(UnreadableReply) as refused:
        text.parse(game, reply)
    assert len(str(refused.value)) < 1000
    deep = json.dumps([reply]) if not reply.startswith("[") else '{"moves": [' + "[" * 990 + "]" * 990 + "]}"
    for part in (reply, deep):
        try:
            assert all(isinstance(step, str) for step in text.steps(part))
        except UnreadableReply as error:
            assert str(error) == "it is nested too deeply"
