"""What the terminal shows: the board, panels, the story of a game, and films of it."""
