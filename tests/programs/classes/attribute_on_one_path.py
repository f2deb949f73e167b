"""An attribute that only some paths set or delete: `hasattr`, `getattr` with a default, `AttributeError`."""

class Plain:
    shared = 1

    @property
    def doubled(self):
        return self.w * 2

class Slots:
    __slots__ = ("w",)

def ask(a):
    try:
        found = a.w
    except AttributeError as error:
        found = str(error).replace(f"{__name__}.", "")  # since Python 3.13 that of `__slots__` names the module
    return hasattr(a, "w"), getattr(a, "w", None), found

def f(k):
    a, b = KEPT
    if k > 0:
        a.w = b.w = k
        Plain.made = k
    first = ask(a), ask(b), getattr(a, "doubled", 0), getattr(Plain, "made", "no")
    if k > 1:
        del a.w, b.w
    for i in range(3):
        if hasattr(a, "n"):
            a.n += i
        elif k != 3:
            a.n = 10
    return first, ask(a), ask(b), hasattr(a, "doubled"), getattr(a, "n", "never")

KEPT = Plain(), Slots()
BEFORE = {index: "KEPT = Plain(), Slots()" for index in (1, 2, 3)}
CALLS = [(-1,), (1,), (2,), (3,)]
AFTER = "vars(KEPT[0]), Plain.made"
