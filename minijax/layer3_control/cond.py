"""cond and switch: one of several functions is run; all of them are traced, since a program has to say them all.

cond(pred, true_fun, false_fun, *operands)      true_fun(*operands) if pred else false_fun(*operands)
switch(index, branches, *operands)              branches[clamp(0, index, len(branches) - 1)](*operands)
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core import config, dtypes
from ..layer1_core.aval import ShapedArray, typeof
from ..layer1_core.errors import JaxprTypeError
from ..layer1_core.evaluate import run
from ..layer1_core.fun_names import fun_source_info
from ..layer1_core.jaxpr import Jaxpr, Var
from ..layer1_core.jnp.asking import result_type
from ..layer1_core.lax.converting import convert_element_type
from ..layer1_core.lax.elementwise import clamp
from ..layer1_core.primitive import impl_rules
from ..layer1_core.trace import Tracer, pure
from ..layer1_core.tree import PyTreeDef, equality_errors_pytreedef, keystr, tree_flatten, tree_unflatten
from .bodies import Body, Carrier, Source, divided, forwarded, own, parts, remembered, types_of, united
from .mismatch import Typed, advice, differing, listed, made_varying, same_types, what_differs

_NOT_GIVEN: Any = object()
Fun = Callable[..., Any]

# ---- the primitive


def _cond_rule(index: ShapedArray, *avals: ShapedArray, branches: tuple[Jaxpr, ...]) -> list[ShapedArray]:
    """The types that each branch returns."""
    results = branches[0].out_avals
    for i, branch in enumerate(branches):
        differ = f"cond branches 0 and {i} have mismatching"
        if not same_types(branch.in_avals, avals):
            raise JaxprTypeError(f"{differ} input types: {avals} vs {branch.in_avals}")
        if not same_types(branch.out_avals, results):
            raise JaxprTypeError(f"{differ} output types: {results} vs {branch.out_avals}")
    return results


cond_p = Carrier("cond")
cond_p.def_abstract_eval(_cond_rule)


@impl_rules.rule(cond_p)
def _run_cond(index: np.ndarray, *operands: np.ndarray, branches: tuple[Jaxpr, ...]) -> list[np.ndarray]:
    return own(run(branches[int(index)], operands), operands)


# ---- cond


def cond(pred: Any, true_fun: Fun, false_fun: Fun, *operands: Any, operand: Any = _NOT_GIVEN) -> Any:
    """`true_fun(*operands)` where `pred` is true, else `false_fun(*operands)`. Both are traced, one is run.

    >>> cond(3 < 5, lambda x: x + 1, lambda x: x - 1, 10)
    Array(11, dtype=int32, weak_type=True)

    `pred` is a scalar: a truth value, or a number, which is true if it is not 0. Both functions must return trees of
    the same structure and types. Raises TypeError where they do not, or where `pred` is no such scalar.
    """
    if not (callable(true_fun) and callable(false_fun)):
        if callable(false_fun) and len(operands) == 2 and callable(operands[1]):  # JAX's form of old
            return _with_own_operands(pred, true_fun, false_fun, *operands)
        raise TypeError("lax.cond: true_fun and false_fun arguments should be callable.")
    operands = _operands(operands, operand)
    pred = _truth_value(pred)
    if config.disable_jit.value and not isinstance(pred, Tracer):
        return true_fun(*operands) if pred else false_fun(*operands)
    sources = [Source.of(fun, "cond", operands) for fun in (true_fun, false_fun)]
    if_true, if_false = _staged(sources, operands)
    _check_branches("cond", ("true_fun", "false_fun"), (true_fun, false_fun), (if_true, if_false))
    index = convert_element_type(pred, np.int32)
    return _bind(index, [if_true, if_false], operands, lambda branches: branches[::-1])


def _with_own_operands(pred: Any, x_true: Any, true_fun: Fun, x_false: Any, false_fun: Fun) -> Any:
    return cond(pred, lambda x, _: true_fun(x), lambda _, x: false_fun(x), x_true, x_false)


def _operands(operands: tuple[Any, ...], operand: Any) -> tuple[Any, ...]:
    """The operands, which may also be one that is given by name."""
    if operand is _NOT_GIVEN:
        return operands
    if operands:
        raise TypeError(
            f"if 'operand' keyword is passed then no positional operands can be passed, got {operand=} and positional "
            f"operands {operands}"
        )
    return (operand,)


def _truth_value(pred: Any) -> Any:
    """`pred`, or whether it is not 0. Raises TypeError for what is no scalar and no number."""
    if pred is None:
        raise TypeError("cond predicate is None")
    if isinstance(pred, Sequence) or np.ndim(pred) != 0:
        kind = f"type {type(pred)}" if isinstance(pred, Sequence) else f"shape {np.shape(pred)}."
        raise TypeError(f"Pred must be a scalar, got {pred} of {kind}")
    try:
        dtype = result_type(pred)
    except TypeError as error:
        raise TypeError(f"Pred type must be either boolean or number, got {pred}.") from error
    if dtype.kind == "b":
        return pred
    if dtype.kind not in "iuf":
        raise TypeError(f"Pred type must be either boolean or number, got {dtype}.")
    return pred != 0


# ---- switch


def switch(index: Any, branches: Sequence[Fun], *operands: Any, operand: Any = _NOT_GIVEN) -> Any:
    """`branches[index](*operands)`; an index that is too small or too large is the nearest there is.

    >>> switch(7, [lambda x: x, lambda x: 10 * x], 4)
    Array(40, dtype=int32, weak_type=True)

    All branches are traced, one is run. They must return trees of the same structure and types.
    Raises TypeError where they do not, or for an index that is not a scalar integer; ValueError for no branches.
    """
    if not all(map(callable, branches)):
        raise TypeError("lax.switch: branches argument should be a sequence of callables.")
    operands = _operands(operands, operand)
    _check_index(index)
    if not branches:
        raise ValueError("Empty branch sequence")
    if len(branches) == 1:
        return branches[0](*operands)
    index = convert_element_type(index, np.int32)
    index = clamp(np.int32(0), index, np.int32(len(branches) - 1))
    if config.disable_jit.value and not isinstance(index, Tracer):
        return branches[int(index)](*operands)
    bodies = _staged([Source.of(fun, "switch", operands) for fun in branches], operands)
    for i, fun in enumerate(branches):
        pair = (branches[0], fun), (bodies[0], bodies[i])
        _check_branches("switch", ("branch 0", f"branch{i}"), *pair)  # so spelt in JAX
    return _bind(index, bodies, operands, list)


def _check_index(index: Any) -> None:
    if np.shape(index) != ():
        raise TypeError(f"Branch index must be scalar, got {index} of shape {np.shape(index)}.")
    try:
        dtype = result_type(index)
    except TypeError:
        dtype = None
    if dtype is None or not dtypes.is_supported(dtype):
        raise TypeError(f"Index type must be an integer, got {index}.")
    if dtype.kind not in "iu":
        raise TypeError(f"Index type must be an integer, got {index} as {dtype}")


# ---- the equation


def _staged(sources: Sequence[Source], operands: tuple[Any, ...]) -> list[Body]:
    leaves, in_tree = tree_flatten((operands, {}))
    avals = types_of(leaves)
    return [source.staged(in_tree, avals) for source in sources]


def _bind(index: Any, bodies: Sequence[Body], operands: Any, arranged: Callable[[list[Jaxpr]], list[Jaxpr]]) -> Any:
    """The result of the branch at `index`, where the branches are `arranged`.

    All branches take the constants of all. A result that is the same operand in every branch is no result of the
    equation.
    """
    consts = {id(c): c for body in bodies for c in body.consts}
    inputs = [*consts.values(), *tree_flatten(operands)[0]]
    places = [_places(body, consts) for body in bodies]
    by_branch = [forwarded(_with_consts(body, place)) for body, place in zip(bodies, places, strict=True)]
    sources = [found[0] if len(set(found)) == 1 else None for found in zip(*by_branch, strict=True)]
    computed = tuple(source is None for source in sources)
    jaxprs = [_branch(body, place, computed) for body, place in zip(bodies, places, strict=True)]
    out = cond_p.bind(index, *inputs, branches=tuple(arranged(jaxprs)))
    passed = [pure(inputs[i]) for i in sources if i is not None]
    return tree_unflatten(bodies[0].out_tree, united(computed, out, passed))


def _places(body: Body, consts: dict[int, Any]) -> tuple[int | ShapedArray, ...]:
    """For each of the constants of all branches its position among the body's own; its type, if it is none of them."""
    position = {id(c): i for i, c in enumerate(body.consts)}
    return tuple(position.get(key, typeof(c)) for key, c in consts.items())


def _with_consts(body: Body, places: tuple[int | ShapedArray, ...]) -> Jaxpr:
    """A branch that takes the constants of all branches."""
    own_consts, rest = parts(body.jaxpr.invars, len(body.consts))
    if places == tuple(range(len(own_consts))):
        return body.jaxpr
    consts = [own_consts[place] if isinstance(place, int) else Var(place) for place in places]
    return body.jaxpr.replace(invars=[*consts, *rest])


@remembered
def _branch(body: Body, places: tuple[int | ShapedArray, ...], kept: tuple[bool, ...]) -> Jaxpr:
    """A branch as the equation has it: with the constants of all, and only these of its results."""
    jaxpr = _with_consts(body, places)
    return jaxpr if all(kept) else jaxpr.replace(outvars=divided(kept, jaxpr.outvars)[0])


# ---- branches that do not match


def _check_branches(what: str, names: tuple[str, str], funs: tuple[Fun, Fun], bodies: tuple[Body, Body]) -> None:
    """Raises TypeError where two branches return different trees, or trees of different types."""
    one, other = (Typed(body.out_tree, body.jaxpr.out_avals) for body in bodies)
    where = "".join(f"{name} is {fun_source_info(fun)}\n" for name, fun in zip(names, funs, strict=True))
    if told := _other_trees(names, one.tree, other.tree):
        raise TypeError(
            f"{what} branch outputs must have the same pytree structure, but they differ:\n\n{where}\n"
            f"{listed(told, gap=chr(10))}\nRevise {' and/or '.join(names)} so that they have the same pytree structure."
        )
    if one.tree == other.tree and (told := _other_types(names, one, other)):
        raise TypeError(
            f"{what} branches must have equal output types but they differ.\n\n{where}\n"
            f"{listed(told)}{_advice(names, one, other)}\n"
            f"Revise {' and/or '.join(names)} so that all output types match."
        )


def _other_trees(names: tuple[str, str], one: PyTreeDef, other: PyTreeDef) -> list[str]:
    """Where two trees have other nodes; nowhere, if only the metadata of a node of the user's differs."""
    a, b = names
    found = equality_errors_pytreedef(one, other) if one != other else ()
    return [f"{a} output{_at(path)} is a {x} but {b} output{_at(path)} is a {y}, so {why}" for path, x, y, why in found]


def _other_types(names: tuple[str, str], one: Typed, other: Typed) -> list[str]:
    a, b = names
    return [
        f"the output of {a}{_at(path)} has type {x.str_short()} but the corresponding output of {b} has type "
        f"{y.str_short()}{what_differs(x, y)}"
        for path, x, y in differing(one, other)
    ]


def _advice(names: tuple[str, str], one: Typed, other: Typed) -> str:
    """As in JAX, it is said of an output that varies along an axis along which the other does not."""
    differences = [(path, x, y) for path, x, y in differing(one, other) if x.vma != y.vma]
    sides = [(name, path, a, b) for path, x, y in differences for name, a, b in zip(names, (x, y), (y, x), strict=True)]
    return advice(
        [f"{made_varying(a, b)} to the output of {name}{_at(path)}" for name, path, a, b in sides if a.vma - b.vma]
    )


def _at(path: Any) -> str:
    return f" at path {keystr(path)}" if path else ""
