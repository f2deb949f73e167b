"""Imports inside functions: of what is not there, of what is loaded, of names that a package holds beside its modules."""

import sys
import types


def optional(x):
    try:
        import no_such_module_at_all
    except ImportError as error:
        return x, type(error).__name__, error.name, str(error)
    return no_such_module_at_all.value


def part_that_is_missing(x):
    try:
        import json.no_such_part as part
    except ModuleNotFoundError as error:
        return error.name, str(error)
    return part


def name_that_is_missing(x):
    try:
        from math import no_such_name
    except ImportError as error:
        return type(error).__name__, str(error)[:40], error.name
    return no_such_name


def on_one_branch(x):
    if x > 1:
        import no_such_module_at_all

        return no_such_module_at_all
    return x * 2


def in_a_loop(x):
    failed = 0
    for _ in range(int(x)):
        try:
            from no_such_module_at_all import name, other
        except ImportError:
            failed += 1
            continue
        return name, other
    return failed


def in_finally(x):
    seen = []
    try:
        seen.append(x)
    finally:
        try:
            import no_such_module_at_all as found
        except ImportError:
            found = None
        seen.append(found)
    return seen


package = types.ModuleType("astrace_made_package")
package.__path__ = []
package.part = lambda x: x * 3
package.other = 2.5
sys.modules["astrace_made_package"] = package
sys.modules["astrace_made_package.part"] = types.ModuleType("astrace_made_package.part")
hidden = sys.modules["astrace_made_package.hidden"] = types.ModuleType("astrace_made_package.hidden")
hidden.value = 4


def beside_its_modules(x):
    from astrace_made_package import other, part

    return part(x) + other


def only_in_the_table(x):
    from astrace_made_package import hidden

    return hidden.value * x


sys.modules["astrace_blocked"] = sys.modules["astrace_made_package.blocked"] = None


def blocked(x):
    told = []
    try:
        import astrace_blocked
    except ImportError as error:
        told.append((type(error).__name__, str(error), error.name))
    try:
        from astrace_made_package import blocked as found
    except ImportError as error:
        told.append((type(error).__name__, str(error)[:30], error.name))
    return told, x


def f(x):
    branch = on_one_branch(x) if x < 1.5 else "not called"
    first = optional(x), part_that_is_missing(x), name_that_is_missing(x), branch
    return first, in_a_loop(x), in_finally(x), beside_its_modules(x), only_in_the_table(x), blocked(x)


CALLS = [(1,), (0,), (1.5,), (2.0,), (True,), (3,)]
