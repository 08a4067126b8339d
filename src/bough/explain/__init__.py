"""Why a row got its guess, which features matter, and the tree as rules."""
