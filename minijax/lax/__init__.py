"""`jax.lax`: the primitives and the functions that bind them. Operands must have equal dtypes and ranks."""

# isort: off

# ---- chapter 1: elementwise
from ..layer1_core.lax.elementwise import (
    abs, abs_p, acos, acos_p, acosh, acosh_p, add, add_p, and_p, asin, asin_p, asinh, asinh_p, atan, atan2, atan2_p,
    atan_p, atanh, atanh_p, bitwise_and, bitwise_not, bitwise_or, bitwise_xor, cbrt, cbrt_p, ceil, ceil_p, clamp,
    clamp_p, clz, clz_p, complex, complex_p, conj, conj_p, cos, cos_p, cosh, cosh_p, div, div_p, eq, eq_p, exp, exp2,
    exp2_p, exp_p, expm1, expm1_p, floor, floor_p, ge, ge_p, gt, gt_p, imag, imag_p, integer_pow, integer_pow_p,
    is_finite, is_finite_p, le, le_p, log, log1p, log1p_p, log_p, logistic, logistic_p, lt, lt_p, max, max_p, min,
    min_p, mul, mul_p, mulhi, mulhi_p, ne, ne_p, neg, neg_p, nextafter, nextafter_p, not_p, or_p, population_count,
    population_count_p, pow, pow_p, real, real_p, reciprocal, rem, rem_p, round, round_p, RoundingMethod, rsqrt,
    rsqrt_p, select, select_n, select_n_p, shift_left, shift_left_p, shift_right_arithmetic,
    shift_right_arithmetic_p, shift_right_logical, shift_right_logical_p, sign, sign_p, sin, sin_p, sinh, sinh_p,
    sqrt, sqrt_p, square, square_p, sub, sub_p, tan, tan_p, tanh, tanh_p, xor_p,
)  # fmt: skip

# ---- chapter 1: converting
from ..layer1_core.lax.converting import (
    bitcast_convert_type, bitcast_convert_type_p, convert_element_type, convert_element_type_p, copy_p,
    reduce_precision, reduce_precision_p, stop_gradient_p,
)  # fmt: skip

# ---- chapter 1: shaping
from ..layer1_core.lax.shaping import (
    broadcast, broadcast_in_dim, broadcast_in_dim_p, broadcast_shapes, broadcast_to_rank, broadcasted_iota, collapse,
    empty, expand_dims, full, full_like, iota, iota_p, pad, pad_p, reshape, reshape_p, squeeze, squeeze_p,
    stop_gradient, transpose, transpose_p,
)  # fmt: skip

# ---- chapter 1: joining
from ..layer1_core.lax.joining import (
    concatenate, concatenate_p, split, split_p, stack, stack_p, tile, tile_p, unstack, unstack_p,
)  # fmt: skip

# ---- chapter 1: reducing
from ..layer1_core.lax.reducing import (
    optimization_barrier, optimization_barrier_p, reduce, reduce_and, reduce_and_p, reduce_max, reduce_max_p,
    reduce_min, reduce_min_p, reduce_or, reduce_or_p, reduce_p, reduce_prod, reduce_prod_p, reduce_sum, reduce_sum_p,
    reduce_xor, reduce_xor_p,
)  # fmt: skip
from ..layer1_core.device_put import device_put_p

# ---- chapter 1: indexing
from ..layer1_core.lax.indexing import (
    dynamic_index_in_dim, dynamic_slice, dynamic_slice_in_dim, dynamic_slice_p, dynamic_update_index_in_dim,
    dynamic_update_slice, dynamic_update_slice_in_dim, dynamic_update_slice_p, index_in_dim, rev, rev_p, slice,
    slice_in_dim, slice_p,
)  # fmt: skip
from ..layer1_core.lax.gather import GatherDimensionNumbers, GatherScatterMode, gather, gather_p, index_take
from ..layer1_core.lax.scatter import (
    scatter, scatter_add, scatter_add_p, scatter_apply, scatter_max, scatter_max_p, scatter_min, scatter_min_p,
    scatter_mul, scatter_mul_p, scatter_p, scatter_sub, scatter_sub_p, ScatterDimensionNumbers,
)  # fmt: skip

# ---- chapter 1: sorting
from ..layer1_core.lax.sorting import (
    approx_max_k, approx_min_k, approx_top_k_p, argmax, argmax_p, argmin, argmin_p, sort, sort_key_val, sort_p, top_k,
    top_k_p,
)  # fmt: skip

# ---- chapter 1: windows
from ..layer1_core.lax.windows import (
    cumlogsumexp, cumlogsumexp_p, cummax, cummax_p, cummin, cummin_p, cumprod, cumprod_p, cumsum, cumsum_p,
    padtype_to_pads, reduce_window, reduce_window_max_p, reduce_window_min_p, reduce_window_p, reduce_window_sum_p,
    select_and_gather_add_p, select_and_scatter_add_p,
)  # fmt: skip

# ---- chapter 1: dot
from ..layer1_core.lax.dot import (
    batch_matmul, dot, dot_general, dot_general_p, DotDimensionNumbers, Precision, PrecisionLike,
)  # fmt: skip
from ..layer1_core.lax.conv import (
    conv, conv_dimension_numbers, conv_general_dilated, conv_general_dilated_p, conv_general_permutations,
    conv_with_general_padding, ConvDimensionNumbers,
)  # fmt: skip
from ..layer1_core.lax.conv_transpose import conv_general_dilated_patches, conv_transpose

# ---- chapter 1: special
from ..layer1_core.lax.special import (
    bessel_i0e, bessel_i0e_p, bessel_i1e, bessel_i1e_p, betainc, digamma, digamma_p, erf, erf_inv, erf_inv_p, erf_p,
    erfc, erfc_p, igamma, igamma_grad_a, igamma_grad_a_p, igamma_p, igammac, igammac_p, lgamma, lgamma_p, polygamma,
    polygamma_p, random_gamma_grad, regularized_incomplete_beta_p, zeta, zeta_p,
)  # fmt: skip

# ---- chapter 1: linear algebra and Fourier transforms
from . import linalg
from ..layer1_core.lax.fft import FftType, fft, fft_p

# ---- what later chapters bring
from ..layer1_core.later import later as _later

__getattr__ = _later(
    "minijax.lax",
    {
        3: [
            "associative_scan", "cond", "cond_p", "fori_loop", "map", "scan", "scan_p", "switch", "while_loop",
            "while_p",
        ],
        4: ["custom_linear_solve", "custom_root", "linear_solve_p"],
        5: [
            "all_gather", "all_to_all", "axis_index", "axis_size", "pbroadcast", "pmax", "pmean", "pmin", "ppermute",
            "pshuffle", "psum", "psum_scatter", "pswapaxes",
        ],
        7: ["pcast", "with_sharding_constraint"],
    },
    {
        "rng_bit_generator": "it is left out: jax.random.bits(key, shape) draws with threefry",
        "rng_uniform": "it is left out, since it draws by a hidden state: jax.random.uniform takes a key",
    },
)  # fmt: skip

# ---- chapter 3: control flow
from ..layer3_control.associative import associative_scan
from ..layer3_control.cond import cond, cond_p, switch
from ..layer3_control.fori import fori_loop, map
from ..layer3_control.scan import scan, scan_p
from ..layer3_control.while_loop import while_loop, while_p

# ---- chapter 4: solutions of equations
from ..layer4_grad.solves import custom_linear_solve, custom_root, linear_solve_p

# ---- chapter 5: along named axes
from ..layer5_vmap.collectives import (
    all_gather, all_gather_p, all_to_all, all_to_all_p, axis_index, axis_index_p, axis_size, pbroadcast, pmax, pmax_p,
    pmean, pmin, pmin_p, ppermute, ppermute_p, pshuffle, psum, psum_p, psum_scatter, pswapaxes,
)  # fmt: skip

# ---- chapter 7: shardings
from ..layer7_sharding.resharding import with_sharding_constraint
from ..layer7_sharding.varying import pcast
