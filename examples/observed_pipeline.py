"""A pipeline whose every step can be looked at: a dataset of several columns, batches, preparation, a model, two verbs.

    python examples/observed_pipeline.py                   # prints the trace of three items
    python examples/observed_pipeline.py trace.html        # writes it as a page, too

Stars of two kinds are told apart by their light curves: some pulsate.  The curves are made here; some have gaps (NaN), as
measured ones have.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import astrace
from astrace.observe import trace_dataset_func, trace_func, trace_model_func, trace_verb_data

Batch = dict[str, Any]
CONFIG: dict[str, Any] = {"train": {"epochs": 30, "rate": 0.5}, "data_loader": {"batch_size": 16}}


class Stars:
    """Light curves, small images and labels.

    Args:
        count: the number of stars.
        seed: which stars they are.
    """

    def __init__(self, count: int = 200, seed: int = 7) -> None:
        self.rng_seed, self.count = seed, count

    @trace_dataset_func
    def __len__(self) -> int:
        return self.count

    @trace_dataset_func(result_name="flux")
    def get_flux(self, index: int) -> NDArray[np.float32]:
        """The brightness at 128 times; gaps are NaN."""
        rng = np.random.default_rng((self.rng_seed, index))
        times = np.linspace(0, 4, 128)
        pulses = 0.8 * np.sin(2 * np.pi * times * rng.uniform(1, 2)) * self.get_label(index)
        flux = 1 + pulses + rng.normal(0, 0.2, times.size)
        start = int(rng.integers(0, 100))
        flux[start : start + int(rng.integers(0, 12))] = np.nan
        return flux.astype(np.float32)

    @trace_dataset_func(result_name="image")
    def get_image(self, index: int) -> NDArray[np.uint8]:
        """A picture of the star: 32 by 32 pixels in three colours."""
        rng = np.random.default_rng((self.rng_seed, index, 1))
        y, x = np.mgrid[-1:1:32j, -1:1:32j]
        blob = np.exp(-(x**2 + y**2) / rng.uniform(0.05, 0.2))
        colour = rng.uniform(0.5, 1.0, 3)
        noise = rng.uniform(0, 0.12, (32, 32, 3))
        return (255 * np.clip(blob[..., None] * colour + noise, 0, 1)).astype(np.uint8)

    @trace_dataset_func(result_name="label")
    def get_label(self, index: int) -> int:
        """Whether it pulsates: 1 or 0."""
        return index % 2

    @trace_func(stage_name="resolve_data", result_name="data")
    def resolve_data(self, index: int) -> Batch:
        """All columns of one star."""
        return {"flux": self.get_flux(index), "image": self.get_image(index), "label": self.get_label(index)}


@trace_func(stage_name="collate", result_name="batch")
def collate(samples: list[Batch]) -> Batch:
    """One array for each column."""
    return {name: np.stack([sample[name] for sample in samples]) for name in samples[0]}


@trace_func(stage_name="prepare_inputs", result_name=("inputs", "labels"))
def prepare_inputs(batch: Batch) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Features of the light curves, with gaps filled, and of the images; labels."""
    flux = batch["flux"].astype(np.float64)
    flux = np.where(np.isnan(flux), np.nanmean(flux, axis=1, keepdims=True), flux)
    spread, steps = flux.std(axis=1), np.abs(np.diff(flux, axis=1)).mean(axis=1)
    light = batch["image"].mean(axis=(1, 2, 3)) / 255
    return np.stack([spread, steps, light, np.ones(len(flux))], axis=1), batch["label"].astype(np.float64)


@astrace.compile
def probabilities(inputs: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The logistic function of a weighted sum."""
    scores = inputs @ weights
    return 1 / (1 + np.exp(-scores))


class Classifier:
    """Logistic regression."""

    def __init__(self) -> None:
        self.weights = np.zeros(4)

    @trace_model_func(result_name="scores")
    def forward(self, inputs: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability that each star pulsates."""
        return probabilities(inputs, self.weights)

    @trace_model_func(result_name="loss")
    def train_batch(self, inputs: NDArray[np.float64], labels: NDArray[np.float64], rate: float) -> float:
        """One step of gradient descent; the loss before it."""
        scores = self.forward(inputs)
        loss = -np.mean(np.log(np.where(labels > 0, scores, 1 - scores)))
        self.weights = self.weights - rate * inputs.T @ (scores - labels) / len(labels)
        return float(loss)


def batches(stars: Stars, size: int) -> Iterator[Batch]:
    """The stars in batches."""
    for start in range(0, len(stars), size):
        yield collate([stars.resolve_data(index) for index in range(start, min(start + size, len(stars)))])


@trace_verb_data(config="config")
def train(model: Classifier, stars: Stars, config: dict[str, Any]) -> list[float]:
    """Train a model; the loss of each epoch."""
    losses: list[float] = []
    for _ in range(config["train"]["epochs"]):
        parts: list[float] = []
        for batch in batches(stars, config["data_loader"]["batch_size"]):
            inputs, labels = prepare_inputs(batch)
            parts.append(model.train_batch(inputs, labels, config["train"]["rate"]))
        losses.append(sum(parts) / len(parts))
    return losses


@trace_verb_data(config="config")
def infer(model: Classifier, stars: Stars, config: dict[str, Any]) -> NDArray[np.float64]:
    """The probabilities of all stars."""
    found = [
        model.forward(prepare_inputs(batch)[0])
        for batch in batches(stars, config["data_loader"]["batch_size"])
    ]
    return np.concatenate(found)


def main() -> None:
    """Train, infer, and show what three items go through."""
    stars, model = Stars(), Classifier()
    losses = train(model, stars, CONFIG)
    scores = infer(model, stars, CONFIG)
    right = np.mean((scores > 0.5) == (np.arange(len(stars)) % 2 == 1))
    print(
        f"loss {losses[0]:.3f} at first, {losses[-1]:.3f} at last; {right:.0%} of {len(stars)} stars told apart\n"
    )
    trace = infer(model, stars, CONFIG, trace=3)
    print(trace)
    print(f"\nThe way of one item:\n\n{trace.item(1)}")
    print(f"\nInside the compiled function:\n\n{astrace.observe(probabilities)(np.eye(4), model.weights)}")
    for path in sys.argv[1:2]:
        Path(path).write_text(trace.to_html())


if __name__ == "__main__":
    main()
