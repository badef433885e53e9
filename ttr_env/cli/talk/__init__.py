"""Asking a person: menus, the dialogue, and what the person is told."""
