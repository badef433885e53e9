"""Better beliefs for the planner: `python -m training.tune --map nederland --players 2`."""

import sys

from ttr_env.learning.tune import main

if __name__ == "__main__":
    sys.exit(main())
