"""The cells that grow the package, as IPython magics. `%load_ext minijax.course` brings them into a notebook.

%chapter 4                       `import minijax` is the package as it stood after chapter 3
%%layer layer4_grad/jvp.py       the cell is a part of that file: it runs in that module
%catchup 4.3                     let all steps up to 4.3 stand, as in the package
%diff 4.3                        what is typed otherwise than in the package
%finish                          bring the rest of the layer, and run the programs that were written for JAX on it
"""

import difflib
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class
from IPython.display import display

from .chapters import NAME, Step, taught, texts
from .construction import Construction, NoSuchFile
from .growing import ASK, EXECUTE, Growing, growing, growing_of, pending_global
from .isolation import remember
from .renewal import Places, places, renew, stale
from .statements import CELL, Statement, lines_of, statements
from .trial import Tell, Trial, load_all, new_programs, run_programs
from .workbook import keep, shown

_MOST = 5  # names that are listed
_SHORT = 40  # characters: a statement that binds no name goes by its text, which may be long


@magics_class
class CourseMagics(Magics):
    """The magics of the course. They keep the package under construction of this kernel."""

    construction: Construction | None = None

    @line_magic
    def chapter(self, line: str) -> None:
        """`%chapter 4`: begin chapter 4. `%chapter`: which steps of it are missing."""
        if not line.strip():
            print(_state(self._construction()))
            return
        number, before = _number(line), places()
        self.construction = None  # should the next line be interrupted
        self.construction = Construction(number)
        self._settle(before)
        print(_beginning(self.construction))

    @cell_magic
    def layer(self, line: str, cell: str) -> None:
        """`%%layer FILE`: run the cell in that module of the package, and know its names in the notebook too."""
        construction, file, source = self._construction(), self._file(line), "\n" + cell  # the magic is line 1
        before, offered, package = places(), _offered(), sys.modules[NAME]
        try:
            changed = construction.write(file, source)
        except NoSuchFile as error:
            raise UsageError(str(error)) from None
        except (Exception, KeyboardInterrupt) as error:
            error.add_note("The package is as it was before this cell.")
            raise
        self._settle(before)
        self._know(construction.module(file), source)
        print(_told(construction, file, changed, offered))
        self._tell_anew(package)

    @line_magic
    def catchup(self, line: str) -> None:
        """`%catchup 4.3`: let the steps up to 4.3 stand as in the package. What you typed otherwise is kept."""
        construction, step, before = self._construction(), self._upto(line), places()
        package = sys.modules[NAME] if construction.typed else None
        wanted = [*construction.steps.values()]
        wanted = wanted[: wanted.index(step) + 1]
        kept = [path for each in wanted if (path := _keep(construction, each))]
        construction.fill({key: s for each in wanted for key, s in texts(each).items()})
        self._settle(before)
        for each in wanted:
            self._know(construction.module(each.file), "\n".join(s.text for s in texts(each).values()))
        print(f"Steps {wanted[0].id} to {step.id} stand as in the package.")
        for path in kept:
            print(f"Your own text of a step is kept in {shown(path)}.")
        print("Experiments in between are not run: Run > Run All Above Selected Cell does both.")
        self._tell_anew(package)

    @line_magic
    def diff(self, line: str) -> None:
        """`%diff 4.3`: how your text of a step differs from the package's, and that. `%diff`: of all steps."""
        construction = self._construction()
        step = self._step(line) if line.strip() else None
        lines = _differences(construction, step)
        if step and (lines or step in construction.missing()):
            text = "\n\n\n".join(s.text for s in texts(step).values())
            lines = [*lines, *[""] * bool(lines), f"The package's text of {step}:", "", text]
        print("\n".join(lines) or "What you typed is the package's text.")

    @line_magic
    def finish(self, line: str) -> None:
        """`%finish`: bring what was not typed, and run programs written for JAX on the package that now stands."""
        construction, before = self._construction(), places()
        missing = construction.missing()
        wanted = {key: s for each in missing for key, s in texts(each).items()}
        construction.fill({key: s for key, s in wanted.items() if key not in construction.typed})
        load_all(construction.chapter)
        self._settle(before)
        print(_finished(construction, missing))
        print(_before_trying(cases := new_programs(construction.chapter)))
        with _counter(self._shell()) as tell:
            trial = run_programs(construction.chapter, construction.own(), cases, tell)
        print(_tried(trial))

    # ---- the notebook's side

    def _construction(self) -> Construction:
        if self.construction is None:
            raise UsageError("Which chapter? Say %chapter 1 first.")
        return self.construction

    def _upto(self, line: str) -> Step:
        if not line.strip():
            ids = [*self._construction().steps]
            raise UsageError(f"Up to which step? For example %catchup {ids[len(ids) // 3]}.")
        return self._step(line)

    def _step(self, line: str) -> Step:
        steps = self._construction().steps
        if line.strip() not in steps:
            raise UsageError(
                f"There is no step {line.strip()!r}. This chapter has {next(iter(steps))} to {[*steps][-1]}."
            )
        return steps[line.strip()]

    def _file(self, line: str) -> str:
        """The file that a layer cell names in its first line; a step that is named there must be in it."""
        file, named = (line.split() or [""])[0], re.search(r"\(step ([\d.]+)\)", line)
        step = self._construction().steps.get(named[1]) if named else None
        if step and step.file != file:
            raise UsageError(f"Step {step.id} belongs to another file: %%layer {step.file} (step {step.id})")
        return file

    def _settle(self, before: Places) -> None:
        """Let the notebook's names mean the package that stands, and checks begin from it."""
        remember()
        renew(self._shell().user_ns, before)

    def _tell_anew(self, package: ModuleType | None) -> None:
        """Say so where the package that stands is not `package`."""
        if package and package is not sys.modules[NAME]:
            print(_anew(self._shell().user_ns))

    def _know(self, module: Growing, source: str) -> None:
        """Put the names that a source binds into the notebook."""
        bound = {name for s in statements(source) if not s.is_import for name in s.names}
        self._shell().user_ns.update((name, module.space[name]) for name in bound if name in module.space)

    def _shell(self) -> InteractiveShell:
        assert self.shell is not None
        return self.shell


def _number(line: str) -> int:
    text = line.strip()
    if not re.fullmatch(r"\d+", text) or int(text) not in taught():
        there = ", ".join(map(str, taught()))
        raise UsageError(f"%chapter takes the number of a chapter that builds a layer ({there}), not {text!r}.")
    return int(text)


# ---- in words


def _beginning(construction: Construction) -> str:
    n, ids = construction.chapter, [*construction.steps]
    before = "nothing yet" if n == 1 else f"the package as it stood after chapter {n - 1}"
    return f"Chapter {n}: minijax is {before}. {len(ids)} steps, {ids[0]} to {ids[-1]}, write layer {n}."


def _state(construction: Construction) -> str:
    n, missing, total = construction.chapter, construction.missing(), len(construction.steps)
    if not missing:
        return f"Chapter {n}: all {total} steps stand."
    return f"Chapter {n}: {len(missing)} of {total} steps are missing. The next is {missing[0]}."


def _told(construction: Construction, file: str, changed: list[Statement], before: dict[str, set[str]]) -> str:
    """What a layer cell did, in a line or two."""
    if not changed:
        return "Nothing changed: it stands like this already."
    own = [s for s in changed if (file, s.key) in construction.own()]
    parts = [s for s in changed if not s.is_import]
    short = [s.key for s in parts if _short(s) == s.key] if any(s.names for s in parts) else map(_short, parts)
    names = ", ".join(short) or "imports"
    stop = "" if names.endswith("...") else "."
    return "\n".join([" ".join([f"In {file}: {names}{stop}", *_unlike(own)]), *_came(before)])


def _unlike(own: list[Statement]) -> list[str]:
    """A sentence that says what is not as in the package; none where everything is."""
    return [f"Not as in the package: {', '.join(map(_short, own))} (%diff shows it)."] if own else []


def _short(statement: Statement) -> str:
    """What a statement is called in a line: one that binds no name goes by its text, which may be long."""
    first, *more = statement.key.splitlines()
    cut = first if len(first) <= _SHORT else first[:_SHORT].rpartition(" ")[0] or first[:_SHORT]
    return f"{cut.rstrip(': ')} ..." if more or cut != first else first


def _anew(names: dict[str, Any]) -> str:
    """What it means for the notebook that the package was built anew."""
    old = stale(names)
    made = f"made {_some(old)}, and those that " if old else ""
    return f"minijax was built anew: run again the cells that {made}registered something with it."


def _some(names: Sequence[str]) -> str:
    more = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {more} more" if more > 0 else "")


def _finished(construction: Construction, missing: list[Step]) -> str:
    n, total = construction.chapter, len(construction.steps)
    typed = f"All {total} steps were typed here."
    if missing:
        given = _ids(missing, [*construction.steps.values()])
        typed = f"{total - len(missing)} of {total} steps were typed here; the package gave {given}."
    return "\n".join([f"Layer {n} stands. {typed}", *_unlike([*construction.own().values()])])


def _ids(chosen: list[Step], steps: list[Step]) -> str:
    """The ids of some of a chapter's steps, with those that follow each other as one: "1.2, 1.4 to 1.33"."""
    runs: list[list[Step]] = []
    for before, step in pairwise([None, *steps]):
        if step in chosen and before in chosen:
            runs[-1].append(step)
        elif step in chosen:
            runs.append([step])
    return ", ".join(f"{run[0].id} to {run[-1].id}" if len(run) > 1 else run[0].id for run in runs)


def _before_trying(cases: Sequence[str]) -> str:
    patience = ", which takes about a minute" if len(cases) > 200 else ""
    return f"{len(cases)} programs written for JAX are run on it{patience}."


def _tried(trial: Trial) -> str:
    if not trial.differ:
        return "All of them print what JAX 0.11.0 prints."
    prints = "prints" if len(trial.differ) == 1 else "print"
    said = f"{len(trial.differ)} of them {prints} something else than JAX 0.11.0: {_some(trial.differ)}."
    return "\n\n".join(filter(None, [said, trial.first]))


@contextmanager
def _counter(shell: InteractiveShell) -> Iterator[Tell]:
    """A function that shows a text in the place of the last one. At the end nothing of it is left to see.

    A terminal shows nothing: what was written there stays.
    """
    view = display({}, raw=True, display_id=True) if getattr(shell, "kernel", None) else None
    show = lambda data: view.update(data, raw=True) if view else None
    try:
        yield lambda text: show({"text/plain": text})
    finally:
        show({})


def _offered() -> dict[str, set[str]]:
    """The public names that the faces offer so far."""
    faces = [m for m in growing() if ".layer" not in m.name]
    return {m.name: {n for n in m.space if not n.startswith("_")} for m in faces}


def _came(before: dict[str, set[str]]) -> list[str]:
    """One line that says what the faces offer since then; none where that is nothing."""
    new = {face: names - before.get(face, set()) for face, names in _offered().items()}
    few = [f"{face}.{name}" for face, names in new.items() for name in sorted(names) if len(names) <= 3]
    many = [f"{len(names)} names of {face}" for face, names in new.items() if len(names) > 3]
    return [f"New: {', '.join(few + many)}"] if few or many else []


def _differences(construction: Construction, step: Step | None) -> list[str]:
    """A unified diff for each statement that was typed otherwise than in the package: of a step, or of all."""
    own = [(file, s) for (file, key), s in construction.own().items() if step is None or (file, key) in texts(step)]
    return [_difference(file, s, construction.module(file).package_text(s) or "") for file, s in own]


def _difference(file: str, own: Statement, package: str) -> str:
    names = f"{file}: {_short(own)}", f"yours: {_short(own)}"
    return "\n".join(difflib.unified_diff(lines_of(package), lines_of(own.text), *names, lineterm=""))


def _keep(construction: Construction, step: Step) -> Path | None:
    """Put the learner's own text of a step beside, where it differs from the package's: the file it is in."""
    if not _differences(construction, step):
        return None
    typed = [construction.typed[key].text for key in texts(step) if key in construction.typed]
    try:
        return keep(f"step-{step.id}", "\n\n\n".join(typed))
    except OSError as error:
        raise UsageError(f"Nothing was changed, since your text of step {step.id} cannot be kept: {error}") from None


# ---- errors


def show_error(
    shell: InteractiveShell, kind: type, error: BaseException, trace: TracebackType, tb_offset: int | None = None
) -> None:
    """Show an error as IPython does. Say which step brings a name that is missing; leave out how a cell was read."""
    if isinstance(error, SyntaxError) and error.filename == CELL:
        error.msg += _hint(error)
        shell.showsyntaxerror()
        return
    found = pending_global(error) if isinstance(error, NameError) else None
    module = growing_of(found[0]) if found else None
    if module and found:
        error.add_note(f"{found[1]} is not there yet: {module.reason(found[1])}")
    old = stale(shell.user_ns) if isinstance(error, TypeError) else []
    if old:
        error.add_note(f"Made before minijax was built anew: {_some(old)}. If it was used here, run its cell again.")
    inside = _inside(trace)
    _cut_below(trace)
    offset = 0 if inside else tb_offset
    shell.showtraceback((kind, error, inside or trace), tb_offset=offset, running_compiled_code=True)


def _hint(error: SyntaxError) -> str:
    is_magic = (error.text or "").strip().startswith(("!", "%"))
    return ": a layer cell takes Python only, no line with ! or %" if is_magic else ""


def _inside(trace: TracebackType) -> TracebackType | None:
    """The part of a traceback that is in the package: from the line of a module on that failed. None without one."""
    found, below, step = None, False, trace
    while step.tb_next:
        below |= step.tb_frame.f_code in EXECUTE
        step = step.tb_next
        if below and step.tb_frame.f_code.co_name == "<module>":  # the last: what imported that one says nothing
            found = step
    return found


def _cut_below(trace: TracebackType) -> None:
    """Let a traceback end where a name that is not there was asked for."""
    step = trace
    while step.tb_next and step.tb_next.tb_frame.f_code is not ASK:
        step = step.tb_next
    step.tb_next = None


def load(shell: InteractiveShell) -> None:
    """Register the magics."""
    shell.register_magics(CourseMagics)
    shell.set_custom_exc((Exception, KeyboardInterrupt), show_error)
