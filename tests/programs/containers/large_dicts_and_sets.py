"""Dicts and sets of many keys: single keys are looked up, and what goes over all of them is done when the program runs."""


def single(d):
    return d["k7"] + 1, "k7" in d, "zz" in d, len(d), d.get("k9", 0), bool(d)


def walked(d):
    total, found = 0.0, []
    for key in d:
        total += d[key]
    for key, value in d.items():
        if value > 295:
            found.append(key)
    for index, (key, value) in enumerate(d.items()):
        if value > 3:
            break
    return total, found, index, key, sum(d.values()), {key: value + 1 for key, value in d.items() if value < 3}


def copied(d):
    made = dict(d)
    made.pop("k7")
    first, *rest = d
    return len(made), "k7" in made, {**d, "zz": 1.0}["zz"], first, len(rest), list(d.keys())[:2], sorted(d)[-1]


def changed(d):
    for key in list(d):
        if d[key] > 290:
            del d[key]
    d["new"] = 1.0
    try:
        for key in d:
            d["more " + key] = 0.0
    except RuntimeError as error:
        return str(error), len(d), list(d)[-1]


def members(s):
    return sorted(s)[:3], len(s), 5 in s, -1 in s, sum(s), len(s | {5000}), 4 in s


def f(d, s):
    return single(d), walked(d), copied(d), members(s), changed(d), d["k7"]


def large(first):
    return {f"k{index}": float(index) for index in range(first, 300 + first)}


CALLS = [(large(0), set(range(400))), (large(5), set(range(3, 300))), (dict(reversed(large(2).items())), {1, 2, 4})]


def noise(rng):
    return large(int(rng.integers(0, 7))), set(range(int(rng.integers(260, 400))))
