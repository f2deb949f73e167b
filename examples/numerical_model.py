"""A numerical model with learned weights from ``.npy`` files: its operators become the graph, and the graph a bundle.

All that the layers do is arithmetic, so nothing of them is left but the nodes and the weights: the bundle needs no class of
this file, and another process runs it with NumPy and astrace alone, or with NumPy alone.

    python examples/numerical_model.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import astrace


@astrace.script
class Layer:
    """A layer of a network, whose weights are in a folder.

    Args:
        folder: holds ``weights.npy`` and ``bias.npy``.
    """

    def __init__(self, folder: Path) -> None:
        self.weights, self.bias = np.load(folder / "weights.npy"), np.load(folder / "bias.npy")

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """Return what the layer makes of its inputs."""
        return np.tanh(x @ self.weights + self.bias)


@astrace.script
class Oscillator:
    """One step of a damped oscillator, with a force.

    Args:
        damping: what is lost of the speed.
    """

    def __init__(self, damping: float = 0.1) -> None:
        self.damping = damping

    def __call__(self, position: float, speed: float, force: float, step: float) -> tuple[float, float]:
        """Return the position and the speed one step later."""
        speed = speed + step * (force - position - self.damping * speed)
        return position + step * speed, speed


def learn(folder: Path, rng: np.random.Generator) -> None:
    """Write the weights of two layers."""
    for name, (inputs, outputs) in {"hidden": (2, 8), "out": (8, 1)}.items():
        (folder / name).mkdir()
        np.save(folder / name / "weights.npy", rng.normal(size=(inputs, outputs)) / np.sqrt(inputs))
        np.save(folder / name / "bias.npy", rng.normal(size=outputs) / 10)


def main() -> None:
    """Trace, save, move and load, and show that nothing has changed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        learn(folder, np.random.default_rng(1))
        hidden, out, oscillator = Layer(folder / "hidden"), Layer(folder / "out"), Oscillator()

        def controlled(position: float, steps: int) -> tuple[float, float, int]:
            """Push an oscillator by what a network says of its state, until it hardly moves."""
            speed = np.float64(0.0)
            for count in range(steps):
                if max(abs(position), abs(speed)) < 0.05:
                    return position, speed, count
                force = out(hidden(np.array([position, speed])))[0]
                position, speed = oscillator(position, speed, force, 0.1)
            return position, speed, steps

        graph = astrace.trace(controlled, np.float64(1.0), 10)
        print(graph)
        print(f"\noperators that are left: {len(graph.operators)}; files: {graph.assets}")
        cases = [
            (np.float64(start), steps) for start, steps in ((1.0, 5), (-2.5, 400), (0.01, 3), (3.0, 1000))
        ]
        before = [controlled(*case) for case in cases]

        graph.save(folder / "model")
        moved = (folder / "model").rename(folder / "elsewhere")
        for layer in ("hidden", "out"):
            for file in (folder / layer).iterdir():
                file.unlink()
        loaded = astrace.load(moved)

        print()
        after = [loaded(*case) for case in cases]
        for (start, steps), (position, speed, count) in zip(cases, after, strict=True):
            print(
                f"from {start:5}: after {count:4} of {steps:4} steps at {position:.4f}, with the speed {speed:.4f}"
            )
        same = before == after and list(map(type, before[0])) == list(map(type, after[0]))
        print("\nmoved, without its weights; the same to the bit:", same)


if __name__ == "__main__":
    main()
