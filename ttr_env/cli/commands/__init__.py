"""The commands of `ttr`, one module each."""
