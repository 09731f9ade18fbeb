"""One module for each command; the only user of typer and rich."""
