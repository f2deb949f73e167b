"""What stands around a function's body is run by the module alone: decorators, defaults, annotations."""

def marked(*options):
    def mark(function):
        function.options = options
        return function
    return mark

@marked(lambda: (nan := float("nan")), [last := k for k in range(3)], sorted(locals()) and 1)
def decorated(x, y=(lambda: (half := 0.5))(), z: (kind := float) = 2.0) -> (given := int):
    return x + y * z

def f(x):
    return decorated(x), decorated(x, 2), len(decorated.options), kind is float, half_of(x)

half_of = lambda x, by=(two := 2): x / by

CALLS = [(1,), (2.5,)]
