"""The rules of the game as compiled functions over plain records.

A game is one record of `layout.GAME`, a board one record of `layout.BOARD`. Kernels take a game `g` and a
board `b`, and change `g` in place. They never allocate, but to measure the longest path of a very tangled network, and
they run unchanged as plain Python with `NUMBA_DISABLE_JIT=1`. Rule tags (`B4`, `N11`) refer to `docs/rules.md`.

To be read in this order. What everything stands on:

- `jit`, `cache`, `sources`: how kernels are compiled and kept on disk, until a file that they are built on changes
- `bits`, `rng`, `vectors`, `scratch`: bit sets, random numbers, vector instructions and the memory that these work in
- `layout`: what a game and a board are
- `numbering`: which action has which index
- `board`: the record of a board, made from a map

What happens:

- `cards`, `tickets`: drawing, keeping, discarding
- `claims`: payments for tracks, and what a claim changes
- `waiting`: claims that wait for a set or at a tunnel
- `neutral`: the neutral player's phase
- `turns`: who is next, and when it is over
- `play`: dealing, and doing an action

What may be done:

- `legal`: the verdict on an action, and a guide to all that follows
- `special`: the same for tracks that are not paid for like plain ones
- `choices`: all legal actions, or one of them at random

What it was worth:

- `paths`: the longest path of a player; `bridges` and `sweep` find it where there are too many paths to try
- `scoring`, `rewards`: the final score, and what a decision was worth

What a player sees, and what not:

- `slices`: the parts of an observation, where they begin and their shapes
- `observe`, `planning`: writing it
- `hidden`: dealing anew what a player cannot see
- `restore`: what follows from the rest of a position that was written from outside

What Python calls:

- `calls`, `rows`: for one game, and for several
"""
