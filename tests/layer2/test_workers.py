"""The threads that compile: jobs in their order, errors where somebody waits, and what two kernels at once need."""

import os
import threading

import numpy as np
import pytest

import minijax as jax
import minijax.numpy as jnp
from minijax.layer1_core import config
from minijax.layer2_jit import compiler, native
from minijax.layer2_jit.workers import Job, Worker


def test_jobs_are_done_in_order_by_one_other_thread():
    worker, seen = Worker(), []
    jobs = [worker.post(Job(lambda k=k: seen.append((k, threading.get_ident())))) for k in range(5)]
    [job.wait() for job in jobs]
    assert [k for k, _ in seen] == [*range(5)]
    assert len({thread for _, thread in seen} | {threading.get_ident()}) == 2


def test_an_error_is_raised_at_each_wait_and_the_next_job_is_done():
    worker = Worker()
    bad, good = worker.post(Job(lambda: [][1])), worker.post(Job(lambda: None))
    for _ in range(2):
        with pytest.raises(IndexError):
            bad.wait()
    good.wait()


def test_a_job_that_leads_to_another_one_is_over_with_that():
    first, second, gate, done = Worker(), Worker(), threading.Event(), []
    job = first.post(Job(lambda: second.post(Job(lambda: (gate.wait(), done.append(1), None)[2]))))
    threading.Timer(0.05, gate.set).start()
    job.wait()
    assert done == [1]


def test_what_a_worker_asks_of_itself_is_done_at_once():
    worker, seen = Worker(), []

    def work():
        worker.post(Job(lambda: seen.append("inner"))).wait()
        seen.append("outer")

    worker.post(Job(work)).wait()
    assert seen == ["inner", "outer"]


def test_a_job_that_nobody_wants_is_not_begun():
    worker, gate, seen = Worker(), threading.Event(), []
    worker.post(Job(lambda: (gate.wait(), None)[1]))
    job = worker.post(Job(lambda: seen.append(1)))
    job.wanted = False
    gate.set()
    job.wait()
    assert not seen


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_process_has_a_thread_of_its_own():
    worker = Worker()
    worker.post(Job(lambda: None)).wait()
    child = os.fork()
    if not child:
        done = []
        worker.post(Job(lambda: done.append(1))).wait()
        os._exit(0 if done else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def sums(offset):
    """A program of three kernels, with a constant of its own in the form of each."""
    return jax.jit(lambda x: jnp.cumsum(jnp.sort(jnp.cumsum(x**3 + offset) * 2)) / 3)


def test_a_program_of_several_kernels_is_compiled_and_right(uncached):
    x = np.linspace(0, 1, 50, dtype="float32")
    expected = np.cumsum(np.sort(np.cumsum(x**3 + 1) * 2)) / 3
    np.testing.assert_allclose(sums(1.0)(x), expected, rtol=1e-5)


def test_an_error_of_llvm_is_raised_and_the_next_call_compiles_again(uncached, monkeypatch):
    def broken(*args):
        raise RuntimeError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr(native, "emitted", broken)
        with pytest.raises(RuntimeError, match="no space left"):
            sums(1.0)(np.ones(50, "float32"))
    np.testing.assert_allclose(sums(1.0)(np.zeros(3, "float32")), np.cumsum([2, 4, 6]) / 3, rtol=1e-6)


def test_threads_that_ask_for_one_kernel_at_the_same_time_get_it(uncached):
    results = []
    threads = [threading.Thread(target=lambda: results.append(sums(2.0)(np.ones(40, "float32")))) for _ in range(4)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert len(results) == 4 and all((r == results[0]).all() for r in results)
    assert not compiler._coming


@pytest.fixture
def uncached(monkeypatch):
    """No kernel is known, and none kept on disk."""
    monkeypatch.setattr(compiler, "_kernels", {})
    monkeypatch.setattr(compiler, "_coming", {})
    with config.enable_compilation_cache(False):
        yield
