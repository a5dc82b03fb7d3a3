"""The trace stepper: the lines of a function beside the program that tracing them writes."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import ipywidgets

from .figure import Figure, Mover, counted, listed, page, said
from .recording import Place, Recording, Source, record
from .stepper_drawing import STYLE, columns, paper

NOTE = (
    "A line that binds no primitive is no step. Python runs it while it traces, and nothing of it stays: "
    "arithmetic with shapes, an if on a shape, a loop's own counting."
)


def stepper(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> "Stepper":
    """Trace `fun` at these arguments, once, and show it as steps: which line bound which equation.

    An error in the midst of `fun` is the last step. Raises TypeError where `fun` is not callable, and what make_jaxpr
    raises where `fun` cannot be called so at all.
    """
    return Stepper(record(fun, args, kwargs))


class Stepper(Figure):
    """One traced call. Step 0 is before the first equation; the last one is the return, or the error."""

    def __init__(self, recording: Recording):
        self.recording = recording
        self.count = len(recording.steps) + 2

    def text(self) -> str:
        """The function's lines, then every step as a sentence, then the program."""
        steps = [f"  {step}. {self.sentence(step)}" for step in range(self.count)]
        return "\n".join([self.heading(), *self._source_text(), "The steps:", *steps, NOTE, *self._program_text()])

    def svg(self) -> str:
        """Everything at once: each equation has a number, which stands at the line that bound it too."""
        note = f"A blue number is that of an equation which the line beside it bound. {NOTE}"
        return paper(self.recording, self.heading(), self.sentence(self.count - 1), self.text(), note)

    def live(self) -> ipywidgets.Widget:
        """Buttons and a slider above the two columns, and a sentence below."""
        picture = ipywidgets.HTML(self.page_at(0))
        mover = Mover("Step", self.count, lambda step: setattr(picture, "value", self.page_at(step)))
        return ipywidgets.VBox([mover.box, picture])

    def page_at(self, step: int) -> str:
        note = f"<p class='note'>{NOTE}</p>"
        head = f"Step {step} of {self.count - 1}. {self.sentence(step)}"
        return page(columns(self.recording, step) + said(head) + note, STYLE)

    # ---- words

    def heading(self) -> str:
        return f"Tracing {self.recording.name} wrote {counted(len(self.recording.steps), 'equation')}"

    def sentence(self, step: int) -> str:
        """What happens in this step."""
        if step == 0:
            return self._start()
        return self._end() if step == self.count - 1 else self._bound(step - 1)

    def _start(self) -> str:
        inputs = [f"`{text}`" for text in self.recording.program.inputs]
        given = f"with a tracer for each array: {listed(inputs)}" if inputs else "without arrays"
        return f"{upper(self.recording.name)} is called {given}. No equation is written yet."

    def _bound(self, index: int) -> str:
        step, eqn = self.recording.steps[index], self.recording.program.short[index]
        done = f"{upper(where(step.places))} bound the primitive {step.primitive}: `{eqn}`."
        if step.inner:
            name, size = step.inner
            done += f" {name} was traced by itself: its program, of {counted(size, 'equation')}, is inside this one."
        return done

    def _end(self) -> str:
        recording = self.recording
        if recording.left_out:
            return f"And {counted(recording.left_out, 'more equation')}, which this picture does not show."
        if recording.refusal is None:
            result = recording.program.result
            return f"{upper(recording.name)} returned. The program is complete, and its result is `{result}`."
        refusal = recording.refusal
        place = upper(where(refusal.places)) if refusal.places else f"The end of {recording.name}"
        return f"{place} stopped the tracing. {refusal.error}: {refusal.message}"

    def _source_text(self) -> list[str]:
        """The sources with their line numbers, as in the editor."""
        return [line for source in self.recording.sources for line in (f"{source.name}:", *numbered(source))]

    def _program_text(self) -> list[str]:
        program = self.recording.program
        end = "    ..." if self.recording.refusal or self.recording.left_out else program.tail
        return ["The program:", program.head, *program.eqns, end]


def numbered(source: Source) -> list[str]:
    return [f"{source.first + i:4} {line}" for i, line in enumerate(source.lines)]


def where(places: Sequence[Place]) -> str:
    """line 2 of helper, `return x * x`, called from line 5 of f,"""
    if not places:
        return "the package"
    inner, *callers = reversed(places)
    code = f", `{inner.text}`," if inner.text else ""
    calls = [f"line {p.line} of {p.name}" for p, _ in groupby(callers)]
    called = f" called from {', '.join(calls[:2])}," if calls else ""
    return f"line {inner.line} of {inner.name}{code}{called}"


def upper(words: str) -> str:
    """`words` with a large first letter; a name stays as it is written."""
    return words[0].upper() + words[1:] if words.startswith(("line ", "the ")) else words
