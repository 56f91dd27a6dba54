"""Machine code kept on disk between runs, one file per kernel form; losing it only costs the time to compile again."""

import contextlib
import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path

from closedchain.compile.jit import host

# the modules that decide what machine code a graph becomes
_GENERATORS = (
    "arctangent",
    "batch",
    "cache",
    "exponential",
    "forms",
    "ir",
    "jit",
    "layout",
    "llvm",
    "schedule",
    "sincos",
    "table_code",
    "turns",
)

LARGEST_COUNT = 4000

_MAGIC = b"closedchain object 1\n"
_DIGEST = 16


@cache
def generator_key() -> str:
    """Fingerprint of the code generator's own source, so that no edit of it ever meets code of an older one."""
    digest = hashlib.blake2b(digest_size=16)
    for name in _GENERATORS:
        digest.update((Path(__file__).parent / f"{name}.py").read_bytes())
    return digest.hexdigest()


@cache
def environment_key() -> str:
    """What besides the graph decides the machine code: processor, its features, LLVM, and the code generator."""
    import llvmlite

    return "|".join((*host(), llvmlite.__version__, generator_key()))


def object_key(*parts: object) -> str:
    """The key of one kernel form on this machine."""
    text = "|".join((environment_key(), *map(str, parts)))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


@cache
def cache_folder() -> Path | None:
    """The folder of cached kernels in the user's cache directory; None when it cannot be written."""
    from platformdirs import user_cache_dir

    folder = Path(user_cache_dir("closedchain", appauthor=False)) / "kernels"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def find(key: str) -> bytes | None:
    """The object file of that key; None when there is none or it is damaged."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        content = (folder / key).read_bytes()
    except OSError:
        return None
    head, code = content[: len(_MAGIC) + _DIGEST], content[len(_MAGIC) + _DIGEST :]
    return code if head == _MAGIC + _checksum(code) else None


@cache
def _prune(folder: Path) -> None:
    """Once in a process: keep the folder from growing for ever, oldest files first."""
    entries = [(entry.stat().st_mtime, entry.path) for entry in os.scandir(folder)]
    if len(entries) > LARGEST_COUNT:
        for _, path in sorted(entries)[: len(entries) - LARGEST_COUNT * 3 // 4]:
            with contextlib.suppress(OSError):
                os.unlink(path)


def save(key: str, code: bytes) -> None:
    """Keep an object file; readers see the whole file or none. A full or read-only disk is no error."""
    folder = cache_folder()
    if folder is None:
        return
    with contextlib.suppress(OSError):
        _prune(folder)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{key}")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + _checksum(code) + code)
            os.replace(temporary, folder / key)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


def _checksum(code: bytes) -> bytes:
    return hashlib.blake2b(code, digest_size=_DIGEST).digest()
