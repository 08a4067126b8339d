"""Finds and changes entries of plain data, as JSON holds it."""

import copy


def places(value, path=()):
    """List the ways to everything within plain data."""
    found = [path] if path else []
    if isinstance(value, list):
        value = dict(enumerate(value))
    if isinstance(value, dict):
        for key, each in value.items():
            found += places(each, (*path, key))
    return found


def with_entry(data, path, value):
    """Return a copy with one entry changed; `...` takes it away."""
    data = copy.deepcopy(data)
    *way, last = path
    place = data
    for key in way:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return data
