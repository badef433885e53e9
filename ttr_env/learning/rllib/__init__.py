"""Self-play training on Ray RLlib: one policy for all seats, any number of processes that play."""
