"""errors.md: kinds of failure, warnings, and the tree of errors."""

import ast
import inspect

from proxima import errors
from proxima.worker.remedies import REMEDIES, Remedy
from reference.markdown import code, table
from reference.warning_codes import warning_codes

THEN = {
    Remedy.AGAIN: "tried again",
    Remedy.ELSEWHERE: "given to another worker",
    Remedy.NONE: "fails at once",
}


def text() -> str:
    """The page."""
    meanings = _meanings()
    rows = [
        [code(kind.value), meanings[kind.name], THEN[REMEDIES[kind]]] for kind in errors.FailureKind
    ]
    tree = inspect.cleandoc(errors.__doc__ or "").split("::\n\n")[1]
    return f"""\
# Errors

## Kinds of failure

Why a file was refused or a job failed. In JSON it is `error.kind`; the words are stable,
so scripts may compare them. `error.message` says what happened to which file,
`error.hint` what to do. What is tried again, when and where: [Failures](../failures.md).

{table(["kind", "meaning", "then"], rows)}
## Warnings

What was left out or changed on the way to the output. In JSON each has `code`, which is stable, and
`message`. Where a folder is queued, a file that does not suit the preset is skipped with the
kind of failure as its code.

{table(["code", "message"], [[code(name), said] for name, said in warning_codes().items()])}
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
