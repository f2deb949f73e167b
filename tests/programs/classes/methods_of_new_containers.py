"""Methods of lists, dicts and sets made here, picked by a value that is read from outside: they change those very objects."""

WHICH = {"k": 0}
BEFORE = {2: "WHICH['k'] = 1"}


def f(a, b):
    found, table, seen = [], {}, {b}
    (found.append, seen.add)[WHICH["k"]](a)
    ordered = [b, a]
    (ordered.sort, ordered.reverse)[WHICH["k"]]()
    [table.update, table.setdefault][WHICH["k"]](*([{"a": a}] if WHICH["k"] == 0 else ["b", b]))
    add = {"x": found.extend}["x"]
    add([a, b])
    return found, sorted(seen), ordered, table


CALLS = [(1.0, 2.0), (2.0, 1.0), (1.0, 2.0), (2.0, 1.0)]
