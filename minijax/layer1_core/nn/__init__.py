"""jax.nn: activations, softmax and its family, attention. Compositions of jax.numpy, some with rules of their own."""
