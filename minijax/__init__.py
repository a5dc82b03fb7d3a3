"""minijax: JAX's front end, built layer by layer in a course.

    import minijax as jax
    import minijax.numpy as jnp

One section for each chapter: what stands under a heading is there from that chapter on.
"""

# isort: off

# ---- chapter 1: avals and tracers (layer1_core)
from .layer1_core.config import (
    checking_leaks,
    config,
    debug_infs,
    debug_nans,
    default_device,
    default_matmul_precision,
    disable_jit,
    enable_x64,
    explain_cache_misses,
    log_compiles,
    numpy_dtype_promotion,
    numpy_rank_promotion,
)
from .layer1_core.array import Shard
from .layer1_core.devices import Device
from .layer1_core.aval import ShapeDtypeStruct, type_of as typeof
from .layer1_core.basearray import Array
from .layer1_core.dtypes import float0
from .layer1_core.device_put import block_until_ready, copy_to_host_async, device_get, device_put
from .layer1_core.evaluate import ensure_compile_time_eval
from .layer1_core.jit import clear_caches, jit
from .layer1_core.jit_call import Inline
from .layer1_core.named import named_call, named_scope
from .layer1_core.runtime import (
    default_backend,
    device_count,
    devices,
    live_arrays,
    local_device_count,
    local_devices,
    print_environment_info,
    process_count,
    process_index,
    process_indices,
)
from .layer1_core.staging import eval_shape, make_jaxpr
from .layer1_core.custom_derivative import custom_jvp
from .layer1_core.later import later as _later
from .layer1_core import impl as _impl
from .layer1_core import operators as _operators
from . import core, custom_derivatives, dlpack, dtypes, errors, extend, flatten_util, lax, nn, numpy, ops, scipy
from . import sharding, stages, tree, tree_util, typing

__version__ = "0.1.0"

__getattr__ = _later(
    "minijax",
    {
        3: ["debug", "effects_barrier", "pure_callback"],
        4: [
            "ad_checkpoint", "checkpoint", "checkpoint_policies", "closure_convert", "custom_gradient", "custom_vjp",
            "fwd_and_bwd", "grad", "hessian", "jacfwd", "jacobian", "jacrev", "jvp", "linear_transpose", "linearize",
            "remat", "test_util", "value_and_grad", "vjp",
        ],
        5: ["custom_batching", "vmap"],
        6: ["random"],
        7: [
            "NamedSharding", "P", "distributed", "make_array_from_callback", "make_array_from_process_local_data",
            "make_mesh", "memory", "reshard", "set_mesh", "shard_map",
        ],
    },
)  # fmt: skip

# ---- chapter 2: jit to Numba (layer2_jit)
from .layer2_jit import compiler as _compiler

# ---- chapter 3: control flow (layer3_control)
from .layer3_control.callbacks import pure_callback
from .layer3_control import eager as _eager
from .layer3_control.effects import effects_barrier
from . import debug, experimental

# ---- chapter 4: derivatives (layer4_grad)
from .layer4_grad import calls as _calls
from .layer4_grad import cond as _cond
from .layer4_grad import custom as _custom
from .layer4_grad import rules as _rules
from .layer4_grad import saving_rules as _saving_rules
from .layer4_grad import scan as _scan
from .layer4_grad import while_loop as _while_loop
from .layer4_grad.checkpoint import checkpoint, remat
from .layer4_grad.closures import closure_convert, custom_gradient
from .layer4_grad.custom_vjp import custom_vjp
from .layer4_grad.forward import jvp, linearize
from .layer4_grad.grad import fwd_and_bwd, grad, value_and_grad
from .layer4_grad.jacobians import hessian, jacfwd, jacobian, jacrev
from .layer4_grad.policies import checkpoint_policies
from .layer4_grad.reverse import linear_transpose, vjp
from . import ad_checkpoint, interpreters, test_util

# ---- chapter 5: batch axes (layer5_vmap)
from .layer5_vmap import callbacks as _batched_callbacks
from .layer5_vmap import calls as _batched_calls
from .layer5_vmap import collective_rules as _collective_rules
from .layer5_vmap import control as _batched_control
from .layer5_vmap import custom as _batched_custom
from .layer5_vmap import masking as _masking
from .layer5_vmap import solves as _batched_solves
from .layer5_vmap import rules as _batching_rules
from .layer5_vmap.axes import make_jaxpr  # noqa: F811 (from here on it takes axis_env)
from .layer5_vmap.vmap import vmap
from . import custom_batching

# ---- chapter 6: random numbers (layer6_random)
from .layer6_random import rules as _random_rules
from .layer6_random.key_types import default_prng_impl, enable_custom_prng, threefry_partitionable
from .layer6_random.keys import legacy_prng_key
from .layer6_random.reuse import debug_key_reuse
from . import random

# ---- chapter 7: shardings (layer7_sharding)
from .layer7_sharding import placing as _placing
from .layer7_sharding import resharding_rules as _resharding_rules
from .layer7_sharding import rules as _sharding_rules
from .layer7_sharding import shard_map_rules as _shard_map_rules
from .layer7_sharding import shard_map_saving as _shard_map_saving
from .layer7_sharding import partition_rules as _partition_rules
from .layer7_sharding import partitioned as _partitioned
from .layer7_sharding import running as _running
from .layer7_sharding import multihost as _multihost
from .layer7_sharding.assembling import (
    make_array_from_callback,
    make_array_from_process_local_data,
    make_array_from_single_device_arrays,
)
from .layer7_sharding.context import set_mesh
from .layer7_sharding.mesh import make_mesh
from .layer7_sharding.named import NamedSharding
from .layer7_sharding.resharding import reshard
from .layer7_sharding.shard_map import shard_map
from .layer7_sharding.spec import P
from . import distributed, memory
