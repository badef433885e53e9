"""Self-play training with RLlib: `python -m training.rllib --config configs/rllib.yaml`."""

import sys

from ttr_env.learning.rllib.train import main

if __name__ == "__main__":
    sys.exit(main())
