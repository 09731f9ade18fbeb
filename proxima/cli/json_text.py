"""One value as a line of JSON."""


def json_text(value: object) -> str:
    """In ASCII; the module is loaded when it is needed, as `--help` must be quick."""
    import json

    return json.dumps(value)
