"""The curves of several runs in one picture: `python -m training.curves runs/one runs/two --out curves.png`."""

import sys

from ttr_env.learning.curves import main

if __name__ == "__main__":
    sys.exit(main())
