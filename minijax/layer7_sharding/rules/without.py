"""Primitives without a sharding rule, and why: in the matrix of rules no hole is silent."""

from ...layer1_core.lax.linalg.factoring import cholesky_update_p
from ...layer4_grad.families import no_rule
from ..types import sharding_rules

no_rule(sharding_rules, "JAX has none: it has no batch axes, and its matrix is not divided", cholesky_update_p)
