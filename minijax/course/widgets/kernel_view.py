"""The kernel viewer: the equations of a program beside the loops that compute them, and what each of them costs."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets

from .compilation import COMPUTES, Compilation, compiled, jaxpr_of
from .figure import Figure, Mover, counted, listed, page, said
from .kernel_drawing import LOOK, Marks, no_loops, panes, paper, percent
from .timing import microseconds

NOTE = (
    "Costs are counted, not measured: additions, about. A load or a store counts 2, a function as many as its lowering "
    "rule says; the share is that of the whole program."
)
DEPENDS = "A while loop counts as one round, and of a conditional each branch counts."
EQUATION, LINE = "an equation", "a line of the loops"
ROWS = 3  # lines that most sentences fill
PARAMS = re.compile(r"(\S+:\S+ )*(= )?\w+\[")  # an equation up to its parameters: "a:f32[3] b:f32[] = scan["
LONG = 80  # letters of an equation, from which on its parameters are left out of sentences


def kernel_viewer(fun: Any, *args: Any, **kwargs: Any) -> "KernelViewer":
    """The program of `fun` at these arguments, the loops that the compiler makes of it, and which line computes what.

    Nothing is compiled or run. Also takes a jaxpr. Raises TypeError where `fun` is neither, and what make_jaxpr raises
    where it refuses the function or the arguments. Where the package has no compiler yet, it says which step brings it.
    """
    jaxpr, name, values = jaxpr_of(fun, args, kwargs)
    found, program = compiled(jaxpr, name)
    return KernelViewer(found, (lambda: microseconds(program, values)) if program else None)


class KernelViewer(Figure):
    """Three panes: equations, loops, costs. `measure` gives the microseconds of each step."""

    def __init__(self, found: Compilation, measure: Callable[[], list[float]] | None = None):
        self.found, self.measure = found, measure
        self.last = len(found.stages) - 1

    def text(self) -> str:
        """The stages, the equations with their lines, the loops and the costs, in words."""
        stages = self.about_stages()
        if self.found.missing:
            return "\n".join([f"{self.heading()}.", *stages, no_loops(self.found)])
        equations = [self.about_equation(self.last, k) for k in range(len(self.found.stages[-1].program.short))]
        steps = [self.about_step(k) for k in range(len(self.found.steps))]
        return "\n".join([f"{self.heading()}.", *stages, *equations, "The loops:", *self._loops(), *steps, self.note()])

    def svg(self) -> str:
        ends = [no_loops(self.found)] if self.found.missing else [*self._silent(), self.note()]
        return paper(self.found, self.heading(), [*self.about_stages(), *ends], self.text())

    def live(self) -> ipywidgets.Widget:
        """Which stage, what to choose, buttons and a slider to choose it, and a button that measures."""
        return Controls(self).box

    def page_at(self, stage: int, by: str, place: int, times: Sequence[float] = (), words: str = "") -> str:
        """The panes with one equation of a stage chosen, or one line; place 0 chooses none."""
        marks = self.marks(stage, by, place)
        sentence = words or self.sentence(stage, by, place)
        body = panes(self.found, self.found.stages[stage], marks, times)
        note = "" if self.found.missing else f"<p class='note'>{self.note()}</p>"
        return page(said(sentence, ROWS) + body + note, LOOK)

    # ---- what belongs together

    def marks(self, stage: int, by: str, place: int) -> Marks:
        if not place:
            return Marks()
        return self._marks_of_equation(stage, place - 1) if by == EQUATION else self._marks_of_line(stage, place - 1)

    def _marks_of_equation(self, stage: int, k: int) -> Marks:
        """Its lines; where it has none, those that it comes into."""
        own = self.found.stages[stage].becomes[k]
        through = [j for i in own for j in self.found.silent.get(i, ("", ()))[1]]
        lines = self.found.lines_of(own)
        related = [i for i in self.found.lines_of(through) if i not in lines]
        return Marks((k,), (), tuple(lines), tuple(related), own)

    def _marks_of_line(self, stage: int, k: int) -> Marks:
        """The equation that it computes, and that one's other lines; of a loop or a head, all the equations inside."""
        line = self.found.lines[k]
        own = tuple(i for i, to in enumerate(self.found.stages[stage].becomes) if {*to} & {*line.equations})
        if line.kind not in COMPUTES:
            return Marks((), own, (k,), (), ())
        others = tuple(i for i in self.found.lines_of(line.equations) if i != k)
        return Marks(own, (), (k,), others, line.equations)

    # ---- words

    def heading(self) -> str:
        n, left = self.found.stages[0].size, self.found.stages[-1].size
        if self.found.missing:
            return f"The program of {self.found.name}: {counted(n, 'equation')}"
        kernels = sum(step.kernel for step in self.found.steps)
        called = len(self.found.steps) - kernels
        parts = [counted(kernels, "kernel")] if kernels or not called else []
        parts += [f"{counted(called, 'step')} that {'is' if called == 1 else 'are'} called"] if called else []
        kept = f", {left} after the passes" if left != n else ""
        return f"What is compiled of {self.found.name}: {counted(n, 'equation')}{kept}, {listed(parts)}"

    def sentence(self, stage: int, by: str, place: int) -> str:
        if place:
            return self.about_equation(stage, place - 1) if by == EQUATION else self.about_line(place - 1)
        end = no_loops(self.found) if self.found.missing else "Choose an equation or a line."
        return f"{self.heading()}. {self.about_stage(stage)} {end}"

    def note(self) -> str:
        """How costs are counted."""
        return f"{NOTE} {DEPENDS}" if any(line.depends for line in self.found.lines) else NOTE

    def about_stages(self) -> list[str]:
        """A sentence for each stage that changes something, and one for the others."""
        stages = self.found.stages
        still = [s for s in range(1, self.last + 1) if stages[s].program == stages[s - 1].program]
        told = [self.about_stage(s) for s in range(self.last + 1) if s not in still]
        names = listed([stages[s].name for s in still])
        return [*told, f"Nothing is changed by {names}."] if still else told

    def about_stage(self, s: int) -> str:
        """merged: equal equations are one. Equation 5 goes; 4 are left."""
        this = self.found.stages[s]
        n = this.size
        if not s:
            return f"Stage {this.name}: {lower(this.meaning)}. It has {counted(n, 'equation')}."
        before = self.found.stages[s - 1].size
        told = f"It has {n} of {before} equations" if n < before else f"It has {counted(n, 'equation')}"
        if n > before:
            told = f"It has {counted(n, 'equation')} in the place of {before}"
        return f"Stage {this.name}: {lower(this.meaning)}. {told}."

    def about_equation(self, s: int, k: int) -> str:
        """Equation 2, `c:f32[6] = add b 1.0`, is line 5, in kernel_0. It is 24 % of the cost."""
        this = self.found.stages[s]
        start = f"Equation {k + 1}, `{brief(this.program.short[k])}`"
        if this.fates[k]:
            return f"{start}: {this.fates[k]}."
        if self.found.missing:
            return f"{start}. {no_loops(self.found)}"
        own = this.becomes[k]
        if not own:
            return f"{start}, is in the last stage beyond the equations that are shown."
        if s < self.last and own != (k,):
            named = [str(i + 1) for i in own]
            start += f", is in the last stage {'equation' if len(own) == 1 else 'the equations'} {listed(named)}"
        return f"{start}. {' '.join(map(self.about_work, own))}"

    def about_work(self, i: int) -> str:
        """Where an equation of the last stage is computed, and what that costs."""
        if i in self.found.silent:
            return self._about_silent(i)
        numbers = self.found.lines_of([i])
        lines = [self.found.lines[k] for k in numbers]
        steps = list(dict.fromkeys(self.found.steps[line.step].name for line in lines))
        if not lines:
            return "Its lines are not shown."
        if lines[0].kind == "call":
            return f"It is called on whole arrays: line {numbers[0] + 1}. {self._cost_words(i)}"
        if self.found.steps[lines[0].step].looped:
            return f"It is {steps[0]}, {self._span(numbers)}, with its programs inside. {self._cost_words(i)}"
        stored = any(line.kind == "store" for line in lines)
        place = "Its elements are written to memory." if stored else "Its elements are never written to memory."
        named = listed([str(k + 1) for k in numbers])
        told = f"Line {named}, in {steps[0]}, computes it." if len(lines) == 1 else f"Lines {named} compute it, in "
        more = "" if len(lines) == 1 else f"{listed(steps)}."
        return f"{told}{more} {place} {self._cost_words(i)}"

    def _span(self, numbers: Sequence[int]) -> str:
        """lines 3 to 22"""
        return f"lines {numbers[0] + 1} to {numbers[-1] + 1}" if len(numbers) > 1 else f"line {numbers[0] + 1}"

    def _about_silent(self, i: int) -> str:
        why, through = self.found.silent[i]
        numbers = [str(j + 1) for j in through]
        lines = (
            f" It is inside of the lines of equation{'s' * (len(numbers) > 1)} {listed(numbers)}." if numbers else ""
        )
        return f"It has no line of its own: {why}.{lines}"

    def _cost_words(self, i: int) -> str:
        total = sum(step.cost for step in self.found.steps) or 1
        share = sum(cost for (_, k), cost in self.found.costs.items() if k == i) / total
        return f"It is {percent(share)} of the cost."

    def about_line(self, k: int) -> str:
        """Line 5, `c = b + 1.0`, computes equation 2. It runs 6 times in a call."""
        line = self.found.lines[k]
        start = f"Line {k + 1}, `{line.text.strip()}`,"
        runs = f"runs {counted(line.times, 'time')} in a call of the program"
        if line.depends:
            runs = f"counts as run {counted(line.times, 'time')}: how often that is depends on values"
        numbers = [str(i + 1) for i in line.equations]
        named = f"equation{'s' * (len(numbers) != 1)} {listed(numbers)}" if numbers else "no equation"
        match line.kind:
            case "head" | "note":
                return f"{start} begins a kernel. {self.about_step(line.step)} In it: {named}."
            case "loop":
                around = "in" if self.found.steps[line.step].looped else "around"
                return f"{start} is a loop {around} {named}. What is in it {runs}."
            case "while":
                return f"{start} belongs to the while loop of {named}, which goes on until its condition is false."
            case "branch":
                return f"{start} chooses between the branches of {named}: one of them runs."
            case "call":
                return f"{start} computes {named} on whole arrays, with its impl rule. {self.about_step(line.step)}"
            case "store":
                return f"{start} writes an element of {named} to memory. It {runs}."
        return f"{start} belongs to {named}. It {runs}."

    def about_step(self, k: int) -> str:
        step = self.found.steps[k]
        reads, writes = (listed([*names]) or "nothing" for names in (step.reads, step.writes))
        total = sum(other.cost for other in self.found.steps) or 1
        work = f"{counted(step.operations, 'operation')} and {counted(step.bytes, 'byte')} of arrays"
        return f"{step.name} reads {reads} and writes {writes}: {work}, {percent(step.cost / total)} of the cost."

    def _loops(self) -> list[str]:
        """The lines of the loops with their numbers."""
        more = [f"... and {counted(self.found.left_out, 'more line')}"] if self.found.left_out else []
        return [*(f"{k:4} {line.text}" for k, line in enumerate(self.found.lines, start=1)), *more]

    def _silent(self) -> list[str]:
        """A sentence for each equation of the last stage that has no line."""
        shown = len(self.found.stages[-1].program.short)
        return [f"Equation {i + 1}. {self._about_silent(i)}" for i in sorted(self.found.silent) if i < shown]


class Controls:
    """The live view: what is chosen, and the panes that show it."""

    def __init__(self, figure: KernelViewer):
        self.figure, self.times = figure, []
        stages, names = figure.found.stages, [stage.name for stage in figure.found.stages]
        # A mover for each list: a slider whose end is moved does not go there by keys.
        self.movers = [self.mover("Equation", len(stage.becomes)) for stage in stages]
        self.lines = self.mover("Line", len(figure.found.lines))
        self.stage: Any = toggles("Stage", names, names[-1])
        self.by: Any = toggles("Choose", [EQUATION, LINE], EQUATION)
        self.stage.observe(lambda change: self.another_stage(names.index(change["old"])), names="value")
        self.by.observe(lambda change: self.another_list(), names="value")
        measure = ipywidgets.Button(description="Measure the steps", layout=ipywidgets.Layout(width="auto"))
        measure.on_click(lambda button: self.measured())
        self.place, self.picture = ipywidgets.VBox(), ipywidgets.HTML()
        loops = [] if figure.found.missing else [self.by, ipywidgets.Box([measure])]
        self.box = ipywidgets.VBox([self.stage, *loops, self.place, self.picture])
        self.another_list()

    def mover(self, name: str, count: int) -> Mover:
        return Mover(name, count + 1, lambda place: self.show())

    def stage_index(self) -> int:
        return self.stage.options.index(self.stage.value)

    def current(self) -> Mover:
        return self.movers[self.stage_index()] if self.by.value == EQUATION else self.lines

    def another_list(self) -> None:
        """Let the buttons and the slider go over the equations of the stage, or over the lines."""
        self.place.children = [self.current().box]
        self.show()

    def another_stage(self, before: int) -> None:
        """Show another stage; the same equation stays chosen, where it is there."""
        place, stages = self.movers[before].slider.value, self.figure.found.stages
        kept = stages[before].becomes[place - 1] if place else ()
        here = [k for k, to in enumerate(stages[self.stage_index()].becomes) if {*to} & {*kept}]
        self.movers[self.stage_index()].go(here[0] + 1 if here else 0)
        self.another_list()

    def measured(self) -> None:
        """Measure the steps, and say how that went."""
        try:
            self.times = self.figure.measure() if self.figure.measure else []
            self.show("Measured: the shortest of a few calls, on this machine, at this moment.")
        except Exception as error:  # whatever the program raises is told, where a traceback would be lost
            self.show(f"The program cannot be run. {type(error).__name__}: {error}")

    def show(self, words: str = "") -> None:
        place = self.current().slider.value
        self.picture.value = self.figure.page_at(self.stage_index(), self.by.value, place, self.times, words)


def toggles(name: str, options: Sequence[str], value: str, room: str = "") -> ipywidgets.ToggleButtons:
    """Buttons of which one is pressed. With `room` for the name, as a CSS width, they go on below where they must."""
    buttons = ipywidgets.ToggleButtons(options=options, value=value, description=name, style={"button_width": "auto"})
    if room:
        buttons.style.description_width = room
        buttons.layout = ipywidgets.Layout(display="flex", flex_flow="row wrap")
    return buttons


def lower(words: str) -> str:
    return words[0].lower() + words[1:]


def brief(text: str) -> str:
    """An equation on one line; where its parameters are long, without them: g:f32[3] = gather[...] a f."""
    if len(text) <= LONG:
        return text
    begin, depth = PARAMS.match(text), 0
    if begin is None:
        return text
    for end in range(begin.end(), len(text)):
        depth += {"[": 1, "]": -1}.get(text[end], 0)
        if depth < 0:
            return f"{text[: begin.end()]}...{text[end:]}"
    return text
