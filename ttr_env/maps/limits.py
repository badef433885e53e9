"""The largest board that the engine's fixed-size record can hold."""

MAX_TRACKS = 128
MAX_CITIES = 64  # sets of cities are 64-bit sets
MAX_TICKETS = 64  # so are sets of tickets
MAX_PLAYERS = 5
MAX_LENGTH = 9
MAX_CARDS = 127  # train cards in all
MAX_OFFER = 5  # tickets to choose from at once
MAX_CLAIMS = 4096  # actions that claim a track
MAX_KINDS = 32  # of tracks that are not paid for like plain ones
MAX_SET = 9  # cards of a set
MAX_TURNED_UP = 5  # cards at a tunnel
MAX_NUMBER = 127  # any number in a board's files: counts then fit 8 bits, and scores 16
