"""Prismatic joint: one translation along z (in a planar mechanism along the frames' x, named by `axis`)."""

from closedchain.elements.joints.contract import Closure, JointType, Translation, in_plane, with_plane
from closedchain.numbers import Mat3, Vec3


def _along(axis: int) -> JointType:
    def read(R: Mat3, r: Vec3):
        """Length along the axis from the moving frame `R`, `r` seen in the base frame."""
        return (r[axis],)

    return JointType(
        name="prismatic",
        meaning="translation along z (planar: along `axis`, default [1, 0])",
        coordinates=("",),
        rates=("",),
        units=("m",),
        steps=lambda values: (Translation(axis),),
        closure=Closure(translations=tuple(k for k in range(3) if k != axis), aligned=True),
        read=read,
        named_axis=axis,
    )


PRISMATIC = with_plane(_along(2), in_plane(_along(0)))
