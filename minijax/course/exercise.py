"""What an exercise is made of. All of it is data; judge.py and learner.py read it.

Cases are Python text, so a learner can copy the one that fails, and so no object of the package outlives the
package that it came from: the names in the text are looked up each time (`Exercise.names`).
"""

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Answer = Any  # the learner's function, whatever it is


@dataclass(frozen=True)
class Case:
    """One law: after `setup`, the expression `call`, which uses the answer, equals `expected`, which does not."""

    call: str  # 'join_two(("int8", False), ("int32", True))'
    expected: str  # '("int8", False)'
    setup: str = ""  # statements
    look: str = ""  # an expression: what to look at where the case fails and its values say little, often a jaxpr

    @property
    def code(self) -> str:
        """What a learner copies: the setup and the call."""
        return "\n".join(filter(None, (self.setup.rstrip(), self.call)))


@dataclass(frozen=True)
class Mistake:
    """A known wrong answer: it is recognised where the expression `sign` is true and it explains the smallest failure.

    It explains the cases in whose text (setup and call) one of `explains` occurs; without any, all of them.
    """

    name: str  # 'the wider dtype wins'
    words: str  # what was misunderstood, for the learner
    sign: str  # 'join_two(("int8", False), ("int32", True))[0] == "int32"'
    setup: str = ""
    explains: tuple[str, ...] = ()  # ('("int8", False), ("int32", True)',)


@dataclass(frozen=True)
class Exercise:
    id: str  # '1.3': chapter and number
    title: str
    answer: str  # the name that the answer has in the notebook and in the cases
    stars: int
    minutes: int
    needs: str  # what to have read
    hints: tuple[str, str, str]
    cases: Callable[[], Iterable[Case]]  # from small to large, the same each time
    mistakes: tuple[Mistake, ...]
    names: Callable[[], dict[str, Any]]  # what else the cases may name
    parts: tuple[str, ...] = ()  # what else of the notebook belongs to the answer: ('mul_add_impl',)
    plug: str = ""  # statements that put the parts into the running package, before each case
    fills_arguments: bool = False  # whether the answer is meant to change what it is given
    seconds: int = 10  # for all cases together, on a slow computer

    @property
    def chapter(self) -> int:
        return int(self.id.split(".")[0])


@dataclass(frozen=True)
class Raised:
    """The observation that something raised. Where `message` is None any message will do."""

    kind: str
    message: str | None = None
    early: bool = False  # in the statements before the expression: then no law was tried
    line: str = ""  # where in the learner's code: 'line 5: `needed |= set(eqn.invars)`'

    def __str__(self) -> str:
        return f"raises {self.kind}" + (f": {self.message}" if self.message else "")


def names_of(*modules: str, **renamed: str) -> dict[str, Any]:
    """The public names of these modules, and the modules of `renamed` under their keys, as they are imported now."""
    found: dict[str, Any] = {}
    for module in modules:
        found.update((k, v) for k, v in vars(importlib.import_module(module)).items() if not k.startswith("_"))
    return found | {name: importlib.import_module(module) for name, module in renamed.items()}
