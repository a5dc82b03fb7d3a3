"""`jax.scipy.cluster.vq`: the nearest entry of a code book."""

# ruff: noqa: F401 (this module is an index: it imports to re-export)

# ---- chapter 1: vector quantization
from ...layer1_core.scipy.clusters_and_areas import vq
