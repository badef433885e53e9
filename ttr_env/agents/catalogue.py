"""The agents that there are, each with one line about it.

Nothing is imported here, so that help which lists the agents is quick. `registry` makes them.
"""

from __future__ import annotations

BY_NAME = {
    "random": "any legal action, each as likely as any other",
    "greedy": "claims what brings most points at once; ignores its tickets",
    "racer": "puts its trains down as fast as it can; ignores its tickets",
    "planner": "plays for its tickets, by a plan of all its routes",
    "blocker": "a planner that claims what others seem to need; for evaluation alone",
    "ticket_hoarder": "a planner that draws tickets as long as there is any room; for evaluation alone",
    "toll_hoarder": "a planner that goes a long way round to keep its tokens; for evaluation alone",
    "stranger": "a planner with weights of its own, which no training has met; for evaluation alone",
    "ismcts": "searches: the champion plays on in many possible worlds for each choice that it likes",
    "champion": "networks that were trained here, one for each large built-in map",
    "champion+search": "the same as ismcts",
}
BY_FILE = {
    "policy:FILE": "a network that `ttr train` has written",
    "sb3:FILE.zip": "a saved MaskablePPO model, where Stable-Baselines3 is installed",
    "exec:PROGRAM": "any program that speaks lines of JSON, with its arguments; it is told what its seat knows",
    "module:Class": "your own: any class with act(game) that is made with seed=",
}
SHORT = ", ".join([*BY_NAME, *BY_FILE])
