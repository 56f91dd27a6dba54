"""Traces keep names and shapes, and grow by derivatives."""

import numpy as np
import pytest

from closedchain.compile import ReferenceKernel, compile_kernel, trace
from closedchain.numbers import Mat3, Vec3, rotation_z, sin


def arm(q, qd, lengths):
    R = rotation_z(q[0])
    p = R @ Vec3(lengths[0], 0.0, 0.0) + Vec3(0.0, 0.0, q[1])
    return {"p": p, "R": R, "pair": (q[0] * qd[0], [1.0, 2]), "speed": qd[1] * lengths[1], "nothing": []}


@pytest.fixture
def traced():
    with pytest.raises(ValueError, match="rows of different shapes"):
        trace(arm, {"q": 2, "qd": 2}, {"lengths": 2})

    def fine(**arguments):
        return arm(**arguments) | {"pair": (arguments["q"][0] * arguments["qd"][0], 2)}

    return trace(fine, {"q": 2, "qd": 2}, {"lengths": 2})


def test_names_and_shapes(traced):
    assert traced.inputs == {"q": slice(0, 2), "qd": slice(2, 4)}
    assert traced.parameters == {"lengths": slice(0, 2)}
    assert {name: shape for name, (_, shape) in traced.outputs.items()} == {
        "p": (3,), "R": (3, 3), "pair": (2,), "speed": (), "nothing": (0,),
    }  # fmt: skip
    assert (traced.n_inputs, traced.n_parameters, traced.n_outputs) == (4, 2, 15)
    assert traced.output("R")[2][:2] == [0.0, 0.0]
    for kernel in (compile_kernel(traced), ReferenceKernel(traced)):
        values = kernel.split(kernel([0.3, 2.0, 3.0, 4.0], kernel.constants([0.5, 2.0])))
        assert values["p"] == pytest.approx([0.5 * np.cos(0.3), 0.5 * np.sin(0.3), 2.0])
        assert values["R"].shape == (3, 3)
        assert values["speed"] == 8.0
        assert values["nothing"].shape == (0,)


def test_derivatives_become_outputs(traced):
    grown = traced.with_outputs(
        {
            "v": traced.derivative("p", {"q": traced.symbols("qd")}),
            "J": traced.jacobian("p", "q"),
            "Jl": traced.jacobian("p", "lengths"),
            "g": traced.gradient("speed", "lengths"),
        }
    )
    x, p = [0.3, 2.0, 3.0, 4.0], [0.5, 2.0]
    for kernel in (compile_kernel(grown), ReferenceKernel(grown)):
        y = kernel.split(kernel(x, kernel.constants(p)))
        assert y["J"] == pytest.approx(np.array([[-0.5 * np.sin(0.3), 0], [0.5 * np.cos(0.3), 0], [0, 1]]))
        assert y["v"] == pytest.approx(y["J"] @ [3.0, 4.0])
        assert y["Jl"][:, 0] == pytest.approx([np.cos(0.3), np.sin(0.3), 0])
        assert y["g"].tolist() == [0.0, 4.0]
    part = grown.only("v", "speed")
    kernel = compile_kernel(part)
    assert kernel.outputs == {"v": (slice(0, 3), (3,)), "speed": (slice(3, 4), ())}
    assert kernel.instructions < compile_kernel(grown).instructions


def test_mistakes_are_named(traced):
    with pytest.raises(ValueError, match="already an output"):
        traced.with_outputs({"p": [1.0]})
    with pytest.raises(ValueError, match="single number"):
        traced.gradient("p", "q")
    with pytest.raises(ValueError, match="needs 2"):
        traced.derivative("p", {"q": [1.0]})
    with pytest.raises(ValueError, match="share the names"):
        trace(arm, {"q": 1}, {"q": 1})
    with pytest.raises(TypeError, match="not a number"):
        trace(lambda q: {"y": "text"}, {"q": 1})
    with pytest.raises(TypeError, match="select"):
        trace(lambda q: {"y": q[0] if q[0] > 0 else 0.0}, {"q": 1})


def test_counts_may_be_zero_and_outputs_constant():
    kernel = compile_kernel(trace(lambda q: {"y": [1.0, 2.0], "M": Mat3.identity()}, {"q": 0}))
    assert kernel([]).tolist() == [1, 2, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    assert kernel.batch(np.empty((0, 3))).shape == (11, 3)
    assert kernel.instructions == 0


def test_a_count_of_parameters_is_passed_by_that_name():
    kernel = compile_kernel(trace(lambda x, parameters: {"y": sin(parameters[1]) * x[0]}, {"x": 1}, 2))
    assert kernel([2.0], kernel.constants([0.0, 0.5]))[0] == pytest.approx(2 * np.sin(0.5))
