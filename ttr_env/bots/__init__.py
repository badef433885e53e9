"""Built-in players as compiled functions: a game in, an action out. `ttr_env.agents` gives them a face."""
