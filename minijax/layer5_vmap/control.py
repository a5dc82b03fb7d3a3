"""Loops and branches of batches: scan, while, cond.

Of what a loop carries, a part gets a batch axis in one round because another part had one in the round before: so which
parts have one is found by going round until no more come (`settled`, as for tangents).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..layer1_core.aval import told, typeof
from ..layer1_core.jaxpr import Jaxpr
from ..layer1_core.lax.elementwise import eq, select, select_n
from ..layer1_core.lax.shaping import broadcast_in_dim, stop_gradient
from ..layer1_core.staging import jaxpr_as_fun
from ..layer3_control.bodies import parts
from ..layer3_control.cond import cond_p
from ..layer3_control.effects import io_effect, ordered_io_effect
from ..layer3_control.groups import Group
from ..layer3_control.scan import scan_p
from ..layer3_control.while_loop import while_p
from ..layer4_grad.cond import in_any
from ..layer4_grad.rules.parts import const
from ..layer4_grad.scan import settled
from .axes import AxisData
from .batching import Dim, Dims, Marks, all_at_front, at_front, axis_batching_rules, dims_of, marks_of, matchaxis
from .programs import batch_jaxpr_axes, batch_jaxpr_front


def in_place(axis: AxisData, dims: Dims, places: Dims, values: Sequence[Any]) -> list[Any]:
    """The values with their batch axes at these places; the same for each example, where one has none."""
    return [matchaxis(axis, *each) for each in zip(dims, places, values, strict=True)]


# ---- scan: the batch axis of the sequences stands behind that of the steps


def _scan_rule(
    axis: AxisData, args: Sequence[Any], dims: Dims, *, jaxpr: Jaxpr, ft_in: Group, ft_out: Group, **params: Any
) -> tuple[list[Any], list[Dim]]:
    consts, init, xs = ft_in.split(marks_of(dims))
    n_carry, n_ys = (group.count for group in ft_out.children())

    def with_carry(carry: Marks) -> tuple[Jaxpr, Marks]:
        return batch_jaxpr_front(jaxpr, axis, (*consts, *carry, *xs), (*carry, *(False,) * n_ys))

    made, out_batched = settled(init, with_carry, lambda made: made[1][:n_carry])
    carry, ys = ft_out.split(out_batched)
    places = [*dims_of(consts), *dims_of(carry), *dims_of(xs, 1)]
    operands = in_place(axis, dims, places, args)
    out = scan_p.bind(*operands, jaxpr=made, ft_in=ft_in, ft_out=ft_out, **params)
    return out, [*dims_of(carry), *dims_of(ys, 1)]


axis_batching_rules[scan_p] = _scan_rule

# ---- while: it goes on until the condition of no example is true


def _while_rule(
    axis: AxisData,
    args: Sequence[Any],
    dims: Dims,
    *,
    cond_jaxpr: Jaxpr,
    cond_nconsts: int,
    body_jaxpr: Jaxpr,
    body_nconsts: int,
) -> tuple[list[Any], list[Dim]]:
    _check_effects(cond_jaxpr, body_jaxpr)
    cond_dims, body_dims, init_dims = map(tuple, parts(dims, cond_nconsts, body_nconsts))
    by_example, places = _while_places(axis, cond_jaxpr, body_jaxpr, cond_dims, body_dims, init_dims)
    if by_example and io_effect in body_jaxpr.effects | cond_jaxpr.effects:
        raise Exception("Unordered IO effects not supported in while_loop with batched predicate")
    *consts, init = parts(args, cond_nconsts, body_nconsts)
    out = while_p.bind(
        *consts[0], *consts[1], *in_place(axis, init_dims, places, init),
        cond_jaxpr=batch_jaxpr_axes(cond_jaxpr, axis, cond_dims + places, (0 if by_example else None,)),
        body_jaxpr=batch_jaxpr_axes(body_jaxpr, axis, body_dims + places, places),
        cond_nconsts=cond_nconsts, body_nconsts=body_nconsts,
    )  # fmt: skip
    return out, [*places]


def _while_places(
    axis: AxisData, cond_jaxpr: Jaxpr, body_jaxpr: Jaxpr, cond_dims: Dims, body_dims: Dims, init_dims: Dims
) -> tuple[bool, tuple[Dim, ...]]:
    """Whether each example has a condition of its own, and where the batch axes of the carry are."""
    of_cond, of_body, init = map(marks_of, (cond_dims, body_dims, init_dims))

    def with_carry(carry: Marks) -> tuple[Jaxpr, Marks]:
        return batch_jaxpr_front(body_jaxpr, axis, of_body + carry, carry)

    _, carry = settled(init, with_carry, lambda made: made[1])
    _, (by_example,) = batch_jaxpr_front(cond_jaxpr, axis, of_cond + carry, (False,))
    if by_example:  # an example that has ended keeps its carry: so all of that is its own
        return True, (0,) * len(init_dims)
    rank = len(cond_jaxpr.out_avals[0].shape)  # the axes of the condition stay the first ones of the carry
    return False, tuple(dims_of(carry, rank))


def _check_effects(*programs: Jaxpr) -> None:
    """Raises JAX's error for callbacks whose order the user asked for: the examples have none."""
    if any(ordered_io_effect in program.effects for program in programs):
        raise Exception("Ordered IO effects not supported in vmap.")


axis_batching_rules[while_p] = _while_rule

# ---- cond: an index that is the same for all chooses one branch; an index of each example selects from all


def _cond_rule(
    axis: AxisData, args: Sequence[Any], dims: Dims, *, branches: tuple[Jaxpr, ...], **params: Any
) -> tuple[list[Any], Sequence[Dim]]:
    if any({io_effect, ordered_io_effect} & set(branch.effects) for branch in branches):
        raise NotImplementedError("IO effect not supported in vmap-of-cond.")
    index, *operands = args
    if dims[0] is not None:
        index, *operands = all_at_front(args, dims)
        out = _selected(axis, index, operands, branches)
        return out, [0] * len(out)
    batched = marks_of(dims[1:])
    operands = [at_front(x, d) for x, d in zip(operands, dims[1:], strict=True)]
    nothing = (False,) * len(branches[0].outvars)
    out_batched = in_any([batch_jaxpr_front(branch, axis, batched, nothing)[1] for branch in branches])
    made = tuple(batch_jaxpr_front(branch, axis, batched, out_batched)[0] for branch in branches)
    return cond_p.bind(index, *operands, branches=made, **params), dims_of(out_batched)


axis_batching_rules[cond_p] = _cond_rule


def _selected(axis: AxisData, index: Any, operands: Sequence[Any], branches: Sequence[Jaxpr]) -> list[Any]:
    """The results of all branches, selected by the index of each example.

    A branch sees all examples. Those that do not take it have no derivative in it: it might be NaN.
    """
    outs = []
    for i, branch in enumerate(branches):
        all_in, all_out = (True,) * len(branch.invars), (True,) * len(branch.outvars)
        made, _ = batch_jaxpr_front(branch, axis, all_in, all_out)
        taken = eq(index, const(index, i))
        outs.append(jaxpr_as_fun(made)(*(_seen(taken, x) for x in operands)))
    return [select_n(_along(index, each[0]), *each) for each in zip(*outs, strict=True)]


def _seen(taken: Any, x: Any) -> Any:
    """`x` as it is for the examples that take a branch, and without a derivative for the others."""
    untaken = stop_gradient(x)
    return select(_along(taken, x), x, untaken)


def _along(which: Any, x: Any) -> Any:
    """`which`, one value for each example, as one for each element of `x`."""
    if np.ndim(which) == np.ndim(x):
        return which
    return broadcast_in_dim(which, np.shape(x), range(np.ndim(which)), out_sharding=told(typeof(x)))
