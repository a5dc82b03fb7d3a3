"""`jax.scipy.stats`: distributions, one module each, and statistics of samples."""

# isort: off

# ---- chapter 1: distributions
from . import (
    bernoulli, beta, betabinom, binom, cauchy, chi2, dirichlet, expon, gamma, gennorm, geom, gumbel_l, gumbel_r,
    laplace, logistic, multinomial, multivariate_normal, nbinom, norm, pareto, poisson, t, truncnorm, uniform,
    vonmises, wrapcauchy,
)  # fmt: skip

# ---- chapter 1: samples
from ...layer1_core.scipy.stats.kde import gaussian_kde
from ...layer1_core.scipy.stats.samples import mode, rankdata, sem
