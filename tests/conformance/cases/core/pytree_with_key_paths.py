import jax, jax.numpy as jnp
from collections import namedtuple
from dataclasses import dataclass
from functools import partial

@partial(jax.tree_util.register_dataclass, data_fields=["w", "b"], meta_fields=["name"])
@dataclass
class Layer:
    w: object
    b: object
    name: str = "dense"

State = namedtuple("State", "step layers")
state = State(3, [Layer(jnp.ones(2), None), Layer(jnp.zeros(1), {"k": 1.0}, "out")])
for path, leaf in jax.tree.leaves_with_path(state):
    print(jax.tree_util.keystr(path), jnp.shape(leaf))
print(jax.tree_util.keystr(jax.tree.leaves_with_path(state)[-1][0], simple=True, separator="/"))
out = jax.jit(lambda s: jax.tree.map(lambda x: x + 1, s))(state)
print(out.step, out.layers[1].name, out.layers[1].b)
print(jax.tree.structure(state))
