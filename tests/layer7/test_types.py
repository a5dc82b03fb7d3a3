"""Shardings in types: what is printed, what follows from the operands, what is refused."""

import re

import numpy as np
import pytest
from compared import assert_close

import minijax as jax
import minijax.numpy as jnp
from minijax import lax
from minijax.layer1_core.aval import ShapedArray
from minijax.layer1_core.primitive import Primitive, impl_rules
from minijax.layer4_grad.families import NoRule
from minijax.layer5_vmap.batching import batching_rules
from minijax.layer7_sharding.types import ShardingTypeError, complete, sharding_rules
from minijax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec as P
from ops import CASES

EXPLICIT, AUTO = (AxisType.Explicit,) * 2, (AxisType.Auto,) * 2


def grid(types=EXPLICIT):
    return jax.make_mesh((2, 2), ("x", "y"), axis_types=types)


def put(shape, *entries, mesh=None):
    value = np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape)
    return jax.device_put(value, NamedSharding(mesh or grid(), P(*entries)))


def test_every_primitive_has_a_sharding_rule_or_a_reason():
    known = impl_rules.keys() | batching_rules.keys()
    assert not {p.name for p in known - sharding_rules.keys() - complete}
    assert not sharding_rules.keys() & complete
    assert all(rule.reason for rule in sharding_rules.values() if isinstance(rule, NoRule))


# ---- what is printed


def test_a_type_shows_sharding_memory_and_varying_axes():
    mesh = AbstractMesh((2, 2, 2), ("x", "y", "z"), (AxisType.Explicit,) * 3)
    aval = ShapedArray((8, 4), np.float32, sharding=NamedSharding(mesh, P(("y", "x"), None)))
    assert str(aval) == "float32[8@(y,x),4]"
    assert aval.str_short(short_dtypes=True) == "f32[8@(y,x),4]"
    assert str(aval.update(memory_space="host")) == "float32<host>[8@(y,x),4]"
    manual = mesh.update_axis_types({"z": AxisType.Manual, "y": AxisType.Manual})
    aval = ShapedArray((8,), np.float32, sharding=NamedSharding(manual, P("x")), vma=frozenset({"z", "y"}))
    assert str(aval) == "float32[8@x]{V:(y,z)}"
    assert aval.str_short(mesh_axis_types=True).endswith("({Explicit: ('x',), Manual: ('y', 'z')})")
    summands = ShapedArray((8,), np.float32, sharding=NamedSharding(mesh, P("x", unreduced={"y"}, reduced={"z"})))
    assert str(summands) == "float32[8@x]{U:y, R:z}"


def test_auto_axes_are_not_shown():
    assert str(jax.typeof(put((4, 4), "x", mesh=grid(AUTO)))) == "float32[4,4]"
    mixed = grid((AxisType.Auto, AxisType.Explicit))
    assert str(jax.typeof(put((4, 4), "x", "y", mesh=mixed))) == "float32[4,4@y]"
    assert str(jax.typeof(put((4, 4), ("x", "y"), mesh=mixed))) == "float32[4@y,4]"


def test_programs_show_the_shardings_of_their_variables():
    text = str(jax.make_jaxpr(lambda a, b: (a @ b).sum(0))(put((4, 2), "x"), put((2, 6), None, "y")))
    assert re.search(r"a:f32\[4@x,2\] b:f32\[2,6@y\]", text)
    assert "c:f32[4@x,6@y] = dot_general" in text
    assert "d:f32[6@y] = reduce_sum" in text


# ---- the law: what is computed of divided arrays is what is computed of whole ones


def divisible(case):
    """Which axis of which argument has two parts, one at a time."""
    return [(i, axis) for i, (shape, _) in enumerate(case.types) for axis, n in enumerate(shape) if n and n % 2 == 0]


def placed(case, where, axis, mesh):
    values = [*map(jnp.asarray, case.values())]
    entries = [None] * axis + ["x"]
    values[where] = jax.device_put(values[where], NamedSharding(mesh, P(*entries)))
    return values


def is_refusal(error):
    """Whether it says that the types do not say how a result is divided, or cannot."""
    told = ("does not evenly divide the dimension size", "0th dimension of all xs should be replicated")
    return isinstance(error, ShardingTypeError) or any(words in str(error) for words in told)


DIVISIBLE = [case for case in CASES if divisible(case)]


@pytest.mark.parametrize("case", DIVISIBLE, ids=str)
def test_a_divided_operand_gives_the_same_values(case):
    want = case.fun(*map(jnp.asarray, case.values()))
    for where, axis in divisible(case):
        assert_close(case.fun(*placed(case, where, axis, grid(AUTO))), want)
        try:
            got = case.fun(*placed(case, where, axis, grid()))
        except (ShardingTypeError, ValueError) as error:
            assert is_refusal(error), error
            continue
        assert_close(got, want)


@pytest.mark.parametrize("case", DIVISIBLE, ids=str)
def test_a_result_is_divided_as_the_type_in_the_program_says(case):
    for where, axis in divisible(case):
        args = placed(case, where, axis, grid())
        try:
            avals = jax.make_jaxpr(case.fun)(*args).out_avals
        except (ShardingTypeError, ValueError) as error:
            assert is_refusal(error), error
            with pytest.raises(type(error)):
                case.fun(*args)
            continue
        for x, aval in zip(jax.tree.leaves(case.fun(*args)), avals, strict=True):
            assert str(jax.typeof(x)).strip("~") == str(aval).strip("~")
            if not aval.is_undivided:
                assert x.sharding.spec.partitions == aval.sharding.spec.partitions
                assert len(x.addressable_shards) == 4


# ---- what is refused


REFUSED = {
    "add": (lambda: put((4, 4), "x") + put((4, 4), "y"), "add got incompatible shardings for broadcasting"),
    "twice": (lambda: put((4, 1), "x") * put((1, 4), None, "x"), r"illegally sharded result: f32\[4@x,4@x\]"),
    "dot": (lambda: put((4, 4), None, "x") @ put((4, 4), "x"), "it is ambiguous how the output should be sharded"),
    "dot of two": (lambda: put((4, 4), None, "x") @ put((4, 4), "y"), "to have consistent sharding, got"),
    "batch": (
        lambda: jnp.einsum("bi,bi->b", put((4, 4), "x"), put((4, 4), "y")),
        "lhs batch dimensions and rhs batch dimensions to have the consistent sharding",
    ),
    "concatenate": (
        lambda: jnp.concatenate([put((4, 4), "x"), put((4, 4), "y")]),
        "All operands should have the same sharding",
    ),
    "select": (lambda: lax.select(put((4,), "x") > 2, *[put((4,), "y")] * 2), "same sharding as cases"),
    "where": (
        lambda: jnp.where(put((4,), "x") > 2, put((4,), "y"), 0.0),
        r"broadcasting: \('x',\), \('y',\), \(None,\)",
    ),
    "slice": (lambda: lax.slice(put((4,), "x"), (0,), (3,)), r"slicing on sharded dims where out dim \(3\)"),
    "rows": (lambda: put((4, 4), "x")[jnp.array([0, 1])], r"Use `.at\[...\].get\(out_sharding=\)`"),
    "dynamic row": (lambda: lax.dynamic_index_in_dim(put((4, 4), "x"), 0), r"dynamic_slice on sharded dims"),
    "set a row": (lambda: put((4, 4), "x").at[0].set(1.0), r"Use `.at\[...\].set/add/mul/...\(out_sharding=\)`"),
    "cumsum": (lambda: jnp.cumsum(put((4, 4), "x"), axis=0), "should be unsharded over the axis being reduced"),
    "sort": (lambda: jnp.sort(put((4, 4), "x"), axis=0), "must be unsharded over the sorting dimension"),
    "top_k": (lambda: lax.top_k(put((4, 4), None, "x"), 2), "should be unsharded over the axis along which"),
    "tile": (lambda: lax.tile(put((4,), "x"), (2,)), "Operand cannot be sharded on dimension 0"),
    "split up": (lambda: put((6, 4), "x").reshape(3, 2, 4), "This reshape is not supported"),
    "cholesky": (lambda: lax.linalg.cholesky(put((4, 4), "x")), "sharded result|unsharded on non-batch dimensions"),
    "qr": (lambda: lax.linalg.qr(put((4, 4), "x")), "Input 0 to qr must be unsharded on non-batch dimensions"),
    "unstack": (lambda: [*jax.jit(lambda x: list(x))(put((4, 4), "x"))], "sharded on the unstacking axis 0"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_types_do_not_say_is_refused(name):
    wrong, message = REFUSED[name]
    with pytest.raises(ShardingTypeError, match=message):
        wrong()


def test_two_meshes_are_refused():
    other = jax.make_mesh((4,), ("x",))
    with pytest.raises(ValueError, match="Mesh for all inputs should be equal"):
        put((4,), "x") + put((4,), "x", mesh=other)
    with jax.set_mesh(grid()), pytest.raises(ValueError, match=r"context mesh .* should match the aval mesh"):
        put((4,), "x", mesh=other) * 2


def test_what_a_spec_may_not_say():
    with pytest.raises(ValueError, match="Resource axis: z of P\\('z',\\) is not found in mesh"):
        NamedSharding(grid(), P("z"))
    with pytest.raises(Exception, match="has duplicate entries for `x`"):
        NamedSharding(grid(), P("x", "x"))
    with pytest.raises(ValueError, match="implies that array axis 0 is partitioned 2 times"):
        put((3,), "x")
    with pytest.raises(ValueError, match="only valid for values of rank at least 2"):
        put((4,), "x", "y", mesh=grid(AUTO))


RESHAPES = [
    ((4, 6), ("x",), (2, 2, 6), "float32[2@x,2,6]"),
    ((4, 6), ("x",), (24,), "float32[24@x]"),
    ((4, 1, 6), ("x", None, "y"), (4, 6), "float32[4@x,6@y]"),
    ((4, 6), (None, "x"), (4, 2, 3), "float32[4,2@x,3]"),
    ((4, 6), (("x", "y"),), (2, 2, 6), "float32[2@x,2@y,6]"),
    ((2, 2, 6), ("x", "y"), (4, 6), "float32[4@(x,y),6]"),
]


@pytest.mark.parametrize(("shape", "entries", "sizes", "told"), RESHAPES)
def test_a_reshape_keeps_the_parts_where_they_are(shape, entries, sizes, told):
    x = put(shape, *entries)
    y = x.reshape(sizes)
    assert str(jax.typeof(y)) == told
    for a, b in zip(x.addressable_shards, y.addressable_shards, strict=True):
        assert np.array_equal(np.ravel(a.data), np.ravel(b.data))


def test_a_primitive_of_the_users_own_has_the_type_that_its_rule_says():
    twice_p = Primitive("twice")
    twice_p.def_abstract_eval(lambda x: x)
    x = put((4,), "x")
    assert str(jax.make_jaxpr(twice_p.bind)(x).out_avals[0]) == "float32[4@x]"


def test_an_array_like_another_is_divided_as_that():
    with jax.set_mesh(grid()):
        x = put((4, 4), "x", "y")
        assert str(jax.typeof(jnp.ones_like(x))) == str(jax.typeof(x))
        assert str(jax.typeof(lax.full_like(x, 2, shape=(4,)))) == "float32[4]"
        slope = jax.grad(lambda x: (jax.nn.softmax(x, 0) * x).sum())(x)
        assert str(jax.typeof(slope)) == "float32[4@x,4@y]"


# ---- rules that are entered later


def test_a_rule_is_asked_for_types_that_were_found_without_it():
    x = put((4, 4), "x")
    double_p = Primitive("double_for_a_test")
    double_p.def_abstract_eval(lambda aval: aval.update(sharding=None))
    double_p.def_impl(lambda x: x)
    aval = jax.typeof(x)
    sharding_rules[double_p] = lambda out, x: (None, None)
    try:
        assert str(double_p.out_avals((aval,), {})) == "float32[4,4]"
        sharding_rules.update({double_p: lambda out, x: x.sharding.spec})
        assert str(double_p.out_avals((aval,), {})) == "float32[4@x,4]"
        double_p.def_abstract_eval(lambda aval: aval.update(sharding=None, dtype=np.dtype(np.int32)))
        assert str(double_p.out_avals((aval,), {})) == "int32[4@x,4]"
    finally:
        del sharding_rules[double_p]
