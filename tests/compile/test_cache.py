"""Machine code is kept on disk, found again, and its loss or damage costs nothing but time."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from closedchain.compile import cache, compile_kernel, forms, jit, trace
from closedchain.numbers import exp, sin


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(forms, "_LOADED", {})
    return tmp_path


@pytest.fixture
def compilations(monkeypatch):
    texts = []
    compile_object = jit.compile_object

    def counted(text, level):
        texts.append(text)
        return compile_object(text, level)

    monkeypatch.setattr(jit, "compile_object", counted)
    return texts


def fresh(number):
    return trace(lambda x: {"y": sin(x[0]) * number + exp(x[0])}, {"x": 1})


def expected(number):
    return np.sin(0.5) * number + np.exp(0.5)


def test_each_form_is_compiled_once_and_when_first_used(folder, compilations):
    kernel = compile_kernel(fresh(11.0))
    assert not compilations
    kernel([0.5])
    kernel([0.5])
    assert len(compilations) == 1
    kernel.batch(np.ones((1, 3)))
    assert len(compilations) == 2
    assert compile_kernel(fresh(11.0))([0.5])[0] == pytest.approx(expected(11.0))
    assert len(compilations) == 2
    assert len(list(folder.iterdir())) == 2
    compile_kernel(fresh(12.0))([0.5])
    assert len(compilations) == 3


def test_another_process_finds_it(folder):
    kernel = compile_kernel(fresh(21.0))
    kernel([0.5])
    kernel.batch(np.ones((1, 3)))
    script = (
        "import sys, numpy as np, pathlib\n"
        "from closedchain.compile import cache, compile_kernel, jit, trace\n"
        "from closedchain.numbers import exp, sin\n"
        "cache.cache_folder = lambda: pathlib.Path(sys.argv[1])\n"
        "jit.compile_object = None\n"
        "kernel = compile_kernel(trace(lambda x: {'y': sin(x[0]) * 21.0 + exp(x[0])}, {'x': 1}))\n"
        "print(kernel([0.5])[0], kernel.batch(np.full((1, 9), 0.5))[0, 8], 'numba' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    one, last, numba = run.stdout.split()
    assert float(one) == pytest.approx(expected(21.0), rel=1e-15)
    assert float(last) == pytest.approx(expected(21.0), rel=1e-15)
    assert numba == "False"


@pytest.mark.parametrize("damage", [lambda b: b[: len(b) // 2], lambda b: b"", lambda b: b[:-1] + bytes([b[-1] ^ 1])])
def test_a_damaged_entry_is_compiled_again(folder, compilations, monkeypatch, damage):
    compile_kernel(fresh(31.0))([0.5])
    [entry] = folder.iterdir()
    entry.write_bytes(damage(entry.read_bytes()))
    assert cache.find(entry.name) is None
    # the code of the first compilation is loaded already; only the file is looked at here
    monkeypatch.setattr(jit, "load_object", lambda code, name: 1)
    monkeypatch.setattr(forms, "_LOADED", {})
    compile_kernel(fresh(31.0)).address()
    assert len(compilations) == 2
    assert cache.find(entry.name) is not None


def test_without_a_folder_or_with_a_full_disk_it_works(folder, monkeypatch):
    monkeypatch.setattr(cache, "cache_folder", lambda: None)
    assert compile_kernel(fresh(41.0))([0.5])[0] == pytest.approx(expected(41.0))
    monkeypatch.setattr(cache, "cache_folder", lambda: folder)

    def full(*arguments):
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    assert compile_kernel(fresh(42.0))([0.5])[0] == pytest.approx(expected(42.0))
    assert not list(folder.iterdir())


def test_an_unwritable_home_is_no_error(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *a, **k: str(blocked / "cache"))
    cache.cache_folder.cache_clear()
    try:
        assert cache.cache_folder() is None
    finally:
        cache.cache_folder.cache_clear()


def test_cache_can_be_declined(folder):
    compile_kernel(fresh(51.0), cache=False)([0.5])
    assert not list(folder.iterdir())


def test_the_key_holds_all_that_decides_the_code(monkeypatch):
    keys = {cache.object_key("a", 1), cache.object_key("a", 4), cache.object_key("b", 1)}
    cache.environment_key.cache_clear()
    monkeypatch.setattr(cache, "generator_key", lambda: "edited")
    keys.add(cache.object_key("a", 1))
    cache.environment_key.cache_clear()
    monkeypatch.setattr(cache, "host", lambda: ("triple", "other processor", ""))
    keys.add(cache.object_key("a", 1))
    cache.environment_key.cache_clear()
    assert len(keys) == 5


def test_the_folder_does_not_grow_for_ever(folder, monkeypatch):
    monkeypatch.setattr(cache, "LARGEST_COUNT", 8)
    for age in range(12):
        (folder / f"old{age}").write_bytes(b"")
        os.utime(folder / f"old{age}", (age, age))
    cache.save("new", b"code")
    assert sorted(path.name for path in folder.iterdir()) == ["new", "old10", "old11", "old6", "old7", "old8", "old9"]
    assert cache.find("new") == b"code"


def test_every_module_of_the_generator_counts():
    package = Path(cache.__file__).parent
    written = {path.stem for path in package.glob("*.py")}
    # these decide the graph, which has its own fingerprint, or how code is called
    others = [
        "__init__",
        "derivatives",
        "evaluate",
        "graph",
        "kernels",
        "memory",
        "numba_function",
        "operations",
        "ordering",
        "program",
        "reference",
        "trace",
        "unknowns",
    ]
    assert written - set(others) == set(cache._GENERATORS)
