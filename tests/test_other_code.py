"""Outside state is read anew after calls that wait, or that run callbacks which were registered before."""

from __future__ import annotations

import gc
import importlib.util
import logging
import signal
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import harness
import pytest

import astrace
from astrace.ops.callables.concurrency import RUNNING_OTHERS
from astrace.ops.callables.purity import resolve

READS = {
    "a global": ("NUMBER", "global NUMBER; NUMBER = 7"),
    "an attribute": ("box.value", "box.value = 7"),
    "an item": ("items[0]", "items[0] = 7"),
    "a length": ("len(items) - 1", "items.append(7)"),
    "a key": ("table.get('key', 0)", "table['key'] = 7"),
    "an array": ("array[0]", "array[0] = 7"),
}
"""Reads before and after a call, and the changes between them."""

WAITS = {
    "sleep": "while not done: time.sleep(0.001)",
    "with lock": "with lock: pass",
    "with rlock": "with rlock: pass",
    "acquire": "lock.acquire(); lock.release()",
    "method": "acquire(); lock.release()",
    "semaphore": "with semaphore: pass",
    "event": "event.wait()",
    "condition": "with condition: condition.wait_for(event.is_set)",
    "queue": "waiting.get()",
    "join": "thread.join()",
    "future": "future.result()",
    "futures": "futures.wait([future])",
    "barrier": "barrier.wait()",
    "start": "started.append(1); thread.join()",
}

MODULE = """
import queue, threading, time
from concurrent import futures
import numpy as np

class Box:
    pass

def reset():
    global NUMBER, box, items, table, array, ready, done, lock, acquire, rlock, semaphore, event, condition
    global waiting, future, barrier, thread, started
    NUMBER = 0
    box, items, table, array, ready, done, started = Box(), [0], {{}}, np.zeros(2), [], [], []
    box.value = 0
    lock, rlock, semaphore = threading.Lock(), threading.RLock(), threading.Semaphore()
    event, condition, waiting = threading.Event(), threading.Condition(), queue.Queue()
    future, barrier, acquire = futures.Future(), threading.Barrier(2), lock.acquire
    held = threading.Event()
    thread = threading.Thread(target=work, args=(held,), daemon=True)
    thread.start()
    held.wait()

def work(held):
    with lock, rlock, semaphore:
        held.set()
        while not ready:  # the function has read
            time.sleep(0.0005)
        change()
    event.set()
    done.append(1)
    waiting.put(1)
    future.set_result(1)
    with condition:
        condition.notify_all()
    if {waits_at_barrier}:
        barrier.wait()

def change():
    {change}

def f(x):
    before = {read}
    chosen = "none" if before == 0 else "some"
    ready.append(1)
    {wait}
    after = {read}
    if after == 0:
        return before, after, chosen, "none", x
    return before, after, chosen, "some", x
"""


@pytest.fixture
def loaded(tmp_path: Path) -> Callable[[str], types.ModuleType]:
    """Loads a module from its text."""

    def load(text: str) -> types.ModuleType:
        path = tmp_path / "module_of_threads.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("read", READS)
def test_what_another_thread_changes_while_a_call_waits(loaded: Any, read: str, wait: str) -> None:
    expression, change = READS[read]
    module = loaded(
        MODULE.format(read=expression, change=change, wait=WAITS[wait], waits_at_barrier=wait == "barrier")
    )
    module.reset()
    expected = harness.observe(module.f, (1,))
    compiled = astrace.compile(module.f)
    module.thread.join()
    for _ in range(2):
        module.reset()
        assert harness.differences(expected, harness.observe(compiled, (1,))) == []
        module.thread.join()


def test_a_lock_that_is_looked_past_first(loaded: Any) -> None:
    """Double-checked locking: what was seen without the lock is looked at again with it."""
    module = loaded("""
import threading

class Shared:
    def __init__(self):
        self.link = [None, None]
        self.lock = threading.Lock()

    def take(self, source):
        link = self.link
        if link[1] is None:
            with self.lock:
                if link[1] is None:
                    link[0] = next(source)
                    link[1] = [None, None]
        value, self.link = link
        return value
""")
    take = astrace.compile(module.Shared.take)
    shared, source = module.Shared(), iter("ab")
    assert [take(shared, source), take(shared, source)] == ["a", "b"]
    assert take(shared, iter("c")) == "c"
    found: list[Any] = []
    link = shared.link
    shared.lock.acquire()
    late = module.threading.Thread(target=lambda: found.append(take(shared, iter("z"))))
    late.start()
    while take.stats.calls < 4:
        module.threading.Event().wait(0.001)
    link[:] = ["other", [None, None]]
    shared.lock.release()
    late.join()
    assert found == ["other"]


REGISTERED = {
    "logging": """
import logging
logger = logging.getLogger("astrace.tests.other_code")
logger.propagate = False
logger.setLevel(logging.INFO)

class Handler(logging.Handler):
    def emit(self, record):
        change()

logger.handlers[:] = [Handler()]

def run():
    logger.info("text")
""",
    "signal": """
import signal
signal.signal(signal.SIGUSR1, lambda *given: change())

def run():
    signal.raise_signal(signal.SIGUSR1)
""",
    "gc": """
import gc

class Loop:
    def __del__(self):
        change()

def make():
    loop = Loop()
    loop.loop = loop

def run():
    gc.collect()
""",
    "finalize": """
import weakref

class Kept:
    pass

kept = Kept()

def make():
    global finalizer
    finalizer = weakref.finalize(kept, change)

def run():
    finalizer()
""",
    "pickle": """
import pickle, sys

class Stored:
    def __setstate__(self, state):
        change()

    def __reduce__(self):
        return Stored, (), {"a": 1}

def make():
    global data
    sys.modules[__name__] = sys.modules.get(__name__) or __import__("types").ModuleType(__name__)
    sys.modules[__name__].Stored = Stored
    data = pickle.dumps(Stored())

def run():
    pickle.loads(data)
""",
    "importlib": """
import importlib, sys
from pathlib import Path

def make():
    folder = Path(__file__).parent
    (folder / "changing_module.py").write_text("import builtins\\nbuiltins.astrace_change()\\n")
    sys.path[:] = [str(folder), *(one for one in sys.path if one != str(folder))]
    sys.modules.pop("changing_module", None)
    importlib.invalidate_caches()
    import builtins
    builtins.astrace_change = change

def run():
    importlib.import_module("changing_module")
""",
}


@pytest.mark.parametrize("registered", REGISTERED)
def test_what_was_registered_before_runs(loaded: Any, registered: str, monkeypatch: Any) -> None:
    """Handlers, finalizers, classes and modules that are found by name."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    held = signal.getsignal(signal.SIGUSR1)
    text = f"""
NUMBER = 0
box = type("Box", (), {{}})()

def change():
    global NUMBER
    NUMBER = 7
    box.value = 7

def reset():
    global NUMBER
    NUMBER = box.value = 0
    make()

def make():
    pass

{REGISTERED[registered]}

def f(x):
    before = NUMBER, box.value
    chosen = 1 if NUMBER == 0 else 2
    run()
    if NUMBER == 0:
        return before, chosen, "same"
    return before, chosen, NUMBER, box.value + x
"""
    module = loaded(text)
    gc.disable()
    try:
        module.reset()
        expected = harness.observe(module.f, (1,))
        assert expected.result == ((0, 0), 1, 7, 8)
        compiled = astrace.compile(module.f)
        for _ in range(3):
            module.reset()
            assert harness.differences(expected, harness.observe(compiled, (1,))) == []
    finally:
        gc.enable()
        signal.signal(signal.SIGUSR1, held)
        logging.getLogger("astrace.tests.other_code").handlers.clear()
        sys.modules.pop("changing_module", None)
        vars(__import__("builtins")).pop("astrace_change", None)


@pytest.mark.parametrize("row", RUNNING_OTHERS, ids=lambda row: f"{row.module} {' '.join(row.names)}"[:40])
def test_the_table_names_what_there_is(row: Any) -> None:
    """Modules that can be imported, names that lead to something, and what runs meanwhile."""
    importlib.import_module(row.module)
    assert row.what
    assert all(resolve(f"{row.module}.{name}") is not None for name in row.names)
