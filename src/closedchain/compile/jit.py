"""From LLVM IR to machine code in this process: one code generator, one loader."""

import threading
from functools import cache
from typing import Any

_LOCK = threading.RLock()


@cache
def host() -> tuple[str, str, str]:
    """(triple, processor, features) of this machine."""
    import llvmlite.binding as binding

    return (
        binding.get_default_triple(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
    )


@cache
def native_lanes() -> int:
    """Lanes of double precision that suit this processor: 8 with AVX-512, else 4."""
    return 8 if "+avx512f" in host()[2].split(",") else 4


@cache
def _initialize() -> None:
    import llvmlite.binding as binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()


def _target_machine(level: int) -> Any:
    import llvmlite.binding as binding

    triple, cpu, features = host()
    target = binding.Target.from_triple(triple)
    return target.create_target_machine(cpu=cpu, features=features, opt=level, jit=True)


@cache
def _code_generator(level: int) -> Any:
    return _target_machine(level)


@cache
def _engine() -> Any:
    import llvmlite.binding as binding

    # kept for the life of the process: other compiled code may hold addresses of kernels
    return binding.create_mcjit_compiler(binding.parse_assembly(""), _target_machine(1))


def compile_object(text: str, level: int) -> bytes:
    """Machine code (an object file) of a module's text; level 1 optimises, 0 compiles quickly."""
    import llvmlite.binding as binding

    with _LOCK:
        _initialize()
        module = binding.parse_assembly(text)
        # the graph is folded and shared already: the optimiser's passes over the IR cost a third and gain nothing
        return _code_generator(level).emit_object(module)


def load_object(code: bytes, name: str) -> int:
    """Load an object file and return the address of a function in it; raises RuntimeError when it has none of that
    name.
    """
    import llvmlite.binding as binding

    with _LOCK:
        _initialize()
        engine = _engine()
        engine.add_object_file(binding.ObjectFileRef.from_data(code))
        engine.finalize_object()
    return load_address(name)


def load_address(name: str) -> int:
    """The address of a function loaded before."""
    with _LOCK:
        address = _engine().get_function_address(name)
    if not address:
        raise RuntimeError(f"The object file holds no function {name}.")
    return address
