"""Implicit differentiation: the derivative of a solution comes from the equation that it solves, not from the steps of
the method that found it.

    custom_root            f(m, u) = 0      du = -(df/du)^-1 (df/dm) dm
    custom_linear_solve    A x = b          dx = A^-1 (db - dA x)          and backwards, with the transpose of A
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.custom_derivative import custom_jvp
from ..layer1_core.evaluate import run
from ..layer1_core.fun_names import fun_source_info
from ..layer1_core.jaxpr import DebugInfo, Jaxpr
from ..layer1_core.lax.elementwise import neg
from ..layer1_core.lax.shaping import full_like
from ..layer1_core.primitive import impl_rules
from ..layer1_core.staging import jaxpr_as_fun, trace_to_jaxpr
from ..layer1_core.trace import pure
from ..layer1_core.tree import PyTreeDef, tree_flatten, tree_leaves, tree_unflatten
from ..layer2_jit.lowering import CALLED, lowering_rules
from ..layer3_control.bodies import Carrier, parts
from .forward import linearize
from .jvp import jvp_flat, jvp_rules
from .programs import closed_over_nothing
from .reverse import linear_transpose
from .tangents import Zero, add_tangents, instantiate, zero_of
from .transpose import is_undefined_primal, transpose_rules

Fun = Callable[..., Any]

# ---- functions of trees, staged


class Staged(NamedTuple):
    """A function of one tree, or of two like it: its program, closed over nothing, and what that takes first."""

    jaxpr: Jaxpr
    consts: list[Any]
    out_tree: PyTreeDef


def _stage(fun: Fun, origin: Fun, what: str, tree: PyTreeDef, avals: Sequence[ShapedArray], count: int = 1) -> Staged:
    args = tuple(tree_unflatten(tree, range(tree.num_leaves)) for _ in range(count))
    in_tree = tree_flatten((args, {}))[1]
    jaxpr, out_tree = trace_to_jaxpr(fun, in_tree, [*avals] * count, DebugInfo(what, fun_source_info(origin)))
    return Staged(*closed_over_nothing(jaxpr), out_tree)


def _check_tree(name: str, expected_name: str, tree: PyTreeDef, expected: PyTreeDef) -> None:
    if tree != expected:
        raise TypeError(f"{name}() output pytree structure must match {expected_name}, got {tree} and {expected}.")


def _check_pair(name: str, expected_name: str, tree: PyTreeDef, expected: PyTreeDef) -> None:
    """The same of the first part of a pair."""
    if len(tree.children()) != 2:
        raise ValueError(
            f"{name}() produced a pytree with structure {tree}, but a pytree tuple with auxiliary output was "
            "expected because has_aux was set to True."
        )
    _check_tree(name, expected_name, tree.children()[0], expected)


# ---- custom_root


class Root(NamedTuple):
    """Of the function, of its solver, and of the solver of its linearization."""

    f: Any
    solve: Any
    l_and_s: Any


def custom_root(f: Fun, initial_guess: Any, solve: Fun, tangent_solve: Fun, has_aux: bool = False) -> Any:
    """`solve(f, initial_guess)`, a root of `f`, differentiated by the implicit function theorem.

    `f` takes and gives trees of one structure. `tangent_solve(g, y)` gives the x with g(x) = y, for a linear g.
    With `has_aux` the solver returns a pair, of which the second part is handed through.
    Derivatives are those with respect to what `f` closes over; the guess has none.

    >>> custom_root(lambda x: x * x - 4.0, 1.0, lambda f, x: 2.0, lambda g, y: y / g(1.0))
    Array(2., dtype=float32, weak_type=True)
    """
    guess, tree = tree_flatten(initial_guess)
    avals = [*map(typeof, guess)]
    of_f = _stage(f, f, "custom_root", tree, avals)
    _check_tree("f", "initial_guess", of_f.out_tree, tree)
    of_solve = _stage(partial(solve, f), solve, "custom_root solve", tree, avals)
    check_solver = _check_pair if has_aux else _check_tree
    check_solver("solve", "initial_guess", of_solve.out_tree, tree)

    def linearize_and_solve(x: Any, b: Any) -> Any:
        return tangent_solve(linearize(f, x)[1], b)

    of_tangents = _stage(linearize_and_solve, tangent_solve, "custom_root tangent_solve", tree, avals, 2)
    _check_tree("tangent_solve", "x", of_tangents.out_tree, tree)
    every = of_f, of_solve, of_tangents
    sizes, jaxprs = Root(*(len(s.consts) for s in every)), Root(*(s.jaxpr for s in every))
    out = _custom_root(sizes, jaxprs, *(c for s in every for c in s.consts), *guess)
    return tree_unflatten(of_solve.out_tree, map(pure, out))


@partial(custom_jvp, nondiff_argnums=(0, 1))
def _custom_root(const_lengths: Root, jaxprs: Root, *args: Any) -> list[Any]:
    _, of_solve, _, guess = parts(args, *const_lengths)
    return jaxpr_as_fun(jaxprs.solve)(*of_solve, *guess)


@_custom_root.defjvp
def _root_jvp(
    const_lengths: Root, jaxprs: Root, primals: Sequence[Any], tangents: Sequence[Any]
) -> tuple[list[Any], list[Any]]:
    of_f, _, of_tangents, _ = parts(primals, *const_lengths)
    solution, aux = parts(_custom_root(const_lengths, jaxprs, *primals), len(jaxprs.f.out_avals))
    of_f_dot = tangents[: const_lengths.f]
    at_solution = lambda *params: jaxpr_as_fun(jaxprs.f)(*params, *solution)
    rhs = linearize(at_solution, *of_f)[1](*of_f_dot)
    solution_dot = jaxpr_as_fun(jaxprs.l_and_s)(*of_tangents, *solution, *rhs)
    return [*solution, *aux], [*map(neg, solution_dot), *(full_like(x, 0) for x in aux)]


# ---- custom_linear_solve


class _LinearSolveTuple(NamedTuple):
    """Of a linear function, of its transpose, and of the solvers of both. Printed as in JAX."""

    matvec: Any
    vecmat: Any
    solve: Any
    transpose_solve: Any

    def transpose(self) -> "_LinearSolveTuple":
        return _LinearSolveTuple(self.vecmat, self.matvec, self.transpose_solve, self.solve)


def custom_linear_solve(
    matvec: Fun, b: Any, solve: Fun, transpose_solve: Fun | None = None, symmetric: bool = False, has_aux: bool = False
) -> Any:
    """`solve(matvec, b)`, the x with matvec(x) = b, differentiated as the solution of that.

    `transpose_solve(vecmat, b)` solves with the transpose of `matvec`: reverse mode needs it. It is `solve` for a
    `symmetric` function. With `has_aux` the solvers return pairs, of which the second part is handed through.

    >>> print(custom_linear_solve(lambda x: 2.0 * x, 6.0, lambda f, b: b / 2.0))
    3.0
    """
    if transpose_solve is None and symmetric:
        transpose_solve = solve
    leaves, tree = tree_flatten(b)
    avals = [*map(typeof, leaves)]
    like_b = lambda fun, name, aux: _like(fun, name, [a.shape for a in avals], aux)
    nothing = Staged(None, [], tree)  # type: ignore[arg-type]
    of_matvec = _stage(like_b(matvec, "matvec", False), matvec, "custom_linear_solve", tree, avals)
    _check_tree("matvec", "b", of_matvec.out_tree, tree)
    of_solve = _stage(like_b(partial(solve, matvec), "solve", has_aux), solve, "custom_linear_solve solve", tree, avals)
    check_solver = _check_pair if has_aux else _check_tree
    check_solver("solve", "b", of_solve.out_tree, tree)
    of_vecmat = of_transpose = nothing
    if transpose_solve is not None:
        what = "custom_linear_solve transpose_solve"
        vecmat = matvec if symmetric else _transposed(matvec, b)
        of_vecmat = of_matvec if symmetric else _stage(vecmat, transpose_solve, what, tree, avals)
        solver = like_b(partial(transpose_solve, vecmat), "transpose_solve", has_aux)
        of_transpose = _stage(solver, transpose_solve, what, tree, avals)
        check_solver("transpose_solve", "b", of_transpose.out_tree, tree)
    every = of_matvec, of_vecmat, of_solve, of_transpose
    out = linear_solve_p.bind(
        *(c for s in every for c in s.consts), *leaves,
        const_lengths=_LinearSolveTuple(*(len(s.consts) for s in every)),
        jaxprs=_LinearSolveTuple(*(s.jaxpr for s in every)),
    )  # fmt: skip
    return tree_unflatten(of_solve.out_tree, out)


def _like(fun: Fun, name: str, shapes: list[Any], has_aux: bool) -> Fun:
    """`fun`, which raises ValueError where its result has not the shapes of b."""

    def checked(x: Any) -> Any:
        y = fun(x)
        found = [np.shape(leaf) for leaf in tree_leaves(y[0] if has_aux else y)]
        if found != shapes:
            raise ValueError(f"{name}() output shapes must match b, got {found} and {shapes}")
        return y

    return checked


def _transposed(matvec: Fun, b: Any) -> Fun:
    transpose = linear_transpose(matvec, b)
    return lambda x: transpose(x)[0]


# ---- the primitive

linear_solve_p = Carrier("custom_linear_solve")
lowering_rules[linear_solve_p] = CALLED


@linear_solve_p.def_abstract_eval
def _linear_solve_rule(
    *avals: ShapedArray, const_lengths: _LinearSolveTuple, jaxprs: _LinearSolveTuple
) -> list[ShapedArray]:
    """The types of b, and those of what the solver returns besides."""
    n_x = len(jaxprs.matvec.out_avals)
    return [*avals[sum(const_lengths) :], *jaxprs.solve.out_avals[n_x:]]


@impl_rules.rule(linear_solve_p)
def _run_solve(*values: np.ndarray, const_lengths: _LinearSolveTuple, jaxprs: _LinearSolveTuple) -> list[np.ndarray]:
    _, _, of_solve, _, b = parts(values, *const_lengths)
    return run(jaxprs.solve, [*of_solve, *b])


@jvp_rules.rule(linear_solve_p)
def _solve_jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, const_lengths: _LinearSolveTuple, jaxprs: _LinearSolveTuple
) -> tuple[list[Any], list[Any]]:
    """dx = A^-1 (db - dA x)."""
    params = dict(const_lengths=const_lengths, jaxprs=jaxprs)
    x = linear_solve_p.bind(*primals, **params)
    *_, b_dot = parts(tangents, *const_lengths)
    own, own_dot = primals[: const_lengths.matvec], tangents[: const_lengths.matvec]
    solution = x[: len(b_dot)]
    rhs = b_dot
    if any(type(t) is not Zero for t in own_dot):
        moved = [zero_of(leaf) for leaf in solution]
        _, ax_dot = jvp_flat(jaxpr_as_fun(jaxprs.matvec), [*own, *solution], [*own_dot, *moved])
        rhs = [add_tangents(t, neg(instantiate(s))) for t, s in zip(b_dot, ax_dot, strict=True)]
    x_dot = linear_solve_p.bind(*primals[: sum(const_lengths)], *map(instantiate, rhs), **params)
    return x, [*x_dot[: len(b_dot)], *map(zero_of, x[len(b_dot) :])]


@transpose_rules.rule(linear_solve_p)
def _solve_transpose(
    cts: Sequence[Any], *operands: Any, const_lengths: _LinearSolveTuple, jaxprs: _LinearSolveTuple
) -> list[Any]:
    """The same with the transpose of A."""
    if jaxprs.transpose_solve is None:
        raise TypeError("transpose_solve required for backwards mode automatic differentiation of custom_linear_solve")
    *params, b = parts(operands, *const_lengths)
    if any(is_undefined_primal(x) for part in params for x in part):
        raise NotImplementedError("custom_linear_solve is linear in b only: its functions may not depend on a tangent")
    turned = [x for part in _LinearSolveTuple(*params).transpose() for x in part]
    found = linear_solve_p.bind(
        *turned, *map(instantiate, cts[: len(b)]), const_lengths=const_lengths.transpose(), jaxprs=jaxprs.transpose()
    )
    return [*(None for _ in turned), *found[: len(b)]]
