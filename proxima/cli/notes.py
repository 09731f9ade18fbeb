"""Notes: lines to people on standard error, beside what a command is asked for."""

import shutil
import sys
import textwrap


def note(line: str) -> None:
    """Write *line*; on a terminal it is broken between words, as a terminal would not."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        line = textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
