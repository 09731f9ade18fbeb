"""errors.md: kinds of failure, and the tree of errors."""

import ast
import inspect

from proxima import errors
from reference.markdown import code, table


def text() -> str:
    """The page."""
    meanings = _meanings()
    rows = [[code(kind.value), meanings[kind.name]] for kind in errors.FailureKind]
    tree = inspect.cleandoc(errors.__doc__ or "").split("::\n\n")[1]
    return f"""\
# Errors

## Kinds of failure

Why a file was refused or a job failed. In JSON it is `error.kind`; the words are stable,
so scripts may compare them. `error.message` says what happened to which file,
`error.hint` what to do.

{table(["kind", "meaning"], rows)}
## Errors of a command

Each prints one message and ends the command; a mistake of yours never shows a traceback. The
class decides the [exit code](../howto/scripting.md#exit-codes); where none is named, it is 1.

```text
{inspect.cleandoc(tree)}
```
"""


def _meanings() -> dict[str, str]:
    """Each member of FailureKind with the ``#:`` line above it, which Python does not keep."""
    lines = inspect.getsource(errors).splitlines()
    body = next(
        node.body
        for node in ast.parse("\n".join(lines)).body
        if isinstance(node, ast.ClassDef) and node.name == "FailureKind"
    )
    return {
        ast.unparse(node.targets[0]): lines[node.lineno - 2].strip().removeprefix("#: ")
        for node in body
        if isinstance(node, ast.Assign)
    }
