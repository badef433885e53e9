"""Seeds of agents, which tell them nothing of the deal."""

from __future__ import annotations

import hashlib

_BYTES = 6  # so that numbers in JSON are exact in every language


def own_seed(seed: int, *place: int) -> int:
    """The seed of an agent whose game, or table, has a seed: one at each place.

    Agents are told their seed, and programs read it. With a sum, or the seeds that rows of a batch are derived by, they
    could work back to the deal and read the others' cards; a hash does not go backwards.

    >>> own_seed(7, 0), own_seed(7, 1)
    (191610588469891, 200741492701031)
    """
    text = " ".join(map(str, (seed, *place)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=_BYTES, person=b"ttr agent").digest(), "big")
