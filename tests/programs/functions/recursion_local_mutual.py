"""Local functions that call each other."""


def f(n):
    def ev(k):
        return True if k == 0 else od(k - 1)

    def od(k):
        return False if k == 0 else ev(k - 1)

    return ev(n)


CALLS = [(0,), (1,), (5,)]
PLAIN = "AT204"
