"""Operators that would come back as other ones: made again when they are saved, compared, and refused with the place."""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import astrace
from astrace.errors import BundleError

NUMBERS = itertools.count()


@dataclasses.dataclass
class Percent:
    """Changes a field each time it is made."""

    percent: float
    weights: Any = None

    def __post_init__(self) -> None:
        self.percent /= 100


@dataclasses.dataclass
class Hidden:
    """Has what no field tells."""

    size: int
    offset: dataclasses.InitVar[int] = 3
    seen: list[int] = dataclasses.field(default_factory=list[int], init=False)

    def __post_init__(self, offset: int) -> None:
        self.total = self.size + offset


@dataclasses.dataclass
class Required:
    size: int
    offset: dataclasses.InitVar[int]

    def __post_init__(self, offset: int) -> None: ...


@astrace.script
class Holds:
    """Keeps what it is given, and what is another one each time."""

    def __init__(self, given: Any) -> None:
        self.given, self.calls = given, 0
        self.begun, self.number, self.noise = time.time_ns(), next(NUMBERS), np.random.default_rng().random(3)

    def __call__(self, text: str) -> str:
        self.calls += 1
        return text.upper()


@astrace.script
class Uses(Holds):
    """Keeps nothing of what it is given."""

    def __init__(self, given: Any) -> None:
        self.calls = 0


@astrace.script
class Doubles(Holds):
    """Changes its argument."""

    def __init__(self, given: Any) -> None:
        given *= 2
        super().__init__(given)


@astrace.script
class Clips(Holds):
    """Changes its argument, and to no other effect when it is done twice."""

    def __init__(self, given: Any) -> None:
        super().__init__(np.clip(given, 0.0, 1.0, out=given))


@astrace.script
class Sums(Holds):
    """Keeps what it has computed of its argument."""

    __slots__ = ("total",)

    def __init__(self, given: Any) -> None:
        super().__init__(given)
        self.total = {"sums": [given.sum()]}


@astrace.script
class Once(Holds):
    """Can't be made twice."""

    made: list[int] = []  # noqa: RUF012 - the state of the class

    def __init__(self, given: Any) -> None:
        super().__init__(given)
        if given in self.made:
            raise RuntimeError("again")
        self.made.append(given)


@astrace.script
class Keeps(Holds):
    """Keeps paths."""

    def __init__(self, path: Any) -> None:
        super().__init__({"whole": path, "parts": [Path(path), str(path), str(path).encode()]})
        self.text = Path(path).read_text()


CLASSES = [Holds, Uses, Doubles, Clips, Sums, Once, Percent, Hidden, Required]


def traced(*operators: Any) -> Any:
    def pipeline(text: str) -> list[Any]:
        return [one(text) for one in operators]

    return astrace.trace(pipeline, "x")


def with_attribute(value: Any, name: str, one: Any) -> Any:
    setattr(value, name, one)
    return value


def trained(cls: Any, weights: Any) -> Any:
    """An operator whose array is changed after it was made, before the pipeline is traced."""
    made = cls(weights)
    weights += 1.0
    return made


def nested(value: Any) -> Any:
    return {"a.b": [1, (value,)]}


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a field that is changed": (lambda: Holds(nested(Percent(50.0))), r"`given\['a.b'\]\[1\]\[0\].percent`"),
    "a field that is changed, of what is not kept": (lambda: Uses(Percent(50.0)), "argument `given.percent`"),
    "what no field tells": (lambda: Holds(Hidden(1, 5)), "argument `given.total`"),
    "a field that is no argument": (lambda: Holds(with_attribute(Hidden(1), "seen", [1])), r"`given.seen\[0\]`"),
    "another attribute": (lambda: Holds(with_attribute(Hidden(1), "more", 2)), "argument `given.more`"),
    "an argument that no field keeps": (lambda: Holds(Required(1, 2)), "TypeError: .*'offset'"),
    "an array that is changed by the constructor": (lambda: Doubles(np.ones(3)), "argument `given`"),
    "an array of objects, likewise": (lambda: Doubles(np.array([1, 2.5], object)), "argument `given`"),
    "what is computed of arguments": (lambda: trained(Sums, np.ones(3)), r"attribute `total\['sums'\]\[0\]`"),
    "a constructor that raises": (lambda: Once(1), "operator Once .*RuntimeError: again"),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_would_come_back_as_another(what: str, tmp_path: Path) -> None:
    """It is not saved; the message names the operator, and the argument or attribute."""
    make, match = REFUSED[what]
    operator = make()
    graph = traced(operator)
    with pytest.raises(BundleError, match=match) as raised:
        graph.save(tmp_path / "saved")
    assert raised.value.code == "AB203" and not (tmp_path / "saved").exists()


def called(operator: Any) -> Any:
    operator("x")
    operator.more = 3
    return operator


SAVED: dict[str, Callable[[], Any]] = {
    "one that was called and changed": lambda: called(Holds(nested([np.float32(1.5), float("nan")]))),
    "plain dataclasses": lambda: Holds([Hidden(1), Percent(0.0, np.ones(2))]),
    "weights that were trained": lambda: trained(Holds, np.ones(3)),
    "an array that is clipped": lambda: Clips(np.array([-1.0, 0.5])),
    "long containers": lambda: Holds({str(one): [one, 2**40000] for one in range(300)}),
    "an array of many objects": lambda: Holds(np.array([*range(300), None], object)),
}


@pytest.mark.parametrize("what", SAVED)
def test_state_is_no_difference(what: str, tmp_path: Path) -> None:
    """What calls have changed begins anew, as ever; what is another one each time is not compared."""
    operator = SAVED[what]()
    traced(operator).save(tmp_path / "saved")
    graph = astrace.load(tmp_path / "saved", operators=CLASSES)
    ((_, made),) = graph.pipeline.names.values()
    assert graph("y") == ["Y"] and made.calls == 1
    graph.save(tmp_path / "again")


def test_a_path_is_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written in several ways, kept in several forms; of two files of one content, and from another folder."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "v.txt").write_text("x")
    monkeypatch.chdir(tmp_path)
    one, other = Keeps("a/v.txt"), Keeps(tmp_path / "b" / "v.txt")
    graph = traced(one, other, Holds("b/"), Holds([np.str_("./b/")]))
    graph.save(tmp_path / "saved")
    monkeypatch.chdir(tmp_path / "a")
    graph.save(tmp_path / "again")
    assert (tmp_path / "saved" / "graph.json").read_bytes() == (
        tmp_path / "again" / "graph.json"
    ).read_bytes()


@pytest.mark.parametrize("kind", [list, tuple])
def test_what_is_shared_is_walked_once(kind: Any, tmp_path: Path) -> None:
    """A list of two that are one, again and again: 2^40 lists, if each is counted wherever it stands."""
    value: Any = kind([[1]])
    for _ in range(40):
        value = kind([value, value])
    operator = Holds(value)
    graph = traced(operator)
    graph.save(tmp_path / "saved")
    loaded = astrace.load(tmp_path / "saved", operators=[Holds])
    ((_, made),) = loaded.pipeline.names.values()
    depth, one = 0, made.given
    while len(one) == 2:
        assert one[0] is one[1]
        depth, one = depth + 1, one[0]
    assert depth == 40 and type(one) is kind
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again" / "operators.json").read_bytes() == (
        tmp_path / "saved" / "operators.json"
    ).read_bytes()
