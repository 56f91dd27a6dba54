"""Opens a mechanism or a result in the browser: to move it by hand, or to play the result."""

from pathlib import Path
from typing import Annotated

import typer

from closedchain.cli.completing import mechanism_files, result_files
from closedchain.cli.files import file_argument, load
from closedchain.cli.output import busy, fail, say
from closedchain.language import tr

GROUP = "See results"
EXAMPLES = (
    ("closedchain view mechanism.toml", "Move the mechanism with sliders, drag its outputs, see its assembly modes"),
    ("closedchain view results/motion.nc", "Play a result, with the forces in its joints"),
    ("closedchain view mechanism.toml --port 9000 --no-browser", "Only serve the page, and say where"),
)


def files(incomplete: str) -> list[str]:
    """What may be opened."""
    return [*mechanism_files(incomplete), *result_files(incomplete)]


def view(
    file: Annotated[Path, file_argument("FILE", "Mechanism file (TOML), or result (.nc).", files)],
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="First port to try; 0 takes any free one.")
    ] = 8080,
    host: Annotated[str, typer.Option("--host", help="Address to listen on; others than 127.0.0.1 let others in.")] = (
        "127.0.0.1"
    ),
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser, or only serve it.")
    ] = True,
) -> None:
    """Serves the page until Ctrl-C."""
    import webbrowser

    import closedchain as cc
    from closedchain.views.viewer.server import is_local

    of = cc.load_result(file) if file.suffix == ".nc" else load(file)
    with busy(tr("Opening the viewer …")):
        viewer = cc.view(of, port=port, host=host, open_browser=False, block=False)
    if not is_local(host):
        fail(tr("warning: everyone who reaches this machine at {host} can open the page and move things.", host=host))
    if port and viewer.port != port:
        say(tr("Port {port} is in use; the viewer took the next free one.", port=port))
    say(tr("{name} is shown at {url} (Ctrl-C ends)", name=viewer.mechanism.name or file.name, url=viewer.url))
    if browser:
        webbrowser.open(viewer.url)
    viewer.wait()
    say(tr("The viewer has ended."))
