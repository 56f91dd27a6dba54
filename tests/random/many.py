"""Runs many random mechanisms and says what became of each: `python tests/random/many.py 2000 --first 0 [--light]`.

Each has a number, the seed of all its decisions; `--show N` prints the file of one.
"""

import argparse
import faulthandler
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from draws import Draws
from loose_mechanisms import random_loose_mechanism
from loose_properties import check_loose
from mechanisms import random_mechanism
from properties import Broken, check_energy, check_mechanism
from returning import check_return

import closedchain as cc

# Seconds after which a mechanism's stack is printed.
HANGS = 60.0


def took_so_far(start: float) -> str:
    """Seconds since a start."""
    return f"{time.monotonic() - start:.0f} s"


def run(
    first: int, count: int, heavy: bool, energy: bool, seconds: float, back: bool = False, loose: bool = False
) -> tuple[Counter, list[tuple[int, str]]]:
    """What held and what failed, mechanism by mechanism, until the time is over."""
    total: Counter = Counter()
    failures = []
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            if time.monotonic() - start > seconds:
                break
            began = time.monotonic()
            faulthandler.dump_traceback_later(HANGS)
            try:
                if loose:
                    done = check_loose(*random_loose_mechanism(Draws(seed)))
                else:
                    m = random_mechanism(Draws(seed))
                    done = check_mechanism(m, Path(folder), heavy) + (check_energy(m) if energy else Counter())
                    for formulation in ("loop", "multipliers") if back else ():
                        done += check_return(m, Path(folder), formulation)
                for what in (what for what in done if "Error" in what):
                    print(f"{seed}: {what}", flush=True)
                total += done
            except Broken as error:
                failures.append((seed, str(error)))
                print(f"{seed}: {error}", flush=True)
            except Exception as error:
                failures.append((seed, f"{type(error).__name__}: {error}"))
                print(f"{seed}: {traceback.format_exc(limit=-3)}", flush=True)
            took = time.monotonic() - began
            if took > 20.0:
                print(f"{seed}: took {took:.0f} s", flush=True)
            total["mechanisms"] += 1
            if (seed + 1) % 100 == 0:
                print(f"{seed + 1}: {took_so_far(start)}, {len(failures)} failures", flush=True)
    faulthandler.cancel_dump_traceback_later()
    return total, failures


def main() -> int:
    """Exit status 1 where anything failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first mechanism")
    parser.add_argument("--light", action="store_true", help="leave out mobility, plain floats and other trees")
    parser.add_argument("--energy", action="store_true", help="simulate each for a short while too")
    parser.add_argument("--return", dest="back", action="store_true", help="put efforts back into simulations too")
    parser.add_argument("--loose", action="store_true", help="mechanisms with loose joints instead")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--show", type=int, help="print one mechanism as a file")
    given = parser.parse_args()
    if given.show is not None:
        data = random_loose_mechanism(Draws(given.show))[0] if given.loose else random_mechanism(Draws(given.show)).data
        print(cc.Mechanism.from_dict(data).to_text())
        return 0
    total, failures = run(
        given.first, given.count, not given.light, given.energy, given.seconds, given.back, given.loose
    )
    for what, number in sorted(total.items(), key=lambda item: -item[1]):
        print(f"{number:6d}  {what}")
    print(f"{len(failures):6d}  failures: {', '.join(str(seed) for seed, _ in failures)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
