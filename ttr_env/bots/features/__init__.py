"""Action features: what a player may know of a decision, and of each thing that it could do, as a few dozen numbers.

They do not depend on how a map numbers its tracks, cities and colours, nor on the seat, so that one network can play
every board. `columns` says what they mean, `candidates` which actions have them, `look` writes them.
"""
