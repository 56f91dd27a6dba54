"""From a Mechanism to a Model: numbering, spanning tree, parameter vector, kernels on demand."""

from closedchain.model.model import Drive, Model, compile, label

__all__ = ["Drive", "Model", "compile", "label"]
