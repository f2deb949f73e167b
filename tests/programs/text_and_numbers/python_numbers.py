"""Python numbers keep Python's arithmetic."""

def f(a, b):
    return a + b, a - b, a * b, a / b, a // b, a % b, a ** 2, -a, +b, a < b, a == b, a & b if isinstance(a, int) and isinstance(b, int) else None

CALLS = [(7, 2), (7.5, 2), (-7, 2), (7, -2.5), (0, 0), (2, 0.0), (10**30, 3), (True, 2), (1, 1.0), (0.0, -0.0)]
