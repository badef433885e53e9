"""Agents against agents: tables, ratings and reports. It needs no torch."""
