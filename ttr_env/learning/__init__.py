"""Learning to play: settings, the league, runs that can be stopped and resumed; `sb3` and `rllib` do the learning."""
