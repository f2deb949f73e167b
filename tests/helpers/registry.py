"""Functions with their calls, by name: the programs that tests run natively and as plain Python."""


def registry():
    """Return a dict of functions and their calls by name, and the decorator that puts one there.

    The decorator is given what makes the arguments of each call anew.
    """
    programs = {}

    def called_with(*calls):
        def register(function):
            programs[function.__name__] = (function, calls)
            return function

        return register

    return programs, called_with
