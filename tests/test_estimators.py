"""Fitted estimators of scikit-learn as resources of operators: saved as data, moved, loaded elsewhere, the same bits."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import astrace
from astrace.errors import BundleError
from astrace.pipelines import estimators
from astrace.pipelines.recorded import Recorded
from astrace.pipelines.records import recorded, recreated

ROOT = Path(__file__).parent.parent
RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(40, 4)).round(3)
Y = np.array(["no", "yes"])[(X[:, 0] + X[:, 1] > 0).astype(int)]
TEXTS = ["a good film", "a bad one", "good, good", "nothing at all"]


@astrace.script
class Predict:
    def __init__(self, model: Any, method: str = "predict") -> None:
        self.model, self.method = model, method

    def __call__(self, x: Any) -> Any:
        return getattr(self.model, self.method)(x)


def mixed() -> Any:
    """A transformer of columns that holds arrays of objects, slices and other transformers."""
    columns = ColumnTransformer(
        [("n", StandardScaler(), [0]), ("c", OneHotEncoder(), [1])], sparse_threshold=0
    )
    table = np.array([[1.5, "a"], [2.5, "b"], [3.5, "a"]], dtype=object)
    return columns.fit(table), table


MODELS: dict[str, Callable[[], tuple[Any, Any, str]]] = {
    "linear": lambda: (make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y), X, "predict_proba"),
    "forest": lambda: (RandomForestClassifier(5, random_state=0).fit(X, Y), X, "predict_proba"),
    "tree": lambda: (DecisionTreeRegressor(max_depth=3).fit(X, X[:, ::2]), X, "predict"),
    "best first": lambda: (DecisionTreeClassifier(max_leaf_nodes=9).fit(X, Y), X, "predict"),
    "machine": lambda: (SVC().fit(X, Y), X, "decision_function"),
    "columns": lambda: (*mixed(), "transform"),
}  # fmt: skip
CLASSES = [
    Predict, Pipeline, StandardScaler, LogisticRegression, RandomForestClassifier, DecisionTreeClassifier,
    DecisionTreeRegressor, SVC, ColumnTransformer, OneHotEncoder,
]  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_saved_and_loaded(name: str, tmp_path: Path) -> None:
    """The same bits, and all attributes as they were; the fitted model goes on as it did."""
    model, x, method = MODELS[name]()
    operator = Predict(model, method)
    given = X if x.dtype == object else x
    graph = astrace.trace(lambda x: operator(x), given)
    graph.save(tmp_path / "saved")
    loaded = astrace.load(tmp_path / "saved", operators=CLASSES)
    ((_, made),) = loaded.pipeline.names.values()
    np.testing.assert_array_equal(made(x), operator(x), strict=True)
    assert repr(made.model) == repr(model) and vars(made.model).keys() == vars(model).keys()
    if x is given:
        np.testing.assert_array_equal(loaded(x), operator(x), strict=True)


PROGRAM = """
import sys
import astrace
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.pipeline import Pipeline

@astrace.script
class Predict:
    def __init__(self, model, method):
        self.model, self.method = model, method

    def __call__(self, x):
        return getattr(self.model, self.method)(x).toarray()

classes = [Predict, Pipeline, CountVectorizer, TfidfTransformer]
run = astrace.load(sys.argv[1], operators=classes)
print(run(sys.argv[2:]).tobytes().hex())
"""


def test_in_another_process(tmp_path: Path) -> None:
    """A model over texts, with a vocabulary; what is loaded says which classes it needs."""
    model = make_pipeline(CountVectorizer(stop_words=["at"]), TfidfTransformer()).fit(TEXTS)
    operator = Predict(model, "transform")
    path = tmp_path / "model.zip"
    astrace.trace(lambda x: operator(x), TEXTS).save(path)
    moved = path.rename(tmp_path / "moved.zip")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM, str(moved), "all good", "one"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == model.transform(["all good", "one"]).toarray().tobytes().hex()
    with pytest.raises(BundleError, match="AB115") as raised:
        astrace.load(moved, operators=[Predict])
    assert all(f".{one}'" in str(raised.value) for one in ("Pipeline", "CountVectorizer", "TfidfTransformer"))


# -- what is refused --------------------------------------------------------------------------------------


class Stated(BaseEstimator):
    """Its state is not its attributes."""

    def __getstate__(self) -> Any:
        return {"a": 1}


class Slotted(BaseEstimator):
    __slots__ = ("hidden",)


class Slotless(BaseEstimator): ...


def marked(estimator: Any) -> Any:
    vars(estimator)["a b"] = 1
    return estimator


UNTOLD: dict[str, tuple[Callable[[], Any], str]] = {
    "neighbours": (
        lambda: KNeighborsClassifier(algorithm="kd_tree").fit(X, Y),
        r"sklearn\.neighbors\._kd_tree\.KDTree at `model\._tree`, which can't be recorded",
    ),
    "boosting": (
        lambda: make_pipeline(GradientBoostingClassifier(n_estimators=2)).fit(X, Y),
        r"HalfBinomialLoss at `model\.steps\[0\]\[1\]\._loss`",
    ),
    "generator": (lambda: LogisticRegression(random_state=np.random.RandomState(0)), r"at `model\.random_state`"),
    "a state of its own": (Stated, r"Stated, whose attributes do not tell it: its class has a __getstate__"),
    "a strange attribute": (lambda: marked(Slotless()), "it has an attribute called 'a b'"),
    "a slot": (Slotted, r"the slot 'hidden'"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNTOLD)
def test_what_is_refused(name: str, tmp_path: Path) -> None:
    """The attribute is named, and nothing is written."""
    make, words = UNTOLD[name]
    operator = Predict(make(), "get_params")
    graph = astrace.trace(lambda deep: operator(deep), False)
    with pytest.raises(BundleError) as raised:
        graph.save(tmp_path / "saved")
    assert raised.value.code == "AB203" and not (tmp_path / "saved").exists()
    assert raised.match(words)


def remade(change: Callable[[Recorded], Recorded], classes: Any = None) -> Any:
    """A recorded model made again, with each of its parts changed."""

    def all_parts(one: Recorded) -> Recorded:
        return change(replace(one, items=tuple(map(all_parts, one.items))))

    record = recorded([Predict(DecisionTreeClassifier(max_depth=2).fit(X, Y))])
    (operator,) = record.operators
    arguments = tuple(replace(one, value=all_parts(one.value)) for one in operator.arguments)
    known = {f"{one.__module__}.{one.__qualname__}": one for one in CLASSES} | (classes or {})
    return recreated([replace(operator, arguments=arguments)], known, str, record.bulk)


def having(kind: str, value: Any, other: Any) -> Callable[[Recorded], Recorded]:
    return lambda one: replace(one, value=other) if (one.kind, one.value) == (kind, value) else one


TREE = "sklearn.tree._classes.DecisionTreeClassifier"


def test_other_classes_and_versions() -> None:
    """What is passed for an estimator is one; a version in which attributes mean something else is refused."""
    assert remade(lambda one: one)["Predict"].model.predict(X).tolist()
    with pytest.raises(ValueError, match="'Predict' is no class of scikit-learn's"):
        remade(lambda one: one, {TREE: Predict})
    with pytest.raises(ValueError, match=r"saved with scikit-learn 0\.1, and .* is installed"):
        remade(having("str", estimators.version(), "0.1"))
    for name in ("__class__", "a b", ""):
        with pytest.raises(ValueError, match="whose name is none"):
            remade(having("str", "criterion", name))


def tree() -> dict[str, Any]:
    return estimators.tree_parts(DecisionTreeClassifier(max_depth=3).fit(X, Y).tree_)


def node(number: int, **fields: int) -> Callable[[dict[str, Any]], None]:
    def change(parts: dict[str, Any]) -> None:
        parts["nodes"] = parts["nodes"].copy()
        for name, value in fields.items():
            parts["nodes"][name][number] = value

    return change


def put(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda parts: parts.update(changes)


BROKEN: dict[str, Callable[[dict[str, Any]], Any]] = {
    "round in a circle": node(0, left_child=0),
    "before itself": node(2, right_child=0),
    "outside": node(0, right_child=10**6),
    "another feature": node(0, feature=4),
    "a negative feature": node(0, feature=-1),
    "half a leaf": node(0, left_child=-1),
    "negative": node(0, left_child=-2, right_child=-2),
    "deeper than told": put(max_depth=2),
    "less deep than told": put(max_depth=10**6),
    "other nodes": lambda parts: parts.update(nodes=parts["nodes"][:-1]),
    "no nodes": lambda parts: parts.update(nodes=parts["nodes"][:0], values=parts["values"][:0], node_count=0),
    "other values": lambda parts: parts.update(values=parts["values"][:-1]),
    "another order": lambda parts: parts.update(values=np.asfortranarray(parts["values"])),
    "values of another dtype": lambda parts: parts.update(values=parts["values"].astype("f4")),
    "a list": lambda parts: parts.update(nodes=parts["nodes"].tolist()),
    "no features": put(n_features=0),
    "many outputs": put(n_outputs=2**40),
    "no classes": put(n_classes=np.array([0])),
    "a part less": lambda parts: parts.pop("values"),
    "a flag": put(node_count=True),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_broken_trees(what: str) -> None:
    """Their code follows the nodes unchecked, so none is made of nodes that lead anywhere else."""
    parts = tree()
    BROKEN[what](parts)
    with pytest.raises(ValueError, match=r"\b(tree|trees)\b"):
        estimators.made_tree(parts)


def test_trees_come_back() -> None:
    made = estimators.made_tree(tree())
    pruned = DecisionTreeClassifier(ccp_alpha=0.02).fit(X, Y).tree_
    assert estimators.made_tree(estimators.tree_parts(pruned)).node_count == pruned.node_count
    assert made.predict(X.astype(np.float32)).tolist() and made.max_depth == tree()["max_depth"]
