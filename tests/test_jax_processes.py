"""JAX in processes of its own: several devices, several processes, a process forked off."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import textwrap

import pytest

PROGRAM = """
import astrace, jax, jax.numpy as jnp, numpy as np
from astrace.errors import ForkedAfterJax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

@astrace.compile(fullgraph=True)
def f(x, n):
    total = 0.0
    for i in range(n):
        row = x.sum(1) * 0.1
        if row.max() > 1:
            row = row / row.max()
        x = x + row[:, None]
        total = total + row[i]
    return x, total
"""


def run_python(source: str, devices: int = 1, **environment: str) -> subprocess.Popen[str]:
    """A process that runs a program on so many virtual devices."""
    flags = f"--xla_force_host_platform_device_count={devices} --xla_cpu_multi_thread_eigen=false"
    env = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu", "ASTRACE_DEBUG": "", **environment}
    text = PROGRAM + textwrap.dedent(source)
    return subprocess.Popen(
        [sys.executable, "-c", f"import linecache\nsource = {text!r}\n{LOADED}"],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


LOADED = """
linecache.cache["<program>"] = (len(source), None, source.splitlines(keepends=True), "<program>")
exec(compile(source, "<program>", "exec"), {"__name__": "program"})
"""


def finished(process: subprocess.Popen[str]) -> str:
    """Return the output of a process, which must end well."""
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return out


def test_shardings_are_kept_and_results_are_equal() -> None:
    """On 1, 2, 4 and 8 devices, with rows and with columns spread over them."""
    source = """
    x = jnp.asarray(np.random.default_rng(0).normal(size=(8, 8)), jnp.float32)
    expected = f(x, 3)
    for count in (1, 2, 4, 8):
        mesh = Mesh(np.array(jax.devices()[:count]), ("d",))
        for spec in (P("d"), P(None, "d")):
            sharding = NamedSharding(mesh, spec)
            found = f(jax.device_put(x, sharding), 3)
            assert found[0].sharding.is_equivalent_to(sharding, 2), (count, spec, found[0].sharding)
            assert len(found[0].addressable_shards) == count
            for one, other in zip(expected, found):
                np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-5)
    assert [entry.stages.executable.backend for entry in f._entries] == ["jax"]
    print("equal")
    """
    assert finished(run_python(source, devices=8)) == "equal\n"


def test_two_processes() -> None:
    """One program on the devices of two processes: each sees its rows, and the whole is what one process gives."""
    source = """
    import os
    jax.distributed.initialize(os.environ["ADDRESS"], 2, int(os.environ["NUMBER"]))
    whole = np.random.default_rng(0).normal(size=(8, 8)).astype(np.float32)
    sharding = NamedSharding(Mesh(np.array(jax.devices()), ("d",)), P("d"))
    x = jax.make_array_from_callback(whole.shape, sharding, lambda index: whole[index])
    found, total = f(x, 3)
    assert len(jax.devices()) == 4 and len(found.addressable_shards) == 2
    expected, number = f(jnp.asarray(whole), 3)
    for shard in found.addressable_shards:
        np.testing.assert_allclose(np.asarray(shard.data), np.asarray(expected)[shard.index], rtol=1e-5)
    np.testing.assert_allclose(np.asarray(total.addressable_data(0)), number, rtol=1e-5)
    print("equal")
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    both = [run_python(source, 2, ADDRESS=address, NUMBER=str(number)) for number in range(2)]
    assert [finished(one).splitlines()[-1] for one in both] == ["equal", "equal"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_forked_process_is_told_at_once() -> None:
    """JAX would wait forever in it; what runs through NumPy works."""
    source = """
    import os, warnings
    warnings.simplefilter("ignore")
    def double(x):
        return x * 2
    x, y = jnp.ones((2, 2)), np.ones((2, 2))
    known, fresh = (astrace.compile(double, backend="jax") for _ in range(2))
    f(x, 1), known(y)
    child = os.fork()
    if child == 0:
        told = 0
        for run in (lambda: f(x, 1), lambda: known(y), lambda: fresh(y)):
            try:
                run()
            except ForkedAfterJax as error:
                told += "spawn" in str(error)
        os._exit(3 - told)
    assert os.waitpid(child, 0)[1] == 0
    print("told")
    """
    assert finished(run_python(source)) == "told\n"
