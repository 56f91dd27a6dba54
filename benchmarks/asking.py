"""How a benchmark asks another program: a script of `peers/` is given the question as JSON and answers with JSON.

The programs are optional (extra `bench`); the environment variable PEERS names another interpreter that has them.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

MODULES = {"pinocchio": "pin"}


def answer(peer: str, script: str, question: Any) -> Any:
    """What the script says, an empty dictionary where the program is not installed or fails, which is then told."""
    if not is_installed(peer):
        return {}
    done = run(["-W", "ignore", str(Path(__file__).parent / "peers" / script)], json.dumps(question))
    if done.returncode:
        print(f"{peer} failed: {done.stderr.strip().splitlines()[-1]}")
        return {}
    return json.loads(done.stdout.strip().splitlines()[-1])


@cache
def is_installed(peer: str) -> bool:
    """Whether the interpreter has the program; told once where it has not."""
    if run(["-c", f"import {peer}"]).returncode == 0:
        return True
    print(f"{peer} is not installed: pip install {MODULES.get(peer, peer)} to compare with it.")
    return False


def run(arguments: list[str], said: str = "") -> subprocess.CompletedProcess[str]:
    """The interpreter of the other programs, given a text."""
    command = [os.environ.get("PEERS", sys.executable), *arguments]
    return subprocess.run(command, input=said, capture_output=True, text=True, check=False)
