"""A local function that calls itself changes a list of the function around it."""


def local_list(n):
    out = []

    def rec(k):
        out.append(k)
        if k > 0:
            rec(k - 1)

    rec(n)
    return out


def hanoi(n):
    moves = []

    def move(k, a, b, c):
        if k == 0:
            return
        move(k - 1, a, c, b)
        moves.append((a, b))
        move(k - 1, c, b, a)

    move(n, "a", "b", "c")
    return moves


def perm(n):
    out = []

    def perm(p, rest):
        if not rest:
            out.append(p)
            return
        for i in range(len(rest)):
            perm(p + [rest[i]], rest[:i] + rest[i + 1 :])

    perm([], list(range(min(n, 4))))
    return out


def f(n):
    return local_list(n), hanoi(n), perm(n)


CALLS = [(0,), (1,), (5,)]
PLAIN = "AT203"
