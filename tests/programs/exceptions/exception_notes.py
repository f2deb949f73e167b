"""Notes added before and after an exception is raised."""


def notes(x):
    try:
        e = ValueError("a")
        e.add_note("n")
        raise e
    except ValueError as error:
        return error.__notes__


def notes_after(x):
    try:
        try:
            raise ValueError("a")
        except ValueError as error:
            error.add_note("one")
            error.add_note("two")
            raise
    except ValueError as e:
        return e.__notes__, hasattr(e, "__notes__")


def notes_bad(x):
    try:
        ValueError("a").add_note(3)
    except TypeError as e:
        return str(e), repr(e.__context__)


def notes_set(x):
    e = ValueError("a")
    e.__notes__ = ["q"]
    try:
        raise e
    except ValueError as error:
        return error.__notes__, error is e


def f(x):
    return notes(x), notes_after(x), notes_bad(x), notes_set(x)


CALLS = [(1,), (0,), (True,)]
