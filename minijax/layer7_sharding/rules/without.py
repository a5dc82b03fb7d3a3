"""Primitives without a sharding rule, and why: in the matrix of rules no hole is silent."""

from ...layer1_core.lax.linalg.factoring import cholesky_update_p
from ...layer4_grad.families import no_rule
from ...layer5_vmap import collectives as c
from ..types import sharding_rules

no_rule(sharding_rules, "JAX has none: it has no batch axes, and its matrix is not divided", cholesky_update_p)
no_rule(
    sharding_rules,
    "it works along an axis that is mapped, not along one that types divide",
    c.psum_p, c.pmax_p, c.pmin_p, c.ppermute_p, c.pbroadcast_p, c.all_gather_p, c.reduce_scatter_p, c.all_to_all_p,
    c.axis_index_p,
)  # fmt: skip
