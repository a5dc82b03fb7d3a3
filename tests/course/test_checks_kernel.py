"""`check` in a real kernel, which has threads, sockets and streams of its own."""

import re
import signal
import threading

import nbformat
import pytest
from answers import ROOT, source_of
from nbclient import NotebookClient
from traitlets.config import Config

GOOD = f"""\
from minijax.course import check, progress, solution
import logging, os, sys
from IPython.display import HTML, display
{source_of("1.3")}
right, log = broadcast_shape, logging.StreamHandler(sys.stdout)
def doing(do):
    def answer(name, shapes):
        do()
        return right(name, shapes)
    return answer"""
DOING = [
    "exit()", "quit()", "display(HTML('shown'))", "os.write(1, b'raw')", "os.system('echo shell')",
    "sys.stdout.flush()", "log.handle(logging.makeLogRecord(dict(msg='logged')))", "get_ipython().run_cell('1')",
]  # fmt: skip


@pytest.fixture(scope="module")
def kernel():
    """A function that runs a cell in a kernel and gives its outputs."""
    client = NotebookClient(
        nbformat.v4.new_notebook(),
        timeout=60,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(ROOT / "tests")}},
        config=Config({"KernelManager": {"transport_encryption": "auto"}}),
    )

    def run(source, after=None):
        cell = nbformat.v4.new_code_cell(source)
        client.nb.cells.append(cell)
        if after is not None:
            interrupt = lambda: client.km.provisioner.process.send_signal(signal.SIGINT)
            threading.Timer(after, interrupt).start()
        client.execute_cell(cell, len(client.nb.cells) - 1)
        return cell.outputs

    with client.setup_kernel():
        assert run(GOOD) == []
        yield run


def text_of(outputs):
    """What the outputs print, which must be all that they do."""
    assert {output.output_type for output in outputs} <= {"stream"}, outputs
    assert {output.name for output in outputs} <= {"stdout"}, outputs
    return "".join(output.text for output in outputs)


def test_an_answer_is_found_by_its_name(kernel):
    assert text_of(kernel('check("1.3")')).startswith("1.3 passed")


@pytest.mark.parametrize("do", DOING)
def test_what_an_answer_does_reaches_neither_the_notebook_nor_the_kernel(kernel, do):
    kernel(f"broadcast_shape = doing(lambda: {do})")
    said = text_of(kernel('check("1.3")'))
    assert said.startswith("1.3 passed") and said.count("\n") == 1
    assert text_of(kernel("print('alive')")) == "alive\n"


def test_the_cell_that_is_judged_is_named_where_the_last_one_could_not_be_read(kernel):
    kernel("def broadcast_shape(name, shapes):\n    return right(name, shapes)")
    kernel("def broadcast_shape(name, shapes) return ()")
    told, _, verdict = text_of(kernel('check("1.3")')).partition("\n\n")
    assert re.fullmatch(r"The cell that ran last raised an error. Judged is the `broadcast_shape` of In\[\d+\]:", told)
    assert verdict.startswith("1.3 passed")
    assert text_of(kernel('check("1.3")')).startswith("1.3 passed")


def test_an_interrupt_of_the_kernel_ends_the_check_and_not_the_cell(kernel):
    kernel("def for_ever():\n    while True: pass\nbroadcast_shape = doing(for_ever)")
    said = text_of(kernel('check("1.3")\nprint("after")', after=1.5))
    assert said.startswith("1.3: the check was interrupted.") and said.endswith("after\n")


def test_a_solution_is_compared_with_the_cell_that_was_run_last(kernel):
    kernel("def broadcast_shape(name, shapes):\n    return 7")
    kernel('check("1.3")')
    said = text_of(kernel('solution("1.3")'))
    assert "-    return 7\n" in said and "+++ the solution" in said


def test_the_table_is_shown_as_html_and_as_text(kernel):
    (output,) = kernel("progress(1)")
    assert set(output.data) == {"text/html", "text/plain"}
    assert "1.3  the shape rule of a broadcasting primitive  **     15 min  passed" in output.data["text/plain"]
