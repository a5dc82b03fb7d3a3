import jax
import jax.numpy as jnp
import numpy as np

print(jax.make_jaxpr(lambda *a: a)(*range(40)))
print(jax.make_jaxpr(lambda *a: [x + 1 for x in a])(*range(35)))
print(jax.make_jaxpr(jax.jit(lambda *a: [x + 1 for x in a]))(*range(9)))
print(jax.make_jaxpr(lambda *a: jnp.stack(a))(*range(60)))
print(jax.make_jaxpr(lambda a: jax.jit(lambda *b: [x * 1.5 for x in b])(*a))([1.]*30))
print(jax.make_jaxpr(lambda a: sum(jax.lax.split(a, [1] * 30)))(jnp.ones(30)))
print(jax.make_jaxpr(lambda a: [2.5] * 20 + [a])(1.0))
j = jax.make_jaxpr(lambda a: jax.jit(lambda b: b * 2, inline=False)(jnp.sin(a)))(1.0)
for kw in [dict(print_shapes=False), dict(print_effects=True), dict(source_info=False)]:
    try: print(kw, j.pretty_print(use_color=False, **kw))
    except Exception as e: print(type(e).__name__, e)
