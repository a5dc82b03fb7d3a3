"""Activation functions: elementwise, from a layer's sums to its outputs."""

from functools import partial
from typing import Any

import numpy as np

from ..custom_derivative import custom_jvp
from ..jit import jit
from ..jnp.arguments import array_argument, array_arguments, to_array
from ..jnp.array_creation import array
from ..jnp.choosing import clip, where
from ..jnp.joining import split
from ..jnp.logarithms import logaddexp
from ..jnp.mathematics import exp, expm1, log, log1p, sqrt, tanh
from ..jnp.numbers import absolute
from ..jnp.promotion import promote_args_inexact, ufunc
from ..jnp.ufuncs import maximum, minimum, square
from ..lax import elementwise as lax
from ..lax.shaping import full_like
from ..lax.special import erfc


@jit
def identity(x: Any) -> Any:
    """x."""
    return array_argument("identity", x)


# ---- with a kink at 0: the rule says what the derivative is there


@custom_jvp
@jit
def relu(x: Any) -> Any:
    """max(x, 0). Its derivative at 0 is 0."""
    return maximum(x, 0)


relu.defjvps(lambda g, ans, x: lax.select(x > 0, g, full_like(g, 0)))


@custom_jvp
@jit
def relu6(x: Any) -> Any:
    """x, but at least 0 and at most 6. Its derivative at both is 0."""
    return minimum(maximum(x, 0), 6.0)


relu6.defjvps(lambda g, ans, x: lax.select((x > 0) & (x < 6), g, full_like(g, 0)))


@jit
def leaky_relu(x: Any, negative_slope: Any = 0.01) -> Any:
    """x, times `negative_slope` below 0."""
    x = array_argument("leaky_relu", x)
    return where(x >= 0, x, negative_slope * x)


@jit
def elu(x: Any, alpha: Any = 1.0) -> Any:
    """x, below 0 alpha (exp(x) - 1)."""
    x = array_argument("elu", x)
    # where x > 0 the other branch gets a 0: else its derivative would overflow, and 0 times infinity is NaN
    return where(x > 0, x, alpha * expm1(where(x > 0, 0.0, x)))


@jit
def celu(x: Any, alpha: Any = 1.0) -> Any:
    """max(x, 0) + alpha (exp(min(x, 0) / alpha) - 1): as elu, but without a kink for any alpha."""
    return maximum(x, 0.0) + alpha * expm1(minimum(x, 0.0) / alpha)


@jit
def selu(x: Any) -> Any:
    """elu, scaled so that mean 0 and variance 1 are kept from layer to layer."""
    return 1.0507009873554805 * elu(x, 1.6732632423543772)


@jit
def hard_tanh(x: Any) -> Any:
    """x, but at least -1 and at most 1."""
    x = array_argument("hard_tanh", x)
    return where(x > 1, 1, where(x < -1, -1, x))


@jit
def hard_sigmoid(x: Any) -> Any:
    """relu6(x + 3) / 6: a sigmoid of three lines."""
    return relu6(x + 3.0) / 6.0


@jit
def hard_silu(x: Any) -> Any:
    """x hard_sigmoid(x)."""
    x = array_argument("hard_silu", x)
    return x * hard_sigmoid(x)


hard_swish = hard_silu


@jit
def sparse_plus(x: Any) -> Any:
    """0 below -1, x above 1, and the parabola (x + 1)^2 / 4 that joins them between."""
    x = array_argument("sparse_plus", x)
    return where(x <= -1.0, 0.0, where(x >= 1.0, x, (x + 1.0) ** 2 / 4))


@jit
def sparse_sigmoid(x: Any) -> Any:
    """(x + 1) / 2, but at least 0 and at most 1: the derivative of sparse_plus."""
    return 0.5 * clip(x + 1.0, 0.0, 2.0)


# ---- smooth


@ufunc("x")
def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x))."""
    return lax.logistic(x)


@jit
def silu(x: Any) -> Any:
    """x sigmoid(x)."""
    x = array_argument("silu", x)
    return x * sigmoid(x)


swish = silu


@jit
def softplus(x: Any) -> Any:
    """log(1 + exp(x))."""
    return logaddexp(x, 0)


@jit
def squareplus(x: Any, b: Any = 4) -> Any:
    """(x + sqrt(x^2 + b)) / 2."""
    x, b = array_arguments("squareplus", x, b)
    return (x + sqrt(square(x) + b)) / 2


@jit
def soft_sign(x: Any) -> Any:
    """x / (|x| + 1)."""
    x = array_argument("soft_sign", x)
    return x / (absolute(x) + 1)


@jit
def mish(x: Any) -> Any:
    """x tanh(softplus(x))."""
    x = array_argument("mish", x)
    return x * tanh(softplus(x))


@jit
def log_sigmoid(x: Any) -> Any:
    """log(sigmoid(x)) = -softplus(-x), which does not overflow."""
    x = array_argument("log_sigmoid", x)
    return -softplus(-x)


def gelu(x: Any, approximate: bool = True) -> Any:
    """x times the probability that a standard normal number is below x; `approximate`: that probability by a tanh."""
    x = to_array(*promote_args_inexact("gelu", x))
    if not approximate:
        return array(0.5 * x * erfc(-x * np.sqrt(0.5).astype(x.dtype)), dtype=x.dtype)
    inner = np.sqrt(2 / np.pi).astype(x.dtype) * (x + 0.044715 * x**3)
    return x * (0.5 * (1.0 + tanh(inner)))


@partial(jit, static_argnames=("axis",))
def glu(x: Any, axis: int = -1) -> Any:
    """The first half of `x` along `axis` times the sigmoid of the second half."""
    x = array_argument("glu", x)
    assert x.shape[axis] % 2 == 0, "axis size must be divisible by 2"
    first, second = split(x, 2, axis)
    return first * sigmoid(second)


@custom_jvp
@jit
def log1mexp(x: Any) -> Any:
    """log(1 - exp(-x)) for x > 0, by whichever of two forms loses no digits."""
    x = array_argument("log1mexp", x)
    return where(x < log(2.0), log(-expm1(-x)), log1p(-exp(-x)))


log1mexp.defjvps(lambda g, ans, x: g / expm1(x))
