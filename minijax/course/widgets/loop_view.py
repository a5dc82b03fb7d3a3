"""The loop viewer: the programs inside the loops and conditionals of a function, and how they run, step by step."""

from typing import Any

import ipywidgets

from ..growing import growing_of, pending_global
from .compilation import jaxpr_of
from .figure import Figure, Mover, counted, listed, page, said, with_code
from .kernel_view import brief, toggles
from .loop_drawing import LOOK, film_rows, film_title, panes, paper, step_cells
from .loop_recording import Loop, Recording, recorded
from .loop_running import LIMIT
from .recording import title

NOTE = "The program was run once to record this, one equation after the other. Of an array the first numbers are shown."
BRANCHES = "Of a cond, branch 0 is the one for False, and branch 1 the one for True."
KINDS = {"scan": "a scan", "while": "a while loop", "cond": "a conditional"}
ROWS = 2  # lines that most sentences fill


def loop_viewer(fun: Any, *args: Any, **kwargs: Any) -> "LoopViewer":
    """The loops and conditionals of `fun` at these arguments: their programs, and what each step takes and gives.

    `fun` is traced, and its program is run once, equation by equation. Also takes a jaxpr, which is run on ones. Raises
    TypeError where `fun` is neither, and what make_jaxpr and the program raise. Where the package has no such loop yet,
    it says which step brings it.
    """
    try:
        return LoopViewer(recorded(*jaxpr_of(fun, args, kwargs, "loop_viewer")))
    except (AttributeError, ImportError, NameError) as error:
        missing = reason_of(error)
        if not missing:
            raise
        return LoopViewer(Recording(title(fun), (), 0, False, missing))


def reason_of(error: Exception) -> str:
    """Which step brings what an error misses: 'chapter 3 brings it, in step 3.12 (...)'; "" for other errors."""
    if not isinstance(error, NameError):
        return str(error).partition(" yet: ")[2]
    name = pending_global(error)
    module = growing_of(name[0]) if name else None
    return module.reason(name[1]) if name and module else ""


class LoopViewer(Figure):
    """Panes for one equation and one of its steps."""

    def __init__(self, recording: Recording):
        self.recording, self.loops = recording, recording.loops

    def text(self) -> str:
        """Each equation: its programs, all steps that are shown, and the first of them in full."""
        parts = [part for loop in self.loops for part in self._loop_text(loop)]
        return "\n".join([f"{self.heading()}.", *parts, *self.notes()])

    def svg(self) -> str:
        return paper(self.loops, self.about, self.heading(), self.notes(), self.text())

    def live(self) -> ipywidgets.Widget:
        """Buttons for the equations, and buttons and a slider for the steps of one."""
        return Controls(self).box

    def page_at(self, which: int, place: int) -> str:
        """The panes of one equation, with one of its steps."""
        notes = "".join(f"<p class='note'>{note}</p>" for note in self.notes())
        if not self.loops:
            return page(said(f"{self.heading()}.") + notes, LOOK)
        loop = self.loops[which]
        about = f"<p style='margin:0 0 6px'>{with_code(self.about(loop))}</p>"
        step = said(self.sentence(loop, place), ROWS) if loop.frames else ""
        return page(about + step + panes(loop, place) + notes, LOOK)

    # ---- words

    def heading(self) -> str:
        name = self.recording.name
        if self.recording.missing:
            return f"There is no loop of {name} to show yet: {self.recording.missing}"
        if not self.loops:
            return f"The program of {name} has no loop and no conditional"
        return (
            f"How the loops of {name} run: {listed([f'{loop.kind} (equation {loop.number})' for loop in self.loops])}"
        )

    def notes(self) -> list[str]:
        if self.recording.missing:
            return []
        found = [NOTE]
        if self.recording.called:
            found.append(
                f"It called Python {counted(self.recording.called, 'time')} then, and does not when this is shown."
            )
        if self.recording.stopped:
            found.append(f"It was stopped after {LIMIT:,} steps. What comes after these is not shown.")
        if any(loop.kind == "cond" and len(loop.programs) == 2 for loop in self.loops):
            found.append(BRANCHES)
        return found

    def about(self, loop: Loop) -> str:
        """Equation 1, `d e = scan[...] a b c`, is a scan of 5 steps. Constants: a. ..."""
        start = f"Equation {loop.number}, `{brief(loop.eqn)}`, is {KINDS[loop.kind]}"
        match loop.kind:
            case "scan":
                told = f"{start} of {self._steps(loop)}. {self._scan_words(loop)}"
            case "while":
                told = f"{start}. {self._while_words(loop)}"
            case _:
                return f"{start}. {self._cond_words(loop)}" if loop.frames else f"{start}."
        return told + (f" It was run {counted(loop.runs, 'time')}; this is the first." if loop.runs > 1 else "")

    def _steps(self, loop: Loop) -> str:
        cut = f", stopped after {loop.steps:,}" if loop.stopped else ""
        return f"{loop.length:,} step{'s' * (loop.length != 1)}{cut}"

    def _scan_words(self, loop: Loop) -> str:
        roles = loop.roles
        parts = [
            ("The same in every step: {}.", roles["constants"]),
            ("Carried from step to step, from the start: {}.", roles["carried"]),
            ("Each step takes one row of {}.", roles["sequences"]),
            ("The last carry is {}.", [name for name in roles["results"] if name != "_"]),
            ("One row of {} is written in each step.", roles["stacked"]),
        ]
        return " ".join(words.format(listed([f"`{name}`" for name in names])) for words, names in parts if names)

    def _while_words(self, loop: Loop) -> str:
        if loop.stopped:
            return f"Its condition was still true after {loop.steps:,} steps, when it was stopped."
        return f"Its body ran {loop.steps:,} time{'s' * (loop.steps != 1)}; then its condition was false."

    def _cond_words(self, loop: Loop) -> str:
        """Both branches were traced, one ran."""
        n = len(loop.programs)
        all_ = "Both branches were traced" if n == 2 else f"All {n} branches were traced"
        ran = [k for k, times in enumerate(loop.branches) if times]
        if loop.runs == 1:
            return f"{all_}, one ran: branch {ran[0]}."
        times = [f"branch {k} {counted(loop.branches[k], 'time')}" for k in ran]
        return f"{all_}; of {loop.runs:,} runs each took one: {listed(times)}."

    def sentence(self, loop: Loop, place: int) -> str:
        """Step 2: carry in `g = 0.5`, it takes row 2: `h = 1`. Carry out: `k = 0.9`."""
        frame, (heads, *rows) = loop.frames[place], film_rows(loop)
        told = {head: f"`{cell}`" for head, cell in zip(heads, rows[place], strict=True)}
        if loop.kind == "cond":
            start = f"Run {frame.number:,}: the index is {told['Index']}, so branch {frame.branch} runs."
            return f"{start} It gives {told.get('Result', 'nothing')}."
        carry = f"carry in {told['Carry in']}" if "Carry in" in told else "nothing is carried"
        if not frame.goes_on:
            return f"Step {frame.number:,}: {carry}. The condition is false, and the loop ends."
        taken = f", it takes row {frame.place}: {told['x']}" if "x" in told else ""
        out = f" Carry out: {told['Carry out']}." if "Carry out" in told else ""
        made = f" Row {frame.place} of the stacked results: {told['y']}." if "y" in told else ""
        return f"Step {frame.number:,}: {carry}{taken}.{out}{made}"

    def _loop_text(self, loop: Loop) -> list[str]:
        printed = [line for title, p in loop.programs for line in (f"{title}:", p.head, *p.eqns, p.tail)]
        if not loop.frames:
            return [self.about(loop), *printed]
        steps = [f"  {self.sentence(loop, place)}" for place in range(len(loop.frames))]
        first = step_cells(loop.frames[0])
        values = [f"  {what}: {name} = {value}{f' ({at})' * bool(at)}" for what, name, value, at in first]
        word = "run" if loop.kind == "cond" else "step"
        return [self.about(loop), *printed, f"{film_title(loop)}:", *steps, f"All values of the first {word}:", *values]


class Controls:
    """The live view: which equation and which of its steps is chosen, and the panes that show it."""

    def __init__(self, figure: LoopViewer):
        self.figure, self.picture, self.place = figure, ipywidgets.HTML(), ipywidgets.VBox()
        # A mover for each: a slider whose end is moved does not go there by keys.
        self.movers = [self.mover(loop) for loop in figure.loops]
        names = [f"{loop.number} {loop.kind}" for loop in figure.loops]
        self.choice: Any = toggles("Equation", names, names[0]) if len(names) > 1 else None
        if self.choice:
            self.choice.observe(lambda change: self.another(), names="value")
        self.box = ipywidgets.VBox([*([self.choice] if self.choice else []), self.place, self.picture])
        self.another()

    def mover(self, loop: Loop) -> Mover:
        word, count = ("Run" if loop.kind == "cond" else "Step"), len(loop.frames)
        mover = Mover(word, max(count, 1), lambda place: self.show())
        mover.slider.readout = all(k == frame.number for k, frame in enumerate(loop.frames))  # else no step's number
        return mover

    def which(self) -> int:
        return self.choice.options.index(self.choice.value) if self.choice else 0

    def another(self) -> None:
        """Let the buttons and the slider go over the steps of the chosen equation."""
        self.place.children = [mover.box for mover in self.movers[self.which() :][:1]]
        self.show()

    def show(self) -> None:
        place = self.movers[self.which()].slider.value if self.movers else 0
        self.picture.value = self.figure.page_at(self.which(), place)
