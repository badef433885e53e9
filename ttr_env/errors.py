"""The errors a user can meet, each a `ValueError` that says what is wrong and what would be right."""


class IllegalAction(ValueError):
    """The action cannot be taken here; the game is as it was before."""


class MapError(ValueError):
    """A board's files are broken; the message names file, line and field."""


class SnapshotError(ValueError):
    """A snapshot does not describe a position of the game; the message names the field."""


class RecordError(ValueError):
    """A record cannot be replayed; the message names the step at which it fails."""
