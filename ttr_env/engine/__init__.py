"""The rules of the game, once, as compiled functions over plain records.

A game is one record of `layout.GAME`, a board one record of `layout.BOARD`. Kernels take a game `g` and a
board `b`, and change `g` in place. They never allocate, and they run unchanged as plain Python with
`NUMBA_DISABLE_JIT=1`. Rule tags (`B4`, `N11`) refer to `docs/rules.md`.

Read in this order: `layout` (what a game is), `cards`, `tickets`, `claims`, `neutral`, `turns` (what happens), `legal`
(what may be done), `choices` (all of it, or some of it at random), `play` (doing it), `scoring` and `rewards` (what it
was worth), `observe` and `planning` (what a player sees), `hidden` (dealing anew what a player cannot see), `entry` and
`rows` (what Python calls, for one game and for many). `tables` makes a board's record from a map.
"""
