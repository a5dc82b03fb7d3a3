"""From a jaxpr to a smaller one that computes the same. A pass is a function: print its jaxpr before and after.

inlined         the programs of calls stand in the place of the calls
folded          what depends on literals alone is computed here
in_slices       the parts of a split are slices
merged          equal equations are one, but for those that read from behind an optimization barrier
without_dead    what nobody reads is gone

factors.py has five more, for sums of products, shapes.py one for equations that change the shape alone, and simpler.py
one that puts primitives in simpler terms.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..layer1_core import lax
from ..layer1_core.custom_derivative import custom_jvp_call_p
from ..layer1_core.evaluate import apply_impl, stored
from ..layer1_core.jaxpr import Atom, DropVar, Jaxpr, JaxprEqn, Literal, Var
from ..layer1_core.jit_call import jit_p
from ..layer1_core.primitive import Primitive, impl_rules
from .factors import added, exchanged, padded, spread, turned
from .shapes import reshaped

# Calls, and the program that each stands for.
called: dict[Primitive, Callable[[JaxprEqn], Jaxpr]] = {
    jit_p: lambda eqn: eqn.params["jaxpr"],
    custom_jvp_call_p: lambda eqn: eqn.params["call_jaxpr"],
}
held: dict[Primitive, tuple[str, ...]] = {}  # loops and branches, and where their programs are: from chapter 3 on
# Passes that ask for lowering rules: modules above this one enter them. (jaxpr, whether an equation holds it) -> jaxpr
further: list[Callable[[Jaxpr, bool], Jaxpr]] = []


def optimized(jaxpr: Jaxpr, inside: bool = False) -> Jaxpr:
    """`jaxpr` after all passes; `inside` says that an equation holds it: a loop, or a branch."""
    jaxpr = inlined(stored[-1](jaxpr))
    for change in further:
        jaxpr = change(jaxpr, inside)
    jaxpr = reshaped(in_slices(folded(jaxpr)))
    jaxpr = padded(added(spread(exchanged(turned(jaxpr)))))
    return within(without_dead(shown(merged(jaxpr))))


Env = dict[int, Atom]  # id of a variable -> what stands for it


def _read(env: Env, atom: Atom) -> Atom:
    return env.get(id(atom), atom)


def _rewired(eqn: JaxprEqn, env: Env) -> JaxprEqn:
    return eqn.replace(invars=[_read(env, v) for v in eqn.invars]) if env else eqn


def _meaning(variables: Sequence[Atom], atoms: Sequence[Atom]) -> Env:
    return dict(zip(map(id, variables), atoms, strict=True))


# ---- inlining


def inlined(jaxpr: Jaxpr) -> Jaxpr:
    """Each call is replaced by the equations of its program, with new variables."""
    eqns: list[JaxprEqn] = []
    constvars, consts = [*jaxpr.constvars], [*jaxpr.consts]

    def run(body: Jaxpr, env: Env) -> list[Atom]:
        for eqn in body.eqns:
            operands = [_read(env, v) for v in eqn.invars]
            if eqn.primitive not in called:
                results = [v if type(v) is DropVar else Var(v.aval) for v in eqn.outvars]
                eqns.append(JaxprEqn(operands, results, eqn.primitive, eqn.params, eqn.source_info))
            else:
                inner = called[eqn.primitive](eqn)
                own = [Var(v.aval) for v in inner.constvars]
                constvars.extend(own)
                consts.extend(inner.consts)
                results = run(inner, _meaning([*inner.constvars, *inner.invars], [*own, *operands]))
            env.update(_meaning(eqn.outvars, results))
        return [_read(env, v) for v in body.outvars]

    outvars = run(jaxpr, {})
    return jaxpr.replace(constvars=constvars, consts=consts, outvars=outvars, eqns=eqns)


# ---- folding


def folded(jaxpr: Jaxpr) -> Jaxpr:
    """An equation whose operands are all literals, and whose result is a scalar, becomes a literal. A choice by a
    literal becomes what is chosen.
    """
    env: Env = {}
    kept = []
    for eqn in jaxpr.eqns:
        eqn = _rewired(eqn, env)
        if _is_foldable(eqn):
            values = [np.asarray(v.val, v.aval.dtype) for v in eqn.invars if isinstance(v, Literal)]
            out = np.asarray(apply_impl(eqn.primitive, values, eqn.params))
            env[id(eqn.outvars[0])] = Literal(out[()], eqn.outvars[0].aval)
        elif eqn.primitive is lax.elementwise.select_n_p and isinstance(which := eqn.invars[0], Literal):
            cases = eqn.invars[1:]
            env[id(eqn.outvars[0])] = cases[min(max(int(which.val), 0), len(cases) - 1)]
        else:
            kept.append(eqn)
    return jaxpr.replace(eqns=kept, outvars=[_read(env, v) for v in jaxpr.outvars])


def _is_foldable(eqn: JaxprEqn) -> bool:
    return (
        bool(eqn.invars)
        and all(isinstance(v, Literal) for v in eqn.invars)
        and not eqn.primitive.multiple_results
        and not eqn.effects
        and eqn.primitive in impl_rules
        and eqn.outvars[0].aval.shape == ()
    )


# ---- splits


def in_slices(jaxpr: Jaxpr) -> Jaxpr:
    """Each part of a split is a slice: an equation of its own, which can be computed where it is read."""
    eqns = [_slices(eqn) if eqn.primitive is lax.joining.split_p else [eqn] for eqn in jaxpr.eqns]
    return jaxpr.replace(eqns=[eqn for each in eqns for eqn in each])


def _slices(split: JaxprEqn) -> list[JaxprEqn]:
    shape, axis = split.invars[0].aval.shape, split.params["axis"]
    found, start = [], 0
    for v, size in zip(split.outvars, map(int, split.params["sizes"]), strict=True):
        starts, limits = (0,) * axis + (start,), shape[:axis] + (start + size,)
        rest = len(shape) - axis - 1
        params = {"start_indices": starts + (0,) * rest, "limit_indices": limits + shape[axis + 1 :], "strides": None}
        if type(v) is not DropVar:
            found.append(JaxprEqn(split.invars, [v], lax.indexing.slice_p, params, split.source_info))
        start += size
    return found


# ---- merging


def merged(jaxpr: Jaxpr) -> Jaxpr:
    """Of equations with equal primitive, parameters and operands, one stays."""
    env: Env = {}
    known: dict[Any, list[Var]] = {}
    kept = []
    for eqn in jaxpr.eqns:
        eqn = _rewired(eqn, env)
        key = _key(eqn)
        if key is not None and key in known:
            env.update(_meaning(eqn.outvars, known[key]))
            continue
        if key is not None and not any(type(v) is DropVar for v in eqn.outvars):
            known[key] = eqn.outvars
        kept.append(eqn)
    return jaxpr.replace(eqns=kept, outvars=[_read(env, v) for v in jaxpr.outvars])


def _key(eqn: JaxprEqn) -> Any:
    """Equal for equations that compute the same; None for one that must stay as it is."""
    if eqn.effects:
        return None
    try:
        key = eqn.primitive, tuple(map(_atom_key, eqn.invars)), tuple((k, v, _sign(v)) for k, v in eqn.params.items())
        hash(key)
    except TypeError:  # a parameter that cannot be compared
        return None
    return key


def _sign(param: Any) -> bool:
    """Whether a parameter is -0.0 or another negative float: -0.0 == 0.0 does not tell."""
    return isinstance(param, (float, np.floating)) and bool(np.signbit(param))


def _atom_key(atom: Atom) -> Any:
    if isinstance(atom, Literal):
        return atom.aval.dtype, np.asarray(atom.val, atom.aval.dtype).tobytes()  # 0.0 is not -0.0
    return id(atom)


def shown(jaxpr: Jaxpr) -> Jaxpr:
    """Without optimization barriers, which have done their work: what they hid stands for itself again."""
    env: Env = {}
    kept = []
    for eqn in jaxpr.eqns:
        eqn = _rewired(eqn, env)
        if eqn.primitive is lax.reducing.optimization_barrier_p:
            env.update(_meaning(eqn.outvars, eqn.invars))
        else:
            kept.append(eqn)
    return jaxpr.replace(eqns=kept, outvars=[_read(env, v) for v in jaxpr.outvars]) if env else jaxpr


# ---- dead code


def without_dead(jaxpr: Jaxpr) -> Jaxpr:
    """Only the equations on which a result depends, or that do something besides computing."""
    read = {id(v) for v in jaxpr.outvars}
    kept = []
    for eqn in reversed(jaxpr.eqns):
        if eqn.effects or any(id(v) in read for v in eqn.outvars):
            kept.append(eqn)
            read.update(map(id, eqn.invars))
    used = [(v, c) for v, c in zip(jaxpr.constvars, jaxpr.consts, strict=True) if id(v) in read]
    return jaxpr.replace(eqns=kept[::-1], constvars=[v for v, _ in used], consts=[c for _, c in used])


# ---- programs that equations hold


def within(jaxpr: Jaxpr) -> Jaxpr:
    """The programs that equations hold are optimized as well."""
    return jaxpr.replace(eqns=[_within(eqn) if eqn.primitive in held else eqn for eqn in jaxpr.eqns])


def _within(eqn: JaxprEqn) -> JaxprEqn:
    found = {name: eqn.params[name] for name in held[eqn.primitive]}
    smaller = {k: _inside(x) if isinstance(x, Jaxpr) else tuple(map(_inside, x)) for k, x in found.items()}
    return eqn.replace(params=eqn.params | smaller)


def _inside(jaxpr: Jaxpr) -> Jaxpr:
    return optimized(jaxpr, inside=True)


def programs_in(eqn: JaxprEqn) -> list[Jaxpr]:
    """The programs that an equation holds."""
    found = [eqn.params[name] for name in held.get(eqn.primitive, ())]
    return [inner for x in found for inner in ([x] if isinstance(x, Jaxpr) else x)]
