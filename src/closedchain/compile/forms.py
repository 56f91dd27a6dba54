"""The forms of one program: compiled, loaded and found again by what they are."""

import threading

from closedchain.compile import cache, jit
from closedchain.compile.batch import batch_ir
from closedchain.compile.layout import Layout
from closedchain.compile.llvm import kernel_ir
from closedchain.compile.program import Program

# Above this many operations (a row of 100 four-bars, 2 s) quick compilation, a sixth of the time, counts more than the
# speed of the code, a third less: optimising pays for itself after some million evaluations.
LARGEST_OPTIMISED = 15_000

_LOADED: dict[str, int] = {}
_LOCK = threading.Lock()


def address(program: Program, layout: Layout, level: int | None, use_cache: bool) -> int:
    """Address of the kernel, or of its loop over a batch; compiled when it is neither loaded nor cached.

    level: 1 optimised, 0 compiled quickly, None by size.
    """
    if level is None:
        level = 1 if program.instructions <= LARGEST_OPTIMISED else 0
    # the batch loop copies all inputs, also those that the code does not read
    sizes = (program.n_x, program.n_c) if layout.batch else ()
    key = cache.object_key(program.key, *sizes, layout.key, level)
    with _LOCK:
        found = _LOADED.get(key)
        if found is None:
            found = _LOADED[key] = _load(program, layout, level, key, use_cache)
    return found


def _load(program: Program, layout: Layout, level: int, key: str, use_cache: bool) -> int:
    name = f"{'batch' if layout.batch else 'kernel'}_{key}"
    code = cache.find(key) if use_cache else None
    if code is None:
        text = kernel_ir(program, f"block_{key}" if layout.batch else name, layout)
        if layout.batch:
            text += batch_ir(f"block_{key}", name, layout, program.n_x, program.n_c, len(program.outputs))
        code = jit.compile_object(text, level)
        if use_cache:
            cache.save(key, code)
    return jit.load_object(code, name)
