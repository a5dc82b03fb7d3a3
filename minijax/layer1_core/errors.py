"""What is refused, in JAX's classes and words.

An error about a tracer ends with where the tracer came from: the function that was being traced and
the arguments that the value depends on. The tracer tells that itself (`tracer._origin_msg()`).
"""

from typing import Any

_DOCS = "https://docs.jax.dev/en/latest/errors.html#jax.errors."


class _ErrorWithPage(Exception):
    """An error whose message ends with the page that explains it."""

    def __init__(self, message: str):
        super().__init__(f"{message}\nSee {_DOCS}{type(self).__name__}")


class JAXTypeError(_ErrorWithPage, TypeError):
    """JAX's own kind of TypeError."""


class JAXIndexError(_ErrorWithPage, IndexError):
    """JAX's own kind of IndexError."""


class ConcretizationTypeError(JAXTypeError):
    """A tracer was used where a value is needed."""

    def __init__(self, tracer: Any, context: str = ""):
        super().__init__(
            "Abstract tracer value encountered where concrete value is expected: "
            f"{tracer._error_repr()}\n{context}{tracer._origin_msg()}\n"
        )


class TracerBoolConversionError(ConcretizationTypeError):
    """A tracer was used as a truth value: in `if`, `while`, `and`, `not`, ..."""

    def __init__(self, tracer: Any):
        JAXTypeError.__init__(self, f"Attempted boolean conversion of {tracer._error_repr()}.{tracer._origin_msg()}")


class TracerIntegerConversionError(JAXTypeError):
    """A tracer was used as a Python integer: an index of a list, an argument of `range`, ..."""

    def __init__(self, tracer: Any):
        super().__init__(f"The __index__() method was called on {tracer._error_repr()}{tracer._origin_msg()}")


class TracerArrayConversionError(JAXTypeError):
    """A tracer was given to NumPy."""

    def __init__(self, tracer: Any):
        super().__init__(
            "The numpy.ndarray conversion method __array__() was called on "
            f"{tracer._error_repr()}{tracer._origin_msg()}"
        )


class NonConcreteBooleanIndexError(JAXIndexError):
    """A traced mask was used as an index: the shape of the result would depend on its values."""

    def __init__(self, tracer: Any):
        super().__init__(f"Array boolean indices must be concrete; got {tracer}\n")


class UnexpectedTracerError(JAXTypeError):
    """A tracer was used after its trace had ended."""


class TypePromotionError(ValueError):
    """Two dtypes have no common dtype under the promotion rules in force."""


class JaxRuntimeError(RuntimeError):
    """The runtime refused: for example, a deleted buffer was used."""


class JaxprTypeError(TypeError):
    """A jaxpr is not well typed."""


class InconclusiveDimensionOperation(Exception):
    """A symbolic dimension could not be decided. Kept for `except` clauses: shapes here are integers."""


class KeyReuseError(JAXTypeError):
    """A random key was used twice."""
