"""Mechanisms of known freedom and known singularities, built from frames that stand where the joints are."""

import itertools
import math
from typing import Any

import numpy as np

import closedchain as cc


def planar(bodies, joints, **more):
    """A planar mechanism."""
    return cc.Mechanism.from_dict({"mechanism": {"planar": True}, "bodies": bodies, "joints": joints, **more})


def spatial(bodies, joints, **more):
    """A spatial mechanism."""
    return cc.Mechanism.from_dict({"bodies": bodies, "joints": joints, **more})


def joint(kind, base, moving, **more):
    """A joint."""
    return {"type": kind, "between": [base, moving], **more}


def hinge(base, moving, **more):
    """A revolute joint."""
    return joint("revolute", base, moving, **more)


def motors(*joints):
    """Actuators on joints."""
    return {f"m{k}": {"joint": name} for k, name in enumerate(joints)}


def bar(length, space=False):
    """A bar with a point at either end and its mass in the middle."""
    z = [0.0] if space else []
    points = {"P": [0.0, 0.0, *z], "Q": [length, 0.0, *z]}
    return {"mass": 1.0, "com": [length / 2, 0.0, *z], "points": points}


def four_bar(ground, crank, coupler, rocker, space=False, guess=1.0, **more):
    """A four-bar A B C D on a base of that length, planar or written in space."""
    z = [0.0] if space else []
    bodies = {
        "ground": {"points": {"A": [0.0, 0.0, *z], "D": [ground, 0.0, *z]}},
        "crank": bar(crank, space),
        "coupler": bar(coupler, space),
        "rocker": bar(rocker, space),
    }
    joints = {
        "A": hinge("ground.A", "crank.P", guess=guess),
        "B": hinge("crank.Q", "coupler.P"),
        "C": hinge("coupler.Q", "rocker.Q"),
        "D": hinge("ground.D", "rocker.P", guess=guess),
    }
    return (spatial if space else planar)(bodies, joints, **more)


def slider_crank(driven=(), output="slider.origin", crank=0.1, rod=0.3, offset=0.0, **keys):
    """A slider-crank A B C with the slider S along x at height `offset`."""
    ground = {"points": {"S": [0.0, offset]}}
    bodies = {"ground": ground, "crank": bar(crank), "rod": bar(rod), "slider": {"mass": 1.0}}
    joints = {
        "A": hinge("ground.origin", "crank.P"),
        "B": hinge("crank.Q", "rod.P"),
        "C": hinge("rod.Q", "slider.origin"),
        "S": joint("prismatic", "ground.S", "slider.origin", guess=0.9 * (crank + rod), **keys),
    }
    outputs = {"out": {"point": output}} if output else {}
    return planar(bodies, joints, actuators=motors(*driven), outputs=outputs)


def five_bar(driven=("A1", "A2"), base=0.3, arm=0.2, forearm=0.25):
    """A five-bar A1 B1 P B2 A2 with its output at P."""
    bodies = {
        "ground": {"points": {"A1": [0.0, 0.0], "A2": [base, 0.0]}},
        "arm1": bar(arm),
        "arm2": bar(arm),
        "forearm1": bar(forearm),
        "forearm2": bar(forearm),
    }
    joints = {
        "A1": hinge("ground.A1", "arm1.P", guess=2.0),
        "A2": hinge("ground.A2", "arm2.P", guess=1.1),
        "B1": hinge("arm1.Q", "forearm1.P", guess=-1.2),
        "B2": hinge("arm2.Q", "forearm2.P", guess=1.2),
        "P": hinge("forearm1.Q", "forearm2.Q"),
    }
    return planar(bodies, joints, actuators=motors(*driven), outputs={"P": {"point": "forearm1.Q"}})


def three_rrr(radius=0.2, arm=0.3, forearm=0.25, turn=1.0, meet=(0.0, 0.0)):
    """A planar 3-RRR whose forearms all point to `meet` where its guesses put it: platform at the origin, unturned."""
    bodies = {"ground": {"points": {}}, "platform": {"mass": 1.0, "points": {}}}
    joints = {}
    for k in range(3):
        corner = 2.0 * math.pi * k / 3 + 0.2
        tip = radius * np.array([math.cos(corner), math.sin(corner)])
        angle = math.atan2(*(tip - meet)[::-1])
        elbow = tip + forearm * np.array([math.cos(angle), math.sin(angle)])
        foot = elbow - arm * np.array([math.cos(angle + turn), math.sin(angle + turn)])
        bodies["ground"]["points"][f"A{k}"] = foot.tolist()
        bodies["platform"]["points"][f"C{k}"] = tip.tolist()
        bodies[f"arm{k}"], bodies[f"forearm{k}"] = bar(arm), bar(forearm)
        joints[f"A{k}"] = hinge(f"ground.A{k}", f"arm{k}.P", guess=angle + turn)
        joints[f"B{k}"] = hinge(f"arm{k}.Q", f"forearm{k}.P", guess=math.pi - turn)
        joints[f"C{k}"] = hinge(f"forearm{k}.Q", f"platform.C{k}", guess=-math.pi - angle)
    more = {"actuators": motors("A0", "A1", "A2"), "outputs": {"centre": {"point": "platform.origin"}}}
    return planar(bodies, joints, **more)


def stewart(base, top, pose=None, first="universal", **more):
    """A platform on six legs between the points `base` and `top`: U or S below, a driven slider, S above.

    Leg frames stand so that all angles are zero where the platform has the transform `pose` (4, 4).
    """
    pose = np.eye(4) if pose is None else pose
    bodies = {"ground": {"points": {}}, "platform": {"mass": 1.0, "points": {}}}
    joints = {}
    for k, (a, b) in enumerate(zip(base, top, strict=True)):
        leg = (pose @ [*b, 1.0])[:3] - a
        length = float(np.linalg.norm(leg))
        along = (leg / length).tolist()
        # The first axis lies across the leg, so the universal joint stands far from its own singularity.
        across = np.cross(along, [0.3, 0.5, 0.8])
        across = (across / np.linalg.norm(across)).tolist()
        bodies["ground"]["points"][f"A{k}"] = {"at": list(a), "z": across, "x": np.cross(along, across).tolist()}
        foot = {"at": [0, 0, 0], "z": [0, 1, 0], "x": np.cross([0, 0, 1.0], [0, 1, 0]).tolist()}
        bodies[f"low{k}"] = {"mass": 0.1, "com": [0, 0, 0.1], "points": {"U": foot}}
        bodies[f"up{k}"] = {"mass": 0.1, "com": [0, 0, -0.1]}
        bodies["platform"]["points"][f"B{k}"] = list(b)
        joints[f"U{k}"] = joint(first, f"ground.A{k}", f"low{k}.U")
        joints[f"L{k}"] = joint("prismatic", f"low{k}.origin", f"up{k}.origin", guess=length)
        joints[f"S{k}"] = joint("spherical", f"up{k}.origin", f"platform.B{k}")
    driven = motors(*(f"L{k}" for k in range(6)))
    return spatial(bodies, joints, **({"actuators": driven, "outputs": {"tool": {"point": "platform.origin"}}} | more))


def hexagon(radius, half_angle):
    """Three pairs of points on a circle, each pair that angle to either side of its middle [rad], z = 0."""
    angles = [2.0 * math.pi * k / 3 + sign * half_angle for k in range(3) for sign in (-1.0, 1.0)]
    return [(radius * math.cos(a), radius * math.sin(a), 0.0) for a in angles]


def transform(height, yaw=0.0, pitch=0.0, roll=0.0, x=0.0, y=0.0):
    """A platform's transform, angles about the fixed x, y, z axes."""
    (cr, sr), (cp, sp), (cy, sy) = ((math.cos(a), math.sin(a)) for a in (roll, pitch, yaw))
    Rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    Ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    Rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = Rz @ Ry @ Rx, [x, y, height]
    return T


def translating_3upu(base, top, height):
    """Tsai's 3-UPU: outer axes across the limbs and parallel to each other, so that the plate only translates."""
    bodies = {"ground": {"points": {}}, "plate": {"mass": 1.0, "points": {}}}
    joints = {}
    for k in range(3):
        angle = 2.0 * math.pi * k / 3
        out = np.array([math.cos(angle), math.sin(angle), 0.0])
        across = np.array([-math.sin(angle), math.cos(angle), 0.0])
        leg = (top - base) * out + [0.0, 0.0, height]
        length = float(np.linalg.norm(leg))
        inner = np.cross(across, leg / length)
        bodies["ground"]["points"][f"A{k}"] = {"at": (base * out).tolist(), "z": across.tolist(), "x": inner.tolist()}
        bodies["plate"]["points"][f"B{k}"] = {"at": (top * out).tolist(), "z": across.tolist(), "x": inner.tolist()}
        foot = {"at": [0, 0, 0], "z": [0, 1, 0], "x": [1, 0, 0]}
        bodies[f"low{k}"], bodies[f"up{k}"] = {"points": {"U": foot}}, {"points": {"U": foot}}
        joints[f"A{k}"] = joint("universal", f"ground.A{k}", f"low{k}.U")
        joints[f"L{k}"] = joint("prismatic", f"low{k}.origin", f"up{k}.origin", guess=length)
        joints[f"B{k}"] = joint("universal", f"plate.B{k}", f"up{k}.U")
    return spatial(bodies, joints, actuators=motors("L0", "L1", "L2"), outputs={"tool": {"point": "plate.origin"}})


def sarrus(pairs=2):
    """A plate lifted straight by hinged pairs of plates whose hinge axes differ."""
    bodies = {"ground": {"points": {}}, "plate": {"mass": 1.0, "points": {}}}
    joints = {}
    for k in range(pairs):
        angle = 2.0 * math.pi * k / (pairs if pairs > 2 else 4)
        out = [math.cos(angle), math.sin(angle), 0.0]
        frame = {"at": out, "z": [-math.sin(angle), math.cos(angle), 0.0], "x": out}
        bodies["ground"]["points"][f"A{k}"] = bodies["plate"]["points"][f"C{k}"] = frame
        bodies[f"low{k}"], bodies[f"up{k}"] = bar(0.5, True), bar(0.5, True)
        joints[f"A{k}"] = hinge(f"ground.A{k}", f"low{k}.P", guess=-0.8)
        joints[f"B{k}"] = hinge(f"low{k}.Q", f"up{k}.P", guess=-1.6)
        joints[f"C{k}"] = hinge(f"up{k}.Q", f"plate.C{k}", guess=2.4)
    return spatial(bodies, joints)


def chain(kinds, seed=1, closed=False):
    """A chain of joints of given kinds at random places in space; closed: its end is joined to ground."""
    draw = np.random.default_rng(seed)
    bodies: dict[str, Any] = {"ground": {"points": {}}}
    joints = {}
    names = ["ground", *(f"b{k}" for k in range(len(kinds) - closed)), *(["ground"] if closed else [])]
    for k, (kind, (base, moving)) in enumerate(zip(kinds, itertools.pairwise(names), strict=True)):
        frame = {key: draw.normal(size=3).tolist() for key in ("at", "z", "x")}
        for body in (base, moving):
            bodies.setdefault(body, {"mass": 1.0, "com": draw.normal(size=3).tolist(), "points": {}})
            bodies[body]["points"][f"j{k}"] = frame
        joints[f"j{k}"] = joint(kind, f"{base}.j{k}", f"{moving}.j{k}")
    return spatial(bodies, joints)


def bennett(a=0.22, alpha=math.pi / 2, beta=5 * math.pi / 6):
    """Bennett's loop of four revolutes: opposite links equal, a : sin alpha = b : sin beta."""
    b = a * math.sin(beta) / math.sin(alpha)
    links = [(a, alpha), (b, beta), (a, alpha), (b, beta)]
    ends = [
        {"near": [0, 0, 0], "far": {"at": [d, 0, 0], "z": [0, -math.sin(t), math.cos(t)], "x": [1, 0, 0]}}
        for d, t in links
    ]
    bodies = {"ground": {"points": ends[3]}}
    bodies |= {f"link{k}": {"mass": 1.0, "com": [0.1, 0.02, 0.03], "points": ends[k - 1]} for k in (1, 2, 3)}
    names = ["ground", "link1", "link2", "link3", "ground"]
    joints = {
        f"J{k + 1}": hinge(f"{base}.far", f"{moving}.near")
        for k, (base, moving) in enumerate(itertools.pairwise(names))
    }
    return spatial(bodies, joints)


def rssr(mass=1.0, origin=(0.0, 0.0, 0.0)):
    """Crank, rod between two balls, rocker; `origin`: where the rod's body origin lies from its first ball."""
    x, y, z = origin
    rod = {"mass": mass, "com": [0.2 - x, -y, -z], "points": {"B": [-x, -y, -z], "C": [0.4 - x, -y, -z]}}
    bodies = {
        "ground": {"points": {"A": [0, 0, 0], "D": {"at": [0.3, 0.2, 0], "z": [1, 0, 0]}}},
        "crank": {"mass": 1.0, "com": [0.05, 0, 0], "points": {"A": [0, 0, 0], "B": [0.1, 0, 0]}},
        "rod": rod,
        "rocker": {
            "mass": 1.0,
            "com": [0.1, 0, 0],
            "points": {"D": {"at": [0, 0, 0], "z": [0, 0, 1]}, "C": [0.25, 0, 0]},
        },
    }
    joints = {
        "A": hinge("ground.A", "crank.A", guess=0.5),
        "B": joint("spherical", "crank.B", "rod.B"),
        "C": joint("spherical", "rod.C", "rocker.C"),
        "D": hinge("ground.D", "rocker.D", guess=1.5),
    }
    return spatial(bodies, joints, actuators=motors("A"))


def three_rods(turn=0.0):
    """A plate held by three rods in the plane, a structure; with turn = 0 the rods' lines meet and it is shaky."""
    bodies, joints = {"ground": {"points": {}}, "plate": {"mass": 1.0, "points": {}}}, {}
    for k in range(3):
        angle = 2.0 * math.pi * k / 3
        out = np.array([math.cos(angle), math.sin(angle)])
        way = np.array([math.cos(angle + turn), math.sin(angle + turn)])
        bodies["plate"]["points"][f"B{k}"] = (0.3 * out).tolist()
        bodies["ground"]["points"][f"A{k}"] = (0.3 * out + 0.5 * way).tolist()
        bodies[f"rod{k}"] = bar(0.5)
        joints[f"A{k}"] = hinge(f"ground.A{k}", f"rod{k}.P", guess=angle + turn + math.pi)
        joints[f"B{k}"] = hinge(f"rod{k}.Q", f"plate.B{k}", guess=-angle - turn - math.pi)
    return planar(bodies, joints)
