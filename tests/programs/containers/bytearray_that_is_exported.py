"""A bytearray that a `memoryview` shows can't change its size, also where nobody uses the view."""


def f(n):
    held = bytearray(4)
    view = memoryview(held)
    out = []
    for _ in range(n):
        try:
            held.append(1)
        except BufferError:
            out.append("BufferError")
    return out, len(held)


CALLS = [(0,), (1,), (3,)]
PLAIN = "AT204"
