"""The same tree from a table that lies in parts, on any engine that can map and reduce."""
