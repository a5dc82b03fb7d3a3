"""Pictures that a learner can move through.

    from minijax.course.widgets import (
        avalanche, batch_axis_explorer, cache_inspector, collectives, dataflow, kernel_viewer, key_tree,
        linearize_viewer, loop_viewer, matrix, mesh_explorer, stepper,
    )

    stepper(f, x)           the lines of f beside the program that tracing them writes, one equation a step
    matrix()                the primitives of the package, and where the rules of each one live
    dataflow(f, x)          the program of f as a drawing: where each value comes from and goes to
    kernel_viewer(f, x)     the equations of f beside the loops that compute them, and what they cost
    cache_inspector(f)      the traces of a jitted function, and why each one was made
    loop_viewer(f, x)       the programs inside the loops and branches of f, and what each step takes and gives
    linearize_viewer(f, x)  the linear program of the tangents of f, what it keeps, and the same program backwards
    batch_axis_explorer(f, xs)  the program of one example beside that of the batch, and where its batch axis is
    key_tree(f, x)          the keys that f makes, what uses each one up, and which are used twice
    avalanche(seed)         the bits of threefry after each round, and which of them differ where one bit is flipped
    mesh_explorer(shape, spec, mesh)  which device holds which block of an array, and what a program on it sends
    collectives(name, devices)  what devices send each other in each step of psum, all_gather, ...

Each is live in a notebook with a running kernel, an SVG drawing on paper and in slides, and a text elsewhere.
"""

from .avalanche_view import avalanche
from .batch_view import batch_axis_explorer
from .cache_view import cache_inspector
from .dataflow_view import dataflow
from .kernel_view import kernel_viewer
from .key_view import key_tree
from .linear_view import linearize_viewer
from .loop_view import loop_viewer
from .matrix_view import matrix
from .mesh_view import mesh_explorer
from .ring_view import collectives
from .stepper_view import stepper

__all__ = [
    "stepper", "matrix", "dataflow", "kernel_viewer", "cache_inspector", "loop_viewer", "linearize_viewer",
    "batch_axis_explorer", "key_tree", "avalanche", "mesh_explorer", "collectives",
]  # fmt: skip
