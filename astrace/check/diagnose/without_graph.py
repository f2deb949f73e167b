"""What is to blame for a difference where there is no graph whose steps could be looked at.

Takes the failing call and one that does not fail; each argument of the one is put into the other.  An argument of
another kind, or another Python value, with which alone the call fails is what was frozen, or is not taken.  What a
compiler is known to do otherwise is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.check.compare.observe import Call, Divergence
from astrace.check.compilers.deviations import known_deviation
from astrace.check.compilers.other_side import said_of
from astrace.check.diagnose.blame import Blame
from astrace.check.diagnose.deciding_line import deciding
from astrace.check.report.findings import Suspect
from astrace.check.subject import Subject

NO_GRAPH: Final = "the object that was checked is no graph, so none of its steps can be named"
COMPARE: Final = "compare the two functions line by line"


def without_graph(
    subject: Subject, apart: Divergence, call: Call, made_for: Call | None, differs: Callable[[Call], bool]
) -> Blame:
    """Find what is to blame for a difference between a function and a callable that is no graph.

    Args:
        subject: the two.
        apart: the difference.
        call: the failing call.
        made_for: the example.
        differs: whether the two differ on a call.
    """
    found = Blame(apart.where or subject.start, NO_GRAPH, COMPARE)
    for name, then, now, one in _exchanged(subject, call, made_for) if made_for is not None else ():
        if differs(one):
            where = deciding(
                subject.target.function, name, subject.reading(name), isinstance(now, np.ndarray)
            )
            suspect = Suspect(name, "argument", said_of(then), said_of(now))
            because = f"`{name}` was {suspect.then} in the example, and is {suspect.now} here"
            found = Blame(apart.where or where, because, COMPARE, suspect)
            break
    if subject.other is None:
        return found
    known = known_deviation(subject.other.compiler.name, apart)
    if known is None:
        return found if found.constant is not None else replace(found, because="")
    return replace(found, because=f"{known.because} ({known.page})", fix=known.fix)


def _exchanged(subject: Subject, call: Call, example: Call) -> Iterator[tuple[str, Any, Any, Call]]:
    """Yield the arguments that differ in kind or as Python values: name, both values, the example with the other one."""
    if len(call.args) != len(example.args) or call.kwargs.keys() != example.kwargs.keys():
        return
    names = list(subject.signature.parameters) if subject.signature is not None else []
    for index, (then, now) in enumerate(zip(example.args, call.args, strict=True)):
        if index < len(names) and _is_telling(then, now):
            args = (*example.args[:index], now, *example.args[index + 1 :])
            yield names[index], then, now, replace(example, args=args)
    for name, then in example.kwargs.items():
        if _is_telling(then, call.kwargs[name]):
            kwargs = {**example.kwargs, name: call.kwargs[name]}
            yield name, then, call.kwargs[name], replace(example, kwargs=kwargs)


def _is_telling(then: Any, now: Any) -> bool:
    """Return whether two values differ in more than the items of an array."""
    return said_of(then) != said_of(now)
