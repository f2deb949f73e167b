"""A short suite on every Python from 3.11 and on the oldest and newest NumPy, as far as this machine has them.

    python .ci/matrix.py                     # all that are found; two minutes or so for each
    python .ci/matrix.py --python 3.12 --numpy 1.26
    python .ci/matrix.py --python 3.13 --tests tests/test_guards.py

The suite runs the programs of the tests, captured and plain, against the installed wheel.  What was not found is said
at the end; it is no failure.  What it does not know is the rest of the tests: `.ci/run` runs those, on one Python.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
NUMPYS = {"1.26": "numpy==1.26.*", "newest": "numpy"}
SUITE = (
    "tests/test_programs.py::test_calls_as_plain_python",
    "tests/test_compiler.py",
    "tests/test_guards.py",
    "tests/test_check_compare.py",
)
COPIED = ("tests", "fuzz", "benchmarks", "docs", "examples")
PLACES = (Path("~/.pyenv/versions"), Path("~/.local/share/uv/python"), Path("/opt/python"))


def candidates(version: str) -> Iterator[Path]:
    """Where an interpreter of a version may lie: on the path, then where pyenv, uv and images of CI keep them."""
    for name in (shutil.which(f"python{version}"), sys.executable):
        if name is not None:
            yield Path(name)
    for place in PLACES:
        yield from sorted(place.expanduser().glob(f"*{version}*/bin/python3"), reverse=True)


def interpreter(version: str) -> Path | None:
    """The first interpreter that is of this version and can make an environment."""
    asked = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"
    for path in candidates(version):
        done = subprocess.run([path, "-c", asked], capture_output=True, text=True, check=False)  # noqa: S603
        if done.stdout.strip() == version:
            return path
    return None


def built(folder: Path) -> Path:
    """The wheel of this tree."""
    subprocess.run(  # noqa: S603
        [sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT], check=True, capture_output=True
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def installed(python: Path, wheel: Path, numpy: str, folder: Path) -> Path | str:
    """The Python of a new environment with the wheel and a NumPy; or why there is none."""
    subprocess.run([python, "-m", "venv", folder], check=True)  # noqa: S603
    made = folder / "bin" / "python"
    pip = [made, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary", ":all:"]
    done = subprocess.run(  # noqa: S603
        [*pip, f"{wheel}[check]", numpy, "pytest-xdist"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        return errors[-1].removeprefix("ERROR: ") if errors else done.stderr
    return made


def suite(python: Path, folder: Path, tests: Sequence[str]) -> tuple[bool, str]:
    """Run tests from a copy of the tests, beside which there is no package: the installed one is found."""
    folder.mkdir()
    shutil.copy(ROOT / "pyproject.toml", folder)
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name)
    versions = "import astrace, numpy, platform; print(platform.python_version(), numpy.__version__, astrace.__file__)"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {"CI": "true"}
    run = {"cwd": folder, "env": environment, "capture_output": True, "text": True}
    told = subprocess.run([python, "-c", versions], check=False, **run).stdout.split()  # noqa: S603
    assert "site-packages" in told[2], told
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", *tests]
    done = subprocess.run(command, check=False, **run)  # noqa: S603
    lines = [line for line in done.stdout.splitlines() if re.match(r"FAILED|ERROR|\d+ (passed|failed)", line)]
    result = lines[-1] if lines else done.stdout[-2000:] + done.stderr[-2000:]
    shown = "" if done.returncode == 0 else "\n".join(["", *lines[:-1][:60]])
    return done.returncode == 0, f"Python {told[0]}, NumPy {told[1]}: {result}{shown}"


def main() -> None:
    """Run the suite on all pairs; 1 where it fails on one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", action="append", choices=PYTHONS)
    parser.add_argument("--numpy", action="append", choices=list(NUMPYS))
    parser.add_argument("--tests", nargs="+", default=SUITE, help="what is run; by default a short suite")
    options = parser.parse_args()
    missing, failed = [], False
    with tempfile.TemporaryDirectory() as name:
        wheel = built(Path(name))
        for version in options.python or PYTHONS:
            python = interpreter(version)
            if python is None:
                missing.append(f"Python {version}: not on this machine")
                continue
            for numpy in options.numpy or NUMPYS:
                made = installed(python, wheel, NUMPYS[numpy], Path(name, f"{version}-{numpy}"))
                if isinstance(made, str):
                    missing.append(f"Python {version} with NumPy {numpy}: {made}")
                    continue
                passed, told = suite(made, Path(name, f"suite-{version}-{numpy}"), options.tests)
                failed |= not passed
                print(told, flush=True)
    for line in missing:
        print(f"not found: {line}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
