"""Every body hangs on the ground by joints, and couplings relate something."""

from typing import TYPE_CHECKING

from closedchain.description.document import Place
from closedchain.description.reading import Reader

if TYPE_CHECKING:
    from closedchain.description.assembly import Content


def check_connections(content: "Content", reader: Reader) -> None:
    """Bodies that no path of joints connects to ground; skipped while joints or chains have mistakes of their own."""
    unread = len(content.chains) < len(reader.names("chains")) or reader.broken_bodies or reader.broken_joints
    if unread:
        return
    reached = {"ground"}
    frontier = ["ground"]
    around: dict[str, list[str]] = {}
    for joint in content.joints.values():
        around.setdefault(joint.base.body, []).append(joint.moving.body)
        around.setdefault(joint.moving.body, []).append(joint.base.body)
    while frontier:
        for body in around.get(frontier.pop(), ()):
            if body not in reached:
                reached.add(body)
                frontier.append(body)
    for body in content.bodies:
        if body not in reached:
            reader.note(
                Place() / "bodies" / body,
                "no joint connects it to ground, directly or through other bodies.",
                'Add a joint; type = "free" lets it move freely.',
            )
