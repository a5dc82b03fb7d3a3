"""A program of which process 0 comes to its end first, when it has told the others what they need of it."""

import sys
import time

import numpy as np

import minijax as jax
from minijax.experimental import multihost_utils

jax.distributed.initialize(heartbeat_timeout_seconds=20)
me = jax.process_index()
if me == 1:
    time.sleep(1)
got = multihost_utils.broadcast_one_to_all(np.arange(3) + 7 * (me == 0))
sys.stdout.write(f"process {me} of {jax.process_count()} got {got}\n")
