"""Types and constants of LLVM IR, for one value or a vector of lanes."""

import struct
from functools import cache


@cache
def double(value: float) -> str:
    """A double in hexadecimal, the only exact form LLVM reads for every value."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"


def vector_type(element: str, lanes: int) -> str:
    """The type of one element or of a vector of them."""
    return element if lanes == 1 else f"<{lanes} x {element}>"


def splat(element: str, literal: str, lanes: int) -> str:
    """A literal repeated over the lanes."""
    return literal if lanes == 1 else "<" + ", ".join([f"{element} {literal}"] * lanes) + ">"


def number(value: float, lanes: int) -> str:
    """A double in all lanes."""
    return splat("double", double(value), lanes)


def integer(value: int, lanes: int) -> str:
    """A 64-bit integer in all lanes."""
    return splat("i64", str(value), lanes)


def truth(value: bool, lanes: int) -> str:
    """A truth value in all lanes."""
    return splat("i1", "true" if value else "false", lanes)
