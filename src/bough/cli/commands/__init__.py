"""The subcommands of `bough`: the file `NAME.py` holds the function `NAME`, which runs it."""
