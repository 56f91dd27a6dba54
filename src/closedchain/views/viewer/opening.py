"""Opens the viewer on a mechanism or a result."""

import webbrowser
from typing import TYPE_CHECKING, Any

from closedchain.exceptions import ClosedChainError
from closedchain.language import tr

if TYPE_CHECKING:
    from closedchain.views.viewer.session import Viewer

PORT = 8080


def view(
    of: Any,
    pose: Any = None,
    *,
    port: int = PORT,
    host: str = "127.0.0.1",
    open_browser: bool = True,
    block: bool = True,
) -> "Viewer":
    """Opens a mechanism, or a result over time, in the browser: to move it by hand, or to play the result.

    of: mechanism, model, or Dataset of kinematics, inverse_dynamics or simulate. pose: where a mechanism begins,
    default as `assemble` finds it. port: the first one to try, 0 for any free one. host: who may open the page; other
    than 127.0.0.1 lets other machines in. open_browser: whether to open the page. block: whether to wait until Ctrl-C,
    else the viewer runs until its `stop()`.

    Returns the Viewer; `url` is its address. Raises ClosedChainError where viser is not installed, no port is free, or
    the result has no motion to play; AssemblyError for a mechanism that does not assemble.

    >>> import closedchain as cc
    >>> m = cc.load("examples/four_bar/mechanism.toml")
    >>> viewer = cc.view(m, port=0, open_browser=False, block=False)
    >>> viewer.url.startswith("http://127.0.0.1:")
    True
    >>> viewer.stop()
    """
    from closedchain.description import loads
    from closedchain.views.viewer.session import Viewer

    if hasattr(of, "data_vars"):
        text = of.attrs.get("mechanism", "")
        if not text:
            raise ClosedChainError(tr("This dataset has no mechanism inside it; give a result of closedchain."))
        viewer = Viewer(loads(text), pose, of, host, port)
    else:
        viewer = Viewer(getattr(of, "mechanism", of), pose, None, host, port)
    if open_browser:
        webbrowser.open(viewer.url)
    if block:
        viewer.wait()
    return viewer
