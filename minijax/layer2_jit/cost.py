"""What a program costs: operations, and bytes that go to and from memory. The counts are XLA's, for simple programs.

`work` says for a primitive how many operations an equation takes: flops (of integers too) and transcendentals. What is
not in the table only moves data, or is a library's.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..layer1_core import lax
from ..layer1_core.aval import ShapedArray
from ..layer1_core.jaxpr import Jaxpr, JaxprEqn, Literal
from ..layer1_core.primitive import Primitive
from .loops import Buffer, Kernel
from .passes import inlined, without_dead

Work = tuple[int, int]  # flops, transcendentals
work: dict[Primitive, Callable[[JaxprEqn], Work]] = {}

ADDRESS = 8  # bytes

# ---- operations


def size(eqn: JaxprEqn) -> int:
    """The elements of the result."""
    return eqn.outvars[0].aval.size


def each(flops: int, transcendentals: int = 0) -> Callable[[JaxprEqn], Work]:
    """So many operations for each element of the result."""
    return lambda eqn: (flops * size(eqn), transcendentals * size(eqn))


def enter(module: Any, names: str, rule: Callable[[JaxprEqn], Work]) -> None:
    """Give the primitives of these names in a module of lax this rule."""
    work.update({getattr(module, f"{name}_p"): rule for name in names.split()})


ONE = "add sub mul div rem max min and or xor not neg abs sign floor ceil round is_finite eq ne lt le gt ge"
enter(lax.elementwise, ONE + " select_n clamp square shift_left shift_right_logical shift_right_arithmetic", each(1))
enter(lax.elementwise, "sin cos tan atan atan2 exp expm1 log log1p tanh sqrt rsqrt cbrt pow", each(0, 1))
enter(lax.special, "erf", each(0, 1))
enter(lax.elementwise, "logistic", each(3, 1))
enter(lax.elementwise, "exp2", each(1, 1))


def _convert(eqn: JaxprEqn) -> Work:
    return (size(eqn) if _is_conversion(eqn) else 0), 0


def _is_conversion(eqn: JaxprEqn) -> bool:
    """Whether the elements change, and not only the weakness of their type."""
    return eqn.invars[0].aval.dtype != eqn.outvars[0].aval.dtype


def _integer_pow(eqn: JaxprEqn) -> Work:
    """By squaring; and one division where the exponent is negative."""
    y = abs(eqn.params["y"])
    multiplications = y.bit_length() - 1 + y.bit_count() - 1 if y else 0
    return (multiplications + (eqn.params["y"] < 0)) * size(eqn), 0


def _reduction(eqn: JaxprEqn) -> Work:
    return eqn.invars[0].aval.size - size(eqn), 0


def _cumulation(eqn: JaxprEqn) -> Work:
    """One operation for each element but the first ones. (XLA begins anew for each result, which is quadratic.)"""
    n = eqn.invars[0].aval.shape[eqn.params["axis"]]
    return size(eqn) - size(eqn) // max(n, 1), 0


def _argreduction(eqn: JaxprEqn) -> Work:
    """To put two pairs of value and index together takes nine operations."""
    return 9 * (eqn.invars[0].aval.size - size(eqn)), 0


def _dot_general(eqn: JaxprEqn) -> Work:
    """A product and a sum for each term."""
    (contracted, _), _ = eqn.params["dimension_numbers"]
    return 2 * size(eqn) * math.prod(eqn.invars[0].aval.shape[k] for k in contracted), 0


def _sort(eqn: JaxprEqn) -> Work:
    """n log2 n comparisons, the logarithm rounded up."""
    n = size(eqn)
    return n * (n - 1).bit_length() if n else 0, 0


enter(lax.elementwise, "integer_pow", _integer_pow)
enter(lax.converting, "convert_element_type", _convert)
enter(lax.windows, "cumsum cumprod cummax cummin", _cumulation)
enter(lax.reducing, "reduce_sum reduce_prod reduce_max reduce_min reduce_and reduce_or reduce_xor", _reduction)
enter(lax.sorting, "argmax argmin", _argreduction)
enter(lax.dot, "dot_general", _dot_general)
enter(lax.sorting, "sort", _sort)

# ---- bytes


def nbytes(array: ShapedArray | Buffer) -> int:
    """The bytes of an array of this type."""
    return array.size * array.dtype.itemsize


def moved(eqn: JaxprEqn) -> int:
    """The bytes that an equation by itself reads and writes."""
    return bytes_moved.get(eqn.primitive, _read_and_written)(eqn)


def _read_and_written(eqn: JaxprEqn) -> int:
    return _total((*eqn.invars, *eqn.outvars))


def _elementwise(eqn: JaxprEqn) -> int:
    """A scalar among arrays is first spread to an array."""
    out = eqn.outvars[0].aval
    scalars = [v.aval for v in eqn.invars if v.aval.shape != out.shape]
    spread = sum(nbytes(a) + 2 * out.size * a.dtype.itemsize for a in scalars)
    return spread + sum(nbytes(v.aval) for v in eqn.invars if v.aval.shape == out.shape) + nbytes(out)


def _of_integer_pow(eqn: JaxprEqn) -> int:
    """Three arrays for each product; a reciprocal spreads a 1 first."""
    y, one, x = eqn.params["y"], eqn.outvars[0].aval.dtype.itemsize, nbytes(eqn.outvars[0].aval)
    operations = _integer_pow(eqn)[0] // max(size(eqn), 1)
    return 3 * x * operations + (one + x) * (y < 0)


def _of_reduction(eqn: JaxprEqn) -> int:
    """The start value is read as well."""
    return _read_and_written(eqn) + eqn.invars[0].aval.dtype.itemsize


def _of_arrays(arrays: int, scalars: int = 0) -> Callable[[JaxprEqn], int]:
    """So many arrays as large as the result, and so many scalars."""
    return lambda eqn: arrays * nbytes(eqn.outvars[0].aval) + scalars * eqn.outvars[0].aval.dtype.itemsize


bytes_moved: dict[Primitive, Callable[[JaxprEqn], int]] = {
    **{p: _elementwise for p, rule in work.items() if rule not in (_dot_general, _sort, _argreduction, _cumulation)},
    **{p: _of_reduction for p, rule in work.items() if rule is _reduction},
    lax.converting.convert_element_type_p: lambda eqn: _read_and_written(eqn) if _is_conversion(eqn) else 0,
    lax.elementwise.integer_pow_p: _of_integer_pow,
    lax.elementwise.square_p: _of_arrays(3),
    lax.elementwise.logistic_p: _of_arrays(11, 1),
    lax.elementwise.exp2_p: _of_arrays(6, 1),
    lax.shaping.transpose_p: _of_arrays(0),  # another order of the same bytes
    lax.indexing.slice_p: _of_arrays(2),  # it reads no more than it keeps
    lax.gather.gather_p: lambda eqn: 2 * nbytes(eqn.outvars[0].aval) + nbytes(eqn.invars[1].aval),
}

# ---- programs


def of_equations(jaxpr: Jaxpr) -> dict[str, float]:
    """The cost of a program whose equations each go through memory."""
    eqns = without_dead(inlined(jaxpr)).eqns
    results = len(jaxpr.outvars) if len(jaxpr.outvars) > 1 else 0  # for several there is a table of addresses
    return _analysis(eqns, sum(map(moved, eqns)) + ADDRESS * results)


def of_program(program: Any) -> dict[str, float]:
    """The cost of a compiled program: what is computed inside of a kernel needs no memory."""
    read_and_written = 0
    for _, step in program.steps:
        avals = step.buffers if isinstance(step, Kernel) else [v.aval for v in (*step.invars, *step.outvars)]
        read_and_written += sum(map(nbytes, avals))
    return _analysis(program.jaxpr.eqns, read_and_written)


def _analysis(eqns: Iterable[JaxprEqn], read_and_written: int) -> dict[str, float]:
    """In JAX's form: what is zero is not there."""
    done = [work[eqn.primitive](eqn) for eqn in eqns if eqn.primitive in work]
    found = {
        "flops": sum(flops for flops, _ in done),
        "transcendentals": sum(transcendentals for _, transcendentals in done),
        "bytes accessed": read_and_written,
    }
    return {name: float(value) for name, value in found.items() if value}


@dataclass(frozen=True)
class CompiledMemoryStats:
    """The bytes that a compiled program needs, by JAX's names."""

    generated_code_size_in_bytes: int = 0
    argument_size_in_bytes: int = 0
    output_size_in_bytes: int = 0
    alias_size_in_bytes: int = 0
    temp_size_in_bytes: int = 0
    peak_memory_in_bytes: int = 0
    host_generated_code_size_in_bytes: int = 0
    host_argument_size_in_bytes: int = 0
    host_output_size_in_bytes: int = 0
    host_alias_size_in_bytes: int = 0
    host_temp_size_in_bytes: int = 0


def memory(program: Any) -> CompiledMemoryStats:
    """The bytes of the arguments, of the results, and of what steps leave for other steps until the program ends."""
    jaxpr = program.jaxpr
    results = {program.names(v) for v in jaxpr.outvars if not isinstance(v, Literal)}
    arguments, outputs = _total(jaxpr.invars), _total(jaxpr.outvars)
    between = 0
    for _, step in program.steps:
        if isinstance(step, Kernel):
            between += sum(nbytes(b) for b in step.outputs if b.name not in results)
        else:
            between += _total([v for v in step.outvars if program.names(v) not in results])
    return CompiledMemoryStats(
        argument_size_in_bytes=arguments,
        output_size_in_bytes=outputs,
        temp_size_in_bytes=between,
        peak_memory_in_bytes=arguments + outputs + between,
    )


def _total(variables: Sequence[Any]) -> int:
    return sum(nbytes(v.aval) for v in variables)
