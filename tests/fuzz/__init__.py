"""Damaged input of every kind, given to whatever takes it: `make fuzz ARGS="--seconds 3600 --seed 1"`.

`mutating` damages, a module of `kinds` says what is damaged and who is given it, `worker` does so in a process of its
own, and `watching` sees whether that process crashes or hangs.
"""
