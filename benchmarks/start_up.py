"""What has to be waited for before the first result: import, `closedchain check`, and the kernels of an example.

Each figure is that of a new process: the kernels once compiled with an empty cache, once read from it.
"""

import os
import subprocess
import sys
import tempfile
import time

from measuring import EXAMPLES, Row

# Times the right-hand side's way to its first value in a new process: trace, then compile or read from the cache.
FIRST = """
import sys, time
import numpy as np
import closedchain as cc
from closedchain.analyses.preparing import prepare
from closedchain.model.dynamics_kernels import rhs_kernel
model = cc.compile(cc.load(sys.argv[1]))
setting, y0 = prepare(model, None)
start = time.process_time()
kernel = rhs_kernel(setting)
traced = time.process_time()
kernel(np.concatenate([[0.0], y0, np.zeros(setting.memory)]), kernel.constants(setting.model.parameters.values))
print(traced - start, time.process_time() - traced, kernel.instructions)
"""
# Times what a whole motion has to wait for beyond computing it: the first call less the second one, with all imported.
MOTION = """
import sys, time
import numpy as np
import closedchain as cc
times = np.linspace(0.0, 0.1, 50)
cc.kinematics(cc.load(sys.argv[2]), times)
mechanism = cc.load(sys.argv[1])
spent = []
for _ in range(3):
    start = time.process_time()
    cc.kinematics(mechanism, times)
    spent.append(time.process_time() - start)
print(spent[0] - min(spent[1:]))
"""
# example -> target of its kinematics [s]; every one from the cache: 0.1 s
MOVED = {"shift_manipulator": 0.3, "gough_stewart": 2.0, "delta": 2.0, "six_r_six": 2.0}
COMPILED = ("four_bar", "shift_manipulator", "andrews", "gough_stewart")


def wall(arguments: list[str], environment: dict[str, str], repeats: int) -> float:
    """Least time of a process from start to end [s]."""
    least = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, env=environment, stdout=subprocess.DEVNULL)
        least = min(least, time.perf_counter() - start)
    return least


def first(example: str, environment: dict[str, str]) -> tuple[float, float, int]:
    """Time of tracing and of the first value [s], and the kernel's instructions."""
    file = str(EXAMPLES / example / "mechanism.toml")
    run = subprocess.run([sys.executable, "-c", FIRST, file], check=True, env=environment, capture_output=True)
    traced, ready, count = run.stdout.split()
    return float(traced), float(ready), int(count)


def motion(example: str, environment: dict[str, str]) -> float:
    """Time of tracing and compiling what kinematics needs [s]."""
    files = [str(EXAMPLES / name / "mechanism.toml") for name in (example, "four_bar")]
    run = subprocess.run([sys.executable, "-c", MOTION, *files], check=True, env=environment, capture_output=True)
    return float(run.stdout)


def rows() -> list[Row]:
    """Whole processes, then tracing and compiling."""
    check = ["-m", "closedchain", "check", str(EXAMPLES / "four_bar" / "mechanism.toml")]
    bare = wall(["-c", "pass"], dict(os.environ), 5)
    found = [
        Row("python, nothing imported", bare, "s"),
        Row("import closedchain", wall(["-c", "import closedchain"], dict(os.environ), 5), "s", 0.6, None, bare),
        Row("closedchain check four_bar", wall(check, dict(os.environ), 3), "s", 1.5, None, bare),
    ]
    with tempfile.TemporaryDirectory() as folder:
        # Where each system keeps caches.
        environment = {**os.environ, "XDG_CACHE_HOME": folder, "LOCALAPPDATA": folder}
        for example in COMPILED:
            traced, cold, count = first(example, environment)
            warm = min((first(example, environment) for _ in range(2)), key=lambda times: times[1])
            found += [
                Row(f"{example}: tracing the right-hand side", min(traced, warm[0]) * 1e3, "ms", None, count),
                Row(f"{example}: compiling it", cold * 1e3, "ms", None, count),
                Row(f"{example}: reading it from the cache", warm[1] * 1e3, "ms", None, count),
            ]
    for example, target in MOVED.items():
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "XDG_CACHE_HOME": folder, "LOCALAPPDATA": folder}
            cold = motion(example, environment)
            warm = min(motion(example, environment) for _ in range(3))
        found += [
            Row(f"{example}: kinematics, trace and compile", cold, "s", target),
            Row(f"{example}: kinematics, from the cache", warm, "s", 0.1),
        ]
    return found


if __name__ == "__main__":
    from measuring import table

    print(table(rows()))
