"""Managers of the standard library that let exceptions through: names that the body sets are known behind it."""

import gzip
import io
import tempfile
import threading
from pathlib import Path


def numbers(text, log):
    with io.StringIO(text) as lines:
        found = [int(line) for line in lines.read().split()]
        log.append(lines.tell())
    return found


def written(text, log):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.txt"
        with open(path, "w") as out:
            size = out.write(text)
        with open(path) as into, io.BytesIO() as packed:
            packed.write(into.read().encode())
            length = len(packed.getvalue()) // size
        with gzip.open(path, "wt") as out:
            size += out.write(text * 2)
        log.append(path.exists())
    log.append(path.exists())
    return size, length


LOCK, OTHER = threading.Lock(), threading.Lock()


def held(text, log):
    with LOCK:
        first = int(text[0])
    with OTHER:
        last = 10 // len(text)
    log.append(LOCK.locked())
    return first, last


def f(text):
    log = []
    results = []
    for one in (numbers, written, held):
        try:
            results.append(one(text, log))
        except (ValueError, ZeroDivisionError, IndexError) as error:
            results.append((type(error), str(error)))
    return results, log


CALLS = [("1 2 3",), ("4",), ("5 x",)]
