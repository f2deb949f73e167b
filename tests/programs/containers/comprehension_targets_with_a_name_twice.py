"""A target that assigns one name several times: the last one counts, at whatever depth it stands."""

def ignored(rows):
    return [a for a, _, _ in rows], {_: a for _, a, _ in rows}, {b for _, b, _ in rows if _ > 1}

def nested(pairs):
    return [(a, b) for (a, b), a in pairs], [(a, b) for a, (b, a) in pairs], [c for (c, c), c in pairs]

def starred(rows):
    return [a for a, *a in rows], [(a, b) for *a, b, a in rows], list(a for a, *_, _ in rows)

def kept(rows):
    return [(lambda: (a, _))() for a, _, _ in rows], [sum(a + _ for a, _, _ in rows) for _, _, a in rows]

def f(rows, pairs):
    swapped = [(b, (a, a)) for a, b in pairs]
    return ignored(rows), nested([((a, b), a + b) for a, b in pairs]), starred(rows), kept(rows), nested(swapped[:0])

ROWS = [(1, 2, 3), (4, 5, 6), (7, 8, 9)]
CALLS = [(ROWS, [(1, 2), (3, 4)]), ([], []), (ROWS[:1], [(5.0, 6)])]
