"""Files one within another: each name keeps what its own manager gave, also where the inner body alone reads it."""

import io


def f(text):
    log = []
    with io.StringIO(text) as source, io.StringIO() as sink:
        sink.write(source.read(2))
        log.append(sink.getvalue())
    with io.StringIO(text) as a:
        with io.StringIO("b") as b:
            with io.StringIO("c") as c:
                log.append((a.read(1), b.read(1), c.read(1)))
            log.append((a.read(1), b.tell()))
    for turn in range(len(text)):
        with io.StringIO(text) as a:
            with io.StringIO(text) as b:
                b.read(turn)
                log.append((a.read(1), b.read(1)))
    with io.StringIO(text) as a, io.StringIO(a.read(1)) as a, io.StringIO(a.read() + "!") as a:
        log.append(a.read())
    with io.StringIO(text) as a:
        try:
            with io.StringIO("rest") as b:
                while a.tell() < 2:
                    log.append(a.read(1) + b.read(1))
                    if a.tell() > len(text):
                        raise ValueError(text)
        except ValueError as error:
            log.append(error.args)
    return log


CALLS = [("abc",), ("xy",), ("abcdef",)]
