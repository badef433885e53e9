"""The shared protocol of randomness: the same seed must give the same cards here and in the engine.

The generator is SplitMix64. Its one 64-bit word lives in the position as 16 hexadecimal digits.
"""

from .state import State

WORD = 2**64
HALF = 2**32


def advance(word: int) -> tuple[int, int]:
    """The generator's next state and its output."""
    word = (word + 0x9E3779B97F4A7C15) % WORD
    z = word
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
    return word, z ^ (z >> 31)


def seeded(seed: int) -> str:
    """The first state is an output of a generator started at the seed: near seeds start far apart."""
    return f"{advance(seed % WORD)[1]:016x}"


def below(state: State, n: int) -> int:
    """A uniform integer in 0..n-1 by Lemire's method; uses at least one output, also for n = 1."""
    product = _half_word(state) * n
    if product % HALF < n:  # only then can the draw be one of the few that would favour small numbers
        while product % HALF < HALF % n:
            product = _half_word(state) * n
    return product // HALF


def _half_word(state: State) -> int:
    word, output = advance(int(state["rng"], 16))
    state["rng"] = f"{word:016x}"
    return output // HALF
