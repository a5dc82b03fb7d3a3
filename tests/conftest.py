"""How the tests are run: garbage is looked for rarely, since most of what there is stays to the end."""

import gc


def pytest_collection_finish() -> None:
    """To look through all modules and all tests again and again takes a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
