"""The tree as a program: one emitter, and what the languages do not write alike."""
