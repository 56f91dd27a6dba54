"""The C library's elementary functions, made known to compiled code under names of our own."""

import ctypes
import ctypes.util
import sys
from functools import cache

from closedchain.compile import graph as g

# operation -> (name in compiled code, number of arguments)
LIBM = {
    g.ASIN: ("closedchain_asin", 1),
    g.ACOS: ("closedchain_acos", 1),
    g.ATAN: ("closedchain_atan", 1),
    g.ATAN2: ("closedchain_atan2", 2),
    g.EXP: ("closedchain_exp", 1),
    g.LOG: ("closedchain_log", 1),
    g.TANH: ("closedchain_tanh", 1),
    g.POW: ("closedchain_pow", 2),
}


@cache
def register() -> None:
    """Give the JIT the addresses of the C library's functions; names of our own keep LLVM from rewriting the calls."""
    import llvmlite.binding as binding

    library = _library()
    for name, _ in LIBM.values():
        function = getattr(library, name.removeprefix("closedchain_"))
        address = ctypes.cast(function, ctypes.c_void_p).value
        binding.add_symbol(name, address)


def _library() -> ctypes.CDLL:
    if sys.platform == "win32":
        return ctypes.CDLL("ucrtbase")
    if sys.platform == "darwin":
        return ctypes.CDLL(None)
    return ctypes.CDLL(ctypes.util.find_library("m") or "libm.so.6")
