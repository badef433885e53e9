"""Playing and training for as long as one likes, with everything checked: `make soak MINUTES=60`."""
