"""The ways of searching that `grow` can be forced into; none may change the tree."""

PLAIN = {"use_fast_search": False}  # looks at every cut of every node: the oracle of the others
FAST = {
    "as it chooses": {},
    "histograms only": {"list_rows": 0, "list_rows_at_root": 0},
    "histograms, then lists": {"list_rows": 64, "list_rows_at_root": 0},
}
