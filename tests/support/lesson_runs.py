"""The lessons with their own tables, each run once."""

from functools import cache

from bough.teach import lesson


@cache
def shown(name):
    return lesson(name)
