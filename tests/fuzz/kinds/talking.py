"""What others say: replies in words, and the lines of programs that play."""

from __future__ import annotations

import json
import shlex
import sys
from random import Random

import numpy as np

from tests.fuzz.kinds.base import Kind, check
from tests.fuzz.mutating import damage_json, damage_text
from ttr_env import Game, agents, text
from ttr_env.errors import IllegalAction, ProgramError, UnreadableReply


class Replies(Kind):
    """Replies, to `text.parse` in positions of every phase, and to `text.steps`."""

    allowed = (UnreadableReply,)

    def prepare(self) -> None:
        self._positions, rng = [], np.random.default_rng(1)
        for name in ("nederland", "nordic", "usa"):
            game = Game(name, players=2, seed=1)
            while not game.over and len(game.actions) < 120:
                if len(game.actions) % 8 == 0 or game.phase not in ("turn", "keep_tickets"):
                    self._positions.append(game.copy())
                game.step(int(rng.choice(game.legal_actions())))

    def seeds(self) -> list[bytes]:
        said = [
            "Take a red card, then draw a card from the deck",
            "<answer>Pass</answer>",
            "\\boxed{3}",
            "Move: keep all",
        ]
        rng = np.random.default_rng(2)
        for game in self._positions:
            action = int(rng.choice(game.legal_actions()))
            said += [game.text(action), json.dumps({"action": action}), json.dumps({"move": game.text(action)})]
            said.append(f"Hm. <think>{game.text(int(game.legal_actions()[0]))}</think>\n* **{game.text(action)}**\n")
        return [each.encode() for each in said]

    def damage(self, data: bytes, rng: Random) -> bytes:
        return damage_json(data, rng) if data.startswith(b"{") else damage_text(data, rng)

    def give(self, data: bytes) -> None:
        reply = data.decode("utf-8", "surrogateescape")
        game = self._positions[len(data) % len(self._positions)]
        text.steps(reply)
        check(text.parse(game, reply) in game.legal_actions(), "what was read is illegal")


# It answers each question with the next piece of a file, and ends after a piece that is no whole line.
PLAYER = r"""
import sys
pieces = open(sys.argv[1], "rb").read().split(b"\x1e")
for line in sys.stdin.buffer:
    if b'"type":"map"' in line[:40]:
        continue
    piece = pieces.pop(0) if pieces else b""
    sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()
    if not piece.endswith(b"\n"):
        break
"""


class Programs(Kind):
    """What a program answers that plays (`exec:PROGRAM`): to the greeting, and to a few questions."""

    allowed = (ProgramError, IllegalAction)

    def prepare(self) -> None:
        self._player, self._answers = self.scratch / "player.py", self.scratch / "answers"
        self._player.write_text(PLAYER)
        command = [sys.executable, "-I", "-S", str(self._player), str(self._answers)]
        self._spec = f"exec:{shlex.join(command)},seconds=4"

    def seeds(self) -> list[bytes]:
        game, pieces = Game(seed=7), [b'{"protocol": 1}\n']
        for number in range(1, 4):
            action = int(game.legal_actions()[-1])
            pieces.append(b'{"id": %d, "action": %d}\n' % (number, action))
            game.step(action)
        return [b"\x1e".join(pieces)]

    def damage(self, data: bytes, rng: Random) -> bytes:
        pieces = data.split(b"\x1e")
        place = rng.randrange(len(pieces))
        pieces[place] = damage_json(pieces[place].strip(), rng)
        if rng.random() < 0.95:
            pieces[place] += b"\n"
        return b"\x1e".join(pieces)

    def give(self, data: bytes) -> None:
        self._answers.write_bytes(data)
        game = Game(seed=7)
        agent = agents.make(self._spec)
        try:
            for _ in range(3):
                before = game.records.tobytes()
                try:
                    game.step(agent.act(game))
                except IllegalAction:
                    check(game.records.tobytes() == before, "a refused action changed the game")
                    raise
        finally:
            agents.base.close([agent])
        check(not agent.running, "the program was left running")  # type: ignore[attr-defined]
