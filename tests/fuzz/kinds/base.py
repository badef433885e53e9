"""What there is to know of a kind of input."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from random import Random

LONGEST_COMPLAINT = 4000  # letters of an error's message


class Fault(AssertionError):
    """What took an input neither refused it as it promises nor is as it should be afterwards."""


class Kind(ABC):
    """A kind of input: sound ones, how they are damaged, and who is given them."""

    allowed: tuple[type[Exception], ...] = ()  # the errors with which an input may be refused
    plain_actions = False

    def __init__(self, scratch: Path) -> None:
        """Args:
        scratch: an empty folder for whatever files are needed.
        """
        self.scratch = scratch
        self.prepare()

    @abstractmethod
    def prepare(self) -> None:
        """Get ready, once."""

    @abstractmethod
    def seeds(self) -> list[bytes]:
        """Sound inputs, the same whenever they are asked for."""

    @abstractmethod
    def damage(self, data: bytes, rng: Random) -> bytes:
        """An input with a little more damage."""

    @abstractmethod
    def give(self, data: bytes) -> int | None:
        """Give an input to what takes it: an error of `allowed` refuses it; without one, all must be sound.

        It returns how many inputs that were, where one damaged text holds several.
        """

    def close(self) -> None:  # noqa: B027 - most have nothing to do
        """Leave nothing behind."""


def check(sound: object, what: str) -> None:
    """See that something is so."""
    if not sound:
        raise Fault(what)


def check_complaint(error: Exception) -> None:
    """A refusal is a sentence of a bearable length that cannot steer a terminal."""
    text = str(error)
    check(text.strip(), f"{type(error).__name__} says nothing")
    check(len(text) <= LONGEST_COMPLAINT, f"{type(error).__name__} says {len(text)} letters: {text[:200]}...")
    strange = {sign for sign in text if (ord(sign) < 32 and sign != "\n") or 127 <= ord(sign) < 160}
    check(not strange, f"{type(error).__name__} has signs that steer a terminal: {text[:200]!r}")
