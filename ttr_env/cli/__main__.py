"""`python -m ttr_env.cli`, where the `ttr` script is not on the path."""

from ttr_env.cli import main

main()
