"""Imported once by the process that all thinking processes are copied from, so that they need not load anything."""

from __future__ import annotations

from ttr_env.web import thinking, warm

warm.for_agents()
__all__ = ["thinking"]
