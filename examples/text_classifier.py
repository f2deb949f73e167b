"""A text classifier as one file that runs elsewhere: words of a file to numbers, embedding, pooling, a linear classifier.

The tokeniser works on strings, so it is a node of the graph that calls it; its file of words goes with the bundle.  What is
computed with arrays is the graph itself, with the loop over the words and the branch for texts of which nothing is known.

    python examples/text_classifier.py
    python examples/text_classifier.py folder  # leaves the file there; elsewhere, with NumPy and astrace alone:
    astrace verify folder/classifier.zip --operators text_classifier.py:Tokenise
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

import astrace

WORDS = (
    "good",
    "great",
    "fine",
    "nice",
    "love",
    "bad",
    "awful",
    "boring",
    "sad",
    "hate",
    "film",
    "story",
    "ending",
)
LABELS = ("negative", "positive")
TEXTS = (
    "A very good film with a great ending",
    "boring story sad ending",
    "not bad",
    "Nobody knows any of these",
    "I love love LOVE it",
)


@astrace.script
class Tokenise:
    """The words of a text as their places in a file of words; words that are not in it are left out.

    Args:
        vocabulary: the file, one word on a line.
        lower: upper case is the same as lower case.
    """

    def __init__(self, vocabulary: str, *, lower: bool = True) -> None:
        self.ids = {word: index for index, word in enumerate(Path(vocabulary).read_text().split())}
        self.lower = lower

    def __call__(self, text: str) -> list[int]:
        """Return the places of the words that are known."""
        words = (text.lower() if self.lower else text).split()
        return [self.ids[word] for word in words if word in self.ids]


def classifier(tokenise: Tokenise, embedding: np.ndarray, weights: np.ndarray, bias: np.ndarray):  # noqa: ANN201
    """Return a function from a text to its label and the scores of both labels."""

    def classify(text: str) -> tuple[str, np.ndarray]:
        total, count = np.zeros(embedding.shape[1]), 0
        for index in tokenise(text):
            total = total + embedding[index]
            count += 1
        if count == 0:
            return "unknown", np.full(len(bias), 0.5)
        scores = np.exp((total / count) @ weights + bias)
        scores = scores / scores.sum()
        return (LABELS[1] if scores[1] > scores[0] else LABELS[0]), scores

    return classify


def made_up_model(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return an embedding in which the first words are good and the next ones bad, and a classifier that looks at that."""
    embedding = rng.normal(size=(len(WORDS), 4)) / 4
    embedding[:5, 0] += 1
    embedding[5:10, 0] -= 1
    return embedding, np.array([[-2.0, 2.0], [0.1, 0], [0, 0.1], [0, 0]]), np.zeros(2)


def main(kept: Path | None) -> None:
    """Trace, save, move and load, and show that nothing has changed; the file may be kept in a folder."""
    with tempfile.TemporaryDirectory() as folder:
        here, there = Path(folder, "here"), kept or Path(folder, "there")
        here.mkdir()
        vocabulary = here / "words.txt"
        vocabulary.write_text("\n".join(WORDS))
        classify = classifier(Tokenise(str(vocabulary)), *made_up_model(np.random.default_rng(3)))

        graph = astrace.trace(classify, TEXTS[0])
        print(graph)
        print("\nfiles:\n ", graph.assets)
        before = [classify(text) for text in TEXTS]

        graph.save(here / "classifier.zip", examples=[(text,) for text in TEXTS])
        there.mkdir(exist_ok=True)
        shutil.move(here / "classifier.zip", there / "classifier.zip")
        vocabulary.unlink()
        os.chdir(there)
        loaded = astrace.load("classifier.zip", operators=[Tokenise])

        print()
        after = [loaded(text) for text in TEXTS]
        for text, (label, scores) in zip(TEXTS, after, strict=True):
            print(f"{text:40} {label:9} {scores.round(3)}")
        same = all(
            a[0] == b[0] and a[1].tobytes() == b[1].tobytes() for a, b in zip(before, after, strict=True)
        )
        print("\nmoved, without its file of words; the same to the bit:", same)
        os.chdir(os.path.sep)


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute() if len(sys.argv) > 1 else None)
