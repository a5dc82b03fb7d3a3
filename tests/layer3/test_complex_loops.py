"""A loop whose state is complex is compiled."""

import numpy as np

import minijax.numpy as jnp
from compiled import programs
from minijax import lax
from minijax.layer2_jit.loops import Kernel


def test_a_loop_with_complex_numbers_is_a_kernel():
    def steps(c):
        return lax.fori_loop(0, 9, lambda _, z: jnp.where(abs(z) < 2, z * z + c, z), jnp.zeros_like(c))

    x = np.linspace(-2, 1, 40)[:, None] + 1j * np.linspace(-1, 1, 30)
    compiled, interpreted, values = programs(steps, (x.astype("complex64"),))
    assert [isinstance(step, Kernel) for _, step in compiled.steps[-1:]] == [True]
    np.testing.assert_allclose(compiled(values)[0], interpreted(values)[0], rtol=1e-4)
