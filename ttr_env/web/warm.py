"""Loading compiled code before it is needed; what has never been compiled is compiled, which takes a minute."""

from __future__ import annotations

from ttr_env import agents, render
from ttr_env.game import Game
from ttr_env.game.knowledge import reveals


def for_tables() -> None:
    """What a table needs when somebody sits down."""
    game = Game("nederland", players=2, seed=0)
    game.step(int(game.legal_actions()[0]))
    render.scene(game, 0)
    reveals(game, game.player, int(game.legal_actions()[0]))


def for_agents() -> None:
    """What agents need that are asked at once."""
    game = Game("nederland", players=2, seed=0)
    for name in ("planner", "champion"):
        agents.explain(name, game)
