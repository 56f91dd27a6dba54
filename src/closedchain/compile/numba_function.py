"""Kernels as arguments of Numba functions: called through their address, without overhead, all with one signature.

This module imports Numba (about half a second); it is imported when a kernel is first handed to a Numba function.
"""

from collections.abc import Callable
from typing import Any

import numba.experimental.function_type  # noqa: F401 - teaches Numba to accept first-class functions as arguments
from numba import types

# void f(x, c, y), addresses of arrays of doubles: with one signature a loop over a kernel compiles once for all of them
SIGNATURE = types.void(types.uintp, types.uintp, types.uintp)
FUNCTION_TYPE = types.FunctionType(SIGNATURE)


class KernelFunction(types.WrapperAddressProtocol):
    """A compiled kernel that Numba functions can take as an argument and call as f(x, c, y) with addresses.

    address_of: gives the address when first asked, so a kernel still compiles when first used.
    """

    def __init__(self, address_of: Callable[[], int]):
        self._address_of = address_of

    def __wrapper_address__(self) -> int:
        return self._address_of()

    def signature(self) -> Any:
        """The Numba signature, the same for every kernel."""
        return SIGNATURE
