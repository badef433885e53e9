"""A slow, plain reference of the rules on all boards, to compare the compiled engine with.

It shares no code with the engine. The position *is* the snapshot: one dict of plain JSON types that small
functions change in place, so that two implementations can be compared after every decision.
"""
