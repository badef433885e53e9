"""Programs to run and to copy; what they call is in `ttr_env.learning` and `ttr_env.arena`."""
