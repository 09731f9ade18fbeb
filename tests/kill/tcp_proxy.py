"""A network that can be made slow, silent or cut: a small TCP proxy before the broker."""

import contextlib
import socket
import threading
import time

_CHUNK = 65536


_Pair = tuple[socket.socket, socket.socket]


class TcpProxy:
    """Passes bytes both ways on 127.0.0.1, as long and as fast as it is told."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._changed = threading.Condition()
        self._silent_up = self._silent_down = self._cut = False
        self._delay = 0.0
        self._trap: tuple[bytes, bool, threading.Event] | None = None
        self._pairs: list[_Pair] = []
        self._half_open: list[_Pair] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def open(self) -> None:
        """Let everything pass; what was held back arrives now, late."""
        with self._changed:
            self._silent_up = self._silent_down = self._cut = False
            self._delay = 0.0
            self._trap = None
            self._changed.notify_all()

    def slow(self, seconds: float) -> None:
        """Delay every piece by so many seconds."""
        self._delay = seconds

    def silence(self, *, up: bool = True, down: bool = True) -> None:
        """Hold back what goes to the broker (*up*) and what comes from it (*down*)."""
        with self._changed:
            self._silent_up, self._silent_down = up, down

    def half_open(self) -> None:
        """The broker sees the end of all connections there are; the other side sees nothing."""
        pairs = self._take_pairs()
        self._half_open += pairs
        for _, broker in pairs:
            _shut(broker)

    def drop(self) -> None:
        """End all connections there are, on both sides."""
        for pair in self._take_pairs():
            for end in pair:
                _shut(end)

    def cut(self) -> None:
        """End all connections and refuse new ones."""
        self._cut = True
        self.drop()

    def trap(self, pattern: bytes, *, forward: bool) -> threading.Event:
        """Fall silent at the first *pattern* that goes to the broker; the event is set then.

        With *forward* it is delivered and the answer is held back; else it is held back itself.
        """
        caught = threading.Event()
        self._trap = (pattern, forward, caught)
        return caught

    def close(self) -> None:
        """End it."""
        self.open()
        self.cut()
        for pair in self._half_open:
            _close(pair)
        _shut(self._listener)
        self._listener.close()

    def _take_pairs(self) -> list[_Pair]:
        with self._changed:
            pairs, self._pairs = self._pairs, []
        return pairs

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self._connect(self._listener.accept()[0])

    def _connect(self, client: socket.socket) -> None:
        try:
            if self._cut:
                raise ConnectionRefusedError
            broker = socket.create_connection(("127.0.0.1", self._target), timeout=5)
        except OSError:
            client.close()
            return
        broker.settimeout(None)
        threading.Thread(target=self._serve, args=((client, broker),), daemon=True).start()

    def _serve(self, pair: _Pair) -> None:
        client, broker = pair
        with self._changed:
            self._pairs.append(pair)
        down = threading.Thread(target=self._pump, args=(broker, client, False), daemon=True)
        down.start()
        self._pump(client, broker, True)
        down.join()
        if pair not in self._half_open:
            _close(pair)

    def _pump(self, source: socket.socket, target: socket.socket, is_up: bool) -> None:
        tail = b""
        with contextlib.suppress(OSError):
            while data := source.recv(_CHUNK):
                if is_up and self._trap:
                    data = self._spring(tail, data, target)
                    tail = data[-64:]
                with self._changed:
                    self._changed.wait_for(lambda: not self._is_silent(is_up))
                if self._delay:
                    time.sleep(self._delay)
                target.sendall(data)
        with self._changed:
            pair = next((pair for pair in self._pairs if source in pair), None)
            # After `half_open` it is not there: the client must not see the end.
            if pair:
                self._pairs.remove(pair)
                _shut(pair[0])
                _shut(pair[1])

    def _spring(self, tail: bytes, data: bytes, target: socket.socket) -> bytes:
        """Fall silent if the trap's pattern is in *data*; what remains to be sent."""
        if not self._trap:
            return data
        pattern, forward, caught = self._trap
        place = (tail + data).find(pattern)
        if place < 0:
            return data
        self._trap = None
        if forward:
            with self._changed:
                self._silent_down = True
            target.sendall(data)
            data = b""
        else:
            before = max(0, place - len(tail))
            target.sendall(data[:before])
            data = data[before:]
        with self._changed:
            self._silent_up = self._silent_down = True
        caught.set()
        return data

    def _is_silent(self, is_up: bool) -> bool:
        return self._silent_up if is_up else self._silent_down


def _shut(end: socket.socket) -> None:
    # Closing alone wakes nobody who waits in recv().
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


def _close(pair: _Pair) -> None:
    for end in pair:
        _shut(end)
        end.close()
