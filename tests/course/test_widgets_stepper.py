"""The trace stepper tells which line of the learner's code bound which equation, and what tracing made of it."""

import dataclasses
import functools
import re
from xml.etree import ElementTree

import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.course.widgets import stepper
from minijax.course.widgets.program import MOST, Printer
from minijax.course.widgets.stepper_drawing import ranges, source_lines


def f(x):
    rows = x.shape[0]
    y = jnp.sin(x)
    if rows > 2:
        y = y * rows
    return y


def square(x):
    return x * x


def calls(x):
    y = square(x)
    return square(y)


@jax.jit
def inner(x):
    return jnp.cos(x) + 1.0


def jitted(x):
    return inner(x) * 2.0


def refused(x):
    y = x * 2
    if y > 0:
        return y
    return -y


def long(x):
    for _ in range(MOST + 7):
        x = x + 1.0
    return x


def no_array(x):
    return "a result"


class Layer:
    def __call__(self, x):
        return jnp.tanh(x)


x = jnp.ones(3)


def steps(figure):
    """(the text of the innermost line, the primitive) of each step"""
    return [(step.places[-1].text, step.primitive) for step in figure.recording.steps]


def last(figure):
    return figure.sentence(figure.count - 1)


def test_each_equation_is_a_step_of_the_line_that_bound_it():
    assert steps(stepper(f, x)) == [("y = jnp.sin(x)", "sin"), ("y = y * rows", "mul")]


def test_a_line_number_is_the_one_in_the_file():
    (place,) = stepper(f, x).recording.steps[0].places
    assert place.line == f.__code__.co_firstlineno + 2


def test_the_sentence_of_a_step_names_line_code_primitive_and_equation():
    line = f.__code__.co_firstlineno + 2
    told = f"Line {line} of f, `y = jnp.sin(x)`, bound the primitive sin: `b:f32[3] = sin a`."
    assert stepper(f, x).sentence(1) == told


def test_a_line_of_a_helper_is_told_with_the_line_that_called_it():
    start = calls.__code__.co_firstlineno
    figure = stepper(calls, x)
    assert [source.name for source in figure.recording.sources] == ["calls", "square"]
    assert f"of square, `return x * x`, called from line {start + 1} of calls, bound" in figure.sentence(1)
    assert f"called from line {start + 2} of calls" in figure.sentence(2)


def test_a_jitted_function_inside_is_one_step_that_says_what_it_carries():
    figure = stepper(jitted, x)
    assert steps(figure)[0] == ("return inner(x) * 2.0", "jit")
    assert "`b:f32[3] = jit[name=inner jaxpr={...}] a`. inner was traced by itself" in figure.sentence(1)
    assert "of 2 equations" in figure.sentence(1)


def test_a_refused_function_ends_with_its_error_and_keeps_the_steps_before_it():
    figure = stepper(refused, 1.0)
    assert [name for _, name in steps(figure)] == ["mul", "gt"]
    assert "`if y > 0:`, stopped the tracing. TracerBoolConversionError: Attempted boolean" in last(figure)
    assert "Traceback" not in figure.text()
    assert figure.text().endswith("...")


def test_an_error_after_the_last_line_is_told_without_a_place():
    told = last(stepper(no_array, 1.0))
    assert told.startswith(
        "The end of no_array stopped the tracing. TypeError: function no_array traced for jit returned"
    )
    assert __file__ not in told


def test_a_function_of_the_package_shows_no_lines():
    figure = stepper(jnp.sin, 1.0)
    assert figure.recording.sources == ()
    assert figure.sentence(1) == "The package bound the primitive sin: `b:f32[] = sin a`."
    assert "are not shown" in figure.page_at(1)


@pytest.mark.parametrize("fun", [lambda x: jnp.tanh(x), Layer(), functools.partial(jnp.multiply, 2.0)])
def test_whatever_can_be_called_can_be_stepped(fun):
    figure = stepper(fun, x)
    assert len(figure.recording.steps) == 1
    assert last(figure).endswith("its result is `(b,)`.")


def test_code_without_a_file_is_stepped_without_its_text():
    namespace = {"jnp": jnp}
    exec("def typed(x):\n    return jnp.sin(x)", namespace)
    assert stepper(namespace["typed"], x).sentence(1).startswith("Line 2 of typed bound the primitive sin")


def test_a_traced_function_is_called_once():
    runs = []
    stepper(lambda x: runs.append(x), 1.0)
    assert len(runs) == 1


def test_of_a_very_long_program_the_first_equations_are_steps_and_the_rest_is_counted():
    figure = stepper(long, 1.0)
    assert len(figure.recording.steps) == MOST
    assert last(figure) == "And 7 more equations, which this picture does not show."


@pytest.mark.parametrize("args", [(f,), (f, 1.0, 2.0), (f, "text"), (f, object())])
def test_a_call_that_cannot_begin_raises_what_make_jaxpr_raises(args):
    fun, *rest = args
    with pytest.raises(TypeError) as expected:
        jax.make_jaxpr(fun)(*rest)
    with pytest.raises(TypeError) as error:
        stepper(fun, *rest)
    assert str(error.value) == str(expected.value)


def test_what_is_no_function_is_refused_in_words():
    with pytest.raises(TypeError, match=r"must be a function, and this is 3: give it f, not f\(x\)"):
        stepper(3)


# ---- the program


def hoists(x):
    """A program that is printed first, under a name, because it is used twice."""
    return inner(inner(x))


def wide(a, b, c, d, e, g, h, i, j):
    return jnp.concatenate([a, b, c, d, e, g, h, i, j]).reshape(3, -1), jnp.where(a > 0, b, c).sum()


PROGRAMS = [(jitted, 1), (hoists, 1), (long, 1), (wide, 9)]  # each is printed over several lines


@pytest.mark.parametrize(("fun", "count"), PROGRAMS)
def test_the_pieces_of_a_program_are_the_lines_that_the_package_prints(fun, count):
    jaxpr = jax.make_jaxpr(fun)(*[x] * count)
    jaxpr = jaxpr.replace(eqns=jaxpr.eqns[:MOST])
    program = Printer(jaxpr).program()
    assert "\n".join([program.head, *program.eqns, program.tail]) == str(jaxpr)


# ---- the three forms


FIGURES = [(f, x), (calls, x), (jitted, x), (refused, 1.0), (jnp.sin, 1.0), (long, 1.0), (no_array, 1.0)]


@pytest.mark.parametrize("call", FIGURES)
def test_the_text_has_every_step_and_the_whole_program(call):
    figure = stepper(*call)
    for step in range(figure.count):
        assert f"  {step}. {figure.sentence(step)}" in figure.text()
    assert all(eqn in figure.text() for eqn in figure.recording.program.eqns)


@pytest.mark.parametrize("call", FIGURES)
def test_the_drawing_shows_each_line_and_says_the_same_in_words(call):
    figure = stepper(*call)
    drawing = ElementTree.fromstring(figure.svg())
    assert drawing.get("role") == "img"
    assert drawing.findtext("{*}desc") == figure.text()
    shown = {element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")}
    assert shown >= {line for eqn in figure.recording.program.eqns for line in eqn.split("\n")}
    assert shown >= {line for source in figure.recording.sources for line in source.lines if line}


@pytest.mark.parametrize("call", FIGURES)
def test_a_step_shows_the_equations_so_far_and_marks_the_newest(call):
    figure = stepper(*call)
    for step in range(1, len(figure.recording.steps) + 1):
        page = ElementTree.fromstring(f"<root>{figure.page_at(step)}</root>")
        lines = [line for line in page.iter("div") if "line " in line.get("class", "")]
        numbers = [line.findtext("span[@class='number']") for line in lines if "now" in line.get("class")]
        assert [number for number in numbers if number][-1] == str(step)
        shown = {line.findtext("span[@class='text']") for line in lines}
        later = [text.split("\n")[0] for text in (*figure.recording.program.eqns[step:], figure.recording.program.tail)]
        assert not shown & set(later)


def test_the_buttons_and_the_slider_lead_through_the_steps():
    figure = stepper(f, x)
    controls, picture = figure.live().children
    *buttons, slider = controls.children
    first, previous, following, final = buttons
    assert picture.value == figure.page_at(0)
    for button, step in ((following, 1), (final, 3), (following, 3), (previous, 2), (first, 0), (previous, 0)):
        button.click()
        assert (slider.value, picture.value) == (step, figure.page_at(step))


def plain(value):
    """Whether a value is text, a number or nothing, or consists of such."""
    if dataclasses.is_dataclass(value):
        return all(plain(getattr(value, field.name)) for field in dataclasses.fields(value))
    return all(map(plain, value)) if isinstance(value, tuple) else isinstance(value, str | int | None)


@pytest.mark.parametrize("call", FIGURES)
def test_a_recording_keeps_no_object_of_the_package(call):
    assert plain(stepper(*call).recording)


def test_what_is_typed_is_shown_and_not_taken_for_a_tag():
    figure = stepper(lambda x: (x < 1) & (x > 0), x)  # <b>
    for form in (figure.svg(), figure.page_at(1)):
        assert "<b>" not in form
        assert "&lt;b&gt;" in form


def loops(x):
    for _ in range(3):
        x = x + 1.0
    return jnp.sin(x)


def test_the_numbers_of_equations_stand_at_the_lines_that_bound_them():
    recording = stepper(loops, 1.0).recording

    def bound(step):
        return [line.bound for line in source_lines(recording, 0, step)]

    assert bound(0) == ["", "", "", ""]
    assert bound(2) == ["", "", "1-2", ""]
    assert bound(4) == ["", "", "1-3", "4"]


def test_numbers_in_a_row_are_told_as_a_range():
    assert ranges([1, 2, 3, 7, 9, 10]) == "1-3, 7, 9-10"


def test_of_many_numbers_the_first_and_the_last_are_told():
    assert ranges([1, 3, 5, 7]) == "1, 3, 5, 7"
    assert ranges([1, 3, 5, 7, 9, 10]) == "1, 3, ..., 9-10"


def test_the_numbers_have_their_room_from_the_first_step_on():
    figure = stepper(loops, 1.0)
    rooms = [re.findall(r"class='bound'[^>]*min-width:(\d+)ch", figure.page_at(step)) for step in range(figure.count)]
    assert rooms == [["3", "1"]] * figure.count
