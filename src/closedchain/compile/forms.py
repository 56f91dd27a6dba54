"""The forms of one program: compiled, loaded and found again by what they are."""

import threading

from closedchain.compile import cache, jit
from closedchain.compile.batch import batch_ir
from closedchain.compile.llvm import kernel_ir
from closedchain.compile.program import Program

# above this many operations (3 s) quick compilation, about 10 µs each, counts more than the speed of the code
LARGEST_OPTIMISED = 30_000

_LOADED: dict[str, tuple[int, int]] = {}
_LOCK = threading.Lock()


def addresses(program: Program, lanes: int, per_lane: bool, level: int | None, use_cache: bool) -> tuple[int, int]:
    """Addresses of the kernel for so many lanes and of its batch loop (0 for one lane).

    level: 1 optimised, 0 compiled quickly, None by size. The form is compiled when it is neither loaded nor cached.
    """
    if level is None:
        level = 1 if program.instructions <= LARGEST_OPTIMISED else 0
    # the batch loop copies all inputs, also those that the code does not read
    sizes = (program.n_x, program.n_c) if lanes > 1 else ()
    key = cache.object_key(program.key, *sizes, lanes, per_lane, level)
    with _LOCK:
        found = _LOADED.get(key)
        if found is None:
            found = _LOADED[key] = _load(program, lanes, per_lane, level, key, use_cache)
    return found


def _load(program: Program, lanes: int, per_lane: bool, level: int, key: str, use_cache: bool) -> tuple[int, int]:
    name, loop = f"kernel_{key}", f"batch_{key}"
    code = cache.find(key) if use_cache else None
    if code is None:
        text = kernel_ir(program, name, lanes, per_lane)
        if lanes > 1:
            text += batch_ir(name, loop, lanes, per_lane, program.n_x, program.n_c, len(program.outputs))
        code = jit.compile_object(text, level)
        if use_cache:
            cache.save(key, code)
    return jit.load_object(code, name), jit.load_address(loop) if lanes > 1 else 0
