"""The codes of warnings, read from the calls that make them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import proxima

#: A code that is made of a word and an ending, and the words.
MADE_OF = {"…_dropped": ("data", "subtitle", "attachment")}


def warning_codes() -> dict[str, str]:
    """Each code with its message; what differs from file to file is an ellipsis."""
    found: dict[str, str] = {}
    for module in sorted(Path(proxima.__file__).parent.rglob("*.py")):
        source = module.read_text(encoding="utf-8")
        for code, message in _calls(ast.parse(source)) if "JobWarning" in source else ():
            for word in MADE_OF.get(code, ("",)):
                found.setdefault(code.replace("…", word), message)
    return dict(sorted(found.items()))


def _calls(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"_warning", "JobWarning"}:
            named = {keyword.arg: keyword.value for keyword in node.keywords}
            code, message = (*node.args, named.get("code"), named.get("message"))[:2]
            # Elsewhere the code is a kind of failure, or handed on.
            if isinstance(code, ast.Constant | ast.JoinedStr):
                yield _template(code), _template(_assigned(message, tree))


def _assigned(node: ast.AST | None, tree: ast.AST) -> ast.AST | None:
    """What a name was set to just before; anything else as it is."""
    if not isinstance(node, ast.Name):
        return node
    settings = [
        other
        for other in ast.walk(tree)
        if isinstance(other, ast.Assign)
        and ast.unparse(other.targets[0]) == node.id
        and other.lineno < node.lineno
    ]
    return max(settings, key=lambda other: other.lineno).value


def _template(node: ast.AST | None) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            text = "".join(_template(part) for part in parts)
            return re.sub("…+", "…", text)
    return "…"
