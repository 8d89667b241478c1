"""A line between the judge and a process that it has just started, on every system alike.

It is a TCP connection inside this machine. Whoever connects has to send a key first, which the
judge has given to its process alone; the judge takes one connection, so that the key opens nothing
afterwards.
"""

import hmac
import secrets
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection

HERE = "127.0.0.1"
_LOOK, _PATIENCE = 0.2, 2.0  # s between two looks at the process; s for a key to arrive
_KEY_BYTES = 32


def new_key() -> bytes:
    """A key that nobody can guess."""
    return secrets.token_bytes(_KEY_BYTES)


def listening() -> socket.socket:
    """A socket that the process can connect to; raises OSError."""
    return socket.create_server((HERE, 0))


def accepted(
    listener: socket.socket, key: bytes, seconds: float, alive: Callable[[], bool]
) -> socket.socket:
    """The connection of who has the key; others are turned away. Raises TimeoutError.

    alive: whether the process that should connect still runs.
    """
    listener.settimeout(_LOOK)
    end = time.monotonic() + seconds
    while time.monotonic() < end and alive():
        with suppress(TimeoutError):
            line, _ = listener.accept()
            if _has(line, key):
                return line
            line.close()
    raise TimeoutError


def connected(port: int, key: bytes) -> Connection:
    """The process's own end of the line; raises OSError."""
    line = socket.create_connection((HERE, port))
    _at_once(line)
    line.sendall(key)
    return Connection(line.detach())


def _has(line: socket.socket, key: bytes) -> bool:
    line.settimeout(_PATIENCE)
    got = b""
    with suppress(OSError):
        while len(got) < len(key) and (piece := line.recv(len(key) - len(got))):
            got += piece
    line.settimeout(None)
    _at_once(line)
    return hmac.compare_digest(got, key)


def _at_once(line: socket.socket) -> None:
    """Send small pieces as they come; TCP would wait for more."""
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
