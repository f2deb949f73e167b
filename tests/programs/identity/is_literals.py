"""`is` beside numbers, strings and tuples: small numbers are one object each, other numbers are not."""

def f(x, n):
    one, word, pair, nothing = 1, "abc", (1, 2), None
    both = n is one, n is not one, x is word, n is -one, x is pair, x is nothing
    if n is one or x is word:
        return both, "one"
    return both

CALLS = [(1.0, 0), (7, 1), ("abc", 2), (None, 7), (True, -1)]
