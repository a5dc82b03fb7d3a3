"""Several processes: what each sees of arrays that span them, what they compute together, and how they end."""

import functools
import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from collective_programs import BLOCKS, COLLECTIVES
from compared import assert_close

import minijax as jax
import minijax.numpy as jnp
from minijax.layer1_core.devices import processes
from minijax.layer5_vmap.collectives import ppermute_p
from minijax.layer7_sharding import distributed
from minijax.layer7_sharding.across import Team, spanning
from minijax.layer7_sharding.lockstep import run_in_lockstep, speaking
from minijax.sharding import AxisType, NamedSharding, PartitionSpec as P

PROGRAMS = Path(__file__).parent / "processes"
MPIEXEC = Path(sys.executable).with_name("mpiexec")


def what_mpi_lacks():
    """Why MPI cannot run here; empty where it does."""
    if importlib.util.find_spec("mpi4py") is None or not MPIEXEC.exists():
        return "needs mpi4py and mpiexec: pip install 'minijax[cluster]'"
    command = [MPIEXEC, "-n", "2", sys.executable, "-c", "from mpi4py import MPI"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "mpiexec does not start two processes within a minute on this machine"
    return f"mpiexec starts no processes on this machine: {done.stderr[-200:]}" if done.returncode else ""


lacking = what_mpi_lacks()
needs_mpi = pytest.mark.skipif(bool(lacking), reason=lacking)


def run(*command, **settings):
    """What a command prints to stdout and stderr, and its exit status."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PMI", "HYDRA"))}
    env |= {name: str(value) for name, value in settings.items()}
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=300, env=env)
    return done.stdout, done.stderr, done.returncode


def on_processes(n, program, *args, options=(), devices=1):
    return run(MPIEXEC, *options, "-n", n, sys.executable, program, *args, JAX_NUM_CPU_DEVICES=devices)


# ---- with MPI


@pytest.fixture(scope="module")
def alone():
    """What the programs compute in one process with four devices."""
    return computed(1)


def computed(n):
    out, err, status = on_processes(n, PROGRAMS / "numbers_of_programs.py", devices=4 // n)
    assert status == 0, err
    return json.loads(out)


@needs_mpi
@pytest.mark.parametrize("n", [2, 4])
def test_programs_compute_the_same_in_one_process_and_in_several(n, alone):
    found = computed(n)
    assert list(found) == list(alone)
    for name, (spec, value) in alone.items():
        assert found[name][0] == spec, name
        np.testing.assert_allclose(found[name][1], value, rtol=2e-6, atol=1e-6, err_msg=name)


@needs_mpi
def test_a_process_sees_what_jax_shows_of_arrays_that_span_two(tmp_path):
    """The program was run on JAX 0.11.0 in two processes, and what these printed is kept beside it."""
    text = (PROGRAMS / "arrays_of_two_processes.py").read_text()
    for before, after in (
        ("import jax\n", "import minijax as jax\n"),
        ("import jax.", "import minijax."),
        ("from jax", "from minijax"),
    ):
        text = text.replace(before, after)
    program = tmp_path / "program.py"
    program.write_text(text)
    pattern = ("-outfile-pattern", tmp_path / "%r")
    _, err, status = on_processes(2, program, options=pattern, devices=2)
    assert status == 0, err
    for k in range(2):
        want = (PROGRAMS / f"arrays_of_two_processes.out{k}").read_text()
        assert (tmp_path / str(k)).read_text().splitlines() == want.splitlines()


ENDINGS = {
    "raises": r"UNAVAILABLE: [\w ]+ needs process 2, which has ended: ZeroDivisionError: division by zero",
    "dies": r"DEADLINE_EXCEEDED: [\w ]+ has waited 3 seconds for the other processes of \[0, 1, 2, 3\]\. One .*",
}


@needs_mpi
@pytest.mark.parametrize("how", ENDINGS)
def test_the_others_get_an_error_when_a_process_ends(how):
    options = ["-disable-auto-cleanup"] if how == "dies" else []  # mpiexec would end the others, without a word
    out, _, status = on_processes(4, PROGRAMS / "endings.py", how, options=options)
    for number, line in zip((0, 1, 3), sorted(out.splitlines()), strict=True):
        assert re.fullmatch(f"process {number} after 3 steps: {ENDINGS[how]}", line), line
    assert status != 0


@needs_mpi
def test_a_process_may_end_when_it_has_told_the_others_what_they_need():
    out, err, status = on_processes(2, PROGRAMS / "partings.py")
    assert sorted(out.splitlines()) == [f"process {k} of 2 got [7 8 9]" for k in range(2)]
    assert status == 0, err


# ---- without


ALONE = {
    "": "ValueError: coordinator_address should be defined.",
    "'localhost:1'": "ValueError: Number of processes must be defined.",
    "'localhost:1', 1": "ValueError: The process id of the current process must be defined.",
    "'localhost:1', 2, 0": "ValueError: Got 2 processes, but this one has not been begun by MPI",
}


@pytest.fixture
def unused(monkeypatch):
    """As if the program had just begun."""
    monkeypatch.setattr(distributed, "are_in_use", lambda: False)
    monkeypatch.setitem(distributed._state, "initialized", False)
    for name in distributed._BEGUN_BY_MPI:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("arguments", ALONE)
def test_a_program_that_mpiexec_has_not_begun_is_told_so(arguments, unused):
    with pytest.raises(ValueError) as error:
        eval(f"jax.distributed.initialize({arguments})")
    assert f"ValueError: {error.value}".startswith(ALONE[arguments])


def test_one_process_can_say_that_it_is_alone_once(unused):
    jax.distributed.initialize("localhost:1", 1, 0)
    assert jax.distributed.is_initialized() and jax.process_count() == 1
    with pytest.raises(RuntimeError, match=r"^distributed.initialize should only be called once\.$"):
        jax.distributed.initialize("localhost:1", 1, 0)
    jax.distributed.shutdown()
    assert not jax.distributed.is_initialized()


def test_it_is_too_late_when_devices_have_been_used():
    jax.devices()
    with pytest.raises(RuntimeError, match="must be called before any JAX calls that might initialise the XLA backend"):
        jax.distributed.initialize()


def test_without_mpi4py_the_error_says_what_brings_it(unused, monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    monkeypatch.setenv("PMI_RANK", "0")
    with pytest.raises(ModuleNotFoundError, match=r"needs MPI: pip install 'minijax\[cluster\]' brings it"):
        jax.distributed.initialize()


class Pretended:
    """What a link does, among threads: each method is a round in which all say something and hear the others."""

    def __init__(self, rank, board, barrier):
        self.rank, self.board, self.barrier = rank, board, barrier

    def _said(self, ranks, x):
        self.board[self.rank] = x
        self.barrier.wait(60)
        heard = [self.board[rank] for rank in ranks]
        self.barrier.wait(60)
        return heard

    def summed(self, ranks, x, fold, what):
        return functools.reduce(fold, self._said(ranks, x))

    def gathered(self, ranks, xs, numbers, like, what):
        assert len(xs) == numbers[ranks.index(self.rank)]
        return [x for row in self._said(ranks, xs) for x in row]

    def scattered(self, ranks, parts, numbers, what):
        sums = list(map(sum, zip(*self._said(ranks, parts), strict=True)))
        before = sum(numbers[: ranks.index(self.rank)])
        return sums[before : before + numbers[ranks.index(self.rank)]]

    def exchanged(self, ranks, parts, numbers, what):
        heard = [row[ranks.index(self.rank)] for row in self._said(ranks, parts)]
        assert [len(row) for row in heard] == numbers
        return heard

    def broadcast(self, ranks, x, source, what):
        return self._said(ranks, x)[ranks.index(source)]

    def sent(self, ranks, out, come, like, what):
        heard = zip(ranks, self._said(ranks, out), strict=True)
        letters = {(sender, tag): x for sender, row in heard for to, tag, x in row if to == self.rank}
        return [letters[place] for place in come]


def in_threads(jaxpr, rows, places, owners):
    """The results of a program for each device, whose processes are threads here."""
    board, out = {}, [None] * len(rows)
    barrier = threading.Barrier(len({*owners}))

    def run_own(rank):
        team = Team(places, owners, Pretended(rank, board, barrier))
        with speaking(team):
            found = run_in_lockstep(jaxpr, [rows[d] for d in team.own], [places[d] for d in team.own])
        for d, values in zip(team.own, found, strict=True):
            out[d] = values

    with ThreadPoolExecutor(len({*owners})) as pool:
        list(pool.map(run_own, sorted({*owners})))
    return out


def program_of_rows(name):
    """The program of a device, what each of four devices has, and where it stands."""
    f, mesh = COLLECTIVES[name], jax.make_mesh((4,), ("x",), axis_types=(AxisType.Auto,))
    of_row = lambda v: f(v[0])[None]
    made = jax.make_jaxpr(jax.shard_map(of_row, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False))(BLOCKS)
    return made.eqns[-1].params["jaxpr"], [[BLOCKS[i : i + 1]] for i in range(4)], [{"x": i} for i in range(4)]


@pytest.mark.parametrize("owners", [(0, 0, 1, 1), (0, 1, 0, 1), (1, 0, 0, 0), (2, 1, 0, 3)], ids=str)
@pytest.mark.parametrize("name", COLLECTIVES)
def test_devices_of_several_processes_get_what_those_of_one_do(name, owners):
    program = program_of_rows(name)
    assert_close(in_threads(*program, owners), run_in_lockstep(*program))


def test_a_collective_that_mpi_does_not_have_is_computed_from_what_all_have(monkeypatch):
    monkeypatch.delitem(spanning, ppermute_p)
    program = program_of_rows("ppermute")
    assert_close(in_threads(*program, (0, 1, 0, 1)), run_in_lockstep(*program))


def test_collectives_along_one_axis_are_of_the_processes_that_have_devices_there():
    """In a grid whose rows are of one process each, only sums along columns are of several."""
    places = [{"x": i, "y": j} for i in range(2) for j in range(2)]
    team = Team(places, [0, 0, 1, 1], Pretended(0, {}, None))
    ranks = lambda *axes: [group.ranks for _, group in team._groups_of({"axes": axes})]
    assert (ranks("x"), ranks("y"), ranks("x", "y")) == ([(0, 1)] * 2, [(0,), (1,)], [(0, 1)])


@pytest.fixture
def first_of_two(monkeypatch):
    """As if another process had two devices more."""
    monkeypatch.setattr(processes, "devices", (2, 2))


def test_a_process_has_the_parts_of_its_own_devices(first_of_two):
    assert [d.id for d in jax.devices()] == [0, 1, 2048, 2049]
    assert jax.local_devices() == jax.devices()[:2] == jax.local_devices(0) != jax.local_devices(1)
    assert (jax.process_count(), jax.device_count(), jax.local_device_count()) == (2, 4, 2)
    line = NamedSharding(jax.make_mesh((4,), ("x",)), P("x"))
    asked = []
    x = jax.make_array_from_callback((8,), line, lambda index: asked.append(index) or np.arange(8.0)[index])
    assert asked == [(slice(0, 2),), (slice(2, 4),)]
    assert [s.data.tolist() for s in x.addressable_shards] == [[0, 1], [2, 3]]
    assert [s.data is None for s in x.global_shards] == [False, False, True, True]
    with pytest.raises(RuntimeError, match="spans non-addressable"):
        x.tolist()
    assert repr(x) == str(x) == "Array(shape=(8,), dtype=float32)"


def test_what_all_devices_have_can_be_read_in_each_process(first_of_two):
    copies = NamedSharding(jax.make_mesh((4,), ("x",)), P())
    x = jax.make_array_from_callback((3,), copies, lambda index: np.arange(3.0)[index])
    assert not x.is_fully_addressable
    np.testing.assert_array_equal(x, jnp.arange(3.0))


SPECS = [P("x", "y"), P("y", "x"), P("y"), P(None, "x"), P(("y", "x")), P()]


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_data_of_a_process_are_the_parts_that_its_devices_hold(spec, first_of_two):
    sharding = NamedSharding(jax.make_mesh((2, 2), ("x", "y")), spec)
    whole = np.arange(32.0, dtype=np.float32).reshape(4, 8)
    indices = sharding.addressable_devices_indices_map(whole.shape).values()
    rows, columns = (sorted({i for index in indices for i in range(n)[index[d]]}) for d, n in enumerate(whole.shape))
    x = jax.make_array_from_process_local_data(sharding, whole[np.ix_(rows, columns)])
    assert x.shape == whole.shape
    for shard in [
        *x.addressable_shards,
        *jax.make_array_from_process_local_data(sharding, whole, (4, 8)).addressable_shards,
    ]:
        np.testing.assert_array_equal(shard.data, whole[shard.index])


def test_the_local_mesh_is_the_block_of_the_own_devices(first_of_two):
    mesh = jax.make_mesh((2, 2), ("x", "y"))
    assert mesh.is_multi_process and mesh.local_mesh.devices.tolist() == [jax.local_devices()]
    first, second, third, fourth = jax.devices()
    with pytest.raises(ValueError, match="no block of the mesh"):
        _ = jax.sharding.Mesh([[first, third], [fourth, second]], ("x", "y")).local_mesh
