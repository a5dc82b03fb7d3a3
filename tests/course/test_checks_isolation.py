"""Whatever an answer does, `check` says in words what came of it, and the process of the notebook stays as it was."""

import builtins
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from answers import solution_of

import minijax as jax
from minijax import lax
from minijax.course import check, isolation
from minijax.course.arguments import watched
from minijax.course.catalogue import EXERCISES
from minijax.course.isolation import apart
from minijax.course.judge import FAILED, NO_VERDICT, PASSED, judge
from minijax.course.report import report
from minijax.course.snapshot import Snapshot
from minijax.course.surroundings import Printed
from minijax.course.verdict import outcome
from minijax.layer1_core.primitive import impl_rules
from minijax.layer1_core.trace import Trace, set_current_trace

SHAPES = EXERCISES["1.3"]
right = solution_of("1.3")


def doing(do):
    """The right answer to 1.3, which does something else first."""

    def answer(name, shapes):
        do()
        return right(name, shapes)

    return answer


def told(do, exercise=SHAPES):
    """What is said of the right answer that does something first, in one line."""
    return " ".join(outcome(exercise, doing(do)).text.split())


# ---- answers that misbehave


class Hostile:
    """A result that can neither be compared nor shown."""

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = None

    def __repr__(self):
        raise RuntimeError("no")


def raises_without_a_text(*args):
    class Nameless(Exception):
        def __str__(self):
            raise RuntimeError("no")

    raise Nameless


def recurses(*args):
    return recurses(*args)


def empties(name, shapes):
    shapes.clear()
    return ()


def contains_itself(*args):
    result = []
    result.append(result)
    return result


ODD = [
    lambda *args: None, lambda *args: Hostile(), lambda: 0, lambda *args: 1 / 0, print, recurses, empties,
    raises_without_a_text, lambda *args: "x" * 10000, lambda *args: [1, [2]], type, lambda *args: float("nan"),
    contains_itself, lambda *args: np.ones(3), lambda *args: {"a": Hostile()}, lambda *args: sys.exit(3),
]  # fmt: skip
TRIED = [(id, answer) for turn, id in enumerate(EXERCISES) for answer in ODD[turn % 4 :: 4]]  # each one at every fourth


@pytest.mark.parametrize("id, answer", TRIED)
def test_an_odd_answer_is_told_in_words_and_does_not_raise(id, answer):
    found = outcome(EXERCISES[id], answer)
    assert found.state == FAILED
    assert found.text.startswith(f"{id} is not right yet.") and "Traceback" not in found.text
    assert max(map(len, found.text.splitlines())) < 1000


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, RecursionError])
def test_an_error_of_any_kind_is_told(error):
    def do():
        raise error

    assert f"got: raises {error.__name__}" in told(do)


@pytest.mark.parametrize(
    "do, how",
    [
        (lambda: os._exit(3), "exit status 3"),
        (lambda: os.kill(os.getpid(), signal.SIGSEGV), "signal SIGSEGV"),
        (lambda: os.abort(), "signal SIGABRT"),
    ],
)
def test_an_answer_that_ends_the_process_is_told_with_its_case(do, how):
    assert told(do) == (
        f"1.3 is not right yet. It ended the process in which check tries it ({how}). The case that it was busy with: "
        'broadcast_shape("add", [()])'
    )


def swallows_everything():
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue


def prints_for_ever():
    while True:
        print("x" * 1000)


def loops_in_the_third_case(seen=[]):  # noqa: B006 - it counts
    seen.append(1)
    while len(seen) == 3:
        pass


@pytest.mark.parametrize("do", [swallows_everything, prints_for_ever, lambda: time.sleep(100)])
def test_an_answer_that_does_not_end_is_stopped_in_time(do):
    start = time.monotonic()
    assert "It was stopped after 1 seconds" in told(do, replace(SHAPES, seconds=1))
    assert time.monotonic() - start < 3


def test_the_case_in_which_the_time_ran_out_is_named():
    third = list(SHAPES.cases())[2].call
    assert told(loops_in_the_third_case, replace(SHAPES, seconds=1)).endswith(third)


def test_a_wrong_answer_that_does_not_end_in_another_case_is_told_with_the_case_that_fails():
    def answer(name, shapes):
        if len(shapes) > 1:
            swallows_everything()
        return

    text = outcome(replace(SHAPES, seconds=1), answer).text
    assert 'broadcast_shape("add", [()])\n\nexpected: ()\ngot:      None' in text


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep to a limit of memory")
def test_an_answer_that_takes_all_memory_is_told_so():
    assert "MemoryError" in told(lambda: np.zeros(3 << 30, np.int8))


# ---- nothing of it stays


def spoil_builtins():
    for name in ("len", "isinstance", "type", "map", "print", "dict"):
        setattr(builtins, name, None)


def spoil_modules():
    sys.modules.pop("minijax.layer1_core.config")
    sys.modules["minijax"] = None


@pytest.mark.parametrize(
    "do",
    [
        lambda: jax.config.update("jax_enable_x64", True),
        lambda: jax.config.update("jax_numpy_rank_promotion", "raise"),
        lambda: os.chdir("/"),
        lambda: os.write(1, b"written to the file 1"),
        lambda: print("printed"),
        lambda: print("printed", file=sys.stderr),
        lambda: setattr(sys, "stdout", None),
        lambda: threading.active_count() > 5 or threading.Thread(target=time.sleep, args=[100]).start(),
        lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN),
        spoil_modules,
    ],
)
def test_what_a_right_answer_does_to_the_process_does_not_count_and_does_not_stay(do, capfd):
    look = lambda: (jax.config.jax_enable_x64, os.getcwd(), sys.modules["minijax"])
    before = look()
    assert outcome(SHAPES, doing(do)).text == f"1.3 passed: {SHAPES.title} ({len(list(SHAPES.cases()))} cases)"
    assert look() == before
    assert capfd.readouterr() == ("", "")


def test_an_answer_that_replaces_builtins_is_judged_all_the_same():
    assert "got: raises TypeError: 'NoneType' object is not callable" in told(spoil_builtins)
    assert [len([1]), isinstance(1, int), [*map(abs, [-1])]] == [1, True, [1]]


def test_a_flag_that_an_answer_sets_does_not_count_for_what_is_expected_of_it():
    solved = solution_of("1.7")

    def answer(jaxpr, *args):
        results = solved(jaxpr, *args)
        jax.config.update("jax_enable_x64", True)
        return results

    assert outcome(EXERCISES["1.7"], answer).state == PASSED


def test_no_process_stays_that_an_answer_has_started(tmp_path):
    file = tmp_path / "pid"

    def do():
        if not file.exists():
            file.write_text(str(subprocess.Popen(["sleep", "100"]).pid))

    assert "passed" in told(do)
    assert not is_running(file.read_text())


def test_a_check_does_not_outlive_a_kernel_that_is_killed(tmp_path):
    file = tmp_path / "pid"

    def sleeps():
        file.write_text(str(os.getpid()))
        time.sleep(100)

    kernel = os.fork()
    if kernel == 0:
        outcome(replace(SHAPES, seconds=1), doing(sleeps))
        os._exit(0)
    wait_until(lambda: file.exists() and file.read_text())
    os.kill(kernel, signal.SIGKILL)
    os.waitpid(kernel, 0)
    wait_until(lambda: not is_running(file.read_text()))


def wait_until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_running(pid):
    state = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True).stdout
    return state.strip()[:1] not in ("", "Z")


def test_what_was_done_to_the_package_before_does_not_count():
    snapshot = Snapshot.take()
    try:
        impl_rules[lax.sin_p] = lambda x: np.float32(7.0)
        jax.config.update("jax_enable_x64", True)
        assert outcome(EXERCISES["1.7"], solution_of("1.7")).state == PASSED
        assert jax.config.jax_enable_x64
    finally:
        snapshot.restore()


def test_a_module_that_does_not_stand_is_told():
    def names():
        raise ImportError("chapter 1 brings it")

    found = outcome(replace(SHAPES, names=names), right)
    assert found.state == NO_VERDICT and found.text.endswith("does not stand yet: chapter 1 brings it")


def test_a_name_that_the_answer_lacks_is_its_own_fault():
    def register(cls):
        registr_pytree_node(cls)  # noqa: F821 - the mistake

    assert "NameError: name 'registr_pytree_node'" in outcome(EXERCISES["1.2"], register).text
    assert outcome(EXERCISES["1.2"], register).state == FAILED


def test_what_is_remembered_is_what_a_check_begins_with():
    exercise, answer, snapshot = EXERCISES["1.7"], solution_of("1.7"), Snapshot.take()
    try:
        del impl_rules[lax.sin_p]
        isolation.remember()
        found = outcome(exercise, answer)
    finally:
        snapshot.restore()
        isolation.remember()
    said = "1.7 needs a part of the package that does not stand yet: Evaluation rule for 'sin' not implemented"
    assert (found.state, " ".join(found.text.split())) == (NO_VERDICT, said)
    assert outcome(exercise, answer).state == PASSED


def test_a_trace_that_is_left_current_in_the_notebook_does_not_count():
    answer = solution_of("1.7")
    with set_current_trace(Trace()):
        assert outcome(EXERCISES["1.7"], answer).state == PASSED


# ---- arguments that are changed


def test_an_answer_that_changes_its_arguments_is_told_so_though_its_result_is_right():
    def answer(name, shapes):
        result = right(name, shapes)
        shapes.sort()
        return result

    text = outcome(SHAPES, answer).text
    assert "Your function changed an argument, and its caller may still need that:" in text
    before, after = (
        line.split(":")[1].strip() for line in text.splitlines() if line.startswith("    ") and ":" in line
    )
    assert eval(after) == sorted(eval(before)) != eval(before)


@pytest.mark.parametrize(
    "given, change",
    [
        ([[1], 2], lambda x: x[0].append(3)),
        ({"a": [1]}, lambda x: x.update(b=2)),
        ({"a": [1]}, lambda x: x["a"].clear()),
        (([1], 2), lambda x: x[0].pop()),
        ({1, 2}, lambda x: x.add(3)),
        (np.zeros(3), lambda x: x.fill(1)),
        ([np.zeros(3)], lambda x: x[0].fill(1)),
        ([1], lambda x: x.append(x)),
    ],
)
def test_a_change_of_an_argument_is_noticed_at_any_depth(given, change):
    told = []
    watched(lambda x: None, told)(given)
    assert told == []
    watched(change, told)(given)
    assert len(told) == 1


def test_each_case_gets_arguments_of_its_own():
    seen = []

    def answer(name, shapes):
        seen.append(shapes)
        return right(name, shapes)

    judge(SHAPES, answer)
    assert len({id(shapes) for shapes in seen}) == len(seen)


def test_an_exercise_may_ask_for_an_argument_to_be_filled():
    fills = EXERCISES["1.5"]
    assert outcome(fills, solution_of("1.5")).state == PASSED
    assert "changed an argument" in outcome(replace(fills, fills_arguments=False), solution_of("1.5")).text


# ---- from outside


def test_an_interrupt_ends_the_check_and_says_so():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background may ignore it
    threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT]).start()
    try:
        found = outcome(SHAPES, doing(swallows_everything))
    finally:
        signal.signal(signal.SIGINT, before)
    assert found.state == NO_VERDICT
    assert found.text.startswith("1.3: the check was interrupted.") and 'broadcast_shape("add", [()])' in found.text


def test_a_fault_of_the_check_itself_is_not_put_on_the_answer():
    def faulty():
        raise ValueError("no cases")
        yield

    found = outcome(replace(SHAPES, cases=faulty), right)
    assert found.state == NO_VERDICT and "check itself failed, and not your answer" in found.text


def test_words_of_work_come_in_the_order_in_which_they_were_said_and_the_last_counts():
    def work(say):
        for number in range(10_000):
            say("number", number)
        say("text", "ü" * 100_000)

    ending = apart(work, 10)
    assert (ending.how, ending.heard["number"], ending.heard["text"]) == ("done", 9999, "ü" * 100_000)


def test_what_an_answer_prints_is_shown_with_the_case_that_fails_only():
    def talks(a, b):
        print("looking at", a, b)
        return a

    text = report(EXERCISES["1.1"], judge(EXERCISES["1.1"], talks))
    assert text.count("looking at") == 1 and "your code printed: looking at" in text


def test_of_what_is_printed_the_beginning_is_kept():
    printed = Printed()
    for _ in range(100):
        assert printed.write("x" * 999) == 999
    assert 999 < len(printed.text) < 100 * 999


def test_an_error_in_an_answer_is_said_with_its_line(capsys):
    def adds(jaxpr):
        needed = set()
        needed |= set(jaxpr.outvars + [Hostile()])
        return jaxpr

    check("1.6", adds)
    said = capsys.readouterr().out
    line = adds.__code__.co_firstlineno + 2
    assert "got:      raises TypeError: unhashable type: 'Hostile'\n" in said
    assert f"          in line {line}: `needed |= set(jaxpr.outvars + [Hostile()])`\n" in said
