"""The package as people install it: built, checked, installed from its wheel into a clean environment, and tried there.

    python .ci/package.py

Takes the tree it lies in and an environment with `build`, `twine`, `check-wheel-contents` and `pyright`; prints what it
did, and ends with a message where something is wrong.  What it does not know is the tests: those run on the tree.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = ("astrace", "astrace.check", "astrace.ir", "astrace.observe")
"""The modules whose names users import; all others are the compiler's own."""
SHIPPED = ("README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", "tests/conftest.py", "docs/conf.py")
"""What a source distribution has beside the package."""

TRIAL = """
import importlib.metadata, pathlib, sys
import numpy as np
import astrace

assert "site-packages" in astrace.__file__, astrace.__file__
assert importlib.metadata.version("astrace") == astrace.__version__
assert (pathlib.Path(astrace.__file__).parent / "py.typed").is_file()


@astrace.compile(fullgraph=True)
def root(a, tolerance=1e-10):
    x = a
    while abs(x * x - a) > tolerance:
        x = 0.5 * (x + a / x)
    return x


two = np.float64(2.0)
assert root(two) == root.__wrapped__(two)
assert "while_loop" in str(root.stages(two).graph)
assert not {"numba", "jax", "hypothesis"} & set(sys.modules)
try:
    astrace.check(root, two)
except astrace.MissingExtra as error:
    print("without extras:", str(error).splitlines()[0])
"""
CHECKED = """
import numpy as np
import astrace


def halved(x):
    while x.sum() > 1:
        x = x / 2
    return x


report = astrace.check(halved, np.arange(3.0))
assert report.ok, report
print("with the extra `check`:", str(report).splitlines()[-1])
"""


def run(*command: str | Path, cwd: Path | None = None, **variables: str) -> str:
    """Run a command to its end; what it printed.

    Raises:
        SystemExit: it failed; with its output.
    """
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | variables
    done = subprocess.run(  # noqa: S603
        command, cwd=cwd or ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def built(folder: Path) -> tuple[Path, Path]:
    """Build both distributions and check what is in them."""
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    print(run(sys.executable, "-m", "twine", "--no-color", "check", "--strict", wheel, source).strip())
    print(run(Path(sys.executable).with_name("check-wheel-contents"), wheel).strip())
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    if missing := [name for name in SHIPPED if name not in names]:
        sys.exit(f"{source.name} lacks {', '.join(missing)}")
    return wheel, source


def tried(wheel: Path, folder: Path) -> Path:
    """Install the wheel into a new environment and use it there; the environment's Python."""
    run(sys.executable, "-m", "venv", folder / "clean")
    python = folder / "clean" / "bin" / "python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    script = folder / "trial.py"
    for wanted, text in ((str(wheel), TRIAL), (f"{wheel}[check]", CHECKED)):
        run(*pip, wanted)
        script.write_text(text)  # a file: the source of its functions is looked up
        print(run(python, script, cwd=folder).strip())
    run(python.with_name("astrace"), "--help", cwd=folder)
    plugins = run(python, "-m", "pytest", "--help", cwd=folder)
    if "--astrace-check" not in plugins:
        sys.exit("pytest does not find the plugin")
    return python


def typed(python: Path, folder: Path) -> None:
    """Verify that the types of the public interface are known, as an installed package shows them."""
    pyright = shutil.which("pyright", path=str(Path(sys.executable).parent)) or "pyright"
    command = (pyright, "--verifytypes", "astrace", "--ignoreexternal", "--outputjson")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment["PATH"] = (
        f"{python.parent}{os.pathsep}{environment['PATH']}"  # where it looks for the package
    )
    # It ends with 1 wherever a type of any module is not known: which ones matter is decided here.
    done = subprocess.run(  # noqa: S603
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    found = json.loads(done.stdout)["typeCompleteness"]
    public = [one for one in found["symbols"] if one["name"].rpartition(".")[0] in PUBLIC]
    unknown = [one["name"] for one in public if not one["isTypeKnown"] or one["isTypeAmbiguous"]]
    print(
        f"types: {len(public) - len(unknown)} of {len(public)} public names are known;"
        f" {found['completenessScore']:.1%} of all {len(found['symbols'])} symbols"
    )
    if unknown or not public:
        sys.exit(f"types are not known of: {', '.join(unknown) or 'anything'}")


def main() -> None:
    """Build, check, install, try, verify."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel, _ = built(folder / "dist")
        typed(tried(wheel, folder), folder)


if __name__ == "__main__":
    main()
