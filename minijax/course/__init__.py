"""The learner's tools, for the notebook and for the terminal.

    %load_ext minijax.course      brings the four below, and the magics; `from minijax.course import check` works, too
    check("1.3")        try your answer to exercise 1.3
    hint("1.3")         the next of its three hints
    solution("1.3")     what separates your answer from the solution
    progress()          the course as a table

    python -m minijax.course -h

Nothing in the package imports this.
"""

from IPython.core.interactiveshell import InteractiveShell

from . import magics
from .exercise import Case, Exercise, Mistake
from .learner import check, hint, progress, solution

__all__ = ["check", "hint", "progress", "solution", "Case", "Exercise", "Mistake"]


def load_ipython_extension(shell: InteractiveShell) -> None:
    """`%load_ext minijax.course` brings the magics into a notebook, and what helps with the exercises."""
    magics.load(shell)
    shell.push({"check": check, "hint": hint, "progress": progress, "solution": solution}, interactive=False)
