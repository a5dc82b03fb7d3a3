"""The learner's tools. `check` judges an answer to an exercise, `hint` helps with it.

    from minijax.course import check, hint
    check("1.3", broadcast_shape)
    hint("1.3")

Nothing in the package imports this.
"""

from .exercise import Case, Exercise, Mistake
from .learner import check, hint

__all__ = ["check", "hint", "Case", "Exercise", "Mistake"]
