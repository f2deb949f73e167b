"""A numerical model with learned weights, saved as a bundle.

    python examples/shipped_model.py folder          # writes folder/model, folder/model.zip
    python examples/run_shipped.py folder/model.zip  # anywhere else, with NumPy and astrace alone
    python folder/model/standalone.py                # or with NumPy alone: `from standalone import score`

The weights lie in ``.npy`` files; they are read once, when the model is traced, and are in the bundle.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import astrace


def learned(folder: Path) -> dict[str, np.ndarray[Any, Any]]:
    """Weights as a training run would leave them."""
    rng = np.random.default_rng(7)
    for name, shape in {"hidden": (4, 8), "out": (8, 3), "bias": (3,)}.items():
        np.save(folder / f"{name}.npy", rng.normal(size=shape))
    return {name: np.load(folder / f"{name}.npy") for name in ("hidden", "out", "bias")}


def main(folder: Path) -> None:
    """Trace, save, load, compare."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = learned(folder)

    def score(x: Any, steps: int = 3, *, mode: str = "mean") -> Any:
        hidden = np.zeros((x.shape[0], 8))
        for _ in range(steps):
            hidden = np.tanh(x @ weights["hidden"] + 0.5 * hidden)
        logits = hidden @ weights["out"] + weights["bias"]
        if logits.max() > 2.0:
            logits = logits - logits.max(axis=1, keepdims=True)
        shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        return {"shares": shares, "best": shares.argmax(axis=1), mode: shares.mean(axis=0)}

    rng = np.random.default_rng(1)
    calls = [(rng.normal(size=(rows, 4)), steps) for rows, steps in ((2, 3), (5, 0), (1, 9))]
    graph = astrace.trace(score, *calls[0])
    graph.metadata["labels"] = ["cat", "dog", "bird"]
    for name in ("model", "model.zip"):
        graph.save(folder / name, examples=calls)
        loaded = astrace.load(folder / name)
        for call in calls:
            expected, found = score(*call), loaded(*call)
            assert all(expected[key].tobytes() == found[key].tobytes() for key in expected)
    print(f"saved {graph!r} to {folder}/model and {folder}/model.zip")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made:
            main(Path(made))
