"""Pictures of a game: one scene of a few shapes, drawn as SVG or pixels, a page for a browser, a text for the terminal.

>>> from ttr_env import Game, render
>>> game = Game("nederland", players=3, seed=7)
>>> render.to_svg(game)[:4]
'<svg'
>>> render.to_rgb(game, perspective=0, width=600).shape
(400, 600, 3)
>>> print(render.to_text(game, colour=False).splitlines()[1])
Player 0 chooses tickets

A `perspective` is a seat, and then only what that player knows is drawn, or None or "all" for everything.
Nothing graphical is imported before something is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import numpy as np

    from ttr_env.agents.base import Actor
    from ttr_env.game import Game

    from .pages import Page
    from .shapes import Scene

__all__ = ["page", "scene", "to_rgb", "to_svg", "to_text"]


def scene(game: Game, perspective: int | str | None = None, names: Sequence[str] = ()) -> Scene:
    """The picture of a game as shapes, for a back-end to draw; `names` say who sits where, by seat.

    >>> from ttr_env import Game
    >>> "Amsterdam" in scene(Game("nederland", players=2, seed=7)).texts()
    True
    """
    from ttr_env.game.knowledge import View

    from . import picture

    return picture.compose(View.of(game, perspective), names)


def to_svg(game: Game, perspective: int | str | None = None, width: int = 1200, names: Sequence[str] = ()) -> str:
    """The picture of a game as an SVG document, `width` pixels wide where it is not scaled."""
    from . import svg

    return svg.draw(scene(game, perspective, names), width)


def to_rgb(
    game: Game, perspective: int | str | None = None, width: int = 1200, names: Sequence[str] = ()
) -> np.ndarray:
    """The picture of a game as pixels: uint8 [height, width, 3]; `names` say who sits where, by seat."""
    from . import pixels

    return pixels.draw(scene(game, perspective, names), width)


def to_text(game: Game, perspective: int | str | None = None, colour: bool = True) -> str:
    """The position as lines of about 100 characters, with ANSI colours or plain."""
    from ttr_env.game.knowledge import View

    from . import text

    return text.draw(View.of(game, perspective), colour)


def page(
    game_or_record: Game | Mapping[str, Any],
    perspective: int | str | None = None,
    explain: Sequence[str | Actor] = (),
) -> Page:
    """A game, from its beginning to where it stands, as one file of HTML to step through in a browser.

    Args:
        game_or_record: a game, or the record of one.
        perspective: a seat, and then the file holds nothing that this player cannot know; None or "all" for everything.
        explain: agents, by name or made already, that say what they think of each decision (`ttr_env.agents.explain`);
            from a seat, of those of this player.

    >>> from ttr_env import Game
    >>> game = Game("nederland", players=2, seed=7)
    >>> game.step(game.legal_actions()[0])
    >>> str(page(game, explain=["champion"]))[:15]
    '<!doctype html>'
    """
    from ttr_env.game import Game
    from ttr_env.game.records import names

    from . import pages

    if isinstance(game_or_record, Game):
        return pages.page_of(game_or_record, names({"players": game_or_record.players}), perspective, explain)
    return pages.page_of(Game.replay(game_or_record), names(game_or_record), perspective, explain)
