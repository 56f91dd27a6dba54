"""Compiled loops kept on disk: one folder per state of these sources, so that no edit ever meets old machine code.

Numba keys a function's cache by its own file only; a loop that calls functions of other files would go on running their
old versions. Here the folder's name is a hash of all sources of this package and of the versions that made the code.
"""

import contextlib
import hashlib
import os
import platform
import shutil
import time
from collections.abc import Callable
from functools import cache, update_wrapper
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import caching

_OLD = 90 * 86400.0  # seconds after which the folder of a former version is removed


@cache
def source_digest(folder: Path | None = None) -> str:
    """Hash of every source file below a folder and of the versions of Python, Numba and LLVM.

    folder: by default this package's; returns 32 hexadecimal digits.
    """
    import llvmlite
    import numba

    folder = folder or Path(__file__).parent
    digest = hashlib.blake2b(digest_size=16)
    for version in (platform.python_version(), platform.machine(), numba.__version__, llvmlite.__version__):
        digest.update(version.encode() + b"\0")
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def cache_folder() -> Path | None:
    """The folder of this version's compiled loops in the user's cache directory; None when it cannot be written."""
    from platformdirs import user_cache_dir

    try:
        parent = Path(user_cache_dir("closedchain", appauthor=False)) / "loops"
        folder = parent / source_digest()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.utime(folder)
        _remove_old(parent, folder)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def _remove_old(parent: Path, current: Path) -> None:
    limit = time.time() - _OLD
    for folder in parent.iterdir():
        with contextlib.suppress(OSError):
            if folder != current and folder.stat().st_mtime < limit:
                shutil.rmtree(folder, ignore_errors=True)


class _Locator(caching._CacheLocator):
    """Tells Numba to keep everything in this version's folder."""

    def __init__(self, py_func: Any, py_file: str):
        self._py_file = py_file
        self._name = f"{py_func.__module__.rpartition('.')[2]}-{py_func.__code__.co_firstlineno}"

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return source_digest()

    def get_disambiguator(self) -> str:
        return self._name

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        return cls(py_func, py_file)


class _Storage(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012 - Numba's own kind of class attribute


class _LoopCache(caching.FunctionCache):
    _impl_class = _Storage

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # a damaged or foreign file costs the time to compile again, nothing else
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except Exception:
            # a damaged index is begun anew; where that fails too, nothing is kept
            with contextlib.suppress(Exception):
                self.flush()
                super().save_overload(sig, data)


def jit(function: Callable) -> Any:
    """Compile a function with Numba when first used by another: IEEE arithmetic, no exceptions, kept on disk."""
    return _kept(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def shared(function: Callable) -> Any:
    """Compile a function that others call by its address, so that its code is not compiled again into each of them."""
    return _kept(function, no_cpython_wrapper=True)


class Entry:
    """A compiled function that Python calls, always with the same types; it runs without the interpreter lock.

    Numba works out the types of large records anew at every call, which costs more than many a short run; here it does
    so at the first call alone.
    """

    def __init__(self, function: Callable):
        self.dispatcher = _kept(function, no_cfunc_wrapper=True)
        self._compiled: Callable | None = None
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        """Run it."""
        if self._compiled is not None:
            return self._compiled(*arguments)
        result = self.dispatcher(*arguments)
        (only,) = self.dispatcher.overloads.values()
        self._compiled = only.entry_point
        return result


def entry(function: Callable) -> Entry:
    """Compile a function that Python calls; see Entry."""
    return Entry(function)


def _kept(function: Callable, **options: bool) -> Any:
    # no reference counts: nothing here allocates, and they are a good part of the time to compile
    options |= {"nogil": True, "_nrt": False}
    compiled: Any = njit(function, error_model="numpy", **options)  # type: ignore[call-overload]
    if cache_folder() is not None:
        compiled._cache = _LoopCache(function)
    return compiled
