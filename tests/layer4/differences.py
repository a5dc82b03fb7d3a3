"""Cases in double precision, and derivatives by differences: what the laws of layer 4 are tested with."""

import functools
import zlib

import numpy as np

import minijax as jax
from minijax.layer1_core.jaxpr import subjaxprs
from minijax.layer4_grad.families import NoRule
from minijax.layer4_grad.jvp import jvp_rules
from ops import CASES

STEP = 1e-6
WIDE = {"f": np.float64, "V": np.float64, "c": np.complex128}

# Cases that no difference can be taken of, or of which JAX says something else.
EXCEPT = {
    "sign-complex64": "JAX calls the derivative of the sign of a complex number zero",
    "clamp-float32s_float324_float32s": "JAX refuses the derivative by a scalar bound: test_rules.py",
    "reduce_any_function": "its function is not associative, and the derivative has another order",
    "gather_fill-float324": "the value outside is NaN, which has no difference; JAX calls its derivative zero",
    "scatter_multiply-float324": "JAX refuses it where two updates may meet: test_rules.py",
    "scatter_apply": "JAX refuses it",
    "betainc-": "JAX refuses the derivatives by a and b",
    "eig-": "JAX refuses it without enable_eigvec_derivs",
    "convert_": "rounds to fewer digits than a difference needs",
    "reduce_precision": "rounds to fewer digits than a difference needs",
}

ONLY_FORWARD = {
    "while": "how many steps there are is not known before: nothing can be kept of them",
    "fori_traced": "is a while_loop",
    "reduce_window_any": "JAX reduces values and tangents together, so that no part is linear",
}
ONLY_ONCE = ONLY_FORWARD | {
    "igamma": "JAX has no derivative of the derivative by a",
    "eig_values": "JAX needs the derivative of the eigenvectors, and enable_eigvec_derivs for it",
}


def wide(x):
    """An array with its floats in double precision."""
    x = np.asarray(x)
    return x.astype(WIDE.get(x.dtype.kind, x.dtype))


def primitives(jaxpr):
    """The primitives of a program and of the programs in it that take something that has a tangent."""
    inner = [primitives(sub) for sub in subjaxprs(jaxpr)]
    return {eqn.primitive for eqn in jaxpr.eqns if any(v.aval.dtype.kind in "fVc" for v in eqn.invars)}.union(*inner)


def has_rule(primitive):
    return not isinstance(jvp_rules.get(primitive, NoRule("", "")), NoRule)


class WideCase:
    """A case whose floating arguments are in double precision; the others are held fixed."""

    def __init__(self, case):
        self.name, self.args = case.name, [wide(x) for x in case.values()]
        self.moving = [i for i, x in enumerate(self.args) if x.dtype.kind in "fc"]
        self.case, self.rng = case, np.random.default_rng(zlib.crc32(case.name.encode()))

    @property
    def point(self):
        return [self.args[i] for i in self.moving]

    def __call__(self, *xs):
        """The inexact results, as a list."""
        args = list(self.args)
        for i, x in zip(self.moving, xs, strict=True):
            args[i] = x
        return [y for y in jax.tree.leaves(self.case.fun(*args)) if y.dtype.kind in "fc"]

    def draw(self, likes):
        """Random arrays of the shapes and dtypes of these."""
        return [self._draw(np.shape(x), x.dtype.kind == "c").astype(x.dtype) for x in likes]

    def _draw(self, shape, is_complex):
        real = self.rng.standard_normal(shape)
        return np.asarray(real + 1j * self.rng.standard_normal(shape) if is_complex else real)

    def __str__(self):
        return self.name


def has_rules(case):
    """Whether the case has something to differentiate, by primitives that all have rules."""
    wide_case = WideCase(case)
    if not wide_case.moving or case.name.startswith(tuple(EXCEPT)):
        return False
    with jax.enable_x64(True):
        try:
            jaxpr = jax.make_jaxpr(wide_case)(*wide_case.point)
        except TypeError:  # it names float32 itself
            return False
    return bool(jaxpr.outvars) and all(map(has_rule, primitives(jaxpr)))


def slope(fun, point, tangents):
    """The derivative of a function to a list along tangents, by a central difference."""
    ahead = fun(*(x + STEP * t for x, t in zip(point, tangents, strict=True)))
    behind = fun(*(x - STEP * t for x, t in zip(point, tangents, strict=True)))
    return [(np.asarray(a) - np.asarray(b)) / (2 * STEP) for a, b in zip(ahead, behind, strict=True)]


def paired(xs, ys):
    """The real part of the sum of the products: how a cotangent meets a tangent."""
    return sum(np.sum(np.asarray(x) * np.asarray(y)).real for x, y in zip(xs, ys, strict=True))


@functools.cache
def _differentiable():
    return [case for case in CASES if has_rules(case)]


def differentiable(without=()):
    """All cases that are differentiated; without those whose names begin so."""
    return [case for case in _differentiable() if not case.name.startswith(tuple(without))]
