"""The pages on extending the program: their files go into a copy of it, where they run and their tests pass."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs" / "extend").glob("*.md"))
DRIVER = """
import os, sys
sys.path.insert(0, {tests!r})
import docs_blocks
from pathlib import Path
folder, pages = Path.cwd(), [Path(page) for page in sys.argv[1:]]
for page in pages:
    for block in docs_blocks.blocks(page):
        if block.title.startswith(("src/", "tests/")):
            docs_blocks.write(folder, block)
import closedchain
assert Path(closedchain.__file__).is_relative_to(folder), closedchain.__file__
for page in pages:
    docs_blocks.run_page(page, folder, written=("src/", "tests/"))
"""


def test_new_members_of_the_pages_work_and_pass_the_tests_of_their_contract(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=ignored)
    shutil.copytree(ROOT / "tests" / "elements", tmp_path / "tests" / "elements", ignore=ignored)
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "src"), "LC_ALL": "C", "PYTHONUTF8": "1"}

    def run(*words):
        done = subprocess.run(
            [sys.executable, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("-c", DRIVER.format(tests=str(ROOT / "tests")), *map(str, PAGES))
    tests = ["test_contact_laws.py", "test_kuwabara_kono.py", "test_ball_in_tube.py"]
    options = ["-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--import-mode=importlib", "-k"]
    chosen = "kuwabara or ball_in_tube"
    said = run("-m", "pytest", *options, chosen, *(f"tests/elements/{test}" for test in tests))
    assert int(said.rpartition("\n")[0].rpartition("\n")[2].split()[0]) >= 12, said
