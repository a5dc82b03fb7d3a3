"""Linear solves of batches: the same parts of solution and right-hand side have a batch axis in all four programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..layer1_core.jaxpr import Jaxpr
from ..layer3_control.bodies import parts
from ..layer4_grad.scan import settled
from ..layer4_grad.solves import linear_solve_p
from .axes import AxisData
from .batching import Dim, Dims, Marks, axis_batching_rules, dims_of, marks_of
from .control import in_place
from .programs import batch_jaxpr_front


@dataclass(frozen=True)
class Solve:
    """The four programs of a linear solve, and which of their constants have a batch axis."""

    axis: AxisData
    jaxprs: Any
    consts_batched: Any

    def batched(self, which: str, inputs: Marks, instantiated: Marks) -> tuple[Jaxpr | None, Marks]:
        """One of the programs on batches, None where it is missing; and which of its results have a batch axis."""
        jaxpr = getattr(self.jaxprs, which)
        if jaxpr is None:
            return None, (False,) * len(instantiated)
        return batch_jaxpr_front(jaxpr, self.axis, getattr(self.consts_batched, which) + inputs, instantiated)

    def all_batched(self, marks: Marks) -> tuple[Any, Marks]:
        """The programs where these parts have batch axes, and which parts have one then: those of x, of what the
        solver returns besides, and of b.
        """
        n_out, has_vecmat = len(self.jaxprs.solve.outvars), self.jaxprs.vecmat is not None
        x, b = marks[:n_out], marks[n_out:]
        n, n_aux = len(b), len(x) - len(b)
        solve, of_solve = self.batched("solve", b, x)
        vecmat, of_vecmat = self.batched("vecmat", b, b)
        x = _either(of_solve, of_vecmat + (has_vecmat,) * n_aux)
        matvec, of_matvec = self.batched("matvec", x[:n], b)
        transpose, of_transpose = self.batched("transpose_solve", x[:n], x)
        b = _either(_either(of_matvec, of_transpose[:n]), b)
        return type(self.jaxprs)(matvec, vecmat, solve, transpose), x + b


def _linear_solve_rule(
    axis: AxisData, args: Sequence[Any], dims: Dims, *, const_lengths: Any, jaxprs: Any
) -> tuple[list[Any], list[Dim]]:
    """The function and its transpose take x and give b, or the other way round; so do their solvers.

    What the solver returns besides the solution has a batch axis in any case where there is a transpose.
    """
    *consts, b = map(tuple, parts(marks_of(dims), *const_lengths))
    four, n_out = Solve(axis, jaxprs, type(jaxprs)(*consts)), len(jaxprs.solve.outvars)
    made, marks = settled((False,) * n_out + b, four.all_batched, lambda made: made[1])
    out_dims, b_dims = parts(dims_of(marks), n_out)
    operands = in_place(axis, dims, [*dims_of(mark for part in consts for mark in part), *b_dims], args)
    return linear_solve_p.bind(*operands, const_lengths=const_lengths, jaxprs=made), out_dims


def _either(a: Marks, b: Marks) -> Marks:
    return tuple(x or y for x, y in zip(a, b, strict=True))


axis_batching_rules[linear_solve_p] = _linear_solve_rule
