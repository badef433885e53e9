"""The game in a browser: tables at which people and agents play, watch and look back. `ttr serve` starts it.

The server offers and the page shows: what may be done comes to a page as a list of actions with words and places on the
board, and goes back as the index of one of them. From a seat, a page is sent only what that seat may know.
"""
