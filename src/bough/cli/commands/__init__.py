"""The subcommands: a file holds the function of each command that it names; `bough.cli.COMMANDS` lists them."""
