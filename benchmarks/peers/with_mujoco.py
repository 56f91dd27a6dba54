"""MuJoCo: time of `mj_forward` for a mechanism on standard input; loops closed by soft point constraints."""

import json
import sys
import time

import mujoco
import numpy as np


def local(R, p, point):
    return " ".join(map(str, R.T @ (np.array(point) - p)))


def build(given, options=""):
    """The model of a mechanism in ground axes."""
    spots = {-1: (np.eye(3), np.zeros(3))}
    children: dict[int, list[int]] = {}
    for k, link in enumerate(given["links"]):
        spots[k] = np.array(link["R"]), np.array(link["p"])
        children.setdefault(link["parent"], []).append(k)

    def body(k):
        link, (R, p), (R0, p0) = given["links"][k], spots[k], spots[given["links"][k]["parent"]]
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, (R0.T @ R).ravel())
        I = np.array(link["inertia"])
        full = " ".join(map(str, (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])))
        joints = "".join(
            f'<joint type="{j["kind"]}" axis="{" ".join(map(str, R.T @ np.array(j["axis"])))}" '
            f'pos="{local(R, p, j["at"])}"/>'
            for j in link["joints"]
        )
        mass = f'<inertial pos="{" ".join(map(str, link["com"]))}" mass="{link["mass"]}" fullinertia="{full}"/>'
        inner = "".join(body(child) for child in children.get(k, []))
        place = f'pos="{local(R0, p0, p)}" quat="{" ".join(map(str, quat))}"'
        return f'<body name="b{k}" {place}>{joints}{mass}{inner}</body>'

    def name(k):
        return "world" if k < 0 else f"b{k}"

    closures = "".join(
        f'<connect body1="{name(c["a"])}" body2="{name(c["b"])}" anchor="{local(*spots[c["a"]], c["at"])}"/>'
        for c in given["closures"]
    )
    gravity = " ".join(map(str, given["gravity"]))
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler balanceinertia="true" boundmass="1e-9" boundinertia="1e-9"/>'
        f'<option gravity="{gravity}" {options}><flag contact="disable"/></option>'
        f"<worldbody>{''.join(body(k) for k in children[-1])}</worldbody>"
        f"<equality>{closures}</equality></mujoco>"
    )


def main():
    model = build(json.load(sys.stdin))
    data = mujoco.MjData(model)
    count, least = 300, np.inf
    for _ in range(15):
        start = time.process_time()
        for _ in range(count):
            mujoco.mj_forward(model, data)
        least = min(least, time.process_time() - start)
    print(json.dumps({f"MuJoCo {mujoco.__version__}, mj_forward (soft loops)": least / count * 1e9}))


if __name__ == "__main__":
    main()
