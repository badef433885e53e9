"""Agents against agents: `python -m training.evaluate --agents planner racer greedy --games 2000`."""

import sys

from ttr_env.arena.program import main

if __name__ == "__main__":
    sys.exit(main())
