"""`jax.scipy.special`: special functions."""

# isort: off
# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: gamma functions
from ..layer1_core.scipy.special.gamma import (
    bernoulli, beta, betainc, betaln, comb, digamma, factorial, gamma, gammainc, gammaincc, gammaln, gammasgn,
    loggamma, multigammaln, poch, polygamma, zeta,
)  # fmt: skip

# ---- chapter 1: error functions
from ..layer1_core.scipy.special.errors import (
    dawsn, erf, erfc, erfcx, erfinv, fresnel, log_ndtr, ndtr, ndtri, owens_t, wofz,
)  # fmt: skip

# ---- chapter 1: logarithms
from ..layer1_core.scipy.special.logarithms import (
    boxcox, boxcox1p, entr, expit, kl_div, log_softmax, logit, rel_entr, softmax, xlog1py, xlogy,
)  # fmt: skip
from ..layer1_core.nn.softmax import logsumexp

# ---- chapter 1: Bessel functions, integrals
from ..layer1_core.scipy.special.bessel import bessel_jn, i0, i0e, i1, i1e, sph_harm_y
from ..layer1_core.scipy.special.integrals import exp1, expi, expn, hyp1f1, hyp2f1, sici, spence
