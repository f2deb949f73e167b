"""A function that calls itself in a loop of the graph."""


def safe(board, r, c):
    for i in range(r):
        if board[i] == c or abs(board[i] - c) == r - i:
            return False
    return True


def queens(board, r, n):
    if r == n:
        return 1
    t = 0
    for c in range(n):
        if safe(board, r, c):
            board[r] = c
            t += queens(board, r + 1, n)
    return t


def f(n):
    return queens([0] * 6, 0, min(n, 5))


CALLS = [(0,), (1,), (5,)]
PLAIN = "AT203"
