"""Whether work grows with its input: CPU time, with room for a machine that has other work too.

No test says how fast something is (`benchmarks/` does): these bounds are wide, and what exceeds
one is tried again, so that only time that grows faster than the input fails.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

TRIES = 3


def seconds(call: Callable[[], object]) -> float:
    """CPU seconds of one call, without collections of garbage, most of which others left."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        start = time.process_time()
        call()
        return time.process_time() - start
    finally:
        if enabled:
            gc.enable()


def within(bound: float, call: Callable[[], object]) -> bool:
    """Whether one of a few calls takes less than `bound` CPU seconds."""
    return any(seconds(call) < bound for _ in range(TRIES))


def grows_linearly(call: Callable[[int], object], small: int, large: int) -> bool:
    """Whether `call(large)` takes at most three times what `call(small)` lets expect."""
    most = 3 * large / small
    return any(
        seconds(lambda: call(large)) < most * max(seconds(lambda: call(small)), 0.01)
        for _ in range(TRIES)
    )
