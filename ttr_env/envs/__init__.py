"""Environments: thin views of the engine for PettingZoo and Gymnasium. No rule of the game appears here."""
