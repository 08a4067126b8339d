"""Checks of tables, estimates and trees: arrays → notes; `list_of_checks` has all of them."""
