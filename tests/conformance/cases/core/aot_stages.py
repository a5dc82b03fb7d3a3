import jax, jax.numpy as jnp

f = jax.jit(lambda p, n: {"y": p["w"] * n, "n": n}, static_argnums=1)
traced = f.trace({"w": jax.ShapeDtypeStruct((2,), jnp.float32)}, 3)
print(traced.jaxpr)
print(traced.out_info, traced.fun_name)
print(f.eval_shape({"w": jnp.ones(4)}, 2))
lowered = traced.lower()
print(lowered.out_tree, lowered.in_tree)
print(lowered.compile()({"w": jnp.arange(2.0)}))
