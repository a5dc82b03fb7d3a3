"""`jax.random`: random numbers, each a function of a key."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 6: keys
from .layer6_random.keys import PRNGKey, key, key_data, key_dtype, key_impl, wrap_key_data
from .layer6_random.keys import clone, split
from .layer6_random.keys import fold_in

# ---- chapter 6: samplers
from .layer6_random.uniform import bits, uniform
from .layer6_random.normal import normal, truncated_normal
from .layer6_random.integers import randint
from .layer6_random.coins import bernoulli, rademacher
from .layer6_random.maxima import categorical, gumbel
from .layer6_random.shuffling import choice, permutation
from .layer6_random.continuous import (
    cauchy, double_sided_maxwell, exponential, laplace, logistic, lognormal, maxwell, pareto, rayleigh, triangular,
    wald, weibull_min,
)  # fmt: skip
from .layer6_random.gamma import (
    ball, beta, chisquare, dirichlet, f, gamma, generalized_normal, loggamma, random_gamma_p, t,
)  # fmt: skip
from .layer6_random.counting import binomial, geometric, multinomial, poisson
from .layer6_random.matrices import multivariate_normal, orthogonal

# ---- chapter 6: names that are not there
from .layer1_core.later import later as _later

__getattr__ = _later("minijax.random", {})
