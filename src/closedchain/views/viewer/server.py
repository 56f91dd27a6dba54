"""The local web server of the viewer: where it listens, that it stays on this machine, that it starts quietly."""

import contextlib
import errno
import io
import os
import socket
from collections.abc import Iterator
from typing import Any

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr

TRIES = 50
NOT_OURS = (errno.EADDRNOTAVAIL, 10049)  # the second is what Windows says


def start_server(host: str, port: int, label: str) -> Any:
    """A server on the first free port from `port` on (0: any free one).

    Raises ClosedChainError where viser is not installed, the host is none of this machine's, or no port is free.
    """
    try:
        import viser
    except ImportError as error:
        raise ClosedChainError(
            tr('The viewer needs the package viser; install it with: pip install "closedchain[viewer]"')
        ) from error
    free = free_port(host, port)
    with quiet():
        server = viser.ViserServer(host=host, port=free, label=label or "closedchain", verbose=False)
    # The viewer stays on this machine: no page may ask for a public address, also not by hand.
    server.request_share_url = _refused  # type: ignore[method-assign]
    server.gui.configure_theme(show_logo=False, show_share_button=False, brand_color=(0, 114, 178))
    server.gui.main_panel.dock_right()
    server.gui.main_panel.set_width(340)
    return server


def stop_server(server: Any) -> None:
    """Ends a server, its connections and its threads."""
    with quiet():
        server.stop()


def free_port(host: str, port: int) -> int:
    """The first free port of a host from `port` on; 0 stays 0."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise ClosedChainError(_no_host(host)) from error
    for candidate in range(port, min(port + TRIES, 65536)) if port else [0]:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name == "posix":
                # As the server will: a port that another one has just left is free.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address[0], candidate, *address[2:]))
            except PermissionError:
                continue
            except OSError as error:
                if error.errno in NOT_OURS:
                    raise ClosedChainError(_no_host(host)) from error
                continue
            return candidate
    raise ClosedChainError(
        tr("The ports {first} to {last} are all in use; give another one.", first=port, last=port + TRIES - 1)
    )


def is_local(host: str) -> bool:
    """Whether only programs of this machine reach a server on the host.

    >>> is_local("127.0.0.1"), is_local("localhost"), is_local("0.0.0.0")
    (True, True, False)
    """
    return host in ("localhost", "::1") or host.startswith("127.")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keeps what viser says of itself off the terminal."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def _no_host(host: str) -> str:
    return tr("{host!r} is no address of this machine; leave it out, or give 127.0.0.1 or 0.0.0.0.", host=host)


def _refused(verbose: bool = True) -> None:
    return None
