"""The folder of compiled loops: another one for other sources, none where nothing can be written."""

import subprocess
import sys

import pytest

from closedchain.numerics import _cache


def test_any_change_of_any_source_changes_the_folder(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "sub" / "b.py").write_text("y = 1\n")
    digest = _cache.source_digest.__wrapped__
    first = digest(tmp_path)
    assert digest(tmp_path) == first
    (tmp_path / "sub" / "b.py").write_text("y = 2\n")
    second = digest(tmp_path)
    assert second != first
    (tmp_path / "sub" / "b.py").rename(tmp_path / "sub" / "c.py")
    assert digest(tmp_path) not in (first, second)
    (tmp_path / "notes.txt").write_text("no source")
    assert len({first, second, digest(tmp_path)}) == 3


def test_old_folders_are_removed(tmp_path, monkeypatch):
    import os
    import time

    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *names, **options: str(tmp_path))
    old, recent = tmp_path / "loops" / "old", tmp_path / "loops" / "recent"
    for folder in (old, recent):
        folder.mkdir(parents=True)
    long_ago = time.time() - 100 * 86400.0
    os.utime(old, (long_ago, long_ago))
    current = _cache.cache_folder.__wrapped__()
    assert current is not None
    assert current.parent == tmp_path / "loops"
    assert current.is_dir()
    assert recent.exists()
    assert not old.exists()


def test_folder_that_cannot_be_made_is_none(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *names, **options: str(blocked))
    assert _cache.cache_folder.__wrapped__() is None


def test_compiled_functions_are_kept_in_that_folder_and_found_again(tmp_path, monkeypatch):
    monkeypatch.setattr(_cache, "cache_folder", lambda: tmp_path)

    def double(x):
        return 2.0 * x

    first = _cache.entry(double)
    assert first(1.5) == 3.0
    assert first.dispatcher.stats.cache_misses
    assert not first.dispatcher.stats.cache_hits
    again = _cache.entry(double)
    assert again(2.5) == 5.0
    assert again.dispatcher.stats.cache_hits
    # a damaged file costs the time to compile again
    for path in tmp_path.iterdir():
        path.write_bytes(b"damaged")
    damaged = _cache.entry(double)
    assert damaged(3.5) == 7.0


def test_without_a_folder_functions_compile_all_the_same(monkeypatch):
    monkeypatch.setattr(_cache, "cache_folder", lambda: None)
    assert _cache.entry(lambda x: x + 1.0)(1.0) == 2.0


@pytest.mark.parametrize("module", ["driver", "ensemble", "problem", "solution", "integrators"])
def test_numba_waits_until_an_integrator_is_used(module):
    code = f"import closedchain.numerics.{module}, sys; print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
