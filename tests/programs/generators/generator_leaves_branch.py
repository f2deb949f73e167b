"""A generator that leaves a branch is walked later, when the list that it walks is another one."""


def f(p, n):
    j = (v + 1 for v in p)
    if n > 1:
        j = iter([1])
    p.append(5)
    return list(j)


CALLS = [([1, 2], 1), ([1, 2], 2), ([], 0)]
