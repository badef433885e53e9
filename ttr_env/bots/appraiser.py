"""A network that tells what a position is worth to the player to move, evaluated in compiled code.

`ttr_env.learning.appraisal` trains it: 0 is a clear loss, 1 a clear win, as for every search.
"""

from __future__ import annotations

import numpy as np

from ttr_env.bots.features.columns import STATE
from ttr_env.bots.layers import add_rows, list_nonzero, list_positive
from ttr_env.bots.scorer import MAX_FIRST, MAX_SECOND
from ttr_env.engine.jit import kernel
from ttr_env.engine.scratch import whole_lines

# A network. Layers may have fewer units than there is room for.
APPRAISER = whole_lines(
    [
        ("first", "f4", (len(STATE), MAX_FIRST)),
        ("first_bias", "f4", MAX_FIRST),
        ("second", "f4", (MAX_FIRST, MAX_SECOND)),
        ("second_bias", "f4", MAX_SECOND),
        ("last", "f4", MAX_SECOND),
        ("last_bias", "f4"),
        ("first_units", "i8"),
        ("second_units", "i8"),
    ]
)


@kernel
def worth(net, row, space):
    """What a position is worth, by the row of its state; `space` is that of a scorer."""
    first, second, places, factors = space["first"], space["second"], space["places"], space["factors"]
    first[:] = net["first_bias"]
    used = list_nonzero(row, places, factors)
    add_rows(first, net["first"], places, factors, used, net["first_units"])
    second[:] = net["second_bias"]
    used = list_positive(first, net["first_units"], places, factors)
    add_rows(second, net["second"], places, factors, used, net["second_units"])
    logit = float(net["last_bias"])
    for unit in range(net["second_units"]):
        logit += max(np.float32(0.0), second[unit]) * net["last"][unit]
    return 1.0 / (1.0 + np.exp(-logit))
