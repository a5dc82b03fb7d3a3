"""Large kernels on several threads: `minijax_split`, which machine code calls to have a loop run in parts.

    minijax_split(part, arrays, extent)     part(arrays, start, stop) for parts of range(extent), each once

The caller takes parts, and so does each worker, until none is left: who comes late finds less to do, and a worker that
sleeps costs nothing. A worker that has finished looks out for more for about 0.2 ms, and then sleeps: to wake it takes
longer than a small kernel does. Where another caller is served already, a caller does all parts alone, and so it does
where alone.py asks for it. Products in the parts are on one thread each: 128 products of 128 x 32 x 128 take 0.4 ms so,
and 2.7 ms one after the other on all threads.

A Python thread woken by a lock gave no gain at all; this gives 1.9 times the speed on two cores from 50 us of work on.
"""

import ctypes
import os
import platform
import sys
import threading
from ctypes import addressof

from llvmlite import binding

from . import blas, machine
from .alone import in_parts, threads_aside
from .operations import SPLIT

_ROUNDS = 5000  # how often a worker looks for work before it sleeps
_PARTS = 4  # for each thread
_PAUSE = {"x86_64": "llvm.x86.sse2.pause()", "aarch64": "llvm.aarch64.hint(i32 1)"}.get(platform.machine())

# `next` is the number of the part to take; CLOSED while there is no work. Between the time that a worker is counted
# in `inside` and the time that it leaves, the work it sees is not exchanged for another.
_CODE = f"""
@next = internal global i64 CLOSED, align 128
@inside = internal global i64 0, align 128
@asleep = internal global i64 0, align 128
@workers = internal global i64 0, align 128
@part = internal global ptr null
@arrays = internal global ptr null
@extent = internal global i64 0
@size = internal global i64 0
@count = internal global i64 0
@door = internal global [64 x i8] zeroinitializer, align 64

declare i32 @sem_init(ptr, i32, i32)
declare i32 @sem_wait(ptr)
declare i32 @sem_post(ptr)
declare i32 @sched_yield()
declare void @PAUSE_NAME

define void @minijax_threads(i64 %workers) {{
  %made = call i32 @sem_init(ptr @door, i32 0, i32 0)
  store i64 0, ptr LOCK
  store i64 CLOSED, ptr @next
  store i64 0, ptr @inside
  store i64 0, ptr @asleep
  store i64 %workers, ptr @workers
  ret void
}}

define internal void @take() {{
begin:
  br label %again
again:
  %k = atomicrmw add ptr @next, i64 1 seq_cst
  %count = load atomic i64, ptr @count monotonic, align 8
  %more = icmp ult i64 %k, %count
  br i1 %more, label %run, label %done
run:
  %size = load i64, ptr @size
  %extent = load i64, ptr @extent
  %part = load ptr, ptr @part
  %arrays = load ptr, ptr @arrays
  %start = mul i64 %k, %size
  %end = add i64 %start, %size
  %over = icmp ugt i64 %end, %extent
  %stop = select i1 %over, i64 %extent, i64 %end
  call void %part(ptr %arrays, i64 %start, i64 %stop)
  br label %again
done:
  ret void
}}

define void @minijax_work() {{
begin:
  br label %look
look:
  %round = phi i64 [ 0, %begin ], [ 0, %work ], [ %further, %wait ], [ 0, %sleep ]
  %k = load atomic i64, ptr @next monotonic, align 8
  %count = load atomic i64, ptr @count monotonic, align 8
  %more = icmp ult i64 %k, %count
  br i1 %more, label %work, label %rest
work:
  %a = atomicrmw add ptr @inside, i64 1 seq_cst
  call void @take()
  %b = atomicrmw sub ptr @inside, i64 1 seq_cst
  br label %look
rest:
  %further = add i64 %round, 1
  %tired = icmp ugt i64 %further, {_ROUNDS}
  br i1 %tired, label %sleep, label %wait
wait:
  PAUSE
  br label %look
sleep:
  %c = atomicrmw add ptr @asleep, i64 1 seq_cst
  %d = call i32 @sem_wait(ptr @door)
  br label %look
}}

define void @{SPLIT}(ptr %part, ptr %arrays, i64 %extent) {{
  %workers = load i64, ptr @workers
  %none = icmp eq i64 %workers, 0
  %asides = load atomic i64, ptr inttoptr (i64 ASIDE to ptr) monotonic, align 8
  %aside = icmp ne i64 %asides, 0
  %no = or i1 %none, %aside
  br i1 %no, label %alone, label %try
try:
  %taken = cmpxchg ptr LOCK, i64 0, i64 1 seq_cst monotonic
  %free = extractvalue {{ i64, i1 }} %taken, 1
  br i1 %free, label %look, label %alone
look:
  %late = load atomic i64, ptr inttoptr (i64 ASIDE to ptr) seq_cst, align 8
  %too_late = icmp ne i64 %late, 0
  br i1 %too_late, label %back, label %open
back:
  store atomic i64 0, ptr LOCK seq_cst, align 8
  br label %alone
alone:
  call void %part(ptr %arrays, i64 0, i64 %extent)
  ret void
open:
  ONE_THREAD
  %all = add i64 %workers, 1
  %parts = mul i64 %all, {_PARTS}
  %less = sub i64 %parts, 1
  %up = add i64 %extent, %less
  %size = udiv i64 %up, %parts
  %rest = sub i64 %size, 1
  %over = add i64 %extent, %rest
  %count = udiv i64 %over, %size
  store ptr %part, ptr @part
  store ptr %arrays, ptr @arrays
  store i64 %extent, ptr @extent
  store i64 %size, ptr @size
  store atomic i64 %count, ptr @count monotonic, align 8
  store atomic i64 0, ptr @next seq_cst, align 8
  %asleep = atomicrmw xchg ptr @asleep, i64 0 seq_cst
  br label %wake
wake:
  %left = phi i64 [ %asleep, %open ], [ %fewer, %post ]
  %awake = icmp eq i64 %left, 0
  br i1 %awake, label %begin, label %post
post:
  %posted = call i32 @sem_post(ptr @door)
  %fewer = sub i64 %left, 1
  br label %wake
begin:
  call void @take()
  %closed = atomicrmw xchg ptr @next, i64 CLOSED seq_cst
  br label %wait
wait:
  %inside = load atomic i64, ptr @inside seq_cst, align 8
  %finished = icmp eq i64 %inside, 0
  br i1 %finished, label %end, label %yield
yield:
  %yielded = call i32 @sched_yield()
  br label %wait
end:
  AS_BEFORE
  store atomic i64 0, ptr LOCK seq_cst, align 8
  ret void
}}
"""
_engines: list[binding.ExecutionEngine] = []


def start() -> None:
    """Make `minijax_split` known to LLVM, once, and start the workers."""
    if _engines:
        return
    library = ctypes.CDLL(None)
    for name in ("sem_init", "sem_wait", "sem_post", "sched_yield"):
        machine.add_symbol(name, getattr(library, name))
    engine = machine.assembled(_code())
    _engines.append(engine)
    binding.add_symbol(SPLIT, engine.get_function_address(SPLIT))
    _function("minijax_threads", ctypes.c_int64)(workers())
    for _ in range(workers()):
        threading.Thread(target=_function("minijax_work"), name="minijax", daemon=True).start()
    os.register_at_fork(after_in_child=lambda: _function("minijax_threads", ctypes.c_int64)(0))  # threads stay behind


def workers() -> int:
    """How many threads help the one that calls: none where the semaphores of POSIX are not to be had."""
    if sys.platform != "linux":
        return 0
    cores = len(os.sched_getaffinity(0))
    return max(0, min(int(os.environ.get("NUMBA_NUM_THREADS", cores)), cores) - 1)


# Of the library of products, if there is one. (Who computes alone waits for the end: nobody has changed it since.)
_ONE_THREAD = """%threads = call i32 inttoptr (i64 GET to ptr)()
  call void inttoptr (i64 SET to ptr)(i32 1)"""
_AS_BEFORE = "call void inttoptr (i64 SET to ptr)(i32 %threads)"


def _code() -> str:
    one = before = ""
    if functions := blas.about_threads():
        get, change = (str(ctypes.cast(f, ctypes.c_void_p).value) for f in functions)
        one, before = (text.replace("GET", get).replace("SET", change) for text in (_ONE_THREAD, _AS_BEFORE))
    pause = f"call void @{_PAUSE}" if _PAUSE else ""
    declared = f"declare void @{_PAUSE.replace('i32 1', 'i32')}" if _PAUSE else ""
    code = _CODE.replace("CLOSED", str(1 << 62)).replace("ONE_THREAD", one).replace("AS_BEFORE", before)
    code = code.replace("ASIDE", str(addressof(threads_aside)))
    code = code.replace("LOCK", f"inttoptr (i64 {addressof(in_parts)} to ptr)")
    return code.replace("declare void @PAUSE_NAME", declared).replace("PAUSE", pause)


def _function(name: str, *arguments: type) -> "ctypes._CFunctionType":
    return ctypes.CFUNCTYPE(None, *arguments)(_engines[0].get_function_address(name))
