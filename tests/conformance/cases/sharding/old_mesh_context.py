import warnings
import jax
jax.config.update("jax_num_cpu_devices", 8)
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

warnings.simplefilter("ignore")
mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
explicit = jax.make_mesh((4, 2), ("x", "y"))
x = jnp.arange(32.0).reshape(8, 4)

def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, "|", e)

constrained = lambda a: lax.with_sharding_constraint(a * 2, P("y"))
with mesh as entered:
    print(entered is mesh, jax.sharding.get_mesh(), jax.sharding.get_abstract_mesh())
    attempt(lambda: jax.jit(constrained)(x).sharding)
    attempt(lambda: jax.make_jaxpr(constrained)(x))
    attempt(lambda: jax.make_jaxpr(lambda a: lax.with_sharding_constraint(a, NamedSharding(mesh, P("x"))))(x))
    attempt(lambda: lax.with_sharding_constraint(x, P("x", None)).sharding.spec)
    attempt(lambda: jax.vmap(lambda a: lax.with_sharding_constraint(a, P("x")))(x).shape)
    # nothing else knows of it
    attempt(lambda: jax.jit(lambda a: a, in_shardings=P("x"))(x))
    attempt(lambda: jax.device_put(x, P("x")))
    attempt(lambda: jax.shard_map(lambda a: a, in_specs=P("x"), out_specs=P("x"))(x))
with explicit:
    attempt(lambda: jax.jit(lambda a: lax.with_sharding_constraint(a * 3, P("y")))(x).sharding)
attempt(lambda: lax.with_sharding_constraint(x, P("x")))

# messages of shard_map
put = lambda f, i=P("x", "y"), o=P("x", "y"): jax.shard_map(f, mesh=mesh, in_specs=i, out_specs=o)
attempt(lambda: put(lambda a: a)(1.0))
attempt(lambda: put(5))
total = lambda a, *names: lax.psum(a, names).sum()
attempt(lambda: put(lambda a: lax.cond(a.sum() > 5, lambda: 1.0, lambda: a.sum()).reshape(1, 1))(x))
attempt(lambda: put(lambda a: lax.cond(a.sum() > 5, lambda: total(a, "x"), lambda: total(a, "y")).reshape(1, 1))(x))
pairs = (lambda a: (a.sum(), total(a, "x")), lambda a: (1.0, total(a, "y")))
attempt(lambda: put(lambda a: lax.cond(a.sum() > 5, *pairs, a)[0].reshape(1, 1))(x))
pairs = (lambda a: (a.sum(), total(a, "x")), lambda a: (total(a, "x"), total(a, "y")))
attempt(lambda: put(lambda a: lax.cond(a.sum() > 5, *pairs, a)[0].reshape(1, 1))(x))

# a mesh without devices, and results that no type tells of
on_abstract = jax.shard_map(lambda a: a * 2, mesh=mesh.abstract_mesh, in_specs=P("x"), out_specs=P("x"))
attempt(lambda: on_abstract(x))
attempt(lambda: on_abstract(np.ones((8, 4))))
attempt(lambda: on_abstract(jax.device_put(x, NamedSharding(mesh, P("x")))).sharding.spec)
with jax.set_mesh(mesh):
    attempt(lambda: on_abstract(x).sharding.spec)
called = put(lambda a: jax.pure_callback(np.sin, jax.ShapeDtypeStruct(a.shape, a.dtype), a))
attempt(lambda: jax.make_jaxpr(called)(x).jaxpr.eqns[0].params["jaxpr"].eqns[-1])

# what was traced with one mesh is traced anew with another

traced = []
two = Mesh(np.array(jax.devices()[:2]), ("y",))

@jax.jit
def halves(a):
    traced.append(1)
    return lax.with_sharding_constraint(a * 2, P("y"))

for m in (mesh, two, mesh):
    with m:
        print(halves(x).sharding.spec, len(halves(x).sharding.device_set), len(traced))
