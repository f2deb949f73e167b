"""Programs of lists of lists, and of arrays that are made of lists: native code has to run them as Python does.

The lists are tables, graphs and rows that have several names; calls come to no rows, to rows of several lengths and to places outside.
"""

import numpy as np
from loop_programs import floats
from registry import registry

PROGRAMS, called_with = registry()


@called_with(lambda: (7, 5, 3), lambda: (0, 5, 3), lambda: (7, 0, 3), lambda: (1, 1, 0), lambda: (3, 2, -2))
def fills_a_table(n, m, k):
    table = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            table[i][j] = max(table[i - 1][j], table[i][j - 1]) + (i * j) % k
    return table[n][m]


@called_with(lambda: (5, 4, 1), lambda: (1, 1, 0), lambda: (3, 4, 4), lambda: (0, 3, 0))
def rows_with_several_names(n, m, place):
    row = [0] * m
    rows = [row] * n
    rows[0][place] = 7
    last = rows[n - 1]
    last[m - 1] += 5
    row.append(9)
    total = 0
    for one in rows:
        for value in one:
            total = total * 3 + value
    return total, len(rows[-1]), last[place]


@called_with(lambda: (5, 4), lambda: (1, 3), lambda: (2, 0))
def changes_rows_about(n, m):
    rows = [[float(i * j) for j in range(m)] for i in range(n)]
    for i in range(n - 1):
        rows[i], rows[i + 1] = rows[i + 1], rows[i]
        first, second = rows[i], rows[i + 1]
        for j in range(m):
            first[j] -= second[j] * 0.5
    total = 0.0
    for row in rows:
        total = total * 0.5 + sum(row)
    return total


@called_with(lambda: (12,), lambda: (1,), lambda: (0,))
def rows_of_a_triangle(n):
    """Rows of several lengths come out, each made of the one before."""
    rows, row = [], [1]
    for _ in range(n):
        rows.append(row)
        new = [1]
        for i in range(len(row) - 1):
            new.append(row[i] + row[i + 1])
        new.append(1)
        row = new
    return rows


@called_with(lambda: (6, 5, 0.5), lambda: (4, 3, -0.0), lambda: (2, 5, 0.5))
def rows_come_out_as_they_are(n, m, x):
    """A row that is in the list twice is one object, and items are the objects that came in."""
    rows = [[x * j for j in range(m)] for i in range(n)]
    rows[1] = rows[0]
    rows[0][2] = 9.5
    rows[3].append(x)
    rows[2] = []
    return rows


@called_with(lambda: (5, 3), lambda: (2, 2), lambda: (0, 2))
def rows_of_pairs(n, k):
    return [[(i, j / k) for j in range(i)] for i in range(n)]


@called_with(lambda: (4, 3, 2.5), lambda: (4, 3, np.float64(2.5)), lambda: (0, 3, 2.5), lambda: (2, 0, 7))
def rows_of_two_types(n, m, x):
    found = []
    for i in range(n):
        row = []
        for j in range(m):
            row.append(x if j % 2 else i)
        found.append(row)
    return found, len(found)


@called_with(lambda: (8,), lambda: (1,), lambda: (0,))
def parts_of_a_graph(n):
    near = [[] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            if (i * j) % 3 == 1:
                near[i].append(j)
                near[j].append(i)
    seen = [False] * n
    count = 0
    for start in range(n):
        if seen[start]:
            continue
        count += 1
        todo = [start]
        while todo:
            here = todo.pop()
            if seen[here]:
                continue
            seen[here] = True
            for there in near[here]:
                if not seen[there]:
                    todo.append(there)
    return count, seen


@called_with(lambda: (6, 3), lambda: (3, 0), lambda: (1, 2))
def lives_in_turns(n, turns):
    """The table takes the place of the one before, and that is let go of."""
    grid = [[(i * j + i) % 3 == 0 for j in range(n)] for i in range(n)]
    for _ in range(turns):
        new = [[False] * n for _ in range(n)]
        for i in range(n):
            for j in range(n):
                count = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if (di or dj) and grid[(i + di) % n][(j + dj) % n]:
                            count += 1
                new[i][j] = count == 3 or (grid[i][j] and count == 2)
        grid = new
    return grid


@called_with(lambda: (4, 3, 0), lambda: (4, 0, 0), lambda: (0, 3, 0), lambda: (4, 3, 2), lambda: (1, 1, 0))
def an_array_of_rows(n, m, extra):
    """No rows, empty ones, and ones of several lengths."""
    rows = []
    for i in range(n):
        row = []
        for j in range(m + (extra if i == 2 else 0)):
            row.append(i * 0.5 - j)
        rows.append(row)
    x = np.array(rows)
    return x, x.sum(axis=0)


@called_with(lambda: (4, 3), lambda: (1, 2), lambda: (0, 3))
def extremes_of_rows_of_integers(n, m):
    x = np.array([[i * j for j in range(m)] for i in range(n)])
    return x.dtype, x.max(axis=1), x


@called_with(lambda: (floats(9), 0.5), lambda: (floats(9), 50.0), lambda: (floats(0), 0.5))
def places_that_may_be_none(a, least):
    """An array of no integers is one of floats, which can't be an index."""
    places = []
    for i in range(len(a)):
        if a[i] > least:
            places.append(i)
    found = np.array(places)
    return found, found.sum(), found + 1, a[found]


@called_with(
    lambda: (floats(12, 2), 3, 4),
    lambda: (floats(12, 2), 3, 0),
    lambda: (floats(12, 2), 0, 2),
    lambda: (floats(2, 2), 3, 1),
)
def centres_of_groups(x, count, turns):
    """An array of rows takes the place of one that came in, and may be that one."""
    centres = x[:count]
    labels = np.zeros(len(x), int)
    for _ in range(turns):
        far = np.array([[np.sum((point - centre) ** 2) for centre in centres] for point in x])
        labels = np.argmin(far, axis=1)
        centres = np.array([x[labels == j].sum(axis=0) * 0.5 for j in range(count)])
    return centres, labels


@called_with(lambda: (3.0, 4), lambda: (-1.5, 3), lambda: (2.0, 0))
def powers_in_a_list(x, n):
    """A list of what may be complex has floats, or the program is given up."""
    found = []
    for i in range(n):
        found.append(x ** (0.5 * i))
    return found


@called_with(lambda: (6, 2), lambda: (1, 0), lambda: (0, 0), lambda: (6, 9))
def rows_are_taken_out(n, place):
    rows = [[i] * 12 for i in range(n)]
    last = rows.pop()
    first = rows.pop(0)
    rows.insert(1, last)
    rows.insert(0, first)
    rows[place].append(77)
    part = rows[1:]
    part.append(rows[0])
    part.reverse()
    rows.clear()
    total = 0
    for row in part:
        total = total * 3 + len(row) + row[-1]
    return total, len(rows), first


@called_with(lambda: (9, 4), lambda: (9, 40), lambda: (1, 0), lambda: (0, 0))
def places_of_numbers(n, k):
    found, order = [], []
    for i in range(n):
        value = i * i % 7
        if value not in found:
            found.append(value)
    for i in range(n):
        if i in found:
            order.insert(0, found.index(i))
    found.remove(k)
    found.reverse()
    return found, order, k in order


@called_with(lambda: (5, 0.5), lambda: (5, float("nan")), lambda: (2, 7.0), lambda: (5, 2))
def places_of_floats(n, x):
    found = [0.0, -0.0, x]
    for i in range(n):
        found.append(i * 0.25)
    return found.index(x), x in found, 0.25 in found, found.index(0.0)


@called_with(
    lambda: (np.array([0, 1, 3, 0]), np.array([1, 2, 0, 3]), 4),
    lambda: (np.array([0, 1]), np.array([0, 1]), 2),
    lambda: (np.zeros(0, np.int64), np.zeros(0, np.int64), 2),
    lambda: (np.array([0, 9]), np.array([1, 1]), 3),
)
def unites_parts(left, right, count):
    """Parents in a list of Python's integers, into which NumPy's are put, beside an array of a list."""
    parents, chosen = list(range(count)), []
    for edge in range(len(left)):
        a, b = left[edge], right[edge]
        while parents[a] != a:
            a = parents[a]
        while parents[b] != b:
            b = parents[b]
        if a != b:
            parents[a] = b
            chosen.append(edge)
    return np.array(chosen), parents
