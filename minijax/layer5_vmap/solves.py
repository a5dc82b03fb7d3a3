"""Linear solves of batches: the same parts of solution and right-hand side have a batch axis in all four programs."""

from collections.abc import Sequence
from typing import Any

from ..layer1_core.jaxpr import Jaxpr
from ..layer3_control.bodies import parts
from ..layer4_grad.solves import linear_solve_p
from .axes import AxisData
from .batching import Dim, Dims, axis_batching_rules
from .control import Marks, fixed_point, in_place, marks_of
from .programs import batch_jaxpr_front


def _linear_solve_rule(
    axis: AxisData, args: Sequence[Any], dims: Dims, *, const_lengths: Any, jaxprs: Any
) -> tuple[list[Any], list[Dim]]:
    """The function and its transpose take x and give b, or the other way round; so do their solvers.

    What the solver returns besides the solution has a batch axis in any case where there is a transpose.
    """
    kind = type(jaxprs)
    *consts, b_batched = map(tuple, parts(marks_of(dims), *const_lengths))
    consts_batched = kind(*consts)
    n_x, n_b = len(jaxprs.matvec.out_avals), len(b_batched)
    n_aux = len(jaxprs.solve.outvars) - n_x

    def batched(which: str, inputs: Marks, instantiated: Marks) -> tuple[Jaxpr | None, Marks]:
        jaxpr = getattr(jaxprs, which)
        if jaxpr is None:
            return None, (False,) * len(instantiated)
        return batch_jaxpr_front(jaxpr, axis, getattr(consts_batched, which) + inputs, instantiated)

    def made(state: Marks) -> tuple[Any, Marks]:
        """The programs where these parts of x (with aux) and of b have batch axes, and which have one then."""
        x, b = state[: n_x + n_aux], state[n_x + n_aux :]
        solve, of_solve = batched("solve", b, x)
        vecmat, of_vecmat = batched("vecmat", b, (False,) * n_x if jaxprs.vecmat is None else b)
        after = _either(of_solve, of_vecmat + (jaxprs.vecmat is not None,) * n_aux)
        matvec, of_matvec = batched("matvec", after[:n_x], b)
        transpose, of_transpose = batched("transpose_solve", after[:n_x], after)
        return kind(matvec, vecmat, solve, transpose), after + _either(_either(of_matvec, of_transpose[:n_b]), b)

    start = (False,) * (n_x + n_aux) + b_batched
    state = fixed_point(lambda marks: made(marks)[1], start)
    programs, _ = made(state)
    places = [0 if d is not None else None for d in dims[: len(dims) - n_b]]
    places += [0 if mark else None for mark in state[n_x + n_aux :]]
    operands = in_place(axis, dims, places, args)
    out = linear_solve_p.bind(*operands, const_lengths=const_lengths, jaxprs=programs)
    return out, [0 if mark else None for mark in state[: n_x + n_aux]]


def _either(a: Marks, b: Marks) -> Marks:
    return tuple(x or y for x, y in zip(a, b, strict=True))


axis_batching_rules[linear_solve_p] = _linear_solve_rule
