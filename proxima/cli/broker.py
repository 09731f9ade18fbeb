"""`proxima broker`: run the broker of a farm on this machine."""

import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proxima.broker.embedded import EmbeddedServer

#: Not the port of Redis, so that both can run on one machine.
PORT = 6399


def broker(
    *,
    lan: Annotated[bool, typer.Option("--lan", help="Serve other machines too.")] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to serve at; 0 takes a free one.")
    ] = PORT,
    data: Annotated[
        Path | None,
        typer.Option(
            file_okay=False, help="Folder of its data; by default in the user's data folder."
        ),
    ] = None,
) -> None:
    """Run the broker of a farm on this machine, until Ctrl-C."""
    from proxima.broker import data_folder
    from proxima.broker.embedded import EmbeddedServer
    from proxima.broker.keeper import keep
    from proxima.broker.password import load_or_make

    stop = _stop_by_signal()
    folder = data_folder.own(data or _user_folder())
    password = load_or_make(folder / data_folder.PASSWORD)

    def start(at: int) -> "EmbeddedServer":
        return EmbeddedServer.start(
            folder=folder, password=password, port=at, lan=lan, persist=True
        )

    server = start(port)
    typer.echo(introduction(server, folder, lan=lan))
    # The others know the port: it stays the same.
    keep(server, lambda: start(server.address.port), stop=stop, tell=_tell)


def introduction(server: "EmbeddedServer", folder: Path, *, lan: bool) -> str:
    """What runs, and what to type on the other machines."""
    from proxima.broker.lan_host import lan_host

    host = lan_host() if lan else server.address.host
    url = server.address.at(host).redis_url
    reach = "" if lan else "\nOnly this machine can reach it; --lan serves others too."
    return (
        f"The broker serves at port {server.address.port}; its data is in {folder}. "
        f"Ctrl-C ends it.{reach}\n\n"
        f"To encode: proxima work --broker {url}\n"
        f"To queue:  proxima queue --broker {url} FILES\n\n"
        "Whoever has this address can use the farm. The traffic is not encrypted."
    )


def _user_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("proxima", appauthor=False) / "broker"


def _stop_by_signal() -> threading.Event:
    """An event that Ctrl-C, SIGTERM, and a terminal that closes set."""
    stop = threading.Event()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: stop.set())
    return stop


def _tell(text: str) -> None:
    typer.echo(text, err=True)
