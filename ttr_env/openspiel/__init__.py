"""The game among those of OpenSpiel: importing this registers `ttr`, for `pyspiel.load_game`.

>>> import pyspiel
>>> import ttr_env.openspiel
>>> state = pyspiel.load_game("ttr(map=nederland,players=2,rng_seed=7)").new_initial_state()
>>> state.current_player(), len(state.legal_actions())
(0, 16)
"""

from ttr_env.errors import install_command

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ImportError(f"ttr_env.openspiel needs OpenSpiel: {install_command('openspiel')}") from error

from ttr_env.openspiel.game import GAME_TYPE, TicketGame
from ttr_env.openspiel.observer import Observer
from ttr_env.openspiel.state import TicketState

__all__ = ["GAME_TYPE", "Observer", "TicketGame", "TicketState"]

pyspiel.register_game(GAME_TYPE, TicketGame)
