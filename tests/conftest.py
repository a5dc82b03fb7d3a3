"""How the tests are run: interrupts interrupt, and garbage is looked for rarely, since most of what is there stays."""

import gc
import signal


def pytest_configure() -> None:
    """A job in the background of a shell ignores interrupts, and so would all that it starts: some tests send them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """To look through all modules and all tests again and again takes a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
