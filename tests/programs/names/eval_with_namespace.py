"""``eval`` and ``exec`` with a namespace are calls that may change anything."""

import numpy as np

state = {"rate": 1.0}


def f(x, text, names):
    before = x * state["rate"]
    exec(text, names, {"state": state})
    return before + x * state["rate"], eval("a + b", {"a": x, "b": 2}), names.get("seen")


CALLS = [
    (1.0, "state['rate'] = 3.0", {"seen": 1}),
    (np.arange(2.0), "state['rate'] += 1", {}),
]
AFTER = "state"
