"""Pictures that a learner can move through: `stepper`, `matrix` and `dataflow`.

    from minijax.course.widgets import dataflow, matrix, stepper

    stepper(f, x)    the lines of f beside the program that tracing them writes, one equation a step
    matrix()         the primitives of the package, and where the rules of each one live
    dataflow(f, x)   the program of f as a drawing: where each value comes from and goes to

Each is live in a notebook with a running kernel, an SVG drawing on paper and in slides, and a text elsewhere.
"""

from .dataflow_view import dataflow
from .matrix_view import matrix
from .stepper_view import stepper

__all__ = ["stepper", "matrix", "dataflow"]
