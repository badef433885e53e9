"""Self-play training with Stable-Baselines3: `python -m training.train --config configs/quickstart.yaml`."""

import sys

from ttr_env.learning.train import main

if __name__ == "__main__":
    sys.exit(main())
