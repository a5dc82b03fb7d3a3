"""while_loop: a loop that goes on as long as a function of its carry is true.

carry = while_loop(cond_fun, body_fun, init)        carry = init
                                                    while cond_fun(carry):
                                                        carry = body_fun(carry)
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from ..layer1_core import config
from ..layer1_core.aval import ShapedArray, shaped
from ..layer1_core.errors import ConcretizationTypeError, JaxprTypeError
from ..layer1_core.evaluate import program_of
from ..layer1_core.jaxpr import Jaxpr
from ..layer1_core.jnp import integers
from ..layer1_core.primitive import impl_rules
from ..layer1_core.trace import pure
from ..layer1_core.tree import PyTreeDef, tree_flatten, tree_map, tree_unflatten
from ..layer2_jit.passes import without_dead
from .bodies import Body, Carrier, Source, divided, forwarded, own, parts, remembered, types_of, united
from .carry import check_carry, settled
from .mismatch import Typed, same_types

TRUTH = shaped((), np.dtype("bool"))

# ---- the primitive


def _while_rule(
    *avals: ShapedArray, cond_jaxpr: Jaxpr, cond_nconsts: int, body_jaxpr: Jaxpr, body_nconsts: int
) -> list[ShapedArray]:
    """The types of the carry, as the body returns it."""
    cond_consts, body_consts, init = parts(avals, cond_nconsts, body_nconsts)
    for name, jaxpr, consts in (("cond", cond_jaxpr, cond_consts), ("body", body_jaxpr, body_consts)):
        if not same_types([*consts, *init], jaxpr.in_avals):
            raise JaxprTypeError(f"while_loop {name} function input type error: {avals} != {jaxpr.in_avals}")
    if not same_types(init, body_jaxpr.out_avals):
        raise JaxprTypeError(f"while_loop body function output type error: {init} != {body_jaxpr.out_avals}")
    return body_jaxpr.out_avals


while_p = Carrier("while")
while_p.def_abstract_eval(_while_rule)


@impl_rules.rule(while_p)
def _run_while(
    *operands: np.ndarray, cond_jaxpr: Jaxpr, cond_nconsts: int, body_jaxpr: Jaxpr, body_nconsts: int
) -> list[np.ndarray]:
    cond_consts, body_consts, carry = parts(operands, cond_nconsts, body_nconsts)
    goes_on, step = program_of(cond_jaxpr), program_of(body_jaxpr)
    while goes_on([*cond_consts, *carry])[0]:
        carry = step([*body_consts, *carry])
    return own(carry, operands)


# ---- the function


def while_loop(cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any) -> Any:
    """The carry after the last step of `while cond_fun(carry): carry = body_fun(carry)`.

    >>> while_loop(lambda n: n < 100, lambda n: 2 * n, 3)
    Array(192, dtype=int32, weak_type=True)

    The carry is a tree of arrays, of one type in all steps; `cond_fun` returns a truth value. Each function is traced
    once. Raises TypeError where the carry comes out as another type, or where `cond_fun` returns something else.
    """
    if not (callable(body_fun) and callable(cond_fun)):
        raise TypeError("lax.while_loop: body_fun and cond_fun arguments should be callable.")
    cond, body = Source.of(cond_fun, "while_cond", (init_val,)), Source.of(body_fun, "while_body", (init_val,))
    return while_loop_of(cond, body, init_val)


def _in_python(cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init: Any) -> Any:
    carry = tree_map(pure, init)
    while cond_fun(carry):
        carry = tree_map(pure, body_fun(carry))
    return carry


def while_loop_of(cond_source: Source, body_source: Source, init: Any) -> Any:
    """`while_loop` of functions whose origins are known."""
    if config.disable_jit.value:
        with suppress(ConcretizationTypeError):  # a traced truth value, which the equation can ask for
            return _in_python(cond_source.fun, body_source.fun, init)
    leaves, in_tree = tree_flatten(((init,), {}))
    (init_tree,) = in_tree.children()[0].children()
    stage = lambda avals: _staged_body(cond_source, body_source, in_tree, avals)
    body, start = settled(stage, _carried, leaves)
    avals = types_of(start)
    check_carry("while_loop body", body_source.fun, Typed(init_tree, avals), _carried(body))
    cond = cond_source.staged(in_tree, avals)
    return tree_unflatten(body.out_tree, _bind(cond, body, start))


def _staged_body(cond_source: Source, body_source: Source, tree: PyTreeDef, avals: Sequence[ShapedArray]) -> Body:
    """The body at a carry of these types. The condition is traced first, and must be a truth value."""
    cond, body = cond_source.staged(tree, avals), body_source.staged(tree, avals)
    if not cond.out_tree.is_leaf:
        raise TypeError(f"cond_fun must return a boolean scalar, but got pytree {cond.out_tree}.")
    if [(aval.shape, aval.dtype) for aval in cond.jaxpr.out_avals] != [(TRUTH.shape, TRUTH.dtype)]:
        raise TypeError(f"cond_fun must return a boolean scalar, but got output type(s) {cond.jaxpr.out_avals}.")
    return body


def _carried(body: Body) -> Typed:
    return Typed(body.out_tree, body.jaxpr.out_avals)


integers.loops.append(lambda goes_on, step, state, most: while_loop(goes_on, step, state))  # of jnp.gcd

# ---- the equation


def _bind(cond: Body, body: Body, start: Sequence[Any]) -> list[Any]:
    """The carry that comes out. What no step changes, and the condition does not ask for, is a constant of the body."""
    cond_jaxpr, body_jaxpr, unchanged = _simplified(body, cond.jaxpr, len(cond.consts))
    same, changing = divided(unchanged, start)
    out = while_p.bind(
        *cond.consts, *same, *body.consts, *changing,
        cond_jaxpr=cond_jaxpr, cond_nconsts=len(cond.consts),
        body_jaxpr=body_jaxpr, body_nconsts=len(same) + len(body.consts),
    )  # fmt: skip
    return united(unchanged, same, out)


@remembered
def _simplified(body: Body, cond: Jaxpr, n_cond: int) -> tuple[Jaxpr, Jaxpr, tuple[bool, ...]]:
    """Condition and body with less to carry, and which parts of the carry are constants of the body."""
    jaxpr, n_body = body.jaxpr, len(body.consts)
    sources, asked = forwarded(jaxpr), _asked(cond)[n_cond:]
    unchanged = tuple(not asked[i] and source == n_body + i for i, source in enumerate(sources))
    if not any(unchanged):
        return cond, jaxpr, unchanged
    consts, carry = parts(jaxpr.invars, n_body)
    same, changing = divided(unchanged, carry)
    cond_consts, cond_carry = parts(cond.invars, n_cond)
    goes_on = cond.replace(invars=[*cond_consts, *divided(unchanged, cond_carry)[1]])
    outvars = divided(unchanged, jaxpr.outvars)[1]
    return without_dead(goes_on), jaxpr.replace(invars=[*same, *consts, *changing], outvars=outvars), unchanged


def _asked(cond: Jaxpr) -> list[bool]:
    """For each input of the condition, whether it depends on it."""
    live = without_dead(cond)
    read = {id(v) for v in (*live.outvars, *(v for eqn in live.eqns for v in eqn.invars))}
    return [id(v) in read for v in cond.invars]
