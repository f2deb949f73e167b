"""Bundles that are damaged, and processes that are killed while they save.

    python -m fuzz.bundles --flips 10000     flip a random bit of a bundle, load it, compare results
    python -m fuzz.bundles --kills 1000      kill -9 a process that saves in a loop, load what is there
    python -m fuzz.bundles --graphs 2000     change the data of a graph at random, with hashes made anew
    python -m fuzz.bundles --operators 2000  change those of operators and of recorded calls, likewise

A flipped bit has to be refused, or to change nothing. A process that was killed leaves the old or the new bundle, whole.
What was changed at random is refused or loaded: the loader raises nothing but `BundleError`, within a second.
Exit code 1 if anything else was seen.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import astrace
from astrace.bundle.codec.json_text import dumps
from astrace.bundle.contents import Extras, contents_of
from astrace.bundle.files.manifest import manifest_of
from astrace.bundle.files.members import EXAMPLES, GRAPH, MANIFEST, Member
from astrace.bundle.files.writer import write_bundle
from astrace.bundle.operator_data import OPERATORS_MEMBER
from astrace.errors import MissingExtra
from astrace.pipelines.plain_data import KINDS
from astrace.util.progress import progress

WEIGHTS = np.linspace(-1.0, 1.0, 12).reshape(3, 4)
X = np.linspace(0.0, 1.0, 6).reshape(2, 3)
SLOWEST = 2.0
"""Seconds of processor time in which a changed graph has to be refused or loaded."""


def model(x: Any, n: int = 3, mode: str = "a") -> Any:
    """The function whose bundle is damaged."""
    acc = x @ WEIGHTS
    for i in range(n):
        acc = np.tanh(acc) + i if acc.sum() > 0.5 else acc - 0.25
    if mode == "a":
        acc = np.linalg.norm(acc, axis=1, keepdims=True)
    try:
        share = 1 / n
    except ZeroDivisionError:
        share = 0.0
    return {"acc": acc, "share": share, "parts": [acc.T, (n, mode)]}


def made() -> dict[str, bytes]:
    """The members of the bundle."""
    graph = astrace.trace(model, X)
    return contents_of(graph, Extras({"note": "a"}), lambda args, kwargs: graph(*args, **kwargs))


def answer(graph: Any) -> str:
    """All that a graph gives on a few calls."""
    found: list[str] = []
    for args in ((X,), (X * 3.0, 5), (X - 2.0, 0)):
        result = graph(*args)
        parts = [result["acc"].tobytes().hex(), repr(result["share"]), result["parts"][0].tobytes().hex()]
        found.append(" ".join([*parts, repr(result["parts"][1]), str(sorted(result))]))
    return "\n".join(found)


# -- flipped bits ------------------------------------------------------------------------------------------


def flips(count: int, seed: int = 0) -> dict[str, Any]:
    """Flip bits of a zip file and of the files of a folder, one at a time.

    Args:
        count: how many.
        seed: of the random places.
    """
    rng = random.Random(seed)
    found: Counter[str] = Counter(refused=0, same=0, wrong=0)
    codes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        contents = made()
        for name in ("bundle.zip", "bundle"):
            write_bundle(Path(folder) / name, contents)
        expected = answer(astrace.load(f"{folder}/bundle"))
        files = [path for path in sorted(Path(folder).rglob("*")) if path.is_file()]
        sizes = [path.stat().st_size for path in files]
        for _ in progress(range(count), "flips"):
            (path,) = rng.choices(files, sizes)
            found[_flipped(path, rng, Path(folder), expected, codes)] += 1
    return {**found, "codes": dict(sorted(codes.items()))}


def _flipped(path: Path, rng: random.Random, folder: Path, expected: str, codes: Counter[str]) -> str:
    """Flip one bit, load, and flip it back."""
    whole = path.read_bytes()
    changed = bytearray(whole)
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    path.write_bytes(changed)
    bundle = path if path.parent == folder else folder / "bundle"
    try:
        return "same" if answer(astrace.load(bundle)) == expected else "wrong"
    except astrace.BundleError as error:
        codes[error.code] += 1
        return "refused"
    finally:
        path.write_bytes(whole)


# -- changed data ------------------------------------------------------------------------------------------


def graphs(count: int, seed: int = 0) -> dict[str, Any]:
    """Change the data of the graph at random and make the hashes anew.

    Args:
        count: how many.
        seed: of the random changes.
    """
    return _changed(made(), GRAPH, count, seed)


@astrace.script
class Takes:
    """An operator that is made of anything."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.held = args, kwargs

    def __call__(self, text: Any) -> Any:
        return text


@dataclasses.dataclass
class Pair:
    """A dataclass among the arguments."""

    left: Any
    right: Any = None


TEXTS = (
    "", "-", "x" * 300, "x/" * 3000, "False", "\ud800", "\0", "0x", "-0x1", "0x1p99999", "nan:", "nan:zz", "ffffffff", "<U1", "<M8[999s]",
    "{'names':['a'],'formats':['O']}", "(2,)f4", "O", "longdouble", "object", "fuzz.bundles.Takes", "fuzz.bundles.Pair", "Takes", "Takes_2",
)  # fmt: skip
"""Texts that stand for something in some place, and for nothing, or too much, in others."""


def _other_value(data: Any, rng: random.Random) -> None:
    """Put a text, a kind, a value of some kind, or a field where there is another one."""
    owner, key = rng.choice(_places(data))
    kind, text = rng.choice(list(KINDS)), rng.choice(TEXTS)
    match rng.randrange(4):
        case 0 if isinstance(owner[key], str):
            owner[key] = rng.choice((kind, text))
        case 1 if isinstance(owner, dict):
            owner[text] = owner[key]
        case 2 if isinstance(owner[key], list) and owner[key] and owner[key][0] in list(KINDS):
            owner[key] = [kind, rng.choice((text, None, 0, True)), *owner[key][2:]]
        case _:
            parts: tuple[list[Any], ...] = ([], [["str", text]], [["bytes", "ffffffff"]], [["shared", 0]])
            owner[key] = [kind, text, *rng.choice(parts)]


def operators(count: int, seed: int = 0) -> dict[str, Any]:
    """Change what is said of operators and their arguments, and the recorded calls, likewise."""
    shared = [1, 2.5, None]
    objects = np.array([["a", 1], [None, (2,)]], dtype=object)
    numbers = (10**30, float("nan"), 1 + 2j, np.float32(0.5), np.datetime64("2020-01-01"), np.arange(3.0))
    inner = Takes({"a.b": [True, b"x"]}, {1, "a"}, frozenset({2}), slice(1, None), range(3), shared)
    one = Takes(
        *numbers, objects, inner, Path(__file__), Pair(shared, Path("x")), np.dtype("f4"), int, key=shared
    )
    graph = astrace.trace(one, "x")
    calls = (("x",), {}), (("y",), {})
    contents = contents_of(graph, Extras(calls=calls), lambda args, kwargs: graph(*args, **kwargs))
    members = (OPERATORS_MEMBER, OPERATORS_MEMBER, EXAMPLES)
    changes = (_other_value, _change, _change)
    found = [
        _changed(contents, member, count // 3, seed, [Takes, Pair], change)
        for member, change in zip(members, changes, strict=True)
    ]
    sums = {key: sum(one[key] for one in found) for key in ("refused", "loaded", "wrong")}
    return {
        **sums,
        "codes": [one["codes"] for one in found],
        "faults": [f for one in found for f in one["faults"]],
    }


def _changed(
    contents: dict[str, bytes],
    member: str,
    count: int,
    seed: int,
    passed: Sequence[Any] = (),
    change: Callable[[Any, random.Random], None] | None = None,
) -> dict[str, Any]:
    """Change a member at random, and load what comes out."""
    rng = random.Random(seed)
    data = json.loads(contents[member])
    found: Counter[str] = Counter(refused=0, loaded=0, wrong=0)
    codes: Counter[str] = Counter()
    faults: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in progress(range(count), member):
            changed = json.loads(json.dumps(data))
            for _ in range(rng.choice((1, 1, 2, 5))):
                (change or _change)(changed, rng)
            path = Path(folder) / f"{number}"
            _write(path, {**contents, member: dumps(changed)})
            begun = time.process_time()
            try:
                astrace.load(path, operators=passed)
                found["loaded"] += 1
            except astrace.BundleError as error:
                codes[error.code] += 1
                found["refused"] += 1
            except MissingExtra:  # a value that says it is a model
                found["refused"] += 1
            except Exception as error:  # whatever it is, it is a fault
                found["wrong"] += 1
                faults.append(f"{type(error).__name__}: {error}")
            if time.process_time() - begun > SLOWEST:
                found["wrong"] += 1
                faults.append(f"took {time.process_time() - begun:.1f} s")
            shutil.rmtree(path)
    return {**found, "codes": dict(sorted(codes.items())), "faults": faults[:20]}


def _write(path: Path, contents: dict[str, bytes]) -> None:
    """Write a folder with hashes that fit."""
    manifest = manifest_of(contents[MANIFEST])
    members = {name: Member.of(name, content) for name, content in contents.items() if name != MANIFEST}
    object.__setattr__(manifest, "members", members)
    for name, content in {**contents, MANIFEST: manifest.content()}.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def _places(data: Any) -> list[tuple[Any, Any]]:
    """Every container in data, with the keys of its items."""
    found: list[tuple[Any, Any]] = []
    pending = [data]
    while pending:
        one = pending.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one))
        found += [(one, key) for key in keys]
        pending += [one[key] for key in keys if isinstance(one[key], dict | list)]
    return found


def _change(data: Any, rng: random.Random) -> None:
    """Replace, remove, double or exchange something."""
    places = _places(data)
    numbers = [(owner, key) for owner, key in places if type(owner[key]) is int]
    owner, key = rng.choice(numbers if numbers and rng.random() < 0.7 else places)
    other, place = rng.choice(places)
    match rng.choice((0, 1, 2, 3, 3, 3, 4)):
        case 0:
            owner[key] = json.loads(json.dumps(other[place]))
        case 1 if isinstance(owner, list):
            del owner[key]
        case 2 if isinstance(owner, list):
            owner.insert(key, json.loads(json.dumps(owner[key])))
        case 3 if isinstance(owner[key], int):
            owner[key] = int(owner[key]) + rng.choice((-1, 1, 7))
        case _:
            owner[key] = rng.choice(
                (None, True, 0, -1, 10**15, 0.5, "x", "np.sum", "__class__", [], {}, ["hole", 0])
            )


# -- killed processes --------------------------------------------------------------------------------------


def two() -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The members of two graphs."""

    def members(rate: float) -> dict[str, bytes]:
        weights = np.full(20_000, rate)
        graph = astrace.trace(lambda x: (x * weights).sum(), np.ones(20_000))
        return contents_of(graph, Extras(), lambda args, kwargs: graph(*args, **kwargs))

    return members(1.0), members(2.0)


def kills(count: int, seed: int = 0) -> dict[str, Any]:
    """Kill a process that saves over and over, at a random moment, and load what is there.

    Args:
        count: how many times.
        seed: of the random moments.
    """
    rng = random.Random(seed)
    found: Counter[str] = Counter(whole=0, broken=0, left=0)
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/bundle.zip", f"{folder}/bundle"]
        for path in paths:
            write_bundle(path, two()[0])
        for first in progress(range(0, count, 50), "rounds of kills"):
            _round(paths, min(count - first, 50), rng, found)
        found["left"] = len(list(Path(folder).glob(".bundle*.tmp")))
    return dict(found)


def _round(paths: list[str], count: int, rng: random.Random, found: Counter[str]) -> None:
    """Start a process that has everything ready, and let forks of it save and be killed."""
    command = [sys.executable, "-c", FORKING, *paths]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        for _ in range(count):
            server.stdin.write("go\n")
            server.stdin.flush()
            child = int(server.stdout.readline())
            time.sleep(rng.uniform(0.0, 0.03))
            os.kill(child, signal.SIGKILL)
            server.stdout.readline()  # it is gone
            for path in paths:
                found[_state(path)] += 1
        server.stdin.close()


FORKING = """
import os, sys
from astrace.bundle.files.writer import write_bundle
from fuzz.bundles import two
contents = two()
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        number = 0
        while True:
            number += 1
            for path in sys.argv[1:]:
                write_bundle(path, contents[number % 2])
    print(child, flush=True)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""


def _state(path: str) -> str:
    try:
        return "whole" if astrace.load(path)(np.ones(20_000)) in (20_000.0, 40_000.0) else "broken"
    except astrace.BundleError:
        return "broken"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the campaigns that are asked for, and print what was seen."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    campaigns = {"flips": flips, "kills": kills, "graphs": graphs, "operators": operators}
    for name in campaigns:
        parser.add_argument(f"--{name}", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    bad = 0
    for name, campaign in campaigns.items():
        count = getattr(options, name)
        if count:
            begun = time.perf_counter()
            report = campaign(count, options.seed)
            print(f"{name}: {count} in {time.perf_counter() - begun:.0f} s: {json.dumps(report)}")
            bad += report.get("wrong", 0) + report.get("broken", 0)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
